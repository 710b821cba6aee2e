"""What takes a slot: overwrites, late arrivals, retractions, one and many values."""

from itertools import permutations

import pytest

from cmc_graph.errors import UsageError
from cmc_graph.model import Relation, SetBy, Values
from cmc_graph.stores.base import Batch, Declared, Entry, Store
from tests.contract.comparison import check
from tests.support.builders import batch, entry, no
from tests.support.oracle import Oracle

PORTO = ("Ana", "city", "Porto")
GRAZ = ("Ana", "city", "Graz")
NOT_GRAZ = no("Ana", "city", "Graz")
BASQUE = ("Lena", "speaks", "Basque")
DUTCH = ("Lena", "speaks", "Dutch")
NOT_DUTCH = no("Lena", "speaks", "Dutch")


def now(store: Store, history: str, subject: str) -> list[tuple[str, int, bool]]:
    """The subject's own edges: object, position, ended."""
    edges = store.select(history, subject.split(), 1).edges
    return sorted((edge.object, edge.position, edge.ended) for edge in edges)


def ends(store: Store, history: str, subject: str) -> list[tuple[int, int | None]]:
    """Position and end of every assertion about the subject, oldest first."""
    found = store.versions(history, subject)
    return [(version.position, version.superseded_at) for version in found]


def test_a_new_fact_retires_only_its_own_slot(store: Store, history: str) -> None:
    """An overwrite touches the slot it names and no other (A1)."""
    entries = [
        entry(1, ("Lena Ortiz", "city", "Porto")),
        entry(2, ("Lena Ortiz", "instrument", "cello")),
        entry(3, ("Marek Dole", "city", "Graz")),
        entry(4, ("Lena Ortiz", "city", "Tampere")),
    ]
    for said in entries:
        store.append(history, batch(said))
    assert now(store, history, "lena ortiz") == [("Tampere", 4, False), ("cello", 2, False)]
    assert now(store, history, "marek dole") == [("Graz", 3, False)]
    check(store, history, Oracle(entries))


@pytest.mark.parametrize("together", [True, False], ids=["one batch", "three batches"])
def test_back_to_an_earlier_value(store: Store, history: str, *, together: bool) -> None:
    """A value that returns is a third assertion, current at its own position (A2)."""
    runs = [entry(n, ("Relay Seven", "firmware", v)) for n, v in enumerate(("Alder", "Birch"), 1)]
    entries = [*runs, entry(3, ("Relay Seven", "firmware", "Alder"))]
    for part in [entries] if together else [[said] for said in entries]:
        store.append(history, batch(*part))
    assert now(store, history, "relay seven") == [("Alder", 3, False)]
    assert ends(store, history, "relay seven") == [(1, 2), (2, 3), (3, None)]
    check(store, history, Oracle(entries))


def test_the_same_value_said_again(store: Store, history: str) -> None:
    """Saying a value again moves the current edge to the newer record; both stay in the ledger."""
    entries = [entry(1, PORTO), entry(2, PORTO)]
    store.append(history, batch(*entries))
    assert now(store, history, "ana") == [("Porto", 2, False)]
    assert ends(store, history, "ana") == [(1, 2), (2, None)]


def test_old_material_arrives_late(store: Store, history: str) -> None:
    """Positions decide, not arrival: the older half ingested last changes nothing current (A3)."""
    entries = [entry(n, (f"Pier {n % 20}", "state", f"state {n}")) for n in range(1, 201)]
    entries[39] = entry(40, ("The pier", "state", "closed"))
    entries[149] = entry(150, ("The pier", "state", "open"))
    store.append(history, batch(*entries[100:]))
    store.append(history, batch(*entries[:100]))
    assert now(store, history, "the pier") == [("open", 150, False)]
    check(store, history, Oracle(entries))


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_any_order_of_batches(store: Store, history: str, order: tuple[int, ...]) -> None:
    """The state is a function of the set of assertions, whatever order they came in."""
    entries = [entry(1, PORTO), entry(2, GRAZ), entry(3, NOT_GRAZ, PORTO)]
    for number in order:
        store.append(history, batch(entries[number]))
        check(store, history, Oracle(entries[n] for n in order[: order.index(number) + 1]))


def test_within_one_record_the_later_triple_wins(store: Store, history: str) -> None:
    """Ordinals decide within a record; what they overwrite never held."""
    entries = [entry(1, PORTO, GRAZ), entry(2, GRAZ, NOT_GRAZ, PORTO)]
    store.append(history, batch(*entries))
    assert now(store, history, "ana") == [("Porto", 2, False)]
    assert ends(store, history, "ana") == [(1, 1), (1, 2), (2, 2), (2, 2), (2, None)]
    check(store, history, Oracle(entries))


def test_the_same_triple_twice_in_one_record(store: Store, history: str) -> None:
    """Equal triples of one record are two assertions, told apart by their ordinals."""
    entries = [entry(1, PORTO, PORTO)]
    store.append(history, batch(*entries))
    assert [v.ordinal for v in store.versions(history, "ana")] == [0, 1]
    check(store, history, Oracle(entries))


def test_a_retraction_ends_the_value_it_names(store: Store, history: str) -> None:
    """The slot keeps one edge, an ended one: the reader must see that it holds no longer."""
    entries = [entry(1, GRAZ), entry(2, NOT_GRAZ)]
    for said in entries:
        store.append(history, batch(said))
    assert now(store, history, "ana") == [("Graz", 2, True)]
    assert ends(store, history, "ana") == [(1, 2), (2, None)]
    check(store, history, Oracle(entries))


def test_a_retraction_of_another_value_changes_nothing(store: Store, history: str) -> None:
    """Without effect it stays in the ledger, and never holds."""
    entries = [entry(1, PORTO), entry(2, NOT_GRAZ)]
    for said in entries:
        store.append(history, batch(said))
    assert now(store, history, "ana") == [("Porto", 1, False)]
    assert ends(store, history, "ana") == [(1, None), (2, 2)]
    check(store, history, Oracle(entries))


def test_a_retraction_of_an_empty_slot_ends_it(store: Store, history: str) -> None:
    """What was never said to hold can be said to hold no longer; once."""
    entries = [entry(1, NOT_GRAZ), entry(2, NOT_GRAZ), entry(3, no(*PORTO))]
    for said in entries:
        store.append(history, batch(said))
    assert now(store, history, "ana") == [("Graz", 1, True)]
    assert ends(store, history, "ana") == [(1, None), (2, 2), (3, 3)]
    check(store, history, Oracle(entries))


def test_a_value_after_a_retraction_fills_the_slot_again(store: Store, history: str) -> None:
    """An ended slot takes the next assertion, of the same value or another."""
    entries = [entry(1, GRAZ), entry(2, NOT_GRAZ), entry(3, GRAZ), entry(4, NOT_GRAZ)]
    entries.append(entry(5, PORTO))
    for said in entries:
        store.append(history, batch(said))
    assert now(store, history, "ana") == [("Porto", 5, False)]
    assert ends(store, history, "ana") == [(1, 2), (2, 3), (3, 4), (4, 5), (5, None)]
    check(store, history, Oracle(entries))


def test_a_late_value_makes_a_retraction_take_effect(store: Store, history: str) -> None:
    """With Porto at 4 and no-longer-Graz at 6, a late Graz at 5 is ended by 6 (graph model)."""
    entries = [entry(4, PORTO), entry(6, NOT_GRAZ), entry(5, GRAZ)]
    store.append(history, batch(entries[0]))
    store.append(history, batch(entries[1]))
    assert now(store, history, "ana") == [("Porto", 4, False)]
    assert store.append(history, batch(entries[2])).slots_changed == 1
    assert now(store, history, "ana") == [("Graz", 6, True)]
    assert ends(store, history, "ana") == [(4, 5), (5, 6), (6, None)]
    check(store, history, Oracle(entries))


def test_a_late_value_can_take_the_effect_away(store: Store, history: str) -> None:
    """A late value between a value and its retraction leaves the retraction without effect."""
    entries = [entry(1, GRAZ), entry(6, NOT_GRAZ), entry(3, PORTO)]
    for said in entries:
        store.append(history, batch(said))
    assert now(store, history, "ana") == [("Porto", 3, False)]
    assert ends(store, history, "ana") == [(1, 3), (3, None), (6, 6)]
    check(store, history, Oracle(entries))


def test_slots_changed_counts_last_words_only(store: Store, history: str) -> None:
    """A slot counts as changed when its last word is another assertion than before."""
    store.append(history, batch(entry(5, PORTO)))
    assert store.append(history, batch(entry(3, GRAZ))).slots_changed == 0
    assert store.append(history, batch(entry(6, NOT_GRAZ))).slots_changed == 0
    assert store.append(history, batch(entry(7, PORTO))).slots_changed == 1
    assert store.append(history, batch(entry(8, GRAZ, PORTO, GRAZ))).slots_changed == 1


def test_a_many_valued_relation_keeps_every_value(store: Store, history: str) -> None:
    """Where a pack says many, each object is a slot of its own with its own retraction."""
    entries = [entry(1, BASQUE), entry(2, DUTCH), entry(3, NOT_DUTCH), entry(4, BASQUE)]
    for said in entries:
        store.append(history, batch(said, many=["speaks"]))
    assert now(store, history, "lena") == [("Basque", 4, False), ("Dutch", 3, True)]
    check(store, history, Oracle(entries, {"speaks"}))


SPOKEN: list[Entry] = [
    entry(1, BASQUE),
    entry(2, DUTCH),
    entry(3, NOT_DUTCH, ("Ben", "speaks", "Dutch")),
    entry(4, ("Ben", "speaks", "Welsh"), PORTO),
]


def test_a_person_switches_a_relation(store: Store, history: str) -> None:
    """Switching between one and many resolves the relation's slots anew, there and back."""
    store.append(history, batch(*SPOKEN))
    check(store, history, Oracle(SPOKEN))
    assert store.set_relation(history, "speaks", Values.MANY) == 4
    check(store, history, Oracle(SPOKEN, {"speaks"}))
    assert store.set_relation(history, "speaks", Values.ONE) == 2
    check(store, history, Oracle(SPOKEN))


def test_switching_leaves_other_relations_alone(store: Store, history: str) -> None:
    """Only the named relation changes, and the list says who changed it."""
    store.append(history, batch(*SPOKEN))
    store.set_relation(history, "speaks", Values.MANY)
    assert store.relations(history) == [
        Relation(name="city", values=Values.ONE, set_by=SetBy.FRONTEND, slots=1),
        Relation(name="speaks", values=Values.MANY, set_by=SetBy.PERSON, slots=4),
    ]


def test_a_switch_is_a_new_version(store: Store, history: str) -> None:
    """Readers that keep what they read once per version notice the switch."""
    store.append(history, batch(*SPOKEN))
    before = store.stats(history).version
    store.set_relation(history, "speaks", Values.MANY)
    assert store.stats(history).version > before


def test_later_records_follow_the_switch(store: Store, history: str) -> None:
    """What comes after a switch is resolved by it, also without any pack's word."""
    store.append(history, batch(*SPOKEN[:1]))
    store.set_relation(history, "speaks", Values.MANY)
    store.append(history, batch(*SPOKEN[1:]))
    check(store, history, Oracle(SPOKEN, {"speaks"}))


def test_an_unknown_relation_cannot_be_set(store: Store, history: str) -> None:
    """Setting a relation the history does not have is a usage error and changes nothing."""
    store.append(history, batch(*SPOKEN))
    with pytest.raises(UsageError, match="knows"):
        store.set_relation(history, "knows", Values.MANY)
    check(store, history, Oracle(SPOKEN))


def test_between_packs_many_wins(store: Store, history: str) -> None:
    """A later pack widens a relation and resolves it anew; a narrower one changes nothing."""
    store.append(history, batch(*SPOKEN[:2], one=["speaks"]))
    check(store, history, Oracle(SPOKEN[:2]))
    store.append(history, batch(SPOKEN[2], many=["speaks"]))
    check(store, history, Oracle(SPOKEN[:3], {"speaks"}))
    store.append(history, batch(SPOKEN[3], one=["speaks"]))
    check(store, history, Oracle(SPOKEN, {"speaks"}))
    assert store.relations(history)[1].set_by is SetBy.PACK


def test_a_pack_may_widen_without_touching_the_slot(store: Store, history: str) -> None:
    """The switch concerns all slots of the relation, not those of the batch alone."""
    store.append(history, batch(*SPOKEN[:3]))
    other = entry(9, ("Eve", "speaks", "Thai"))
    store.append(history, batch(other, many=["speaks"]))
    check(store, history, Oracle([*SPOKEN[:3], other], {"speaks"}))


def test_a_person_beats_a_pack(store: Store, history: str) -> None:
    """What a person said of a relation stays, whatever packs say later."""
    store.append(history, batch(*SPOKEN[:2]))
    store.set_relation(history, "speaks", Values.ONE)
    store.append(history, batch(*SPOKEN[2:], many=["speaks"]))
    check(store, history, Oracle(SPOKEN))
    assert store.relations(history)[1].set_by is SetBy.PERSON


def test_a_pack_declares_more_than_it_uses(store: Store, history: str) -> None:
    """Relations a batch declares without using them are not listed."""
    store.append(history, batch(entry(1, PORTO), many=["speaks", "likes", "knows"]))
    assert [relation.name for relation in store.relations(history)] == ["city"]


def test_a_declared_person_beats_a_stored_pack(store: Store, history: str) -> None:
    """A person's word that comes with a batch, as in a copy of a history, counts as one."""
    store.append(history, batch(*SPOKEN[:2], many=["speaks"]))
    said = {"speaks": Declared(Values.ONE, SetBy.PERSON)}
    store.append(history, Batch(tuple(SPOKEN[2:]), said))
    check(store, history, Oracle(SPOKEN))


def test_relations_are_listed_by_name(store: Store, history: str) -> None:
    """Names come in code-point order on every store, also beyond the basic plane."""
    names = ["b", "B", "é", "\ufb01", "\U0001d4b3", "a b", "a"]
    store.append(history, batch(*(entry(n, ("s", name, "o")) for n, name in enumerate(names))))
    assert [relation.name for relation in store.relations(history)] == sorted(names)


def test_versions(store: Store, history: str) -> None:
    """The versions of a subject come oldest first, of one relation or of all."""
    entries = [entry(3, PORTO), entry(1, GRAZ, ("Ana", "boss", "Ben")), entry(2, NOT_GRAZ)]
    for said in [*entries, entry(4, ("Ben", "city", "Ana"))]:
        store.append(history, batch(said))
    places = [(v.position, v.ordinal) for v in store.versions(history, "ana")]
    assert places == [(1, 0), (1, 1), (2, 0), (3, 0)]
    city = store.versions(history, "ana", relation="city")
    assert [(v.position, v.object, v.retracts) for v in city] == [
        (1, "graz", False),
        (2, "graz", True),
        (3, "porto", False),
    ]
    assert store.versions(history, "ana", relation="speaks") == []
    assert store.versions(history, "porto") == store.versions(history) == []
    both = store.versions(history, "ben", "ana", "nobody", "ana", relation="city")
    assert [(v.position, v.subject) for v in both] == [
        *((1, "ana"), (2, "ana"), (3, "ana"), (4, "ben"))
    ]


def test_a_long_slot(store: Store, history: str) -> None:
    """A slot of 2,000 versions, in order in many batches and then a late one, has one last word."""
    entries = [entry(n, ("Pump", "state", f"state {n % 7}")) for n in range(0, 4_000, 2)]
    for start in range(0, 2_000, 500):
        store.append(history, batch(*entries[start : start + 500]))
    late = entry(1_001, ("Pump", "state", "late"))
    store.append(history, batch(late))
    found = store.versions(history, "pump")
    assert len(found) == 2_001
    following = [version.position for version in found[1:]]
    assert [version.superseded_at for version in found] == [*following, None]
    assert now(store, history, "pump") == [("state 1", 3_998, False)]
    assert not store.verify(history)
