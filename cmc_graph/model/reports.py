"""What writing and looking after a history reports: counts, relations, differences.

This module must not know how anything is stored or printed.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Values(StrEnum):
    """How many values a subject can have at once in one relation."""

    ONE = "one"
    MANY = "many"


class SetBy(StrEnum):
    """Who said how many values a relation has; a person's word beats the others."""

    PACK = "pack"
    PERSON = "person"
    FRONTEND = "frontend"


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
        retries: Attempts beyond the first one of each model call.
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
    retries: int = 0
    seconds: float = 0.0
    reasons: tuple[tuple[str, int], ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One relation of a history.

    Attributes:
        values: How many values a subject has at once.
        set_by: Who said so.
        slots: How many slots it has now, current and ended.
        merged_into: The relation that counts instead, of which this is another name.
    """

    name: str
    values: Values
    set_by: SetBy
    slots: int
    merged_into: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """A sentence pattern that was found in what a model read, and what it says.

    Attributes:
        template: As pattern packs have it: ``{S} lives in {O}``.
        support: How many texts it was found in.
        answers: How many answers of the model these come from.
    """

    template: str
    relation: str
    support: int
    answers: int


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
        kind: ``missing``, ``unexpected`` or ``wrong`` (edges), ``superseded_at``, ``counter``,
            ``name``, or ``record`` (an assertion has none).
        where: The slot, assertion or counter concerned, readable.
        expected: What the assertions say.
        found: What the store holds.
    """

    kind: str
    where: str
    expected: str
    found: str


class LostWord(NamedTuple):
    """A slot that had a later word than any the ledger holds: an older one would become current.

    Attributes:
        slot: Subject and relation, readable.
        position: Of the record that said the word.
        has_record: That record is there.
    """

    slot: str
    position: int
    has_record: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What ``verify`` found; falsy when ledger and projection agree.

    Attributes:
        slots: How many slots were compared.
        differences: How many differences there are in all.
        findings: The first of them, at most 100.
        lost: Of the slots whose last word is lost, as the projection and the ends of versions
            remember it, the first 100.
    """

    slots: int = 0
    differences: int = 0
    findings: tuple[Finding, ...] = ()
    lost: tuple[LostWord, ...] = ()

    def __bool__(self) -> bool:
        return self.differences > 0 or bool(self.lost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What ``forget`` removed, or would remove.

    Attributes:
        entities: Those that nothing names any more.
        slots_changed: Slots that have another last word than before, or none any more.
        positions: Of the records, ascending; a store leaves them out.
    """

    records: int = 0
    assertions: int = 0
    entities: int = 0
    slots_changed: int = 0
    positions: tuple[int, ...] = ()
