"""What a slot of many versions and a hub of many edges cost, by the server's own count."""

import neo4j
import pytest

from cmc_graph.stores.base import Store
from tests.neo4j.plans import profile, question
from tests.support.builders import batch, entry
from tests.support.database import NewHistory

FEW, MANY = 30, 3_000


def hits(driver: neo4j.Driver, name: str, history: str, **parameters: object) -> int:
    """How much the server touched for a statement."""
    steps = profile(driver, name, {"history": history, **parameters}, hops(name))
    return sum(step.hits for step in steps)


def hops(name: str) -> int | None:
    return 5 if name.startswith("select") else None


def slot(store: Store, history: str, size: int) -> str:
    """A history with a slot of so many versions, and something beside it."""
    said = [entry(n, ("Ana", "r", f"O{n % 7}")) for n in range(size)]
    store.append(history, batch(*said, entry(size, ("Ben", "r", "Ana"))))
    return history


def hub(store: Store, history: str, size: int) -> str:
    """A history with a hub at which so many point, and which points on."""
    said = [entry(n, (f"S{n}", "r", "Hub")) for n in range(size)]
    store.append(history, batch(*said, entry(size, ("Hub", "r", "Ana"))))
    return history


def test_the_current_value_of_a_long_slot(
    store: Store, driver: neo4j.Driver, new_history: NewHistory
) -> None:
    """Its read touches as much as that of a short one; so does the read of what points there."""
    few, many = (slot(store, new_history(), size) for size in (FEW, MANY))
    for word in ("ana", "ben"):
        one, other = (hits(driver, "select", each, **question(word)) for each in (few, many))
        assert other <= 1.2 * one + 10


def test_an_earlier_value_of_a_long_slot(
    store: Store, driver: neo4j.Driver, new_history: NewHistory
) -> None:
    """A read as of a position touches each version once, where it walks on, and else none."""
    many = slot(store, new_history(), MANY)
    for as_of in (0, MANY // 2, MANY):
        asked = hits(driver, "select_as_of", many, as_of=as_of, **question("ana"))
        assert asked < 5 * MANY


def test_a_hub_is_not_walked_backwards(
    store: Store, driver: neo4j.Driver, new_history: NewHistory
) -> None:
    """What points at a hub costs nobody who reads from it, through it, or as of a position."""
    few, many = (hub(store, new_history(), size) for size in (FEW, MANY))
    for word in ("hub", "s7"):
        one, other = (hits(driver, "select", each, **question(word)) for each in (few, many))
        assert other <= 1.2 * one + 10
        one, other = (
            hits(driver, "select_as_of", each, as_of=size, **question(word))
            for each, size in ((few, FEW), (many, MANY))
        )
        assert other <= 1.2 * one + 10


@pytest.mark.parametrize("shape", [slot, hub])
def test_the_next_append_costs_what_the_first_did(
    store: Store, driver: neo4j.Driver, new_history: NewHistory, shape: object
) -> None:
    """In order, a slot is resolved from its edge on, whatever its length and what points there."""
    assert callable(shape)
    subject = "ana" if shape is slot else f"s{FEW - 1}"
    touched = {"subjects": [subject], "relations": ["r"], "members": [""]}
    one, other = (
        hits(driver, "latest_wins", shape(store, new_history(), size), firsts=[size], **touched)
        for size in (FEW, MANY)
    )
    assert other <= 1.2 * one + 10
