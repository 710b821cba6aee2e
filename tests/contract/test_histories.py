"""Histories: kept apart, listed, named by any text; and stores that are closed or opened again."""

from collections.abc import Callable
from contextlib import closing

import pytest

from cmc_graph.errors import StoreError, UsageError
from cmc_graph.model import (
    Drift,
    Forgotten,
    History,
    Pattern,
    Record,
    Relation,
    SetBy,
    Stats,
    Values,
)
from cmc_graph.stores.base import (
    MAX_HISTORY_BYTES,
    MAX_KEY_BYTES,
    MAX_RELATION_BYTES,
    Known,
    Selection,
    Store,
    Suffix,
)
from cmc_graph.text import key, tokens
from tests.contract.comparison import check
from tests.support.builders import batch, entry, no, residual, silent
from tests.support.database import Database, NewHistory
from tests.support.oracle import Oracle

FIRST = [
    entry(1, ("Ana", "city", "Graz"), ("Graz", "river", "Mur")),
    entry(2, ("Ana", "city", "Porto")),
    residual(3),
]
SECOND = [
    entry(1, ("Ana", "city", "Oslo"), text="another text"),
    entry(2, ("Porto", "city", "Ana"), ("Mur", "length", "464 km")),
    entry(5, no("Ana", "city", "Oslo")),
]
NAMES = (
    "`x`]->() DETACH DELETE n //",
    "'; DROP TABLE record; --",
    '"\\$%_*[]',
    "a\0b",
    "東京 Зоя",
    "\n",
)


def test_histories_do_not_see_each_other(store: Store, new_history: NewHistory) -> None:
    """Equal positions, keys and relations of two histories in one database stay apart."""
    first, second = new_history(), new_history()
    store.append(first, batch(*FIRST))
    store.append(second, batch(*SECOND))
    check(store, first, Oracle(FIRST))
    check(store, second, Oracle(SECOND))
    store.set_relation(second, "city", Values.MANY)
    check(store, first, Oracle(FIRST))
    check(store, second, Oracle(SECOND, {"city"}))
    store.forget(second, [1, 2, 3, 4, 5])
    check(store, first, Oracle(FIRST))
    store.append(second, batch(*FIRST))
    store.rebuild(first)
    store.forget(first, [2])
    check(store, first, Oracle([FIRST[0], FIRST[2]]))
    check(store, second, Oracle(FIRST, {"city"}))
    store.keep_patterns(second, [Pattern("{S} is {O}", "city", 3, 2)])
    store.merge_relations(second, {"river": "city"})
    silenced = [silent(number) for number in (1, 2, 3)]
    store.replace(second, batch(*silenced), store.stats(second).version)
    check(store, first, Oracle([FIRST[0], FIRST[2]]))
    check(store, second, Oracle(silenced))
    assert store.patterns(first) == []
    assert [each.merged_into for each in store.relations(first)] == [None, None]


def test_names_that_differ_little(store: Store, new_history: NewHistory) -> None:
    """Case, white space and composition are part of a history's name."""
    names = [new_history(text) for text in ("Team", "team", " team", "t\u00e9am", "te\u0301am")]
    for number, name in enumerate(names):
        store.append(name, batch(entry(number, ("Ana", "number", str(number)))))
    for number, name in enumerate(names):
        check(store, name, Oracle([entry(number, ("Ana", "number", str(number)))]))


def test_histories_are_listed_by_name(store: Store, new_history: NewHistory) -> None:
    """The list gives name, version and number of records, in code-point order."""
    names = [new_history(text) for text in ("b", "B", "\U0001d4b3", "\ufb01", "a", "é")]
    for number, name in enumerate(names, 1):
        store.append(name, batch(residual(100), residual(101)))
        for position in range(number % 4):
            store.append(name, batch(residual(position)))
    listed = [history for history in store.histories() if history.name in names]
    batches = {name: number % 4 for number, name in enumerate(names, 1)}
    assert listed == [
        History(name=name, version=1 + batches[name], records=2 + batches[name])
        for name in sorted(names)
    ]


@pytest.mark.parametrize("text", NAMES, ids=ascii)
def test_any_name(store: Store, new_history: NewHistory, text: str) -> None:
    """History, relation and entity names are values, whatever they look like (A19)."""
    other, history = new_history(), new_history(text)
    store.append(other, batch(*FIRST))
    said = [
        entry(1, (f"Ana {text}", text, f"Ben {text}"), text=f"one {text}"),
        entry(2, (f"Ben {text}", text, f"Ana {text}"), no("Ana", text, "Eve"), text=f"two {text}"),
    ]
    store.append(history, batch(*said))
    check(store, history, Oracle(said))
    assert store.versions(history, "ana", relation=text)[0].relation == text
    store.set_relation(history, text, Values.MANY)
    check(store, history, Oracle(said, {text}))
    store.forget(history, [1])
    check(store, history, Oracle(said[1:], {text}))
    check(store, other, Oracle(FIRST))


@pytest.mark.parametrize(
    "relation", ["co-founder of", "head (acting) of", "...", "x`]->() DETACH DELETE n //", "上司"]
)
def test_relation_names_of_the_field(store: Store, history: str, relation: str) -> None:
    """Hyphens, brackets, dots, quotes and other scripts in a relation are stored as they are."""
    said = [entry(1, ("Orla", relation, "Basalt")), entry(2, ("Orla", relation, "Depot"))]
    store.append(history, batch(*said))
    check(store, history, Oracle(said))
    assert [found.name for found in store.relations(history)] == [relation]


@pytest.mark.parametrize(
    ("triple", "question"),
    [
        (("東京支社の責任者", "is", "佐野ハル"), "東京支社の責任者は誰ですか"),
        (("Зоя Климова", "руководит", "отдел «Север»"), "Чем руководит ЗОЯ КЛИМОВА?"),
        (("สมชาย", "อาศัยอยู่ที่", "เชียงใหม่"), "สมชายอาศัยอยู่ที่ไหน"),
        (("Zoe\u0301", "city", "Łódź"), "Where does ZO\u00c9 live?"),
        (("👩\u200d🚀 crew", "ship", "🚀"), "which ship has the 👩\u200d🚀 crew"),
    ],
)
def test_not_every_name_is_ascii(
    store: Store, history: str, triple: tuple[str, str, str], question: str
) -> None:
    """Names of any script have keys of their own and are found inside a question (A17)."""
    said = [entry(1, triple), entry(2, ("Ana", "city", "Graz"))]
    store.append(history, batch(*said))
    (edge,) = store.select(history, tokens(question), 5).edges
    assert (edge.subject, edge.relation, edge.object) == triple
    check(store, history, Oracle(said))


def test_names_as_long_as_they_may_be(store: Store, new_history: NewHistory) -> None:
    """Names at the limits of the graph model are stored, found, switched and forgotten."""
    history = new_history("é" * 100)
    assert len(history.encode()) <= MAX_HISTORY_BYTES
    subject, other, many_tokens = "é" * 1_000, "ж" + "x" * 1_998, "b " * 999 + "bc"
    names = (subject, other, many_tokens)
    assert {len(key(name).encode()) for name in names} == {MAX_KEY_BYTES}
    relation = "ж" * 256
    assert len(relation.encode()) == MAX_RELATION_BYTES
    said = [
        entry(1, (subject, relation, other)),
        entry(2, (other, relation, subject), (many_tokens, relation, other)),
        entry(3, (subject, relation, many_tokens)),
    ]
    store.append(history, batch(*said, many=[relation]))
    check(store, history, Oracle(said, {relation}))
    assert store.select(history, many_tokens.split(), 1).anchors == (many_tokens,)
    store.set_relation(history, relation, Values.ONE)
    store.forget(history, [2])
    check(store, history, Oracle([said[0], said[2]]))


def test_a_history_that_was_never_written_reads_as_empty(store: Store, history: str) -> None:
    """Every verb works on it, finds nothing, and leaves it unwritten."""
    assert store.known(history, [Record(text="a", position=1)]) == Known()
    assert store.select(history, ["ana"], 5) == Selection()
    assert store.select(history, ["ana"] * 400, 5, as_of=3) == Selection()
    for read in (store.unresolved, store.newest, store.latest_state):
        assert read(history, 1_000) == Suffix()
        assert read(history, 1_000, 3) == Suffix()
    assert store.versions(history, "ana") == []
    assert store.relations(history) == []
    with pytest.raises(UsageError):
        store.set_relation(history, "city", Values.MANY)
    assert list(store.scan(history)) == []
    assert store.rebuild(history) == 0
    assert store.verify(history) == Drift()
    assert store.forget(history, [1, 2]) == Forgotten()
    assert store.stats(history) == Stats()
    assert history not in [found.name for found in store.histories()]


def test_what_was_written_is_there_when_opened_again(database: Database, history: str) -> None:
    """A history outlives the store that wrote it; setting up again changes nothing."""
    with closing(database.open()) as store:
        store.append(history, batch(*FIRST))
    with closing(database.open()) as store:
        store.setup()
        check(store, history, Oracle(FIRST))
        assert store.append(history, batch(*FIRST)).skipped == 3


def test_a_second_store_sees_what_the_first_wrote(database: Database, history: str) -> None:
    """Two stores on one database read each other's committed batches at once."""
    with closing(database.open()) as writer, closing(database.open()) as reader:
        assert reader.stats(history) == Stats()
        for number, said in enumerate(FIRST, 1):
            writer.append(history, batch(said))
            check(reader, history, Oracle(FIRST[:number]))
        reader.append(history, batch(entry(9, ("Ana", "city", "Rome"))))
        check(writer, history, Oracle([*FIRST, entry(9, ("Ana", "city", "Rome"))]))


CITY = Relation(name="city", values=Values.ONE, set_by=SetBy.PACK, slots=0)
CALLS: dict[str, Callable[[Store], object]] = {
    "setup": lambda store: store.setup(),
    "known": lambda store: store.known("h", [Record(text="a", position=1)]),
    "append": lambda store: store.append("h", batch(*FIRST)),
    "select": lambda store: store.select("h", ["ana"], 5),
    "unresolved": lambda store: store.unresolved("h", 1),
    "newest": lambda store: store.newest("h", 1),
    "latest_state": lambda store: store.latest_state("h", 1),
    "versions": lambda store: store.versions("h", "ana"),
    "changes": lambda store: store.changes("h", 0, 1),
    "records": lambda store: store.records("h", [1]),
    "relations": lambda store: store.relations("h"),
    "set_relation": lambda store: store.set_relation("h", "city", Values.MANY),
    "merge_relations": lambda store: store.merge_relations("h", {"home": "city"}),
    "declare": lambda store: store.declare("h", [CITY]),
    "patterns": lambda store: store.patterns("h"),
    "keep_patterns": lambda store: store.keep_patterns("h", []),
    "replace": lambda store: store.replace("h", batch(*FIRST), 1),
    "scan": lambda store: list(store.scan("h")),
    "rebuild": lambda store: store.rebuild("h"),
    "verify": lambda store: store.verify("h"),
    "forget": lambda store: store.forget("h", [1]),
    "stats": lambda store: store.stats("h"),
    "histories": lambda store: store.histories(),
}


def test_a_closed_store_says_so(database: Database) -> None:
    """Every verb of a closed store raises StoreError; closing again does nothing."""
    store = database.open()
    store.close()
    store.close()
    for name, call in CALLS.items():
        with pytest.raises(StoreError, match="closed"):
            raise AssertionError(f"{name} returned {call(store)!r}")


def test_every_verb_is_asked(store: Store) -> None:
    """The list above names all verbs of the port."""
    verbs = {name for name in vars(Store) if not name.startswith("_")}
    assert verbs == {*CALLS, "close"}
    assert all(callable(getattr(store, verb)) for verb in verbs)
