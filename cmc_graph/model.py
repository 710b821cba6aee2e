"""The frozen values that travel between the stages, the stores and the client.

Words are those of the paper and of the README: a *record* is what a source said at one *position*;
an *interpretation* is a frontend's verdict on it; a *slot* is what can be overwritten. This module
must not know how anything is parsed, stored or printed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from cmc_graph import checks
from cmc_graph.errors import SourceError

#: Largest position a record may have: one below the largest 64-bit integer, so that the next
#: free position is always a number both stores can hold.
MAX_POSITION = 2**63 - 2

#: What a read shows when the closure is empty (read contract, section 4).
Fallback = Literal["history", "latest_state"]


class Status(StrEnum):
    """A frontend's verdict on one record."""

    FACTS = "facts"
    UNRESOLVED = "unresolved"
    NO_FACT = "no_fact"


#: Verdicts that go without triples.
_WITHOUT_TRIPLES = (Status.NO_FACT, Status.UNRESOLVED)


class Values(StrEnum):
    """How many values a subject can have at once in one relation."""

    ONE = "one"
    MANY = "many"


class SetBy(StrEnum):
    """Who said how many values a relation has; a person's word beats the others."""

    PACK = "pack"
    PERSON = "person"
    FRONTEND = "frontend"


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement: subject, relation and object as the frontend gave them.

    Attributes:
        retracts: The statement says that the value holds no longer.
    """

    subject: str
    relation: str
    object: str
    retracts: bool = False


_TRIPLE_NAMES = {"subject", "relation", "object"}

TripleLike = Triple | Sequence[str] | Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a source said, untouched, at one position of its history.

    Args:
        text: The statement itself, not blank.
        position: 0 to ``MAX_POSITION``; larger is newer. None: the store gives the next free one.
        source: Where it came from; with ``source_line`` it identifies a record without position.
        source_line: Line in the source, from 1.
        observed_at: ISO 8601 date or time, or a datetime. Shown, never used to decide anything.
        speaker: Who said it.
        session: Which conversation it belongs to.
        triples: Statements another extractor found: ``Triple``, ``[s, r, o]`` or mappings. An
            empty list is a verdict too. None: the frontend decides.
        status: The verdict that goes with ``triples``; a record read back has its stored one.
        reason: Why the record is unresolved, when it is.

    Raises:
        SourceError: A field has the wrong type or is out of range, or verdict and triples
            contradict each other.
    """

    text: str
    position: int | None = None
    source: str | None = None
    source_line: int | None = None
    observed_at: str | None = None
    speaker: str | None = None
    session: str | None = None
    triples: tuple[Triple, ...] | None = None
    status: Status | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        checks.check_text(self.text)
        checks.check_number("position", self.position, least=0, most=MAX_POSITION)
        checks.check_number("source_line", self.source_line, least=1, most=MAX_POSITION)
        for name in ("source", "speaker", "session", "reason"):
            checks.check_optional_text(name, getattr(self, name))
        object.__setattr__(self, "observed_at", checks.iso_time(self.observed_at))
        object.__setattr__(self, "triples", _triples(self.triples))
        object.__setattr__(self, "status", _status(self.status))
        if self.status in _WITHOUT_TRIPLES and self.triples:
            raise SourceError(f"a record with status {self.status} cannot bring triples")
        if self.status is Status.FACTS and self.triples == ():
            raise SourceError("a record with status facts needs at least one triple")

    @property
    def has_verdict(self) -> bool:
        """True when the record brings its own interpretation, so that no frontend is asked."""
        return self.triples is not None or self.status in _WITHOUT_TRIPLES

    def placed(self, position: int) -> "Record":
        """The same record at this position."""
        return self._changed(position, self.triples, self.status, self.reason)

    def decided(self, status: Status, reason: str | None = None) -> "Record":
        """The same record with a verdict instead of triples."""
        return self._changed(self.position, None, status, reason)

    def _changed(
        self,
        position: int | None,
        triples: tuple[Triple, ...] | None,
        status: Status | None,
        reason: str | None,
    ) -> "Record":
        """A copy with other fields, none of them from outside, so that nothing is checked again."""
        copy = object.__new__(Record)
        put = object.__setattr__
        put(copy, "text", self.text)
        put(copy, "position", position)
        put(copy, "source", self.source)
        put(copy, "source_line", self.source_line)
        put(copy, "observed_at", self.observed_at)
        put(copy, "speaker", self.speaker)
        put(copy, "session", self.session)
        put(copy, "triples", triples)
        put(copy, "status", status)
        put(copy, "reason", reason)
        return copy


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A frontend's verdict on one record.

    Attributes:
        triples: In the order in which they count: within one record the later one wins.
        reason: Why the record is unresolved.
        frontend: Which frontend, and for the grammar which pack, said so.
        literal: Subject and object are spans of the record's text.
    """

    status: Status
    triples: tuple[Triple, ...] = ()
    reason: str | None = None
    frontend: str = ""
    literal: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One current or ended edge of a closure.

    Attributes:
        subject: The subject's surface in the edge's own record.
        object: The object's surface in the edge's own record.
        subject_key: Key of the start; edges always run from subject to object.
        object_key: Key of the end.
        member: The object's key in a many-valued relation, else the empty string.
        position: Position of the record that says so.
        ordinal: Number of the triple within its record, from 0.
        ended: The slot's last word is a retraction; nothing is walked through it.
        depth: Hops from the nearest anchor, 1 for the anchors' own edges; 0 before it is known.
    """

    subject: str
    relation: str
    object: str
    subject_key: str
    object_key: str
    member: str
    position: int
    ordinal: int
    ended: bool
    depth: int = 0

    @property
    def slot(self) -> tuple[str, str, str]:
        """The slot the edge is the last word of: subject key, relation, member."""
        return (self.subject_key, self.relation, self.member)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one read selected, in source order.

    Attributes:
        text: The rendered records, within the budget (read contract, section 4).
        records: The records shown, ascending by position.
        edges: The closure, by depth, then position; also edges whose record the budget cut.
        anchors: Keys of the entities the question names, in the order of the question.
        unresolved: Those of ``records`` that no frontend could turn into facts.
        fallback: What was shown instead of an empty closure, else None.
        omitted: How many selected records the budget cut.
        version: The history's version the read saw; 0 for a history that does not exist.
    """

    text: str
    records: tuple[Record, ...]
    edges: tuple[Edge, ...]
    anchors: tuple[str, ...]
    unresolved: tuple[Record, ...]
    fallback: Fallback | None
    omitted: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What one ingest did; ``records = facts + unresolved + no_fact + skipped`` always holds.

    Attributes:
        records: Records read from the source.
        facts: New records with at least one triple.
        unresolved: New records that stay visible in every read.
        no_fact: New records that say nothing to keep.
        skipped: Records the history already had.
        assertions: Assertions written.
        slots_changed: Slots whose last word is another one than before.
        calls: Model calls made.
        input_tokens: As the endpoint reports them.
        output_tokens: As the endpoint reports them.
        seconds: Wall-clock duration.
        reasons: Why records are unresolved: (reason, how many), most frequent first.
    """

    records: int = 0
    facts: int = 0
    unresolved: int = 0
    no_fact: int = 0
    skipped: int = 0
    assertions: int = 0
    slots_changed: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    reasons: tuple[tuple[str, int], ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One relation of a history.

    Attributes:
        values: How many values a subject has at once.
        set_by: Who said so.
        slots: How many slots it has now, current and ended.
    """

    name: str
    values: Values
    set_by: SetBy
    slots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One ordered memory as ``histories`` lists it."""

    name: str
    version: int
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of one history.

    Attributes:
        assertions: Versions in the ledger, retractions included.
        current: Slots whose last word is a value.
        ended: Slots whose last word is a retraction.
        superseded: Assertions that are no slot's last word.
        slots_overwritten: Slots with more than one assertion.
        subjects: Distinct entities with a current or ended edge going out.
        entities: Distinct keys.
    """

    records: int = 0
    facts: int = 0
    unresolved: int = 0
    no_fact: int = 0
    assertions: int = 0
    current: int = 0
    ended: int = 0
    superseded: int = 0
    slots_overwritten: int = 0
    subjects: int = 0
    entities: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One difference between the ledger and the projection.

    Attributes:
        kind: ``missing``, ``unexpected`` or ``wrong`` (edges), ``superseded_at``, ``counter`` or
            ``name``.
        where: The slot, assertion or counter concerned, readable.
        expected: What the assertions say.
        found: What the store holds.
    """

    kind: str
    where: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What ``verify`` found; falsy when ledger and projection agree.

    Attributes:
        slots: How many slots were compared.
        differences: How many differences there are in all.
        findings: The first of them, at most 100.
    """

    slots: int = 0
    differences: int = 0
    findings: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        return self.differences > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What ``forget`` removed."""

    records: int = 0
    assertions: int = 0
    entities: int = 0
    slots_changed: int = 0


def _status(value: object) -> Status | None:
    try:
        return None if value is None else Status(value)  # type: ignore[arg-type]  # checked here
    except ValueError as error:
        raise SourceError(
            f"status must be one of {', '.join(Status)}, not {checks.shown(value)}"
        ) from error


def _triples(value: object) -> tuple[Triple, ...] | None:
    if value is None:
        return None
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise SourceError("triples must be a list of [subject, relation, object]")
    return tuple(_triple(number, item) for number, item in enumerate(value))


def _triple(number: int, item: object) -> Triple:
    if isinstance(item, Triple):
        triple = item
    elif isinstance(item, Mapping) and set(item) - {"retracts"} == _TRIPLE_NAMES:
        triple = Triple(**item)
    elif isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 3:
        triple = Triple(*item)
    else:
        raise SourceError(
            f"triple {number} must be [subject, relation, object] or an object with these names "
            f"and optionally retracts, not {checks.shown(item)}"
        )
    parts = (triple.subject, triple.relation, triple.object)
    if not all(isinstance(part, str) for part in parts) or not isinstance(triple.retracts, bool):
        raise SourceError(f"triple {number} must hold three texts, not {checks.shown(item)}")
    for part in parts:
        checks.check_encodable(f"triple {number}", part)
    return triple
