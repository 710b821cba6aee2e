"""Lines that can be read twice: those that come only once are kept in a temporary file.

This module must not know what a line says.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from cmc_graph.errors import SourceError


@contextmanager
def repeatable(lines: Iterable[str]) -> Iterator[Iterable[str]]:
    """The same lines, to be read as often as wanted.

    Raises:
        SourceError: They come only once, and cannot be kept.
    """
    if iter(lines) is not lines:
        yield lines
        return
    with _temporary() as file:
        spool = _Spool(file)
        spool.fill(lines)
        yield spool


class _Spool:
    """Lines in a file, each as one JSON text, so that it comes back as it was."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def fill(self, lines: Iterable[str]) -> None:
        for line in lines:
            try:
                self._file.write(json.dumps(line) + "\n")
            except OSError as error:
                raise _unkept(error) from error

    def __iter__(self) -> Iterator[str]:
        try:
            self._file.seek(0)
        except OSError as error:  # what was still to be written
            raise _unkept(error) from error
        return map(json.loads, self._file)


def _temporary() -> IO[str]:
    try:
        return tempfile.TemporaryFile("w+", encoding="ascii", prefix="cmc-graph-")
    except OSError as error:
        raise _unkept(error) from error


def _unkept(error: OSError) -> SourceError:
    return SourceError(
        f"the lines cannot be kept in {tempfile.gettempdir()} ({error.strerror or error}); put "
        "them into a file and load that, or set TMPDIR"
    )
