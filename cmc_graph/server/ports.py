"""Chooses the two ports of a server: those asked for, those it had before, or free ones."""

import secrets
import socket
from collections.abc import Iterator

from cmc_graph.errors import ServerError, UsageError
from cmc_graph.server.info import HOST, Ports

#: Below the ports that systems hand out to outgoing connections, so that a port chosen once is
#: very likely free again at the next start.
_RANGE = range(20_000, 32_000)
_TRIES = 100


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
    free = _free_ports()
    ports = Ports(
        bolt=bolt or (kept.bolt if kept else next(free)),
        http=http or (kept.http if kept else next(free)),
    )
    if ports.bolt == ports.http:
        raise UsageError(f"Bolt and HTTP cannot share port {ports.bolt}: choose another for one")
    _check("Bolt", ports.bolt)
    _check("HTTP", ports.http)
    return ports


def _check(role: str, port: int) -> None:
    if not 1 <= port <= 65_535:
        raise UsageError(f"{role} port {port} is out of range: choose one from 1 to 65535")
    try:
        _bind(port)
    except OSError as error:
        raise ServerError(
            f"{role} port {port} on {HOST} cannot be used ({error.strerror}): stop the program"
            f" that holds it or choose another {role} port"
        ) from error


def _free_ports() -> Iterator[int]:
    """Different ports that are free, each looked for when it is asked for."""
    for _ in range(_TRIES):
        port = _RANGE.start + secrets.randbelow(len(_RANGE))
        try:
            _bind(port)
        except OSError:
            continue  # in use: the next one is tried
        yield port
    raise ServerError(f"no free port found on {HOST} from {_RANGE.start} to {_RANGE.stop - 1}")


def _bind(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As the server does: connections of the last run that linger are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HOST, port))
