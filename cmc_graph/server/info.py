"""What is known of a running server, and of the steps of a start. Pure values, no I/O."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlencode, urlsplit

HOST = "127.0.0.1"
USERNAME = "neo4j"


@dataclass(frozen=True, slots=True)
class Ports:
    """The two ports of a server on the loopback address."""

    bolt: int
    http: int

    def replaced(self, bolt: int | None, http: int | None) -> "Ports":
        """These ports, with those that are given in their place."""
        return Ports(self.bolt if bolt is None else bolt, self.http if http is None else http)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """A running server.

    Attributes:
        bolt: Address for drivers, and for ``--store``.
        http: Address of the HTTP server.
        browser: Address of Neo4j Browser, without a connection; see ``browser_url``.
        version: Version of Neo4j.
        pid: Its process.
        home: Its folder, absolute.
        username: The user's name; None without authentication.
        password_file: File with the password, for its owner only; None without authentication.
    """

    bolt: str
    http: str
    browser: str
    version: str
    pid: int
    home: Path
    username: str | None
    password_file: Path | None

    @classmethod
    def of(
        cls, *, ports: Ports, version: str, pid: int, home: Path, password_file: Path | None
    ) -> Self:
        """The description of a server on the loopback address.

        Args:
            ports: Its two ports.
            version: Version of Neo4j.
            pid: Its process.
            home: Its folder, absolute.
            password_file: None when it runs without authentication.
        """
        http = f"http://{HOST}:{ports.http}"
        return cls(
            bolt=f"bolt://{HOST}:{ports.bolt}",
            http=http,
            browser=f"{http}/browser/",
            version=version,
            pid=pid,
            home=home,
            username=USERNAME if password_file else None,
            password_file=password_file,
        )

    @property
    def ports(self) -> Ports:
        """The two ports of the server."""
        return Ports(urlsplit(self.bolt).port or 0, urlsplit(self.http).port or 0)


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a start, as it goes on.

    Attributes:
        step: What is being done, in a few words; the same text while the step lasts.
        done: How much of it is done.
        total: How much there is to do; 0 when that is not known.
    """

    step: str
    done: int = 0
    total: int = 0


OnProgress = Callable[[Progress], None]


def browser_url(info: ServerInfo, guide: str | None = None) -> str:
    """The address that opens Neo4j Browser on this server.

    Without authentication it is connected at once; otherwise the user's name is filled in and the
    password, which belongs into no address, is asked for.

    Args:
        info: The server.
        guide: Address of a guide that Browser opens beside its editor.
    """
    if info.username is None:
        query = {"dbms": info.bolt, "preselectAuthMethod": "NO_AUTH"}
    else:
        query = {"dbms": info.bolt.replace("://", f"://{info.username}@")}
    if guide is not None:
        query |= {"cmd": "guide", "arg": guide}
    return f"{info.browser}?{urlencode(query, safe=':/@')}"
