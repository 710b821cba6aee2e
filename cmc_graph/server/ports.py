"""Chooses the two ports of a server: those asked for, those it had before, or free ones."""

import secrets
import socket
import time
from collections.abc import Sequence

from cmc_graph.errors import ServerError, UsageError
from cmc_graph.server.info import HOST, Ports

#: Below the ports that systems hand out to outgoing connections, so that a port chosen once is
#: very likely free again at the next start.
_RANGE = range(20_000, 32_000)
_TRIES = 100

#: Seconds that a server which was killed may still hold its ports.
_PATIENCE = 3.0
_PAUSE = 0.1


def choose_ports(bolt: int | None, http: int | None, kept: Ports | None) -> Ports:
    """Two different ports on the loopback address, both free now.

    Args:
        bolt: 1 to 65535, or None for the kept one or a free one.
        http: The same for HTTP.
        kept: The ports of the last start.

    Raises:
        UsageError: A port is out of range, or both are the same.
        ServerError: A port is in use or not allowed, or none is free.
    """
    ports = (kept or _free_ports(besides=(bolt, http))).replaced(bolt, http)
    if ports.bolt == ports.http:
        raise UsageError(f"Bolt and HTTP cannot share port {ports.bolt}: choose another for one")
    _check("Bolt", ports.bolt, patient=kept is not None and ports.bolt == kept.bolt)
    _check("HTTP", ports.http, patient=kept is not None and ports.http == kept.http)
    return ports


def _check(role: str, port: int, *, patient: bool) -> None:
    if not 1 <= port <= 65_535:
        raise UsageError(f"{role} port {port} is out of range: choose one from 1 to 65535")
    deadline = time.monotonic() + (_PATIENCE if patient else 0.0)
    while error := _bind(port):
        if time.monotonic() >= deadline:
            raise ServerError(
                f"{role} port {port} on {HOST} cannot be used ({error.strerror}): stop the program"
                f" that holds it or choose another {role} port"
            ) from error
        time.sleep(_PAUSE)


def _free_ports(besides: Sequence[int | None]) -> Ports:
    """Two different ports that are free, neither of them among those."""
    found: list[int] = []
    for port in secrets.SystemRandom().sample(_RANGE, _TRIES):
        if port not in besides and _bind(port) is None:
            found.append(port)
        if len(found) == 2:
            return Ports(*found)
    raise ServerError(f"no free ports found on {HOST} from {_RANGE.start} to {_RANGE.stop - 1}")


def _bind(port: int) -> OSError | None:
    """What keeps a server from listening on the port; None when nothing does."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As the server does: connections of the last run that linger are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            return error
    return None
