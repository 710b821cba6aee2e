"""What is told of a read, of an entity and of two positions, on both stores."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import pairwise
from threading import Event, Semaphore
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph import Memory, Record
from cmc_graph.closure import MAX_HOPS
from cmc_graph.errors import UsageError
from cmc_graph.explaining import Explanation, asking
from cmc_graph.model import Triple
from cmc_graph.render import PREFIX
from cmc_graph.stores.base import Selection, Store
from tests.support.builders import batch, entry, no
from tests.support.database import Database, NewHistory

#: A chain of hops whose first value went through three versions, a retraction, and a residue.
TOLD: dict[int, list[Triple] | None] = {
    1: [Triple("Ana", "city", "Graz")],
    2: [Triple("Graz", "river", "Mur")],
    3: None,
    4: [Triple("Ana", "city", "Linz")],
    5: [Triple("Ana", "pet", "Rex")],
    6: [Triple("Ana", "city", "Graz")],
    7: [Triple("Mur", "length", "464 km")],
    8: [no("Ana", "pet", "Rex")],
    9: [no("Ana", "city", "Linz")],
}

names = st.sampled_from("abcd")
triples = st.lists(
    st.one_of(
        st.builds(Triple, names, st.sampled_from(["r", "q"]), names),
        st.builds(no, names, st.just("r"), names),
    ),
    min_size=1,
    max_size=2,
)
histories = st.dictionaries(st.integers(0, 12), st.none() | triples, min_size=1, max_size=9)


def ingested(store: Store, history: str, told: dict[int, list[Triple] | None]) -> Memory:
    memory = Memory(store, history)
    memory.ingest(
        [
            Record(
                text=f"record {n}",
                position=n,
                source="notes.txt",
                source_line=n + 1,
                triples=said or [],
                status=None if said else "unresolved",
            )
            for n, said in sorted(told.items())
        ],
        literal=False,
    )
    return memory


@pytest.fixture
def memory(store: Store, history: str) -> Memory:
    return ingested(store, history, TOLD)


def reasons(found: Explanation) -> dict[int | None, tuple[str, int | None]]:
    return {each.record.position: (each.why, each.by or each.depth) for each in found.hidden}


def test_each_record_says_why_it_is_shown(memory: Memory) -> None:
    """The anchor's span, the path from it, and for what no path led to its status."""
    found = memory.explain("Where does Ana's river flow?")
    assert [(a.key, a.span, a.start, a.stop) for a in found.anchors] == [("ana", "Ana", 2, 3)]
    told = {
        each.record.position: (each.why, [[e.position for e in way.path] for way in each.reached])
        for each in found.shown
    }
    assert told == {
        2: ("closure", [[6, 2]]),
        3: ("unresolved", []),
        6: ("closure", [[6]]),
        7: ("closure", [[6, 2, 7]]),
        8: ("closure", [[8]]),
    }


def test_each_slot_says_what_it_replaced(memory: Memory) -> None:
    """Older versions with effect, oldest first; a retraction without effect replaced nothing."""
    found = memory.explain("Ana")
    older = {
        each.edge.relation: [(v.position, v.object, v.superseded_at) for v in each.versions]
        for each in found.replaced
    }
    assert older == {"city": [(1, "graz", 4), (4, "linz", 6)], "pet": [(5, "rex", 8)]}


def test_what_is_not_shown_says_why(memory: Memory) -> None:
    """Superseded by which record, without effect, beyond which hop, or cut by the budget."""
    always = {1: ("superseded", 4), 4: ("superseded", 6), 5: ("superseded", 8)}
    always |= {9: ("without effect", None)}
    assert reasons(memory.explain("Ana")) == always
    near = memory.explain("Ana", hops=1)
    beyond = {2: ("beyond the hop cap", 2), 7: ("beyond the hop cap", 3)}
    assert reasons(near) == always | beyond
    budget = len(PREFIX) + 2 * len("[1] record 1\n")
    cut = {2: ("cut by the budget", 2), 6: ("cut by the budget", 1)}
    assert reasons(memory.explain("Ana", budget=budget)) == always | cut
    cut = {2: ("cut by the budget", 2), 7: ("cut by the budget", 3)}
    nearest = memory.explain("Ana", budget=budget, overflow="nearest")
    assert reasons(nearest) == always | cut


def test_as_of_tells_nothing_newer(memory: Memory) -> None:
    """What is told of a position equals what a history that ends there would tell."""
    found = memory.explain("Ana", as_of=5)
    assert reasons(found) == {1: ("superseded", 4)}
    assert [each.record.position for each in found.shown] == [3, 4, 5]


def test_a_fall_back_says_that_it_is_one(memory: Memory) -> None:
    """Where nothing is found, every record is shown for that reason."""
    found = memory.explain("nobody", fallback="latest_state")
    assert {each.why for each in found.shown} == {"latest_state"}
    assert (found.anchors, found.hidden) == ((), ())


def test_an_unknown_history(store: Store, history: str) -> None:
    """A history that was never written has nothing to tell, which is no error."""
    memory = Memory(store, history)
    assert memory.explain("Ana").shown == ()
    assert memory.timeline("Ana").entries == ()
    assert memory.diff(0, 9).changes == ()
    with pytest.raises(UsageError, match="no record of the history carries a date"):
        memory.position_at("2026-03-01")


@settings(max_examples=20)
@given(
    told=histories,
    hops=st.integers(1, 3),
    room=st.integers(0, 6),
    as_of=st.none() | st.integers(0, 12),
)
def test_an_explanation_accounts_for_its_read(
    store: Store,
    new_history: NewHistory,
    told: dict[int, list[Triple] | None],
    hops: int,
    room: int,
    as_of: int | None,
) -> None:
    """It has the read's evidence, each record once, and paths whose edges follow one another."""
    memory = ingested(store, new_history(), told)
    memory._finalizer.detach()  # the store serves the next example, too
    budget = len(PREFIX) + room * len("[10] record 10\n")
    read = memory.read("a and b", hops=hops, budget=budget, as_of=as_of)
    found = memory.explain("a and b", hops=hops, budget=budget, as_of=as_of)
    assert found.evidence == read
    assert tuple(each.record for each in found.shown) == read.records
    shown, hidden = (
        [each.record.position for each in some] for some in (found.shown, found.hidden)
    )
    assert hidden == sorted(set(hidden) - set(shown))
    assert {e.position for e in read.edges} <= {*shown, *hidden}
    assert {a.key for a in found.anchors} == set(read.anchors)
    for way in (way for each in found.shown for way in each.reached):
        assert (len(way.path), way.path[-1]) == (way.edge.depth, way.edge)
        assert way.path[0].subject_key == way.anchor
        assert all(a.object_key == b.subject_key and not a.ended for a, b in pairwise(way.path))


def test_explanations_beside_a_busy_writer(store: Store, history: str, database: Database) -> None:
    """Two readers explain while a writer appends: each explanation is of one version, and whole.

    Each batch, written as soon as either reader has an explanation, moves Ana and says what river
    the new place has: an explanation that mixed versions would show a place without its river, or
    replaced places of another number than its version has.
    """
    written, explained, moves = Event(), Semaphore(0), 30

    def write() -> None:
        with closing(database.open()) as own:
            for n in range(moves):
                river = entry(2 * n + 1, (f"place {n}", "river", f"river {n}"))
                own.append(history, batch(entry(2 * n, ("Ana", "city", f"place {n}")), river))
                explained.acquire(timeout=10)
        written.set()

    def explain(memory: Memory) -> set[int]:
        versions = set()
        while not written.is_set():
            found = memory.explain("Where is Ana?")
            versions.add(version := found.evidence.version)
            shown = [each.record.position for each in found.shown]
            assert shown == ([2 * version - 2, 2 * version - 1] if version else [])
            older = [2 * n for n in range(version - 1)]
            assert [v.position for each in found.replaced for v in each.versions] == older
            assert [each.record.position for each in found.hidden] == older
            explained.release()
        return versions

    with (
        ThreadPoolExecutor(3) as pool,
        Memory(database.open(), history) as one,
        Memory(database.open(), history) as another,
    ):
        readers = [pool.submit(explain, memory) for memory in (one, another)]
        pool.submit(write).result()
        versions = [reader.result() for reader in readers]
    assert len(versions[0] | versions[1]) > 3


def test_a_timeline_has_every_version(memory: Memory) -> None:
    """Oldest first, with its record and source, and the version that took the slot after it."""
    found = memory.timeline("ANA", " city ")
    told = [
        (
            e.record.position,
            e.record.source_line,
            e.replaced_by and e.replaced_by.position,
            e.has_effect,
        )
        for e in found.entries
        if e.record
    ]
    assert told == [(1, 2, 4, True), (4, 5, 6, True), (6, 7, None, True), (9, 10, None, False)]
    assert [e.version.relation for e in memory.timeline("Ana", as_of=5).entries] == [
        *("city", "city", "pet")
    ]
    assert memory.timeline("Ana", as_of=5).entries[1].replaced_by is None


def test_a_timeline_by_another_name_of_the_relation(memory: Memory) -> None:
    """A merged relation is told under the one that counts."""
    memory.merge_relation("pet", "city")
    assert memory.timeline("Ana", "pet") == memory.timeline("Ana", "city")
    assert len(memory.timeline("Ana", "pet").entries) == 6


def test_what_changed_between_positions(memory: Memory) -> None:
    """New, changed, restated and ended slots, in the order of the newest records."""

    def changes(after: int, upto: int) -> list[tuple[str, str, int | None, int, int]]:
        return [
            (c.relation, c.kind, c.before and c.before.position, c.after.position, c.versions)
            for c in memory.diff(after, upto).changes
        ]

    assert changes(1, 4) == [("river", "new", None, 2, 1), ("city", "changed", 1, 4, 1)]
    assert changes(1, 9) == [
        ("river", "new", None, 2, 1),
        ("city", "restated", 1, 6, 2),
        ("length", "new", None, 7, 1),
        ("pet", "ended", None, 8, 2),
    ]
    assert changes(8, 9) == changes(4, 4) == []
    with pytest.raises(UsageError, match="from 5 to 4"):
        memory.diff(5, 4)


def test_a_date_means_a_position(store: Store, history: str) -> None:
    """The last record dated up to then, before anything dated later; offsets count."""
    dates = [
        None,
        "2026-03-01",
        "2026-03-02T23:30:00-02:00",
        None,
        "2026-03-04T09:00:00Z",
        "2026-03-03",
    ]
    memory = Memory(store, history)
    memory.ingest(
        [
            Record(text=f"a{n}: b", position=n, observed_at=date, triples=[])
            for n, date in enumerate(dates)
        ]
    )
    assert memory.position_at("2026-03-01") == memory.position_at("2026-03-02") == 1
    assert memory.position_at("2026-03-03") == memory.position_at("2026-03-04T08:59:00") == 2
    assert memory.position_at("2026-03-04") == 5
    for date, message in [
        ("2026-02-28", "record 1, which is dated 2026-03-01"),
        ("soon", "like 2026"),
    ]:
        with pytest.raises(UsageError, match=message):
            memory.position_at(date)


def test_from_the_beginning_on_all_is_new(memory: Memory) -> None:
    """Without a first position, a record at position 0 is among what changed, too."""
    memory.ingest(
        [Record(text="first", position=0, triples=[Triple("Bo", "city", "Rom")])], literal=False
    )
    assert [c.after.position for c in memory.diff(0, 2).changes] == [1, 2]
    assert [c.after.position for c in memory.diff(None, 2).changes] == [0, 1, 2]
    assert memory.diff(None, 2).after is None


def test_what_ends_nothing_is_no_change(store: Store, history: str) -> None:
    """A retraction as the first word of a slot, or after another one, changes nothing."""
    told: dict[int, list[Triple] | None] = {
        1: [no("Ana", "pet", "Rex")],
        2: [Triple("Ana", "pet", "Rex")],
        3: [no("Ana", "pet", "Rex")],
        4: [no("Ana", "pet", "Bo")],
    }
    memory = ingested(store, history, told)
    assert memory.diff(None, 1).changes == memory.diff(3, 4).changes == ()
    assert [c.kind for c in memory.diff(1, 3).changes] == ["ended"]


def test_a_date_in_a_history_of_several_pages(
    store: Store, history: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records are looked at page by page, and one that is longer than a page is no end of them."""
    monkeypatch.setattr(asking, "_PAGE", 60)
    memory = Memory(store, history)
    memory.ingest(
        [
            Record(text="x" * (500 if n == 4 else 9), position=n, observed_at=f"2026-03-{n:02}")
            for n in range(1, 9)
        ]
    )
    assert [memory.position_at(f"2026-03-{n:02}") for n in range(1, 9)] == [*range(1, 9)]


class _Moving:
    """A store of which records are forgotten between the round trips of the first explanation."""

    def __init__(self, inner: Store, positions: list[int]) -> None:
        self._inner, self._positions = inner, positions

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def select(
        self, history: str, tokens: Sequence[str], hops: int, as_of: int | None
    ) -> Selection:
        if hops == MAX_HOPS and self._positions:
            self._inner.forget(history, self._positions)
            self._positions = []
        return self._inner.select(history, tokens, hops, as_of)


def test_an_explanation_sees_one_version(memory: Memory, store: Store, history: str) -> None:
    """Where a record of the read is forgotten before the rest is asked for, it starts over."""
    moving = Memory(cast(Store, _Moving(store, [1, 2])), history)
    budget = len(PREFIX) + len("[7] record 7\n")
    found = moving.explain("Ana", budget=budget)
    assert found.evidence == memory.read("Ana", budget=budget)
    assert found.evidence.cut == (6,)
    assert 2 not in {each.record.position for each in found.hidden}
