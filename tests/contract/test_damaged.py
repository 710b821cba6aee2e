"""What is damaged by hand is never copied, read away or passed over without a word."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cmc_graph import Memory
from cmc_graph.errors import StoreError
from cmc_graph.exchange import FORMATS, export
from cmc_graph.forgetting import Selector, forget
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.interpretations import Interpretations
from cmc_graph.model import LostWord
from cmc_graph.recompile import recompile
from cmc_graph.stores.base import Store
from tests.support.builders import batch, entry, silent
from tests.support.database import Damage

GRAZ = ("Ana", "city", "Graz")

SAID = [
    entry(1, ("Ana", "city", "Porto")),
    entry(2, ("Ana", "city", "Graz"), ("Ana", "pet", "Rex"), ("Ben", "pet", "Tom")),
    entry(3, ("Ben", "car", "Beetle")),
    silent(4),
]

#: What is done by hand: in SQL, in Cypher, and what the error names.
DAMAGES = {
    "a record lost": (
        "DELETE FROM record WHERE position = 2",
        "MATCH (r:Record {history: $h, position: 2}) DELETE r",
        r"\[2\]",
    ),
    "a record lost, and counted anew": (
        "DELETE FROM record WHERE position = 2; UPDATE history SET records = 3",
        "MATCH (r:Record {history: $h, position: 2}) DELETE r WITH count(*) AS one "
        "MATCH (h:History {name: $h}) SET h.records = 3",
        r"lost: \[2\]",
    ),
    "a record lost with its assertions": (
        "DELETE FROM record WHERE position = 3; DELETE FROM assertion WHERE position = 3",
        "MATCH (r:Record {history: $h, position: 3}) DELETE r WITH count(*) AS one "
        "MATCH ()-[a:ASSERTED {history: $h, position: 3}]->() DELETE a",
        "counts 4 records, but 3",
    ),
    "the only assertion of a record": (
        "DELETE FROM assertion WHERE position = 3",
        "MATCH ()-[a:ASSERTED {history: $h, position: 3}]->() DELETE a",
        r"\[3\] .*0 assertions",
    ),
    "one of several assertions": (
        "DELETE FROM assertion WHERE position = 2 AND ordinal = 1",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2, ordinal: 1}]->() DELETE a",
        r"\[2\] .*lacks one",
    ),
    "a relation": (
        "DELETE FROM relation WHERE name = 'car'",
        "MATCH (r:Relation {history: $h, name: 'car'}) DELETE r",
        r"\[3\]",
    ),
    "an entity, or the text of an object": (
        "DELETE FROM entity WHERE key = 'beetle'",
        "MATCH ()-[a:ASSERTED {history: $h, position: 3}]->() REMOVE a.object_text",
        r"\[3\]",
    ),
    "the position of an only assertion": (
        "UPDATE assertion SET position = 99 WHERE position = 3",
        "MATCH ()-[a:ASSERTED {history: $h, position: 3}]->() REMOVE a.position",
        r"\[3\]",
    ),
    "the position of a last assertion": (
        "UPDATE assertion SET position = 99 WHERE position = 2 AND ordinal = 2",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2, ordinal: 2}]->() REMOVE a.position",
        "holds 5 assertions, but its records have 4",
    ),
    "a key": (
        "UPDATE entity SET key = 'beetles' WHERE key = 'beetle'",
        "MATCH (e:Entity {history: $h, key: 'beetle'}) SET e.key = 'beetles'",
        r"\[3\] .*names 'Beetle', but 'beetles'",
    ),
    "the end of an assertion": (
        "UPDATE assertion SET object = (SELECT id FROM entity WHERE key = 'ana') "
        "WHERE position = 3",
        "MATCH (s)-[a:ASSERTED {history: $h, position: 3}]->() "
        "MATCH (o:Entity {history: $h, key: 'ana'}) WITH s, a, o, properties(a) AS was "
        "DELETE a CREATE (s)-[n:ASSERTED]->(o) SET n = was",
        r"\[3\] .*names 'Beetle', but 'ana'",
    ),
    "how many values": (
        "UPDATE relation SET \"values\" = 'many' WHERE name = 'car'",
        "MATCH (r:Relation {history: $h, name: 'car'}) SET r.values = 'many'",
        r"\[3\] .*'car' \(many\)",
    ),
    "a relation merged into nothing": (
        "UPDATE relation SET merged_into = 99 WHERE name = 'car'",
        "MATCH (r:Relation {history: $h, name: 'car'}) SET r.merged_into = 'nothing'",
        "relation 'car' .*merged into",
    ),
}


#: What of record 2 only the projection, or only the end of record 1, still tells of.
TRACES = {
    "in the projection": (
        "DELETE FROM assertion WHERE position = 2 AND ordinal = 1",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2, ordinal: 1}]->() DELETE a",
    ),
    "in the end of a version": (
        "DELETE FROM assertion WHERE position = 2 AND ordinal = 1; "
        "DELETE FROM slot WHERE position = 2 AND ordinal = 1",
        "MATCH (e:Entity {history: $h, key: 'graz'}) DETACH DELETE e",
    ),
}


@pytest.fixture(params=DAMAGES)
def error(request: pytest.FixtureRequest, damage: Damage, store: Store, history: str) -> str:
    """What the error says of the history after the damage was done."""
    store.append(history, batch(*SAID))
    sql, cypher, words = DAMAGES[request.param]
    damage(history, sql, cypher)
    return words


@pytest.mark.parametrize("form", FORMATS)
def test_no_export_of_damage(store: Store, history: str, error: str, form: str) -> None:
    """An export is complete, or it breaks off with an error that names the piece and doctor."""
    lines: list[str] = []
    with pytest.raises(StoreError, match=error) as raised:
        lines.extend(export(store, history, form))
    assert "cmc-graph doctor" in str(raised.value)


def test_nothing_is_read_away(store: Store, history: str, error: str) -> None:
    """Reading again, and forgetting what is looked for, change nothing of a damaged history."""
    before = store.stats(history)  # with the version
    with pytest.raises(StoreError, match=error):
        recompile(store, history, grammar_frontend(["general"]))
    with pytest.raises(StoreError, match=error):
        forget(store, history, Selector(entity="Ana"))
    assert store.stats(history) == before


#: What resolves slots anew.
RESOLVING: dict[str, Callable[[Memory], int]] = {
    "rebuild": lambda memory: memory.rebuild(),
    "set": lambda memory: memory.set_relation("city", "many"),
    "merge": lambda memory: memory.merge_relation("pet", "city"),
}


@pytest.mark.parametrize("resolve", RESOLVING.values(), ids=RESOLVING)
def test_no_slot_is_resolved_over_damage(
    store: Store, history: str, error: str, resolve: Callable[[Memory], int]
) -> None:
    """What derives slots anew refuses a damaged ledger and changes nothing."""
    memory, before = Memory(store, history), store.stats(history)
    with pytest.raises(StoreError, match=f"{error}.*cmc-graph doctor"):
        resolve(memory)
    assert store.stats(history) == before


@pytest.mark.parametrize("resolve", RESOLVING.values(), ids=RESOLVING)
@pytest.mark.parametrize("trace", TRACES)
def test_no_older_value_becomes_current(
    store: Store, history: str, damage: Damage, trace: str, resolve: Callable[[Memory], int]
) -> None:
    """A last word that is lost is missed where only derived pieces tell of it, until given up."""
    store.append(
        history,
        batch(entry(1, ("Ana", "city", "Porto")), entry(2, ("Ben", "pet", "Tom"), GRAZ)),
    )
    damage(history, *TRACES[trace])
    memory = Memory(store, history)
    with pytest.raises(StoreError, match=r"record \[2\] said of 'ana / city'; cmc-graph doctor"):
        resolve(memory)
    assert store.verify(history).lost == (LostWord("ana / city", 2, has_record=True),)
    assert "Porto" not in [edge.object for edge in memory.read("Ana?").edges]
    assert memory.rebuild(accept_loss=True) == 2
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Porto"]
    assert resolve(memory)


#: What is lost on the way of a read, in SQL and in Cypher.
ON_THE_WAY = {
    "a slot": (
        "DELETE FROM slot WHERE position = 1",
        "MATCH ()-[c:CURRENT {history: $h, position: 1}]->() DELETE c",
    ),
    "all slots of a subject": (
        "DELETE FROM slot WHERE subject = (SELECT id FROM entity WHERE key = 'ana')",
        "MATCH ()-[c:CURRENT {history: $h, subject: 'ana'}]->() DELETE c",
    ),
    "an assertion": (
        "DELETE FROM assertion WHERE position = 1",
        "MATCH ()-[a:ASSERTED {history: $h, position: 1}]->() DELETE a",
    ),
    "a slot behind another one": (
        "DELETE FROM slot WHERE position = 3",
        "MATCH ()-[c:CURRENT {history: $h, position: 3}]->() DELETE c",
    ),
}


@pytest.mark.parametrize("which", ON_THE_WAY)
def test_a_read_names_what_is_lost(store: Store, history: str, damage: Damage, which: str) -> None:
    """A slot or an assertion that is lost is named by read and explain, also where all are."""
    said = [("Ana", "city", "Porto"), ("Ana", "pet", "Rex"), ("Rex", "toy", "Ball")]
    store.append(history, batch(*(entry(n, each) for n, each in enumerate(said, 1))))
    memory = Memory(store, history)
    assert not memory.read("Ana?").damage
    damage(history, *ON_THE_WAY[which])
    for evidence in (memory.read("Ana?"), memory.explain("Ana?").evidence):
        assert any("lost or damaged" in sentence for sentence in evidence.damage)
    assert not memory.read("Ball?").damage


def test_a_timeline_names_a_lost_replacement(store: Store, history: str, damage: Damage) -> None:
    """A value whose replacement is lost is not told as if it held; before that it did."""
    store.append(history, batch(entry(1, ("Ana", "city", "Porto")), entry(2, GRAZ)))
    memory = Memory(store, history)
    assert [e.is_replacement_lost for e in memory.timeline("Ana").entries] == [False, False]
    damage(
        history,
        "DELETE FROM assertion WHERE position = 2",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() DELETE a",
    )
    (told,) = memory.timeline("Ana").entries
    assert (told.version.object_text, told.is_replacement_lost) == ("Porto", True)
    assert not memory.timeline("Ana", as_of=1).entries[0].is_replacement_lost


def test_a_lost_record_takes_no_other_along(store: Store, history: str, damage: Damage) -> None:
    """The records after a lost one have their assertions."""
    store.append(history, batch(*SAID))
    damage(
        history,
        "DELETE FROM record WHERE position IN (1, 2)",
        "MATCH (r:Record {history: $h}) WHERE r.position IN [1, 2] DELETE r",
    )
    assert [(k.record.position, len(k.assertions)) for k in store.scan(history)] == [(3, 1), (4, 0)]


def test_a_relation_that_is_said_is_not_forgotten(
    store: Store, history: str, damage: Damage
) -> None:
    """A relation whose slots are lost stays while an assertion has it; others go as ever."""
    store.append(history, batch(*SAID))
    damage(
        history,
        "DELETE FROM slot WHERE relation = (SELECT id FROM relation WHERE name = 'pet')",
        "MATCH ()-[c:CURRENT {history: $h, relation: 'pet'}]->() DELETE c",
    )
    store.forget(history, [3])
    assert [each.name for each in store.relations(history)] == ["city", "pet"]
    store.rebuild(history)
    assert not store.verify(history)


def test_the_rest_of_a_record_is_forgotten(
    store: Store,
    history: str,
    damage: Damage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is damaged or lost can be forgotten by its position, also where answers are kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Interpretations() as file:
        file.put("a model", {"record 3": "[]"})
    store.append(history, batch(*SAID))
    damage(
        history,
        "DELETE FROM record WHERE position = 2",
        "MATCH (r:Record {history: $h, position: 2}) REMOVE r.text",
    )
    forget(store, history, Selector(positions=[2, 3]))
    assert [(k.record.position, len(k.assertions)) for k in store.scan(history)] == [(1, 1), (4, 0)]
    assert list(export(store, history))
    with Interpretations() as file:
        assert file.get("a model", ["record 3"]) == {}
