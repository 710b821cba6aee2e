"""What is read anew: relations merged into one, all verdicts replaced, patterns kept."""

import threading

import pytest

from cmc_graph.errors import StoreBusy, UsageError
from cmc_graph.model import Pattern, Relation, SetBy, Values
from cmc_graph.stores.base import Applied, Entry, Store
from tests.contract.comparison import check
from tests.support.builders import batch, entry, no, residual, silent
from tests.support.database import NewHistory
from tests.support.oracle import Oracle

PORTO, GRAZ = ("Ana", "city", "Porto"), ("Ana", "lives in", "Graz")


def renamed(entries: list[Entry], names: dict[str, str]) -> list[Entry]:
    """The entries under other names of relations."""
    return [
        each._replace(
            assertions=tuple(
                a._replace(relation=names.get(a.relation, a.relation)) for a in each.assertions
            )
        )
        for each in entries
    ]


def test_two_names_become_one_slot(store: Store, history: str) -> None:
    """After a merge the newest value of both names holds, and the older one is superseded."""
    entries = [entry(1, PORTO), entry(2, GRAZ), entry(3, ("Ben", "lives in", "Oslo"))]
    store.append(history, batch(*entries))
    store.merge_relations(history, {"lives in": "city"})
    check(store, history, Oracle(renamed(entries, {"lives in": "city"})))
    assert [(v.position, v.relation) for v in store.versions(history, "ana")] == [
        (1, "city"),
        (2, "city"),
    ]


def test_later_batches_use_the_name_that_counts(store: Store, history: str) -> None:
    """What is appended under a merged name takes the slots of the other, also through a chain."""
    store.append(history, batch(entry(1, PORTO)))
    store.append(history, batch(entry(2, ("Eve", "home", "Rome"))))
    store.merge_relations(history, {"lives in": "home"})  # a name the history has never used
    store.merge_relations(history, {"home": "city"})
    entries = [entry(1, PORTO), entry(2, ("Eve", "home", "Rome")), entry(3, GRAZ)]
    store.append(history, batch(entries[2], many=["lives in"]))  # what a pack says of it, too
    names = {"lives in": "city", "home": "city"}
    check(store, history, Oracle(renamed(entries, names), many=["city"]))
    listed = {each.name: each.merged_into for each in store.relations(history)}
    assert listed == {"city": None, "home": "city", "lives in": "city"}


def test_a_merge_is_done_once(store: Store, history: str) -> None:
    """The same again, also by way of another name, writes nothing."""
    store.append(history, batch(entry(1, PORTO, GRAZ)))
    store.merge_relations(history, {"lives in": "city"})
    version = store.stats(history).version
    store.merge_relations(history, {"lives in": "city"})
    store.merge_relations(history, {})
    assert store.stats(history).version == version


@pytest.mark.parametrize(
    ("name", "into", "words"),
    [
        ("city", "city", "itself"),
        ("city", "lives in", "was merged into it"),
        ("lives in", "floor", "was merged into 'city' before"),
        ("floor", "nowhere", "no relation 'nowhere'"),
    ],
)
def test_merges_that_make_no_sense(
    store: Store, history: str, name: str, into: str, words: str
) -> None:
    """A relation is one name's only, and circles and unknown relations are refused."""
    store.append(history, batch(entry(1, PORTO), entry(2, ("B", "floor", "2")), entry(3, GRAZ)))
    store.merge_relations(history, {"lives in": "city"})
    before = list(store.scan(history)), store.relations(history)
    with pytest.raises(UsageError, match=words):
        store.merge_relations(history, {name: into})
    assert (list(store.scan(history)), store.relations(history)) == before


def test_nothing_is_said_of_a_merged_name(store: Store, new_history: NewHistory) -> None:
    """How many values there are is said of the relation that counts; an empty history has none."""
    history = new_history()
    with pytest.raises(UsageError, match="no relation 'city'"):
        store.merge_relations(history, {"lives in": "city"})
    store.append(history, batch(entry(1, PORTO, GRAZ)))
    store.merge_relations(history, {"lives in": "city"})
    with pytest.raises(UsageError, match="merged into 'city'"):
        store.set_relation(history, "lives in", Values.MANY)
    assert store.set_relation(history, "city", Values.MANY) == 2


def test_the_stronger_word_counts_for_both(store: Store, history: str) -> None:
    """A person's word on the merged relation is one on the other; of two, many wins."""
    store.append(history, batch(entry(1, PORTO, GRAZ)))
    store.set_relation(history, "lives in", Values.MANY)
    store.merge_relations(history, {"lives in": "city"})
    city = next(each for each in store.relations(history) if each.name == "city")
    assert city == Relation(name="city", values=Values.MANY, set_by=SetBy.PERSON, slots=2)
    entries = renamed([entry(1, PORTO, GRAZ)], {"lives in": "city"})
    check(store, history, Oracle(entries, many=["city"]))


def test_several_merges_are_one_change(store: Store, history: str) -> None:
    """All of them or none: a later one builds on an earlier one, and one refusal refuses all."""
    entries = [entry(1, PORTO), entry(2, GRAZ), entry(3, ("Ana", "home", "Rome"))]
    store.append(history, batch(*entries))
    before = list(store.scan(history)), store.relations(history)
    with pytest.raises(UsageError, match="nowhere"):
        store.merge_relations(history, {"lives in": "city", "home": "nowhere"})
    assert (list(store.scan(history)), store.relations(history)) == before
    store.merge_relations(history, {"lives in": "city", "city": "home"})
    assert store.stats(history).version == 2
    names = {"lives in": "home", "city": "home"}
    check(store, history, Oracle(renamed(entries, names)))
    listed = {each.name: each.merged_into for each in store.relations(history)}
    assert listed == {"home": None, **names}


BEFORE = [entry(1, PORTO), residual(2), silent(3), entry(4, no("Ana", "city", "Porto"), GRAZ)]
AFTER = [
    residual(1),
    entry(2, ("Ana", "home", "Porto")),
    entry(3, ("Ben", "knows", "Ana"), ("Ben", "knows", "Eve")),
    silent(4),
]


def test_all_verdicts_are_replaced(store: Store, history: str) -> None:
    """The history is what it were if the new verdicts had been the first ones."""
    store.append(history, batch(*BEFORE, many=["city"]))
    applied = store.replace(history, batch(*AFTER, many=["knows"]), 1)
    assert applied == Applied(
        facts=2, unresolved=1, no_fact=1, assertions=3, slots_changed=5, version=2
    )
    check(store, history, Oracle(AFTER, many=["knows"]))
    assert [each.name for each in store.relations(history)] == ["home", "knows"]
    assert store.rebuild(history) == 3


def test_persons_and_merges_outlive_a_replacement(store: Store, history: str) -> None:
    """What packs and frontends said is gone with what they read; a person's word stays."""
    store.append(history, batch(*BEFORE, many=["lives in"]))
    store.set_relation(history, "city", Values.MANY)
    store.merge_relations(history, {"home": "city"})
    store.replace(history, batch(*AFTER), 3)
    relations = {each.name: (each.values, each.merged_into) for each in store.relations(history)}
    assert relations == {
        "city": (Values.MANY, None),
        "home": (Values.ONE, "city"),
        "knows": (Values.ONE, None),
    }
    check(store, history, Oracle(renamed(AFTER, {"home": "city"}), many=["city"]))


def test_a_replacement_of_something_older_is_refused(store: Store, history: str) -> None:
    """Records that came meanwhile were not read again, so that nothing is changed."""
    store.append(history, batch(*BEFORE))
    store.append(history, batch(entry(5, GRAZ)))
    with pytest.raises(StoreBusy, match="written to while its records were read again"):
        store.replace(history, batch(*AFTER), 1)
    check(store, history, Oracle([*BEFORE, entry(5, GRAZ)]))


def test_a_history_never_written_has_nothing_to_replace(store: Store, history: str) -> None:
    """It stays as it is; to keep no patterns is not to write it."""
    assert store.replace(history, batch(), 0) == Applied()
    store.keep_patterns(history, [])
    assert store.patterns(history) == []
    assert history not in [each.name for each in store.histories()]


def test_patterns_are_kept_in_order_and_anew(store: Store, history: str) -> None:
    """The history's version does not change; the next ones take the place of all."""
    store.append(history, batch(entry(1, PORTO)))
    first = [Pattern("{S} lives in {O}", "city", 9, 3), Pattern("{O} is home to {S}", "city", 4, 2)]
    for found in (first, [Pattern("{S} wohnt in {O}", "città", 3, 2)], []):
        store.keep_patterns(history, found)
        assert store.patterns(history) == found
    assert store.stats(history).version == 1
    assert not store.verify(history)


def test_readers_see_the_old_state_or_the_new_one(store: Store, history: str) -> None:
    """While everything is replaced back and forth, each read finds one of the two, whole."""
    people = [f"Person {n}" for n in range(60)]
    old = [entry(n, (name, "city", "Old Town")) for n, name in enumerate(people)]
    new = [entry(n, (name, "home", "New Town")) for n, name in enumerate(people)]
    store.append(history, batch(*old))
    question = [token for name in people for token in (*name.lower().split(), "zzz")]
    seen: set[tuple[str, int]] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            edges = store.select(history, question, 1).edges
            kinds = {edge.relation for edge in edges}
            seen.add((",".join(sorted(kinds)), len(edges)))

    reader = threading.Thread(target=read)
    reader.start()
    for version in range(1, 9):
        store.replace(history, batch(*(new if version % 2 else old)), version)
    done.set()
    reader.join()
    assert seen <= {("city", 60), ("home", 60)}
    assert seen
