"""Damage done to the graph behind the store's back: found by ``verify``, mended by ``rebuild``."""

import neo4j
import pytest

from cmc_graph.stores.base import Store
from tests.support.builders import batch, entry, no

#: What is done to the graph, and the kinds of findings.
DAMAGES = {
    "edge deleted": (
        "MATCH ()-[c:CURRENT {history: $h, subject: 'ana'}]->() DELETE c",
        {"missing"},
    ),
    "edge of an old version": (
        "MATCH ()-[c:CURRENT {history: $h, subject: 'ana'}]->() SET c.position = 1",
        {"wrong"},
    ),
    "edge to another object": (
        "MATCH (s)-[c:CURRENT {history: $h, subject: 'ana'}]->() "
        "MATCH (o:Entity {history: $h, key: 'rex'}) WITH s, c, o, properties(c) AS was "
        "DELETE c CREATE (s)-[n:CURRENT]->(o) SET n = was",
        {"wrong"},
    ),
    "edge beside the ended one": (
        "MATCH (s)-[e:ENDED {history: $h}]->(o) "
        "CREATE (s)-[:CURRENT {history: $h, subject: e.subject, relation: e.relation, "
        "member: e.member, position: e.position, ordinal: e.ordinal}]->(o)",
        {"wrong"},
    ),
    "edge of no assertion": (
        "MATCH (s:Entity {history: $h, key: 'ana'}) CREATE (s)-[:CURRENT {history: $h, "
        "subject: 'ana', relation: 'boat', member: '', position: 1, ordinal: 0}]->(s)",
        {"unexpected"},
    ),
    "end of a version": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 1}]->() SET a.superseded_at = 7",
        {"superseded_at"},
    ),
    "end taken away": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 1}]->() REMOVE a.superseded_at",
        {"superseded_at"},
    ),
    "name": ("MATCH (e:Entity {history: $h, key: 'ana'}) SET e.name = 'Eva'", {"name"}),
    "entity nobody names": ("CREATE (:Entity {history: $h, key: 'x', name: 'X'})", {"name"}),
    "count of records": ("MATCH (h:History {name: $h}) SET h.records = 9", {"counter"}),
    "longest key": ("MATCH (h:History {name: $h}) SET h.longest_key = 9", {"counter"}),
    "next position": ("MATCH (h:History {name: $h}) SET h.next_position = 1", {"counter"}),
    "member": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->(o) SET a.member = o.key",
        {"wrong", "superseded_at", "missing"},
    ),
}


@pytest.fixture
def written(store: Store, history: str) -> str:
    """A history with a value overwritten, one ended, and one of a many-valued relation."""
    entries = [
        entry(1, ("Ana", "city", "Porto")),
        entry(2, ("Ana", "city", "Graz")),
        entry(3, ("Ana Maria", "pet", "Rex")),
        entry(4, no("Ana Maria", "pet", "Rex")),
        entry(5, ("Ana", "speaks", "Basque")),
    ]
    store.append(history, batch(*entries, many=["speaks"]))
    return history


def test_nothing_is_found_where_nothing_is_wrong(store: Store, written: str) -> None:
    """A graph the store wrote agrees with itself, and rebuilding it changes nothing."""
    before = store.stats(written)
    drift = store.verify(written)
    assert (drift.slots, drift.differences, drift.findings) == (3, 0, ())
    assert store.rebuild(written) == 3
    assert store.stats(written) == before


@pytest.mark.parametrize(("damage", "kinds"), DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_found_and_mended(
    store: Store, written: str, driver: neo4j.Driver, damage: str, kinds: set[str]
) -> None:
    """Verify names what differs without writing; rebuild restores it from the ledger alone."""
    before = store.stats(written)
    driver.execute_query(damage, h=written)
    drift = store.verify(written)
    assert {finding.kind for finding in drift.findings} == kinds
    assert store.verify(written) == drift
    assert store.rebuild(written) == 3
    assert not store.verify(written)
    after = store.stats(written)
    assert after.version > before.version
    assert (after.current, after.ended) == (before.current, before.ended)


def test_what_cannot_be_derived_is_named(store: Store, written: str, driver: neo4j.Driver) -> None:
    """A ledger that lost a record, or whose assertion starts elsewhere, is reported as wrong."""
    driver.execute_query(
        "MATCH (r:Record {history: $h, position: 5}) DELETE r "
        "WITH 1 AS one MATCH ()-[a:ASSERTED {history: $h, position: 3}]->() SET a.subject = 'eva'",
        h=written,
    )
    found = {(finding.expected, finding.found) for finding in store.verify(written).findings}
    assert ("a record", "no record") in found
    assert ("subject ana maria", "subject eva") in found


def test_names_are_those_of_the_first_surface(store: Store, history: str) -> None:
    """An entity is named by its earliest surface, of a subject before an object; verify agrees."""
    entries = [
        entry(3, ("ANA", "knows", "ben"), ("Ana", "knows", "Ana")),
        entry(2, ("Ben", "knows", "ana"), ("BEN", "likes", "Ben")),
        entry(1, ("Rex", "is", "REX"), ("Eva", "knows", "Ana!")),
    ]
    for each in entries:
        store.append(history, batch(each, many=["knows"]))
    assert not store.verify(history)
    before = store.stats(history).version
    store.rebuild(history)
    assert store.stats(history).version == before
