"""Waits until a server answers over Bolt and HTTP. The one module here that uses the driver."""

import socket
import time
from pathlib import Path

from cmc_graph.errors import ServerError, StoreRefused
from cmc_graph.server.home import Home
from cmc_graph.server.info import HOST, ServerInfo
from cmc_graph.server.process import is_server, trouble

_PAUSE = 0.25
_TIMEOUT = 120.0
_CONNECT_TIMEOUT = 5.0


def await_ready(info: ServerInfo, home: Home, timeout: float = _TIMEOUT) -> None:
    """Return once the server answers, with its password where it has one.

    Args:
        info: The server, just started or running.
        home: Its home, for the log.
        timeout: Seconds to wait at most.

    Raises:
        StoreRefused: It refused the password of the password file; asked only once.
        ServerError: Its process ended, or it did not answer in time.
    """
    deadline = time.monotonic() + timeout
    while not _answers(info):
        if not is_server(info.pid, home):
            raise ServerError(f"Neo4j ended while starting: {_printed(home.log)}; see {home.log}")
        if time.monotonic() >= deadline:
            raise ServerError(
                f"Neo4j did not answer on {info.bolt} within {timeout:.0f} s; see {home.log}"
            )
        time.sleep(_PAUSE)


def _answers(info: ServerInfo) -> bool:
    from neo4j import GraphDatabase  # noqa: PLC0415 - slow to import, and most commands start nothing
    from neo4j.exceptions import ClientError, DriverError, Neo4jError  # noqa: PLC0415 - same

    # HTTP opens last, so that the driver only ever meets a server that is there.
    if not _open(info.ports.http):
        return False
    auth = (info.username or "", _password(info.password_file)) if info.password_file else None
    try:
        with GraphDatabase.driver(
            info.bolt,
            auth=auth,
            connection_timeout=_CONNECT_TIMEOUT,
            telemetry_disabled=True,
        ) as driver:
            driver.verify_connectivity()
    except ClientError as error:  # also when it has seen too many wrong passwords
        raise StoreRefused(
            f"the server in {info.home} refused the password in {info.password_file}"
            f" ({error.code}): write the current one to that file"
        ) from error
    except (DriverError, Neo4jError):
        return False  # not ready yet; the deadline bounds this
    return True


def _open(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), _CONNECT_TIMEOUT).close()
    except OSError:
        return False
    return True


def _password(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError as error:
        raise ServerError(f"cannot read the password in {path}: {error.strerror}") from error


def _printed(log: Path) -> str:
    return trouble(log.read_text("utf-8", errors="replace") if log.exists() else "")
