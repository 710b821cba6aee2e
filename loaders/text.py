"""Plain text: one record a line.

When *every* line that is not blank is numbered (``12. text`` or ``[12] text``), the numbers are the
positions; otherwise source and line identify each record and the history gives the positions.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cmc_graph.errors import SourceError
from cmc_graph.model import Record
from loaders.lines import lines, located, numbered, position_of, source_of

_log = logging.getLogger("cmc_graph.loaders")

_SUFFIXES = (".txt", ".text", ".md", ".markdown", ".log")


def accepts(name: str, head: bytes) -> bool:
    """True for a file whose name says that it is plain text."""
    return name.lower().endswith(_SUFFIXES)


def records(path: Path) -> Iterator[Record]:
    """The lines as records, untouched but for the number a numbered file begins them with.

    Raises:
        SourceError: Not readable as text, or a number that cannot be a position.
    """
    source = source_of(path)
    is_numbered = _is_numbered(path)
    for number, line in lines(path):
        try:
            parts = numbered(line) if is_numbered else None
            record = Record(
                text=parts[1] if parts else line,
                position=position_of(parts[0]) if parts else None,
                source=source,
                source_line=number,
            )
        except SourceError as error:
            raise located(path, number, error) from error.__cause__
        yield record


def _is_numbered(path: Path) -> bool:
    """Every line has a number; that some of many have none is said, since it may be a mistake."""
    held = Counter(numbered(line) is not None for _, line in lines(path))
    if held[True] > held[False] > 0:
        _hint(path.name, held[True], held.total())
    return not held[False]


@cache
def _hint(name: str, numbers: int, count: int) -> None:
    """Say it once, though a file is read twice: to check it, and to ingest it."""
    _log.info(
        "%s: %d of %d lines begin with a number; only where all do, these are positions",
        name,
        numbers,
        count,
    )
