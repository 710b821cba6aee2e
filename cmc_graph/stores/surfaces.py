"""Whether assertions and the entities they join speak of the same things. Pure.

A key follows from every surface that names its entity; where one does not, the key, the surface or
the end was changed. This module must not know any database.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from cmc_graph.stores.findings import place
from cmc_graph.stores.inspection import Damage
from cmc_graph.text import key


class Named(NamedTuple):
    """One end of an assertion beside the entity that is there.

    Attributes:
        end: ``subject`` or ``object``.
        surface: How the assertion names it.
        key: The key the entity has.
        name: The name it has; None where it is lost.
        element: What the database calls the entity.
    """

    position: int
    ordinal: int
    end: str
    surface: str
    key: str
    name: str | None
    element: Any


def wrong_keys(ends: Iterable[Named]) -> dict[Any, str]:
    """For entities whose key is not that of their name and surfaces: the one it ought to be.

    Args:
        ends: Of assertions, any number.
    """
    return {end.element: key(end.surface) for end in ends if _has_wrong_key(end)}


def damages(ends: Iterable[Named], is_taken: Callable[[str], bool]) -> Iterator[Damage]:
    """What contradicts itself: an entity's key that can be derived, else the assertion.

    Args:
        ends: Of assertions, any number.
        is_taken: There is another entity with this key.
    """
    told: set[Any] = set()
    for end in ends:
        ought = key(end.surface)
        if ought == end.key or end.element in told:
            continue
        if _has_wrong_key(end) and not is_taken(ought):
            told.add(end.element)
            yield Damage("entity", end.key, "key", is_derived=True)
        else:
            detail = f"{end.end}, or {end.end}_text"
            yield Damage("assertion", place(end.position, end.ordinal), detail, end.position)


def _has_wrong_key(end: Named) -> bool:
    ought = key(end.surface)
    return end.key != ought and end.name is not None and key(end.name) == ought
