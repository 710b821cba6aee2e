"""Forgetting: what is removed, what falls back, and what can come again; and rebuilding."""

from cmc_graph.model import Forgotten, Stats, Values
from cmc_graph.stores.base import Store
from tests.contract.comparison import check
from tests.support.builders import batch, entry, no, residual, silent
from tests.support.oracle import Oracle

CITY = [
    entry(1, ("Ana", "city", "Graz")),
    entry(2, ("Ana", "city", "Porto"), ("Porto", "river", "Douro")),
    entry(3, no("Ana", "city", "Porto")),
    residual(4),
    entry(5, ("Ben", "city", "Oslo")),
]


def without(*positions: int) -> Oracle:
    return Oracle(said for said in CITY if said.record.position not in positions)


def test_a_slot_falls_back_to_what_remains(store: Store, history: str) -> None:
    """Forgetting a last word brings back the word before it."""
    store.append(history, batch(*CITY))
    assert store.forget(history, [3]) == Forgotten(
        records=1, assertions=1, entities=0, slots_changed=1
    )
    check(store, history, without(3))
    store.forget(history, [2])
    check(store, history, without(2, 3))
    (edge,) = store.select(history, ["ana"], 1).edges
    assert (edge.object, edge.position, edge.ended) == ("Graz", 1, False)


def test_forgetting_in_the_middle(store: Store, history: str) -> None:
    """Forgetting what is no last word leaves the last word, unless an effect depended on it."""
    store.append(history, batch(*CITY))
    store.forget(history, [1])
    check(store, history, without(1))
    store.forget(history, [2])
    check(store, history, without(1, 2))


def test_entities_nothing_names_are_removed(store: Store, history: str) -> None:
    """An entity stays as long as one assertion names it, at either end."""
    store.append(history, batch(*CITY))
    assert store.forget(history, [5]) == Forgotten(
        records=1, assertions=1, entities=2, slots_changed=1
    )
    assert store.forget(history, [2]).entities == 1  # Douro; record 3 still names Porto
    assert store.select(history, ["ben"], 5).anchors == ()
    check(store, history, without(2, 5))


def test_names_are_derived_again(store: Store, history: str) -> None:
    """An entity's name is the surface of the oldest record that names it, now as before."""
    entries = [
        entry(1, ("ANA", "city", "Graz")),
        entry(2, ("Ben", "boss", "Ana")),
        entry(3, ("Ana's", "city", "GRAZ"), ("ana", "age", "40")),
    ]
    for said in reversed(entries):
        store.append(history, batch(said))
        assert not store.verify(history)
    for position in (1, 2, 3):
        store.forget(history, [position])
        left = Oracle(said for said in entries if (said.record.position or 0) > position)
        check(store, history, left)


def test_what_is_not_there_is_ignored(store: Store, history: str) -> None:
    """Unknown positions remove nothing and are no new version; a repeated one counts once."""
    store.append(history, batch(*CITY))
    assert store.forget(history, [0, 99]) == Forgotten()
    assert store.forget(history, []) == Forgotten()
    assert store.stats(history).version == 1
    assert store.forget(history, [4, 4, 99]).records == 1
    check(store, history, without(4))


def test_forgetting_is_a_new_version(store: Store, history: str) -> None:
    """Readers that keep what they read once per version notice that a record is gone."""
    store.append(history, batch(*CITY))
    store.forget(history, [4])
    assert store.stats(history).version > 1
    assert store.unresolved(history, 1_000).records == ()


def test_everything_can_be_forgotten(store: Store, history: str) -> None:
    """A history of which nothing is left is empty, and can be written again."""
    store.append(history, batch(*CITY))
    forgotten = store.forget(history, [1, 2, 3, 4, 5])
    assert forgotten == Forgotten(records=5, assertions=5, entities=6, slots_changed=3)
    check(store, history, Oracle([]))
    store.append(history, batch(*CITY))
    check(store, history, Oracle(CITY))


def test_the_forgotten_can_come_again(store: Store, history: str) -> None:
    """A forgotten record that is ingested again is new, also with another text."""
    store.append(history, batch(*CITY))
    store.forget(history, [2])
    again = entry(2, ("Ana", "city", "Bonn"), text="another text")
    assert store.append(history, batch(*CITY[:1], again, *CITY[2:])).skipped == 4
    check(store, history, Oracle([CITY[0], again, *CITY[2:]]))


def test_a_forgotten_line_can_come_again(store: Store, history: str) -> None:
    """A line of a known source is unknown once it was forgotten, and gets a free position."""
    lines = [silent(None, f"line {n}", source="notes.md", source_line=n) for n in (1, 2, 3)]
    store.append(history, batch(*lines))
    store.forget(history, [1])
    assert store.append(history, batch(*lines)).skipped == 2
    found = [(kept.record.position, kept.record.source_line) for kept in store.scan(history)]
    assert [line for _, line in found] == [1, 3, 2]
    assert len({position for position, _ in found}) == 3


def test_the_next_position_follows_the_greatest_that_is_left(store: Store, history: str) -> None:
    """As in a history that never held the forgotten records, also when none is left."""
    store.append(history, batch(*(silent(n) for n in (3, 7, 9))))
    store.forget(history, [7, 9])
    store.append(history, batch(silent(None, "next")))
    assert [kept.record.position for kept in store.scan(history)] == [3, 4]
    store.forget(history, [3, 4])
    store.append(history, batch(silent(None, "first")))
    assert [kept.record.position for kept in store.scan(history)] == [0]


def test_many_positions_at_once(store: Store, history: str) -> None:
    """Thousands of records are forgotten in one call."""
    entries = [entry(n, (f"s{n % 7}", f"r{n % 3}", f"o{n}")) for n in range(3_000)]
    store.append(history, batch(*entries))
    forgotten = store.forget(history, range(0, 3_000, 2))
    assert (forgotten.records, forgotten.assertions) == (1_500, 1_500)
    assert not store.verify(history)
    assert store.stats(history).assertions == 1_500


def test_relations_nothing_speaks_of_are_forgotten(store: Store, history: str) -> None:
    """With its last record a relation's name goes too, unless a person spoke of it."""
    store.append(history, batch(entry(1, ("Ana", "secret project", "X"), ("Ana", "city", "Graz"))))
    store.append(history, batch(entry(2, ("Ana", "city", "Porto"), ("Ana", "boss", "Ben"))))
    store.set_relation(history, "boss", Values.MANY)
    store.forget(history, [1])
    assert [r.name for r in store.relations(history)] == ["boss", "city"]
    store.forget(history, [2])
    assert [(r.name, r.values) for r in store.relations(history)] == [("boss", Values.MANY)]


def test_nothing_forgotten_comes_back_in_between(store: Store, history: str) -> None:
    """However many records go, the slot never shows one of them after the newest is gone."""
    store.append(history, batch(*(entry(n, ("Ana", "city", f"c{n}")) for n in range(2_500))))
    forgotten = store.forget(history, range(1, 2_500))
    assert forgotten == Forgotten(records=2_499, assertions=2_499, entities=2_499, slots_changed=1)
    check(store, history, Oracle([entry(0, ("Ana", "city", "c0"))]))


def test_forgetting_an_overwritten_value_in_a_many_valued_relation(
    store: Store, history: str
) -> None:
    """Each value is a slot of its own, so forgetting one leaves the others."""
    entries = [
        entry(1, ("Lena", "speaks", "Basque")),
        entry(2, ("Lena", "speaks", "Dutch")),
        entry(3, no("Lena", "speaks", "Basque")),
    ]
    store.append(history, batch(*entries, many=["speaks"]))
    store.forget(history, [3])
    check(store, history, Oracle(entries[:2], {"speaks"}))
    store.forget(history, [1])
    check(store, history, Oracle(entries[1:2], {"speaks"}))


def test_a_persons_word_outlives_the_records(store: Store, history: str) -> None:
    """How many values a relation takes is remembered while the history is, also unused."""
    store.append(history, batch(*CITY))
    store.set_relation(history, "city", Values.MANY)
    store.forget(history, [1, 2, 3, 5])
    store.append(history, batch(*CITY))
    check(store, history, Oracle(CITY, {"city"}))


def test_rebuild_keeps_everything(store: Store, history: str) -> None:
    """Deriving the projection anew from the ledger gives the projection there was."""
    store.append(history, batch(*CITY, many=["speaks"]))
    assert store.rebuild(history) == 3
    check(store, history, Oracle(CITY))
    store.append(history, batch(entry(6, ("Ana", "city", "Rome"))))
    check(store, history, Oracle([*CITY, entry(6, ("Ana", "city", "Rome"))]))


def test_rebuild_of_a_large_history(store: Store, history: str) -> None:
    """A projection larger than one bounded transaction is derived completely."""
    entries = [entry(n, (f"s{n % 1_500}", "r", f"o{n % 11}")) for n in range(4_000)]
    store.append(history, batch(*entries))
    assert store.rebuild(history) == 1_500
    assert store.verify(history).slots == 1_500
    assert not store.verify(history)


def test_stats_of_an_emptied_history(store: Store, history: str) -> None:
    """Counters go down with what was forgotten; only the version remains."""
    store.append(history, batch(*CITY))
    store.forget(history, [1, 2, 3, 4, 5])
    stats = store.stats(history)
    assert stats == Stats(version=stats.version)
