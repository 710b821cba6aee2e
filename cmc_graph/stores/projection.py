"""A whole history laid out at once: where each assertion ends, and the last word of each slot.

Pure; the rule itself is ``slots.resolve``. For a store in which a look-up costs more, the more its
transaction has written already. This module must not know a database.
"""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from cmc_graph.model import Values
from cmc_graph.stores.base import Assertion, Declared, Entry
from cmc_graph.stores.slots import resolve

#: Subject key, relation, member.
Slot = tuple[str, str, str]


class Placed(NamedTuple):
    """An assertion in its slot.

    Attributes:
        member: The object's key in a many-valued relation, else the empty string.
        superseded_at: As ``base.Version`` has it.
    """

    position: int
    member: str
    said: Assertion
    superseded_at: int | None = None

    @property
    def object(self) -> str:
        """Key of the object."""
        return self.said.object

    @property
    def retracts(self) -> bool:
        """It says that the value holds no longer."""
        return self.said.retracts


class Projection(NamedTuple):
    """What follows from all entries of a history."""

    assertions: list[Placed]
    words: dict[Slot, Placed]


def projection(entries: Iterable[Entry], declared: Mapping[str, Declared]) -> Projection:
    """The assertions of the entries, each with its end, and the last word of each slot.

    Args:
        entries: All of a history, in any order.
        declared: How many values each of their relations has.
    """
    slots: dict[Slot, list[Placed]] = {}
    for entry in sorted(entries, key=attrgetter("record.position")):
        for said in sorted(entry.assertions, key=attrgetter("ordinal")):
            is_many = declared[said.relation].values is Values.MANY
            member = said.object if is_many else ""
            placed = Placed(entry.record.position or 0, member, said)
            slots.setdefault((said.subject, said.relation, member), []).append(placed)
    assertions: list[Placed] = []
    words: dict[Slot, Placed] = {}
    for slot, claims in slots.items():
        resolved = resolve(claims)
        words[slot] = claims[resolved.winner]
        assertions += (
            claim._replace(superseded_at=end)
            for claim, end in zip(claims, resolved.superseded_at, strict=True)
        )
    return Projection(assertions, words)
