"""What a slot of many versions and a hub of many edges cost, in instructions of SQLite."""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count

import pytest

from cmc_graph.stores.sqlite import SqliteStore
from tests.support.builders import batch, entry

FEW, MANY = 30, 3_000

Fill = Callable[[SqliteStore, int], object]


@pytest.fixture
def new() -> Iterator[Callable[[Fill, int], SqliteStore]]:
    """Gives stores in memory, each filled with one history."""
    opened: list[SqliteStore] = []

    def made(fill: Fill, size: int) -> SqliteStore:
        opened.append(SqliteStore(":memory:"))
        opened[-1].setup()
        fill(opened[-1], size)
        return opened[-1]

    yield made
    for store in opened:
        store.close()


def slot(store: SqliteStore, size: int) -> None:
    """A slot of so many versions, and something that points there."""
    said = [entry(n, ("Ana", "r", f"O{n % 7}")) for n in range(size)]
    store.append("h", batch(*said, entry(size, ("Ben", "r", "Ana"))))


def hub(store: SqliteStore, size: int) -> None:
    """A hub at which so many point, and which points on."""
    said = [entry(n, (f"S{n}", "r", "Hub")) for n in range(size)]
    store.append("h", batch(*said, entry(size, ("Hub", "r", "Ana"))))


def steps(store: SqliteStore, action: Callable[[], object]) -> int:
    """How many hundred instructions the action took, of the one connection of a store in memory."""
    counter = count()
    with store._connections.reading() as connection:
        connection.set_progress_handler(lambda: next(counter) and 0, 100)
    action()
    with store._connections.reading() as connection:
        connection.set_progress_handler(None, 0)
    return next(counter)


@pytest.mark.parametrize(("fill", "words"), [(slot, ("ana", "ben")), (hub, ("hub", "s7"))])
def test_a_read_is_flat(
    new: Callable[[Fill, int], SqliteStore], fill: Fill, words: tuple[str, ...]
) -> None:
    """Reads, current and as of any position, cost the same however many versions or edges."""
    few, many = new(fill, FEW), new(fill, MANY)
    for word in words:
        for few_as_of, many_as_of in ((None, None), (FEW, MANY), (FEW // 2, MANY // 2), (0, 0)):
            one = steps(few, lambda w=word, p=few_as_of: few.select("h", [w], 5, p))
            other = steps(many, lambda w=word, p=many_as_of: many.select("h", [w], 5, p))
            assert other <= 1.2 * one + 3, (word, many_as_of)


@pytest.mark.parametrize(("fill", "subject"), [(slot, "Ana"), (hub, "S9999"), (hub, "S7")])
def test_an_append_in_order_is_flat(
    new: Callable[[Fill, int], SqliteStore], fill: Fill, subject: str
) -> None:
    """One more version, or one more edge to the hub, costs the same at the end."""
    few, many = new(fill, FEW), new(fill, MANY)
    one = steps(few, lambda: few.append("h", batch(entry(FEW + 1, (subject, "r", "Hub")))))
    other = steps(many, lambda: many.append("h", batch(entry(MANY + 1, (subject, "r", "Hub")))))
    assert other <= 1.2 * one + 3


def test_the_count_of_steps_counts() -> None:
    """What goes through a whole history takes more steps for a longer one."""
    found = []
    for size in (FEW, MANY):
        with closing(SqliteStore(":memory:")) as store:
            store.setup()
            slot(store, size)
            found.append(steps(store, lambda s=store: s.verify("h")))
    assert found[1] > 20 * found[0]
