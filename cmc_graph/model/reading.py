"""What reading finds: a frontend's verdict, the edges of a closure, and the evidence of one read.

This module must not know how anything is parsed, stored or printed.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from cmc_graph.model.record import Record, Status, Triple

#: What a read shows when the closure is empty (read contract, section 4).
Fallback = Literal["history", "latest_state"]

#: Which records stay when the budget does not hold all of them (read contract, section 4).
Overflow = Literal["newest", "nearest"]


class ReadOptions(NamedTuple):
    """How a question is read.

    Attributes:
        hops: Hop cap, 1 to 10.
        budget: Characters of evidence.
        as_of: A position: the memory as it stood after it; None: now.
        fallback: What is shown when the closure is empty.
        overflow: What stays when the budget does not hold all.
    """

    hops: int
    budget: int
    as_of: int | None
    fallback: Fallback
    overflow: Overflow


class Interpretation(NamedTuple):
    """A frontend's verdict on one record.

    Attributes:
        triples: In the order in which they count: within one record the later one wins.
        reason: Why the record is unresolved.
        frontend: Which frontend, and for the grammar which pack, said so.
        loose: Ordinals of the triples whose subject or object is no span of the record's text.
    """

    status: Status
    triples: tuple[Triple, ...] = ()
    reason: str | None = None
    frontend: str = ""
    loose: frozenset[int] = frozenset()


class Edge(NamedTuple):
    """One current or ended edge of a closure: a tuple, since closures may be large.

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

    def at(self, depth: int) -> "Edge":
        """The same edge at this depth."""
        return Edge(*self[:-1], depth)


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
        overflow: The rule by which it cut.
        cut: The positions of those that the closure had selected, ascending.
        damage: What is damaged in the store among what was selected, in sentences; the rest is
            shown. ``cmc-graph doctor`` says what to do.
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
    overflow: Overflow = "newest"
    cut: tuple[int, ...] = ()
    damage: tuple[str, ...] = ()
