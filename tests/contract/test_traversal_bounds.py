"""Traversal of dense graphs: every entity once, in bounded time (A16)."""

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest

from cmc_graph import closure
from cmc_graph.stores.base import Store
from tests.contract.comparison import check_select
from tests.support.builders import batch, entry
from tests.support.oracle import Oracle

Found = TypeVar("Found")


def clique(size: int) -> list[tuple[str, str, str]]:
    """Each of the entities points at all others by distinct relations."""
    pairs = ((s, o) for s in range(size) for o in range(size) if s != o)
    return [(f"n{s}", f"r{(o - s) % size}", f"n{o}") for s, o in pairs]


def timed(call: Callable[[], Found]) -> tuple[Found, float]:
    """What the call returns, and how many seconds it took."""
    started = time.perf_counter()
    return call(), time.perf_counter() - started


@pytest.mark.parametrize("hops", [1, 2, 5, 10])
def test_a_clique_of_sixty(store: Store, history: str, hops: int) -> None:
    """All edges are found at depth one and two, once each, whatever the hop cap."""
    triples = clique(60)
    entries = [entry(n, *triples[n * 59 : n * 59 + 59]) for n in range(60)]
    store.append(history, batch(*entries))
    memory = Oracle(entries)
    check_select(store, history, memory, ["n7"], hops)
    check_select(store, history, memory, [f"n{n}" for n in range(0, 60, 3)], hops)


def test_a_read_costs_about_as_much_as_a_scan(store: Store, history: str) -> None:
    """14,280 edges are read in the time in which they are listed, for one anchor and for forty."""
    size = 120
    triples = clique(size)
    degree = size - 1
    for start in range(0, size, 30):
        numbers = range(start, start + 30)
        said = [entry(n, *triples[n * degree : n * degree + degree]) for n in numbers]
        store.append(history, batch(*said))
    assert len(store.select(history, ["n0"], 5).edges) == size * degree  # also plans the statement
    scanned, scan_seconds = timed(lambda: sum(len(kept.assertions) for kept in store.scan(history)))
    assert scanned == size * degree
    for count in (1, 40):
        question = [f"n{n}" for n in range(count)]
        found, seconds = timed(partial(store.select, history, question, 5))
        assert seconds < 4 * scan_seconds + 0.5
        assert (len(found.edges), len(found.records)) == (size * degree, size)
        reached = closure.depths(found.anchors, found.edges, 5)
        assert sum(edge.depth == 1 for edge in reached) == count * degree
        assert {edge.depth for edge in reached} == {1, 2}


def test_a_ladder_of_ten_hops(store: Store, history: str) -> None:
    """A graph with 2**10 paths from end to end has 20 edges, and as many are returned."""
    entries = [
        entry(n, (f"n{n}", "left", f"n{n + 1}"), (f"n{n}", "right", f"n{n + 1}")) for n in range(10)
    ]
    store.append(history, batch(*entries))
    for as_of in (None, 5, 9):
        memory = Oracle(entries) if as_of is None else Oracle(entries).as_of(as_of)
        check_select(store, history, memory, ["n0"], 10, as_of=as_of)
