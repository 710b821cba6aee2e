"""The rows a batch becomes: named as the parameters of the statements that write them.

Pure: texts are looked up in numbers given from outside. This module must not know a connection.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cmc_graph.model import Record
from cmc_graph.stores.base import Assertion, Declared, Entry

Row = tuple[object, ...]

#: What the statements of these names take, in the order of the rows below.
MENTION = ("key", "surface", "position")
RECORD = (
    *("history", "position", "text", "status", "reason"),
    *("source", "source_line", "observed_at", "speaker", "session"),
)
ASSERTION = (
    *("history", "position", "ordinal", "subject", "relation", "object", "member", "retracts"),
    *("subject_text", "object_text", "literal", "frontend"),
)
NAME = ("name", "name_position", "id")


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation as it is stored; ``many`` says that a subject has a slot for each value."""

    id: int
    declared: Declared
    many: bool


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that stand for the texts of a batch."""

    history: int
    keys: Mapping[str, int]
    relations: Mapping[str, RelationRow]
    labels: Mapping[str, int]


def position(entry: Entry) -> int:
    """The position of an entry that has its place."""
    return entry.record.position or 0


def mention_rows(entries: Iterable[Entry]) -> Iterable[Row]:
    """The first mention of each key that the entries name."""
    rows: dict[str, Row] = {}
    for entry in sorted(entries, key=position):
        place = entry.record.position
        for said in entry.assertions:
            if said.subject not in rows:
                rows[said.subject] = (said.subject, said.subject_text, place)
            if said.object not in rows:
                rows[said.object] = (said.object, said.object_text, place)
    return rows.values()


def record_row(numbers: Numbers, record: Record) -> Row:
    """The row of a record that has its place and verdict."""
    return (
        numbers.history,
        record.position,
        record.text,
        record.status and str(record.status),
        record.reason,
        None if record.source is None else numbers.labels[record.source],
        record.source_line,
        record.observed_at,
        record.speaker,
        record.session,
    )


def assertion_row(numbers: Numbers, record: Record, said: Assertion) -> Row:
    """The row of one of a record's assertions."""
    relation = numbers.relations[said.relation]
    obj = numbers.keys[said.object]
    return (
        numbers.history,
        record.position,
        said.ordinal,
        numbers.keys[said.subject],
        relation.id,
        obj,
        obj if relation.many else 0,
        said.retracts,
        said.subject_text,
        said.object_text,
        said.literal,
        numbers.labels[said.frontend],
    )
