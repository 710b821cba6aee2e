"""The store port: stage 2 and everything that is kept, and the pure rules both stores share.

A store keeps histories: records, the ledger of assertions, and the projection of current and ended
edges that latest-wins derives from it. Its verbs are those of the domain; every store has all of
them. This module must not know any database.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from cmc_graph.errors import StoreError, UsageError
from cmc_graph.model import (
    Drift,
    Edge,
    Forgotten,
    History,
    Pattern,
    Record,
    Relation,
    SetBy,
    Stats,
    Status,
    Values,
)
from cmc_graph.text import shorten, utf8_length

SCHEMA_VERSION = 1

#: Limits in UTF-8 bytes: an index entry of Neo4j holds about 8 kB in sum over its properties.
MAX_HISTORY_BYTES, MAX_RELATION_BYTES, MAX_KEY_BYTES = 256, 512, 2_000


class Assertion(NamedTuple):
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


class Entry(NamedTuple):
    """A record, the verdict on it, and what it asserts, ready to be written.

    The verdict stands beside the record, not in a copy of it: what is ingested is not copied.
    """

    record: Record
    status: Status
    reason: str | None = None
    assertions: tuple[Assertion, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """How many values a relation has, and who says so."""

    values: Values
    set_by: SetBy

    @classmethod
    def kept(cls, name: str, values: str, set_by: str) -> "Declared":
        """What a store kept of the relation of that name.

        Raises:
            StoreError: It is no such thing.
        """
        try:
            return cls(Values(values), SetBy(set_by))
        except ValueError as error:
            raise damaged(f"relation {shorten(name, 40)!r}") from error


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What one read found: anchors in question order, edges without depth, their records.

    Edges may come in any order; each edge's record is among ``records``, each record once.

    Attributes:
        damaged: How many assertions and records were left out because they lack something.
    """

    version: int = 0
    anchors: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    records: tuple[Record, ...] = ()
    damaged: int = 0


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

    @property
    def entry(self) -> Entry:
        """The same as it was appended, without what the slots made of it."""
        said = (
            Assertion(**{name: getattr(each, name) for name in Assertion._fields})
            for each in self.assertions
        )
        record = self.record
        return Entry(record, record.status or Status.FACTS, record.reason, tuple(said))


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

    def versions(self, history: str, *subjects: str, relation: str | None = None) -> list[Version]:
        """The assertions about these subject keys, oldest first; of one relation or of all."""
        ...

    def changes(self, history: str, after: int, upto: int) -> list[Version]:
        """The assertions after one position up to another, and what held before in their slots.

        Oldest first.
        """
        ...

    def records(self, history: str, positions: Sequence[int]) -> list[Record]:
        """The records at these positions, ascending; a position without a record has none."""
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

    def merge_relations(self, history: str, into: Mapping[str, str]) -> None:
        """Make relations other names of those that count instead, in one transaction.

        Their assertions, and those that are appended under their names later, are the other one's;
        the slots touched are resolved anew. Of what was said of the two, the stronger word counts.
        The history need not have a relation that is merged. What is so already stays as it is.
        Raises UsageError for a relation to merge into that the history does not have, and where two
        are one already the other way round; then nothing is changed.
        """
        ...

    def declare(self, history: str, relations: Sequence[Relation]) -> None:
        """Write the relations the history does not have, as they are given, in one transaction.

        Those it has stay as they are; how many slots one has is not looked at. A relation that is
        merged comes with the one that counts, which is not merged itself.
        """
        ...

    def patterns(self, history: str) -> list[Pattern]:
        """The patterns kept with a history, in the order in which they were given."""
        ...

    def keep_patterns(self, history: str, patterns: Sequence[Pattern]) -> None:
        """Keep these patterns with a history, instead of those it had.

        The history's version stays as it is, but for one that was never written.
        """
        ...

    def replace(self, history: str, batch: Batch, version: int) -> Applied:
        """Put other verdicts and assertions in the place of those of all records, in one switch.

        The batch has all records of the history. Of what was said of relations, only what persons
        said, and which ones are merged, still counts. Raises StoreBusy if the history was written
        to after that version; then nothing is changed.
        """
        ...

    def scan(self, history: str) -> Iterator[Kept]:
        """Every record with its assertions, ascending by position.

        What is there, also beside damage; ``wholeness.scan`` makes sure that it is all.
        """
        ...

    def rebuild(self, history: str) -> int:
        """How many slots there are after the projection was derived anew from the ledger alone."""
        ...

    def verify(self, history: str, *, lost_only: bool = False) -> Drift:
        """The differences between the ledger and the projection; writes nothing.

        Args:
            history: Its name.
            lost_only: Look only for last words that are lost, which takes a part of the time.
        """
        ...

    def forget(self, history: str, positions: Sequence[int]) -> Forgotten:
        """Remove records, and assertions, names and relations that nothing speaks of any more.

        The slots they were part of fall back to what the remaining assertions say. Positions the
        history does not have are ignored. In one transaction, or in several, the oldest records
        first, so that no value comes back that is to be forgotten, too.
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


def damaged(what: str) -> StoreError:
    """The error of what cannot be read as it is stored."""
    return StoreError(f"{what} is damaged; cmc-graph doctor says what to do")


def check_history(name: str) -> str:
    """The history's name, if a store can hold it.

    Raises:
        UsageError: Empty, blank, not encodable or more than 256 bytes long.
    """
    if not isinstance(name, str) or not name.strip():
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
