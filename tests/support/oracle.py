"""The paper as a dictionary: what every store must say, told in the shortest way.

It replays the records in order and keeps each slot's last word. It shares nothing with the stores
or with ``stores/slots.py`` but the input values, so that agreement means something.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple, Self

from cmc_graph.model import Stats, Status
from cmc_graph.stores.base import Assertion, Entry

Place = tuple[int, int]  #: position and ordinal: which assertion
Slot = tuple[str, str, str]  #: subject key, relation, member


class Word(NamedTuple):
    """One assertion and where it stands."""

    place: Place
    said: Assertion


class Oracle:
    """The memory after all entries, whatever their order; ``many`` names many-valued relations."""

    def __init__(self, entries: Iterable[Entry], many: Collection[str] = ()) -> None:
        self.many = frozenset(many)
        self.entries = {entry.record.position or 0: entry for entry in entries}
        self.ledger: dict[Place, Slot] = {}
        self.words: dict[Slot, Word] = {}
        self.superseded_at: dict[Place, int] = {}
        for position in sorted(self.entries):
            for said in sorted(self.entries[position].assertions, key=lambda a: a.ordinal):
                slot = (
                    said.subject,
                    said.relation,
                    said.object if said.relation in self.many else "",
                )
                self.ledger[position, said.ordinal] = slot
                held = self.words.get(slot)
                if not (said.retracts and held and not _ends(said, held.said)):
                    self.words[slot] = Word((position, said.ordinal), said)
            for place, slot in self.ledger.items():  # what is not the last word any more ends here
                if self.words[slot].place != place:
                    self.superseded_at.setdefault(place, position)

    def as_of(self, position: int) -> Self:
        """The memory into which only the records up to a position went."""
        early = [entry for place, entry in self.entries.items() if place <= position]
        return type(self)(early, self.many)

    def closure(self, anchors: Iterable[str], hops: int) -> dict[Slot, int]:
        """The slots within the hop cap, each with its depth; ended ones are not walked through."""
        depths: dict[Slot, int] = {}
        seen = frontier = set(anchors)
        for depth in range(1, hops + 1):
            level = [slot for slot in self.words if slot[0] in frontier]
            depths |= dict.fromkeys(level, depth)
            said = [self.words[slot].said for slot in level]
            frontier = {word.object for word in said if not word.retracts} - seen
            seen = seen | frontier
        return depths

    def subjects(self) -> set[str]:
        """The keys a question can be anchored at."""
        return {subject for subject, _, _ in self.words}

    def keys(self) -> set[str]:
        """The keys of all entities."""
        said = [a for entry in self.entries.values() for a in entry.assertions]
        return {a.subject for a in said} | {a.object for a in said}

    def stats(self) -> Stats:
        """The counts, without the version."""
        verdicts = [entry.status for entry in self.entries.values()]
        ended = sum(word.said.retracts for word in self.words.values())
        slots = list(self.ledger.values())
        return Stats(
            records=len(verdicts),
            facts=verdicts.count(Status.FACTS),
            unresolved=verdicts.count(Status.UNRESOLVED),
            no_fact=verdicts.count(Status.NO_FACT),
            assertions=len(slots),
            current=len(self.words) - ended,
            ended=ended,
            superseded=len(slots) - len(self.words),
            slots_overwritten=sum(slots.count(slot) > 1 for slot in self.words),
            subjects=len(self.subjects()),
            entities=len(self.keys()),
        )


def _ends(retraction: Assertion, held: Assertion) -> bool:
    """A retraction ends only a value, and only the one it names."""
    return not held.retracts and held.object == retraction.object
