"""Reading: anchors, closure, direction, as-of positions, and what is shown without a closure."""

import time
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph import render
from cmc_graph.anchors import longest_matches
from cmc_graph.stores.base import Store
from cmc_graph.text import tokens
from tests.contract.comparison import check, check_as_of, check_select, check_suffixes
from tests.support.builders import batch, entry, no, residual, silent
from tests.support.database import NewHistory
from tests.support.oracle import Oracle

MEETING = [
    entry(1, ("Weekly meeting", "location", "Room A")),
    entry(2, ("Room A", "floor", "2")),
    entry(3, ("Room B", "floor", "4")),
    entry(4, ("Weekly meeting", "location", "Room B")),
]


def positions(store: Store, history: str, question: str, hops: int = 5) -> list[int]:
    found = store.select(history, tokens(question), hops)
    return sorted(edge.position for edge in found.edges)


def test_resolve_then_traverse(store: Store, history: str) -> None:
    """The walk goes through the latest value, never through one that was overwritten."""
    store.append(history, batch(*MEETING))
    assert positions(store, history, "On which floor is the weekly meeting?") == [3, 4]
    found = store.select(history, tokens("On which floor is the weekly meeting?"), 5)
    assert found.anchors == ("weekly meeting",)
    assert sorted(record.text for record in found.records) == ["record 3", "record 4"]


def test_hops(store: Store, history: str) -> None:
    """Edges beyond the hop cap are never returned; the cap goes from 1 to 10."""
    chain = [entry(n, (f"n{n}", "next", f"n{n + 1}")) for n in range(12)]
    store.append(history, batch(*chain))
    for hops in range(1, 11):
        assert positions(store, history, "n0", hops) == list(range(hops))
        assert positions(store, history, "n0 and n5", hops) == sorted(
            {*range(hops), *range(5, min(5 + hops, 12))}
        )


def test_direction(store: Store, history: str) -> None:
    """Edges are walked from subject to object only, and come back in that direction (A4)."""
    entries = [
        entry(1, ("Orla Finch", "manages", "Team Basalt")),
        entry(2, ("Team Basalt", "maintains", "Depot Nine")),
    ]
    store.append(history, batch(*entries))
    assert positions(store, history, "Who is Orla Finch?") == [1, 2]
    assert positions(store, history, "Who is Team Basalt?") == [2]
    assert store.select(history, tokens("Who maintains Depot Nine?"), 5).anchors == ()
    for edge in store.select(history, tokens("Orla Finch"), 5).edges:
        assert (edge.subject, edge.object) in {
            ("Orla Finch", "Team Basalt"),
            ("Team Basalt", "Depot Nine"),
        }


def test_self_loops_and_cycles(store: Store, history: str) -> None:
    """An entity that points at itself or back at its anchor is walked once."""
    entries = [entry(1, ("a", "self", "a"), ("a", "next", "b")), entry(2, ("b", "next", "a"))]
    entries.append(entry(3, ("b", "self", "b"), no("a", "old", "a")))
    store.append(history, batch(*entries))
    for hops in (1, 2, 10):
        check_select(store, history, Oracle(entries), ["a"], hops)
        check_select(store, history, Oracle(entries), ["b", "a"], hops)


def test_an_ended_edge_is_returned_but_not_walked(store: Store, history: str) -> None:
    """The record that says a value holds no longer is found; nothing behind it is."""
    entries = [entry(1, ("a", "to", "b")), entry(2, ("b", "to", "c")), entry(3, no("a", "to", "b"))]
    store.append(history, batch(*entries))
    assert positions(store, history, "a") == [3]
    check_select(store, history, Oracle(entries), ["a"], 5)


def test_a_subject_of_ended_edges_only_is_an_anchor(store: Store, history: str) -> None:
    """An entity of which only an end is known can be asked about; objects alone cannot."""
    store.append(history, batch(entry(1, no("Ana", "city", "Graz"))))
    assert store.select(history, ["ana"], 5).anchors == ("ana",)
    assert store.select(history, ["graz"], 5).anchors == ()


def test_parallel_edges_between_the_same_two(store: Store, history: str) -> None:
    """Relations between the same two entities are separate edges, each with its own record."""
    entries = [entry(n, ("Ana", f"relation {n}", "Ben")) for n in range(1, 6)]
    store.append(history, batch(*entries))
    assert positions(store, history, "Ana") == [1, 2, 3, 4, 5]
    check_select(store, history, Oracle(entries), ["ana"], 5)


def test_one_record_of_many_edges_comes_once(store: Store, history: str) -> None:
    """Records are joined once each, however many edges they gave."""
    said = entry(1, *(("Ana", f"relation {n}", f"o {n}") for n in range(30)))
    store.append(history, batch(said))
    found = store.select(history, ["ana"], 5)
    assert (len(found.edges), len(found.records)) == (30, 1)


def test_surfaces_are_those_of_the_edges_own_record(store: Store, history: str) -> None:
    """An edge shows its names as its own record writes them, whatever others wrote before."""
    entries = [
        entry(1, ("ANA'S", "city", "the old town")),
        entry(2, ("Ana", "city", "Old Town"), ("old town", "river", "Inn")),
    ]
    for said in entries:
        store.append(history, batch(said))
    found = {edge.relation: edge for edge in store.select(history, ["ana"], 5).edges}
    assert (found["city"].subject, found["city"].object) == ("Ana", "Old Town")
    assert (found["river"].subject, found["river"].object) == ("old town", "Inn")


@pytest.mark.parametrize(
    ("question", "anchors"),
    [
        ("Who is Ana Maria Silva?", ("ana maria silva",)),
        ("Who is Ana Maria?", ("ana", "maria")),
        ("Maria Silva and Ana", ("maria silva", "ana")),
        ("silva ana maria silva", ("ana maria silva",)),
        ("Ana, Ana and Ana", ("ana",)),
        ("Maria Silva Lake", ("maria silva", "silva lake")),
        ("Lena", ()),
    ],
)
def test_anchors(store: Store, history: str, question: str, anchors: tuple[str, ...]) -> None:
    """Whole spans of the question, the longest ones, in the order of the question."""
    names = ("Ana", "Maria", "Ana Maria Silva", "Maria Silva", "Silva Lake")
    store.append(history, batch(*(entry(n, (s, "is", "Lena")) for n, s in enumerate(names))))
    assert store.select(history, tokens(question), 5).anchors == anchors


@pytest.mark.parametrize("question", [[], ["nobody"], ["nobody"] * 300])
def test_a_question_that_names_nobody(store: Store, history: str, question: list[str]) -> None:
    """Without an anchor nothing is selected, but the version is told."""
    store.append(history, batch(*MEETING))
    found = store.select(history, question, 5)
    assert (found.anchors, found.edges, found.records, found.version) == ((), (), (), 1)


#: A third of the 120 names that one to four of three tokens make.
SUBJECTS = [" ".join(p) for n in range(1, 5) for p in product("pqr", repeat=n)][::3]


def test_the_stores_anchors_are_the_longest_matches(
    store: Store, history: str, *, examples: int
) -> None:
    """The store finds the anchors that ``anchors.longest_matches`` finds, in the same order."""
    store.append(history, batch(*(entry(n, (s, "r", "x")) for n, s in enumerate(SUBJECTS))))

    @settings(max_examples=examples)
    @given(st.lists(st.sampled_from("pqrx"), max_size=40))
    def run(question: list[str]) -> None:
        found = store.select(history, question, 1)
        assert found.anchors == longest_matches(question, set(SUBJECTS))

    run()


def test_a_long_question(store: Store, history: str) -> None:
    """A question of 5,000 tokens is read by the same rule, in seconds at most."""
    keys = [*SUBJECTS, "東", "東 p", "\U0001d4b3 \U0001d4b3 q"]
    store.append(history, batch(*(entry(n, (k, "r", "o")) for n, k in enumerate(keys))))
    words = [*"pqrppqqr", "東", "\U0001d4b3"]
    question = [words[(n * n + n // 7 + n // 11) % 10] for n in range(5_000)]
    started = time.perf_counter()
    found = store.select(history, question, 5)
    assert time.perf_counter() - started < 3
    assert len(found.anchors) > 10
    assert found.anchors == longest_matches(question, set(keys))


def test_a_long_question_beside_a_long_key(store: Store, history: str) -> None:
    """One name of a thousand tokens does not make long questions slow, and is found in them."""
    name = "q " * 999 + "qu"
    store.append(history, batch(entry(1, (name, "r", "o")), entry(2, ("Ana", "r", "o"))))
    for middle, anchors in ((["q"] * 999, ("ana",)), (name.split(), (name, "ana"))):
        question = [*(f"w{n % 300}" for n in range(2_000)), *middle, *["q"] * 2_000, "ana"]
        started = time.perf_counter()
        found = store.select(history, question, 5)
        assert time.perf_counter() - started < 3
        assert found.anchors == anchors


def test_anchors_count_characters_beyond_the_basic_plane(store: Store, history: str) -> None:
    """Spans are cut by code points, also where a store counts in other units."""
    names = ["\U0001d4b3\U0001f600", "a", "\U00020000", "\U0001f600 b"]
    store.append(history, batch(*(entry(n, (name, "r", "o")) for n, name in enumerate(names))))
    question = tokens("\U0001f680 \U0001d4b3\U0001f600 x a \U00020000\U00020000 \U0001f600 b")
    expected = ("\U0001d4b3\U0001f600".casefold(), "a", "\U00020000", "\U0001f600 b")
    assert store.select(history, question, 1).anchors == expected


GROWING = [
    entry(1, ("Ana", "city", "Graz"), ("Ana", "speaks", "Dutch")),
    residual(2),
    entry(4, ("Ana", "city", "Porto"), ("Porto", "river", "Douro")),
    entry(5, no("Ana", "city", "Graz"), ("Ana", "speaks", "Basque")),
    silent(6),
    entry(7, no("Ana", "city", "Porto")),
    residual(9),
    entry(11, ("Ana", "city", "Graz"), no("Ana", "speaks", "Dutch"), no("Ana", "speaks", "Thai")),
    entry(12, ("Ana", "city", "Oslo"), ("Ana", "city", "Porto")),
]


@pytest.mark.parametrize("many", [frozenset(), frozenset({"speaks"})], ids=["one", "many"])
def test_as_of_every_position(store: Store, history: str, many: frozenset[str]) -> None:
    """As of p the memory reads as if only the records up to p had been ingested."""
    store.append(history, batch(*GROWING, many=many))
    memory = Oracle(GROWING, many)
    for position in range(14):
        for question in (["ana"], ["graz"], ["porto"], ["dutch", "ana"]):
            check_as_of(store, history, memory, position, question, 3)


def test_as_of_equals_a_fresh_history(store: Store, history: str, new_history: NewHistory) -> None:
    """Two histories side by side: one read as of p, one that holds the records up to p only."""
    store.append(history, batch(*GROWING))
    for position in (0, 1, 2, 4, 5, 7, 11, 12, 99):
        fresh = new_history()
        early = [said for said in GROWING if (said.record.position or 0) <= position]
        store.append(fresh, batch(*early))
        then, now = store.select(history, ["ana"], 5, position), store.select(fresh, ["ana"], 5)
        assert (then.anchors, sorted(map(repr, then.edges)), sorted(map(repr, then.records))) == (
            now.anchors,
            sorted(map(repr, now.edges)),
            sorted(map(repr, now.records)),
        )
        for read in ("unresolved", "newest", "latest_state"):
            then_read = getattr(store, read)(history, 10_000, position)
            now_read = getattr(store, read)(fresh, 10_000)
            assert (then_read.records, then_read.omitted) == (now_read.records, now_read.omitted)


def test_as_of_does_not_know_later_anchors(store: Store, history: str) -> None:
    """An entity that was no subject yet, or a longer name that came later, anchors nothing."""
    entries = [entry(1, ("Ana", "city", "Graz")), entry(5, ("Ana Lima", "city", "Graz"))]
    store.append(history, batch(*entries))
    assert store.select(history, ["ana", "lima"], 5).anchors == ("ana lima",)
    assert store.select(history, ["ana", "lima"], 5, 4).anchors == ("ana",)
    assert store.select(history, ["ana", "lima"], 5, 0).anchors == ()


def lengths(entries: Sequence[int]) -> int:
    return sum(len(render.line(n, f"record {n}")) for n in entries)


@pytest.mark.parametrize(
    ("chars", "shown"),
    [
        pytest.param(lengths([2, 9]), [2, 9], id="exactly all"),
        pytest.param(lengths([2, 9]) - 1, [2, 9], id="the cut comes along"),
        pytest.param(lengths([9]), [2, 9], id="room for one"),
        pytest.param(lengths([9]) - 1, [9], id="not even one"),
        pytest.param(0, [9], id="no room"),
    ],
)
def test_unresolved_fills_the_room(
    store: Store, history: str, chars: int, shown: list[int]
) -> None:
    """The newest records, up to the first that no longer fits, and how many are left."""
    store.append(history, batch(*GROWING))
    found = store.unresolved(history, chars)
    assert [record.position for record in found.records] == shown
    assert found.omitted == 2 - len(shown)


def test_rooms_of_every_size(store: Store, history: str) -> None:
    """All three reads cut where the rendered lines end, counted in characters."""
    texts = [
        "\U0001f600" * 9,
        "a\r\n\n\nb",
        "東京",
        "e\u0301" * 5,
        "x",
        "tab\tand\u2028line",
        "0\0nul",
    ]
    entries = [entry(n * 9, ("s", f"r{n}", "o"), text=t) for n, t in enumerate(texts)]
    entries += [residual(100 + n, text=t) for n, t in enumerate(texts)]
    store.append(history, batch(*entries))
    for chars in range(0, 180, 7):
        check_suffixes(store, history, Oracle(entries), chars=chars)
        check_suffixes(store, history, Oracle(entries).as_of(102), as_of=102, chars=chars)


def test_latest_state_leaves_out_what_was_overwritten(store: Store, history: str) -> None:
    """Last words and unresolved records; no record of which nothing is a last word."""
    store.append(history, batch(*MEETING, residual(6), silent(7)))
    found = store.latest_state(history, 10_000)
    assert [record.position for record in found.records] == [2, 3, 4, 6]


def test_scan(store: Store, history: str) -> None:
    """Everything, ascending by position, whatever order it came in."""
    for said in reversed(GROWING):
        store.append(history, batch(said))
    scanned = list(store.scan(history))
    assert [kept.record for kept in scanned] == [said.record for said in GROWING]
    check(store, history, Oracle(GROWING))


def test_scan_while_writing(store: Store, history: str, new_history: NewHistory) -> None:
    """A history can be copied while it is scanned, and a scan can be left half-way."""
    entries = [entry(n, (f"s{n % 9}", "r", f"o{n}")) for n in range(2_500)]
    store.append(history, batch(*entries))
    copy = new_history()
    for kept, said in zip(store.scan(history), entries, strict=True):
        if kept.record.position in (0, 1_250, 2_499):
            store.append(copy, batch(said))
    next(iter(store.scan(history)))
    store.append(history, batch(silent(9_999)))
    assert [kept.record.position for kept in store.scan(copy)] == [0, 1_250, 2_499]
    assert store.stats(history).records == 2_501
