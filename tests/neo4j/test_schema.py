"""Preparing a database: what is created, what is refused, and two at the same time (A14)."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import neo4j
import pytest

from cmc_graph.errors import SchemaMismatch, StoreError
from cmc_graph.stores import neo4j_schema
from cmc_graph.stores.base import SCHEMA_VERSION, Store
from cmc_graph.stores.neo4j_link import Link
from tests.neo4j.conftest import open_bare_store, open_link
from tests.neo4j.plans import profile, question
from tests.support.builders import batch, entry
from tests.support.neo4j_target import Target


def setup(target: Target) -> None:
    """Prepare a database with a store of its own."""
    with closing(open_bare_store(target)) as store:
        store.setup()


def query(target: Target, text: str, **parameters: Any) -> list[neo4j.Record]:
    """The rows of a statement of the test's own."""
    with target.driver() as driver:
        return driver.execute_query(text, parameters).records


def indexes(target: Target) -> dict[tuple[str, ...], tuple[bool, str]]:
    """Label and properties of every index: unique or not, and its state."""
    rows = query(target, "SHOW INDEXES YIELD *")
    return {
        (row["labelsOrTypes"][0], *row["properties"]): (bool(row["owningConstraint"]), row["state"])
        for row in rows
        if row["properties"]
    }


def expected() -> dict[tuple[str, ...], tuple[bool, str]]:
    """The indexes as they ought to be."""
    rules = neo4j_schema.rules().values()
    return {(rule.kind, *rule.properties): (rule.is_unique, "ONLINE") for rule in rules}


def test_two_first_starts_at_the_same_time(bare: Target) -> None:
    """A14: both succeed, and afterwards every constraint and index is there and online."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(setup, [bare] * 4))
    assert indexes(bare) == expected()
    (row,) = query(bare, "MATCH (s:Schema) RETURN collect(s.version) AS versions")
    assert row["versions"] == [SCHEMA_VERSION]


def test_what_is_missing_is_created(bare: Target) -> None:
    """A rule that somebody dropped comes back; one of another name serves as well."""
    setup(bare)
    query(bare, "DROP INDEX cmc_record_status")
    query(bare, "CREATE INDEX mine FOR (r:Record) ON (r.history, r.status, r.position)")
    query(bare, "DROP CONSTRAINT cmc_current")
    setup(bare)
    assert indexes(bare) == expected()


def test_a_name_taken_by_another_rule_is_an_error(bare: Target) -> None:
    """A14: a constraint that was not made is missed, not taken for granted."""
    query(bare, "CREATE INDEX cmc_current FOR (x:Foreign) ON (x.name)")
    with closing(open_bare_store(bare)) as store, pytest.raises(StoreError, match="cmc_current"):
        store.setup()
    query(bare, "CALL db.awaitIndexes()")


def test_data_that_breaks_a_rule_is_an_error(bare: Target) -> None:
    """A constraint the data contradict is reported with the server's words."""
    query(bare, "UNWIND [1, 2] AS n CREATE (:Entity {history: 'h', key: 'k'})")
    with closing(open_bare_store(bare)) as store, pytest.raises(StoreError, match="Entity"):
        store.setup()


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, 0, "one"])
def test_another_version_is_refused_untouched(bare: Target, version: object) -> None:
    """A database of another version is left as it is."""
    query(bare, "CREATE (s:Schema) SET s.version = $version", version=version)
    with closing(open_bare_store(bare)) as store, pytest.raises(SchemaMismatch):
        store.setup()
    assert indexes(bare) == {}


def test_histories_of_unknown_origin_are_refused_untouched(bare: Target) -> None:
    """Nodes that look like ours without our mark are not written to."""
    query(bare, "CREATE (:History {name: 'the Peloponnesian War'})")
    with closing(open_bare_store(bare)) as store, pytest.raises(SchemaMismatch, match="History"):
        store.setup()
    assert indexes(bare) == {}


def test_somebody_elses_data_stay_beside_ours(bare: Target) -> None:
    """A database that holds other things is used, and they are left alone."""
    query(
        bare,
        "CREATE (:Person {name: 'Lena'})-[:KNOWS]->(:Record {title: 'Blue'}), (:Schema {of: 1})",
    )
    with closing(open_bare_store(bare)) as store:
        store.setup()
        store.append("h", batch(entry(1, ("Ana", "city", "Porto"))))
        store.rebuild("h")
        store.forget("h", [1])
    (row,) = query(bare, "MATCH (:Person)-[:KNOWS]->(r:Record) RETURN r.title AS title")
    assert row["title"] == "Blue"


def test_a_prepared_database_costs_two_questions(
    neo4j_target: Target, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening a store again asks twice and writes nothing."""
    asked: list[str] = []
    take = Link.take

    def counted(self: Link, consumer: Any, name: str, *rest: Any, **parameters: Any) -> Any:
        asked.append(name)
        return take(self, consumer, name, *rest, **parameters)

    monkeypatch.setattr(Link, "take", counted)
    monkeypatch.setattr(Link, "run", lambda *_, **__: pytest.fail("something was written"))
    with closing(open_link(neo4j_target)) as link:
        neo4j_schema.setup(link)
    assert asked == ["prepared", "rules"]


def test_the_first_read_of_an_empty_store_spoils_no_plan(bare: Target) -> None:
    """A plan that was made for empty tables touches no more than one made for full ones."""
    with closing(open_bare_store(bare)) as store, bare.driver() as driver:
        store.setup()
        assert hits(driver, 0) < 10
        entries = [entry(n, (f"S{n}", f"r{n % 30}", f"S{n * 7 % 3_000}")) for n in range(3_000)]
        store.append("h", batch(*entries))
        assert max(hits(driver, number) for number in range(20)) < 500


def hits(driver: neo4j.Driver, number: int) -> int:
    """How much the server touched for one question, by its own count."""
    parameters = {"history": "h", **question("who", "is", f"s{number}")}
    return sum(step.hits for step in profile(driver, "select", parameters, 5))
