"""The folder of a server: configuration, password, ports, and the state of what runs in it.

It reads and writes files and knows nothing of processes and connections.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Self, TypeVar

import platformdirs
from pydantic import TypeAdapter, ValidationError

from cmc_graph.errors import ServerError
from cmc_graph.server.info import HOST, OnProgress, Ports, Progress, ServerInfo
from cmc_graph.server.locking import exclusive

_T = TypeVar("_T", Ports, ServerInfo)

_FOLDERS = ("conf", "data", "import", "licenses", "logs", "plugins", "run", "web")


@dataclass(frozen=True, slots=True)
class Home:
    """The files of one server, by name.

    Attributes:
        folder: The home folder, absolute, links resolved.
    """

    folder: Path

    @classmethod
    def at(cls, folder: Path | str | None) -> Self:
        """The home in that folder, made or not; None = the one in the user's data folder."""
        chosen = folder or platformdirs.user_data_path("cmc-graph", appauthor=False) / "server"
        return cls(Path(chosen).expanduser().resolve())

    @property
    def conf(self) -> Path:
        """Folder of the configuration."""
        return self.folder / "conf"

    @property
    def log(self) -> Path:
        """What the server printed since its last start."""
        return self.folder / "logs" / "console.log"

    @property
    def password_file(self) -> Path:
        """The generated password, one line; only the owner may read it."""
        return self.folder / "password"

    @property
    def has_password(self) -> bool:
        """Whether the user's password has been set in the server's own files."""
        return (self.folder / "data" / "dbms" / "auth.ini").exists()

    @property
    def _state(self) -> Path:
        return self.folder / "run" / "server.json"

    @property
    def _ports(self) -> Path:
        return self.folder / "ports.json"

    @contextmanager
    def held(self, on_progress: OnProgress) -> Iterator[None]:
        """Make the folders and keep every other start and stop of this home out meanwhile.

        Raises:
            ServerError: The home cannot be written.
        """
        wait = Progress(f"waiting for another command on {self.folder}")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name in _FOLDERS:
                (self.folder / name).mkdir(exist_ok=True)
            with exclusive(self.folder / "lock", lambda: on_progress(wait)):
                yield
        except OSError as error:
            raise ServerError(
                f"cannot use the server home {self.folder}: {error.strerror}"
                f" ({error.filename or self.folder})"
            ) from error

    def write_conf(self, version: str, ports: Ports, *, auth: bool) -> None:
        """Write the configuration of that version and keep the ports for the next start.

        Unknown settings stop a server, so that every version has a file of its own.
        """
        text = (files("cmc_graph.server") / f"neo4j-{version}.conf").read_text("utf-8")
        values = {"host": HOST, "auth": str(auth).lower(), **asdict(ports)}
        _write(self.conf / "neo4j.conf", Template(text).substitute(values))
        _write(self._ports, _json(ports))

    def kept_ports(self) -> Ports | None:
        """The ports of the last start; None when there was none.

        Raises:
            ServerError: The file that keeps them is damaged.
        """
        return _read_json(self._ports, Ports)

    def write_state(self, info: ServerInfo) -> None:
        """Note what runs here."""
        _write(self._state, _json(info))

    def read_state(self) -> ServerInfo | None:
        """What was noted as running here; whether it still does is not known in this module.

        Raises:
            ServerError: The note is damaged.
        """
        return _read_json(self._state, ServerInfo)

    def clear_state(self) -> None:
        """Forget what ran here."""
        self._state.unlink(missing_ok=True)

    def make_password(self) -> None:
        """Write a new password, for its owner only, if there is none."""
        if not self.password_file.exists():
            # Hexadecimal: the program that reads the file takes it as one argument.
            _write(self.password_file, f"{secrets.token_hex(16)}\n", mode=0o600)


def _json(value: Ports | ServerInfo) -> str:
    return TypeAdapter(type(value)).dump_json(value, indent=2).decode() + "\n"


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    """Write all of it or nothing, with that mode from the first byte on."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    draft.touch(mode)
    draft.write_text(text, "utf-8")
    draft.replace(path)


def _read_json(path: Path, kind: type[_T]) -> _T | None:
    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValidationError as error:
        raise ServerError(f"{path} is damaged: delete it and try again") from error
    except OSError as error:
        raise ServerError(f"cannot read {path}: {error.strerror}") from error
