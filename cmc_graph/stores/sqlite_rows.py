"""The rows a batch becomes: named as the parameters of the statements that write them.

Pure: texts are looked up in numbers given from outside. This module must not know a connection.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

from cmc_graph.stores.base import Declared, Entry

Row = tuple[object, ...]

_position = attrgetter("record.position")

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


def mention_rows(entries: Iterable[Entry]) -> Iterator[Row]:
    """The first mention of each key that the entries name."""
    seen: set[str] = set()
    for entry in sorted(entries, key=_position):
        position = entry.record.position
        for said in entry.assertions:
            if said.subject not in seen:
                seen.add(said.subject)
                yield (said.subject, said.subject_text, position)
            if said.object not in seen:
                seen.add(said.object)
                yield (said.object, said.object_text, position)


def record_rows(numbers: Numbers, entries: Iterable[Entry]) -> Iterator[Row]:
    """The rows of the entries' records, which have their place and verdict."""
    for entry in entries:
        record = entry.record
        yield (
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


def assertion_rows(numbers: Numbers, entries: Iterable[Entry]) -> Iterator[Row]:
    """The rows of the entries' assertions; bound as numbers, since a truth value costs twice."""
    for entry in entries:
        position = entry.record.position
        for said in entry.assertions:
            relation = numbers.relations[said.relation]
            obj = numbers.keys[said.object]
            yield (
                numbers.history,
                position,
                said.ordinal,
                numbers.keys[said.subject],
                relation.id,
                obj,
                obj if relation.many else 0,
                int(said.retracts),
                said.subject_text,
                said.object_text,
                int(said.literal),
                numbers.labels[said.frontend],
            )
