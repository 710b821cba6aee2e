"""Depths: breadth-first bookkeeping over the edges a store returned (read contract, section 3)."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.closure import depths
from cmc_graph.model import Edge
from tests.support.builders import edge, entry, no
from tests.support.oracle import Oracle

names = st.sampled_from("abcde")


def facts(*said: tuple[str, str], ended: bool = False) -> list[Edge]:
    """Edges "subject to object", numbered from 1, relations all different."""
    return [edge(s, f"r{n}", o, n, ended=ended) for n, (s, o) in enumerate(said, 1)]


def numbers(edges: Iterable[Edge]) -> list[tuple[int, int]]:
    return [(found.position, found.depth) for found in edges]


@given(
    st.lists(st.tuples(names, names, st.booleans()), max_size=15),
    st.lists(names, max_size=3),
    st.integers(1, 5),
)
def test_equals_a_search_over_a_dictionary(
    said: list[tuple[str, str, bool]], anchors: list[str], hops: int
) -> None:
    """Each slot within the cap appears once, with its shortest depth, by depth then position."""
    edges = [edge(s, f"r{n}", o, n, ended=ended) for n, (s, o, ended) in enumerate(said)]
    memory = Oracle(
        entry(e.position, (no if e.ended else _say)(e.subject, e.relation, e.object)) for e in edges
    )
    found = depths(anchors, reversed(edges), hops)
    assert {e.slot: e.depth for e in found} == memory.closure(anchors, hops)
    assert numbers(found) == sorted(numbers(found), key=lambda pair: (pair[1], pair[0]))


def _say(subject: str, relation: str, obj: str) -> tuple[str, str, str]:
    return (subject, relation, obj)


def test_the_anchors_own_edges_have_depth_one() -> None:
    """Depth counts hops from the nearest anchor, and edges run from subject to object only."""
    edges = facts(("a", "b"), ("b", "c"), ("c", "d"), ("x", "a"))
    assert numbers(depths(["a"], edges, 5)) == [(1, 1), (2, 2), (3, 3)]
    assert numbers(depths(["d"], edges, 5)) == []


def test_hop_cap() -> None:
    """Edges beyond the cap are left out even when the store returned them."""
    edges = facts(("a", "b"), ("b", "c"), ("c", "d"))
    assert numbers(depths(["a"], edges, 2)) == [(1, 1), (2, 2)]


def test_shortest_depth_wins() -> None:
    """An entity reached twice counts from its nearest anchor."""
    edges = facts(("a", "b"), ("b", "c"), ("c", "d"), ("a", "c"))
    assert numbers(depths(["a"], edges, 5)) == [(1, 1), (4, 1), (2, 2), (3, 2)]
    assert numbers(depths(["a", "b"], edges, 5)) == [(1, 1), (2, 1), (4, 1), (3, 2)]


def test_cycles_and_self_loops_end() -> None:
    """Each entity is expanded once, so a cycle ends by itself."""
    edges = facts(("a", "a"), ("a", "b"), ("b", "a"))
    assert numbers(depths(["a"], edges, 10)) == [(1, 1), (2, 1), (3, 2)]


def test_an_ended_edge_is_shown_but_not_walked() -> None:
    """What holds no longer is part of the closure and leads nowhere."""
    edges = [*facts(("a", "b"), ended=True), edge("b", "next", "c", 2)]
    assert numbers(depths(["a"], edges, 5)) == [(1, 1)]


def test_everything_but_the_depth_stays() -> None:
    """An edge comes back as it was given, with its depth."""
    given_edge = edge("Ana", "speaks", "Basque", 7, member="basque", ordinal=2)
    assert depths(["ana"], [given_edge], 1) == (given_edge._replace(depth=1),)


def test_the_same_anchor_twice_is_one() -> None:
    """Anchors are a set: naming one twice does not double its edges."""
    assert numbers(depths(["a", "a"], facts(("a", "b")), 5)) == [(1, 1)]
