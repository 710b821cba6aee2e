"""The store port: stage 2 and everything that is kept, and the pure rules both stores share.

A store keeps histories: records, the ledger of assertions, and the projection of current and ended
edges that latest-wins derives from it. Its verbs are those of the domain; every store has all of
them. This module must not know any database.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cmc_graph.errors import PositionConflict, SourceError, UsageError
from cmc_graph.model import (
    MAX_POSITION,
    Drift,
    Edge,
    Forgotten,
    History,
    Record,
    Relation,
    SetBy,
    Stats,
    Values,
)
from cmc_graph.text import shorten, utf8_length

SCHEMA_VERSION = 1

#: Limits in UTF-8 bytes: an index entry of Neo4j holds about 8 kB in sum over its properties.
MAX_HISTORY_BYTES, MAX_RELATION_BYTES, MAX_KEY_BYTES = 256, 512, 2_000

#: How many conflicting positions a PositionConflict names.
_SHOWN_CONFLICTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One triple of one record, ready to be written.

    ``subject`` and ``object`` are keys; the surfaces stand beside them. ``ordinal`` numbers the
    triples of the record from 0.
    """

    ordinal: int
    subject: str
    relation: str
    object: str
    subject_text: str
    object_text: str
    retracts: bool
    literal: bool
    frontend: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A record with its verdict; ``record.status`` and ``record.reason`` hold the verdict."""

    record: Record
    assertions: tuple[Assertion, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """How many values a relation has, and who says so."""

    values: Values
    set_by: SetBy


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction appends.

    Attributes:
        entries: In source order.
        relations: What the frontends say of relations; those not named here are single-valued.
    """

    entries: tuple[Entry, ...]
    relations: Mapping[str, Declared] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What one appended batch did; the first four add up to the entries of the batch."""

    facts: int = 0
    unresolved: int = 0
    no_fact: int = 0
    skipped: int = 0
    assertions: int = 0
    slots_changed: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """What a history already holds of some records.

    Attributes:
        texts: Text by position.
        lines: Position and text by (source, source_line).
    """

    texts: Mapping[int, str] = field(default_factory=dict)
    lines: Mapping[tuple[str, int], tuple[int, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which entries of a batch are new, each with its position, and how many are there already."""

    entries: tuple[Entry, ...]
    skipped: int
    next_position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What one read found: anchors in question order, edges without depth, their records.

    Edges may come in any order; each edge's record is among ``records``, each record once.
    """

    version: int = 0
    anchors: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suffix:
    """The newest records that fill a number of characters (see ``fit``), and how many are left."""

    records: tuple[Record, ...] = ()
    omitted: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One assertion as the ledger holds it.

    Attributes:
        member: The object's key in a many-valued relation, else the empty string.
        superseded_at: Position of the next assertion with effect on the slot; None on the slot's
            last word; the own position when the assertion is a retraction without effect.
    """

    position: int
    ordinal: int
    subject: str
    relation: str
    object: str
    member: str
    retracts: bool
    superseded_at: int | None
    subject_text: str
    object_text: str
    literal: bool
    frontend: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One record with all its assertions, as ``scan`` returns them."""

    record: Record
    assertions: tuple[Version, ...] = ()


class Store(Protocol):
    """What cmc-graph asks of a database.

    A history that was never written reads as empty. ``as_of`` is a position: the memory as it stood
    after that record (read contract, section 5); None means now. All verbs raise ``StoreError``.
    """

    def setup(self) -> None:
        """Create what is missing; refuse a database that is not ours or of another version."""
        ...

    def known(self, history: str, records: Sequence[Record]) -> Known:
        """What the history holds at the positions and source lines of these records."""
        ...

    def append(self, history: str, batch: Batch) -> Applied:
        """Write the new entries, resolve the slots they touch, all in one transaction.

        Order-independent and idempotent: any order of batches gives the same state, the same batch
        again changes nothing. Raises PositionConflict, then nothing of the batch is written.
        """
        ...

    def select(
        self, history: str, tokens: Sequence[str], hops: int, as_of: int | None = None
    ) -> Selection:
        """The closure of the entities that the question's tokens name, with its records.

        Edges beyond the hop cap never appear; a bounded traversal, in one round trip.
        """
        ...

    def unresolved(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest unresolved records, as many as fill ``chars`` characters of evidence."""
        ...

    def newest(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest records of any status, as many as fill ``chars`` characters of evidence."""
        ...

    def latest_state(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest records of the slots' last words and unresolved ones that fill ``chars``."""
        ...

    def versions(self, history: str, subject: str, relation: str | None = None) -> list[Version]:
        """The assertions about a subject key, oldest first; of one relation or of all."""
        ...

    def relations(self, history: str) -> list[Relation]:
        """The relations of a history, by name."""
        ...

    def set_relation(self, history: str, name: str, values: Values) -> int:
        """How many slots the relation has after a person said how many values it takes.

        Rewrites the ``member`` of its assertions and resolves its slots anew.
        Raises UsageError for a relation the history does not have.
        """
        ...

    def scan(self, history: str) -> Iterator[Kept]:
        """Every record with its assertions, ascending by position."""
        ...

    def rebuild(self, history: str) -> int:
        """How many slots there are after the projection was derived anew from the ledger alone."""
        ...

    def verify(self, history: str) -> Drift:
        """The differences between the ledger and the projection; writes nothing."""
        ...

    def forget(self, history: str, positions: Sequence[int]) -> Forgotten:
        """Remove records, their assertions and entities nothing names any more, in one transaction.

        The slots they were part of fall back to what the remaining assertions say. Positions the
        history does not have are ignored.
        """
        ...

    def stats(self, history: str) -> Stats:
        """Counts of one history."""
        ...

    def histories(self) -> list[History]:
        """All histories, by name."""
        ...

    def close(self) -> None:
        """Release connections; further calls raise StoreError, closing again does nothing."""
        ...


def check_history(name: str) -> str:
    """The history's name, if a store can hold it.

    Raises:
        UsageError: Empty, blank, not encodable or more than 256 bytes long.
    """
    if not name.strip():
        raise UsageError("the history needs a name: give --history NAME or set CMC_HISTORY")
    try:
        size = utf8_length(name)
    except UnicodeEncodeError as error:
        raise UsageError(
            "the history's name holds a lone surrogate; give a name of whole characters"
        ) from error
    if size > MAX_HISTORY_BYTES:
        raise UsageError(
            f"the history's name {shorten(name, 30)!r} has {size} bytes; "
            f"{MAX_HISTORY_BYTES} is the limit"
        )
    return name


def plan(batch: Batch, known: Known, next_position: int) -> Plan:
    """Which entries are new and at which position, decided without a database.

    Entries with a position keep it; the others get the next free ones in order (those the batch
    itself brings are not free), unless their source line is known. The same text again is skipped.

    Args:
        batch: Entries in source order.
        known: What the history holds at their positions and source lines.
        next_position: The history's first position after its greatest.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        SourceError: The history has no position left.
    """
    texts, lines = dict(known.texts), dict(known.lines)
    taken = {entry.record.position for entry in batch.entries}
    new: list[Entry] = []
    conflicts: dict[int, str] = {}
    for entry in batch.entries:
        record = entry.record
        while next_position in taken:
            next_position += 1
        position, held = _held(record, texts, lines, next_position)
        if held is None:
            _check_position(position)
            placed = record if record.position is not None else record.placed(position)
            new.append(Entry(placed, entry.assertions))
            texts[position] = record.text
            next_position = max(next_position, position + 1)
            if line := _line_of(record):
                lines.setdefault(line, (position, record.text))
        elif held != record.text:
            conflicts.setdefault(position, _conflict(position, record, held))
    if conflicts:
        raise _conflict_error(conflicts)
    return Plan(tuple(new), len(batch.entries) - len(new), next_position)


def fresh(records: Sequence[Record], known: Known) -> list[Record]:
    """The records a history does not have yet, in order, so that only these are interpreted.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
    """
    unknown: list[Record] = []
    conflicts: dict[int, str] = {}
    for record in records:
        position, held = _held(record, known.texts, known.lines)
        if held is None:
            unknown.append(record)
        elif held != record.text:
            conflicts.setdefault(position, _conflict(position, record, held))
    if conflicts:
        raise _conflict_error(conflicts)
    return unknown


def settle(
    declared: Mapping[str, Declared], stored: Mapping[str, Declared], used: Iterable[str]
) -> dict[str, Declared]:
    """What to store for each relation a batch uses, where it differs from what is stored.

    A person's word beats the others; between packs and frontends many wins, and at equal values
    the pack is named. Independent of the order in which batches come.
    """
    default = Declared(Values.ONE, SetBy.FRONTEND)
    changed: dict[str, Declared] = {}
    for name in used:
        new, old = declared.get(name, default), stored.get(name)
        if old is None or _weight(new) > _weight(old):
            changed[name] = new
    return changed


def fit(
    records: Iterable[Record], chars: int, line: Callable[[int, str], str], total: int
) -> tuple[tuple[Record, ...], int]:
    """The newest records that fill a number of characters, ascending, and how many are left.

    The first record that no longer fits is the last one taken: with it at hand, the renderer finds
    the exact cut also among other records.

    Args:
        records: Newest first; consumed only as far as needed.
        chars: Room for the lines, their line ends included.
        line: Renders position and text to a line of evidence.
        total: How many records there are in all.
    """
    taken: list[Record] = []
    for record in records:
        taken.append(record)
        chars -= len(line(record.position or 0, record.text))
        if chars < 0:
            break
    return tuple(reversed(taken)), total - len(taken)


def _line_of(record: Record) -> tuple[str, int] | None:
    if record.source is None or record.source_line is None:
        return None
    return (record.source, record.source_line)


def _weight(declared: Declared) -> tuple[bool, bool, bool]:
    return (
        declared.set_by is SetBy.PERSON,
        declared.values is Values.MANY,
        declared.set_by is SetBy.PACK,
    )


def _held(
    record: Record,
    texts: Mapping[int, str],
    lines: Mapping[tuple[str, int], tuple[int, str]],
    free: int = 0,
) -> tuple[int, str | None]:
    """The record's position, ``free`` when it has none yet, and the text held there, if any."""
    if record.position is not None:
        return record.position, texts.get(record.position)
    line = _line_of(record)
    return lines.get(line, (free, None)) if line else (free, None)


def _check_position(position: int) -> None:
    if position > MAX_POSITION:
        raise SourceError(
            f"the history has no free position after {MAX_POSITION}; give positions yourself"
        )


def _conflict(position: int, record: Record, held: str) -> str:
    where = f" ({shorten(record.source)}, line {record.source_line})" if record.source else ""
    return f"{position}{where}: has {shorten(held, 40)!r}, not {shorten(record.text, 40)!r}"


def _conflict_error(conflicts: Mapping[int, str]) -> PositionConflict:
    shown = "; ".join(list(conflicts.values())[:_SHOWN_CONFLICTS])
    more = len(conflicts) - _SHOWN_CONFLICTS
    return PositionConflict(
        f"{len(conflicts)} position(s) already hold another text: {shown}"
        + (f"; and {more} more" if more > 0 else "")
        + "; records never change: append a new record, or forget the old one first",
        list(conflicts),
    )
