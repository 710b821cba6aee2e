"""A lock between processes, held through an open file, so that a killed holder lets go of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cmc_graph.errors import ConfigurationError


@contextmanager
def exclusive(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of that name; wait for whoever holds it.

    Args:
        path: The lock file, made when missing; it stays, only the lock on it goes.
        on_wait: Called once when another process holds the lock.

    Raises:
        ConfigurationError: This system has no such locks.
        OSError: The file cannot be opened.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock  # noqa: PLC0415 - POSIX only, see the message
    except ImportError as error:
        raise ConfigurationError(
            "the local server runs on Linux and macOS; elsewhere use compose.yaml and NEO4J_URI"
        ) from error
    with path.open("a") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            on_wait()
            flock(file, LOCK_EX)
        yield
