"""One module per source format, found through the entry-point group ``cmc_graph.loaders``.

A loader is a module (or object) as ``Loader`` describes it, or ``AskingLoader`` where the format
has questions. It may also have ``PACKS``, the names of the grammar packs for sentence forms of the
format's own. Other packages bring loaders through the same group. Loaders must not know frontends,
stores or each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from cmc_graph.model import Record


class Loader(Protocol):
    """What a source format brings."""

    def accepts(self, name: str, head: bytes) -> bool:
        """True when a file of this name that begins with these bytes is of the format.

        Cheap, and never raises.

        Args:
            name: The file's name without folder and without ``.gz``.
            head: Its first bytes, unpacked, without byte order mark; at most 4096.
        """
        ...

    def records(self, path: Path) -> Iterator[Record]:
        """The records of the file, lazily, in source order.

        Raises:
            SourceError: It cannot be read as records; names file and line.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question that a source asks about its own records.

    Attributes:
        question: As the source words it.
        answers: Every answer the source counts as right, the main one first.
        id: Unique in the source.
        source: The source of the records it is about, as ``Record.source`` names it.
    """

    question: str
    answers: tuple[str, ...]
    id: str
    source: str


@runtime_checkable
class AskingLoader(Loader, Protocol):
    """A source format that has questions, too."""

    def cases(self, path: Path) -> Iterator[Case]:
        """The questions of the file, in its order.

        Raises:
            SourceError: It cannot be read; names file and line.
        """
        ...
