"""The rows a batch becomes: named as the parameters of the statements that write them.

Pure: texts are looked up in numbers given from outside. This module must not know a connection.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from cmc_graph.stores.base import Declared, Entry

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
VERDICT = ("status", "reason", "history", "position")
PATTERN = ("history", "number", "template", "relation", "support", "answers")


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
    sources: Mapping[str, int]
    frontends: Mapping[str, int]


def record_rows(numbers: Numbers, entries: Iterable[Entry]) -> Iterator[Row]:
    """The rows of the entries' records, which have their place."""
    for record, status, reason, _ in entries:
        yield (
            numbers.history,
            record.position,
            record.text,
            status.value,
            reason,
            None if record.source is None else numbers.sources[record.source],
            record.source_line,
            record.observed_at,
            record.speaker,
            record.session,
        )


def assertion_rows(numbers: Numbers, entries: Iterable[Entry]) -> Iterator[Row]:
    """The rows of the entries' assertions; bound as numbers, since a truth value costs twice."""
    history, keys = numbers.history, numbers.keys
    relations, frontends = numbers.relations, numbers.frontends
    for record, _, _, assertions in entries:
        position = record.position
        for said in assertions:
            ordinal, subject, name, obj, subject_text, object_text, retracts, literal, origin = said
            relation, value = relations[name], keys[obj]
            yield (
                history,
                position,
                ordinal,
                keys[subject],
                relation.id,
                value,
                value if relation.many else 0,
                int(retracts),
                subject_text,
                object_text,
                int(literal),
                frontends[origin],
            )
