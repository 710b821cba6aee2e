"""What is told of a read, of an entity's versions, and of two positions: frozen values.

This module must not know how they are found or drawn.
"""

from dataclasses import dataclass
from typing import Literal

from cmc_graph.model import Edge, Evidence, Record
from cmc_graph.stores.base import Version

#: Why a record is shown.
Why = Literal["closure", "unresolved", "history", "latest_state"]
#: Why a record is not shown.
WhyNot = Literal["without effect", "superseded", "beyond the hop cap", "cut by the budget"]
#: What became of a slot between two positions.
Kind = Literal["new", "changed", "restated", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A span of the question that names an entity.

    Attributes:
        key: Of the entity.
        span: As the question writes it.
        start: The span's first token, from 0.
        stop: The token after its last.
    """

    key: str
    span: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """An edge the read selected, and how it got there.

    Attributes:
        anchor: Key of the anchor the path starts at.
        path: From the anchor's edge to this one; as many edges as hops. Of several ways of one
            length that over the oldest records.
    """

    edge: Edge
    anchor: str
    path: tuple[Edge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A record of the evidence.

    Attributes:
        why: How it got in.
        reached: The edges of the closure it is the record of, nearest first.
    """

    record: Record
    why: Why
    reached: tuple[Reached, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A record on the read's way that is not in the evidence.

    Attributes:
        why: What kept it out; without effect is a retraction that ended nothing.
        by: The position of the record that supersedes it.
        depth: The hop at which it stands, where it is the record of an edge.
    """

    record: Record
    why: WhyNot
    by: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A slot of the closure with the versions its last word replaced.

    Attributes:
        edge: The slot's last word.
        versions: The older ones with effect, oldest first.
    """

    edge: Edge
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A read, told.

    Attributes:
        evidence: What the same read returns.
        shown: Each record of the evidence, ascending by position.
        replaced: The slots of the closure that had older versions, in the closure's order.
        hidden: The records that are not shown, ascending by position. What lies beyond the hop cap
            is looked for up to 10 hops; of the unresolved records, or those of a fall-back, that
            the budget cut, ``evidence.omitted`` has the number.
        hops: The hop cap.
        budget: Characters.
        as_of: The position it was read as of; None: now.
    """

    question: str
    anchors: tuple[Anchor, ...]
    evidence: Evidence
    shown: tuple[Shown, ...]
    replaced: tuple[Replaced, ...]
    hidden: tuple[Hidden, ...]
    hops: int
    budget: int
    as_of: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """One version of a slot, with its record.

    Attributes:
        record: None where it is missing, which a check of the store finds.
        replaced_by: The version that took the slot after it; None on the slot's last word, on a
            retraction without effect, and where it is lost.
        has_effect: False for a retraction that ended nothing, and for what its own record
            overrules.
        is_replacement_lost: It holds no longer, but what took the slot at ``superseded_at`` is not
            there, which a check of the store finds, too.
    """

    version: Version
    record: Record | None
    replaced_by: Version | None
    has_effect: bool
    is_replacement_lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """What was said of an entity as subject, oldest first.

    Attributes:
        entity: Its key.
        relation: The relation asked for, by the name that counts; None: all.
    """

    entity: str
    relation: str | None
    entries: tuple[TimelineEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A slot whose last word at one position is not that at another.

    Attributes:
        kind: ``new``: it held nothing; ``restated``: a newer record says the same; ``ended``: it
            holds nothing any more.
        before: The earlier last word; None: nothing was said.
        after: The later one.
        versions: How many assertions with effect the slot had in between, the last one included.
    """

    subject: str
    relation: str
    member: str
    kind: Kind
    before: Version | None
    after: Version
    versions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What changed after one position up to another, in the order of the newest records.

    Attributes:
        after: None: from the beginning on.
    """

    after: int | None
    upto: int
    changes: tuple[Change, ...]
