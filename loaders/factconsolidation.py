"""FactConsolidation (MemoryAgentBench): a cell, or a history without questions, as one JSON object.

``context`` is a header line, then one ``<serial>. <sentence>`` per line; the serials are the
positions. ``source_line`` counts the lines of the context.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, model_validator

from cmc_graph.errors import SourceError
from cmc_graph.model import Record
from cmc_graph.text import shorten
from loaders import Case, documents
from loaders.lines import located, numbered, position_of, shown, source_of

#: The relations of the data have sentence forms of their own.
PACKS = ("factconsolidation",)

_CONTEXT_FIELD = re.compile(rb'"context"\s*:')


class _Cell(BaseModel):
    """What is read of a cell; a history file has the first two fields only."""

    model_config = ConfigDict(strict=True)

    source: str
    context: str
    questions: list[str] = []
    answers: list[list[str]] = []
    qa_pair_ids: list[str] = []

    @model_validator(mode="before")
    @classmethod
    def _from_row(cls, row: Any) -> Any:
        """On the data set's hub, a row keeps its source and ids in ``metadata``."""
        metadata = row.get("metadata") if isinstance(row, dict) else None
        return {**metadata, **row} if isinstance(metadata, dict) else row


_FILE = TypeAdapter(_Cell)


def accepts(name: str, head: bytes) -> bool:
    """True for an object with a context near its beginning."""
    return head.lstrip().startswith(b"{") and _CONTEXT_FIELD.search(head) is not None


def records(path: Path) -> Iterator[Record]:
    """The numbered sentences of the context, each without its serial, with its full stop.

    Raises:
        SourceError: Not such a file, or a line after the header without a serial.
    """
    source = source_of(path)
    for number, raw in enumerate(documents.read(path, _FILE).context.split("\n"), 1):
        line = raw.removesuffix("\r")
        parts = numbered(line)
        if not line.strip() or (number == 1 and not parts):
            continue
        try:
            if not parts:
                raise SourceError(f"no serial before {shorten(line, 40)!r} in the context")
            record = Record(
                text=parts[1],
                position=position_of(parts[0]),
                source=source,
                source_line=number,
            )
        except SourceError as error:
            raise located(path, number, error) from error.__cause__
        yield record


def cases(path: Path) -> Iterator[Case]:
    """The questions about the final state; none for a history file.

    Raises:
        SourceError: Not such a file, or not one list of answers (and one id) per question.
    """
    cell = documents.read(path, _FILE)
    count = len(cell.questions)
    ids = cell.qa_pair_ids or [f"{cell.source}_no{number}" for number in range(count)]
    if not count == len(cell.answers) == len(ids):
        raise SourceError(
            f"{shown(path)}: {count} questions, {len(cell.answers)} answers and {len(ids)} ids "
            "do not belong together"
        )
    for question, answers, name in zip(cell.questions, cell.answers, ids, strict=True):
        yield Case(question=question, answers=tuple(answers), id=name, source=source_of(path))
