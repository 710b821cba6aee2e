"""JSON Lines: one object a line, with the fields of ``Record``; only ``text`` is required.

A record without a ``source`` of its own belongs to its line of the file. Fields that are not known
are refused, so that a misspelt one is not lost.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from cmc_graph.errors import SourceError
from cmc_graph.model import Record
from loaders.documents import explain
from loaders.lines import lines, located, source_of

_SUFFIXES = (".jsonl", ".ndjson")
_TEXT_FIELD = re.compile(rb'"text"\s*:')


class _Line(BaseModel):
    """One line; what the values may be is for ``Record`` to say."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str
    position: int | None = None
    source: str | None = None
    source_line: int | None = None
    observed_at: str | None = None
    speaker: str | None = None
    session: str | None = None
    triples: list[Any] | None = None
    status: str | None = None


def accepts(name: str, head: bytes) -> bool:
    """True for ``.jsonl`` and ``.ndjson``, and for text that begins with an object with a text."""
    if name.lower().endswith(_SUFFIXES):
        return True
    return head.lstrip().startswith(b"{") and _TEXT_FIELD.search(head) is not None


def records(path: Path) -> Iterator[Record]:
    """The objects as records.

    Raises:
        SourceError: Not readable, not JSON, an unknown or missing field, or a value that a record
            cannot have.
    """
    source = source_of(path)
    for number, line in lines(path):
        try:
            record = _record(line, source, number)
        except SourceError as error:
            raise located(path, number, error) from error.__cause__
        yield record


def _record(line: str, source: str, number: int) -> Record:
    try:
        fields: dict[str, Any] = dict(_Line.model_validate_json(line))
    except ValidationError as error:
        raise SourceError(explain(error).replace("at line 1 column", "at column")) from error
    if fields["source"] is None:
        if fields["source_line"] is not None:
            raise SourceError("source_line says nothing without a source")
        fields.update(source=source, source_line=number)
    return Record(**fields)
