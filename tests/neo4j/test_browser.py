"""The favourites for Neo4j Browser: each runs, reads only, and finds what it says it finds."""

import re
from itertools import takewhile
from typing import Any

import neo4j
import pytest
from neo4j.graph import Node, Relationship

from cmc_graph import Memory, queries
from cmc_graph.stores.base import Store
from tests.support.builders import batch, entry, no, residual
from tests.support.neo4j_target import Target

FAVOURITES = [name.removeprefix("browser/") for name in queries.favourites()]

#: Values of parameters with which each favourite finds something in ``written``.
GIVEN: dict[str, Any] = {
    "entity": "Ana Silva",
    "relation": "city",
    "after": 2,
    "upto": 9,
    "question": "In which country does Ana Silva’s neighbour live?",
}


@pytest.fixture
def written(store: Store, history: str) -> str:
    """A value replaced and taken back, one ended, one of many, a chain of six hops, a residue."""
    store.append(
        history,
        batch(
            entry(1, ("Ana Silva", "city", "Graz")),
            entry(2, ("Ana", "city", "Rome")),
            entry(3, ("Ana Silva", "city", "Linz")),
            entry(4, ("Ana Silva", "pet", "Rex")),
            residual(5),
            entry(6, ("Linz", "river", "Danube")),
            entry(7, no("Ana Silva", "pet", "Rex")),
            entry(8, no("Ana Silva", "city", "Graz")),
            entry(9, ("Ana Silva", "city", "Graz")),
            entry(10, ("Graz", "river", "Mur")),
            *(entry(11 + n, (f"h{n}" if n else "Mur", "next", f"h{n + 1}")) for n in range(6)),
            entry(17, ("Ana Silva", "speaks", "Basque")),
            entry(18, ("Ana Silva", "speaks", "Dutch")),
            many=["speaks"],
        ),
    )
    return history


class Rows:
    """Runs a favourite as Browser does, with read access alone."""

    def __init__(self, driver: neo4j.Driver, target: Target, history: str) -> None:
        self.driver, self.database, self.history = driver, target.options.get("database"), history

    def __call__(self, name: str, **given: Any) -> list[dict[str, Any]]:
        query = queries.statement(f"browser/{name}")
        values = {"history": self.history, **GIVEN, **given}
        with self.driver.session(
            database=self.database, default_access_mode=neo4j.READ_ACCESS
        ) as session:
            result = session.run(query.text, {key: values[key] for key in query.parameters})
            rows = [dict(row) for row in result]
            summary = result.consume()
            told = [each.gql_status for each in summary.gql_status_objects if each.is_notification]
            assert (summary.query_type, told) == ("r", [])
        return rows


@pytest.fixture
def rows(driver: neo4j.Driver, neo4j_target: Target, written: str) -> Rows:
    return Rows(driver, neo4j_target, written)


def edges(rows: list[dict[str, Any]], name: str = "edge") -> list[tuple[str, str, str, int]]:
    """Subject, relation, object and position of the relationships of a column."""
    found = [row[name] for row in rows]
    assert all(isinstance(each, Relationship) for each in found)
    return [
        (each.start_node["key"], each["relation"], each.end_node["key"], each["position"])
        for each in found
    ]


def comments(name: str) -> list[str]:
    """The lines of a favourite's head comment."""
    text = queries.statement(f"browser/{name}").text
    return [line[2:].strip() for line in takewhile(lambda x: x[:2] == "//", text.splitlines())]


def test_there_are_the_favourites() -> None:
    """The other tests look at all of them."""
    assert [
        *("closure", "current_facts", "drift", "hubs", "superseded", "unresolved", "versions")
    ] == FAVOURITES


@pytest.mark.parametrize("name", FAVOURITES)
def test_the_head_has_the_title_and_sets_every_parameter(name: str) -> None:
    """Browser titles a favourite by its first line; `:param` lines can be copied from the head."""
    title, blank, *rest = comments(name)
    assert 0 < len(title) <= 24  # what its list shows of a title
    assert not blank
    set_here = [found[1] for line in rest if (found := re.fullmatch(r":param (\w+) => .+", line))]
    assert set(set_here) == queries.statement(f"browser/{name}").parameters
    assert len(set_here) == len(set(set_here))


@pytest.mark.parametrize("name", FAVOURITES)
def test_a_favourite_only_reads(name: str, rows: Rows, store: Store, written: str) -> None:
    """The server itself calls the statement a reading one, and the history stays as it was."""
    before = store.stats(written)
    rows(name)
    assert store.stats(written) == before


@pytest.mark.parametrize("name", FAVOURITES)
def test_a_favourite_has_something_to_draw(
    name: str, rows: Rows, driver: neo4j.Driver, written: str
) -> None:
    """Nodes and relationships come back as such; the head names the columns in order."""
    driver.execute_query("MATCH ()-[c:CURRENT {history: $h, position: 18}]->() DELETE c", h=written)
    found = rows(name)
    assert any(isinstance(value, Node) for value in found[0].values())
    named = re.sub(r"\([^)]*\)", "", " ".join(comments(name)).split(" returns ")[1])
    assert re.findall(r"\w+", named) == list(found[0])


def test_current_facts(rows: Rows) -> None:
    """The last word of each slot of the subject, ended ones as such, with their records."""
    found = rows("current_facts")
    assert edges(found) == [
        ("ana silva", "city", "graz", 9),
        ("ana silva", "pet", "rex", 7),
        ("ana silva", "speaks", "basque", 17),
        ("ana silva", "speaks", "dutch", 18),
    ]
    assert [row["edge"].type for row in found] == ["CURRENT", "ENDED", "CURRENT", "CURRENT"]
    assert [row["record"] for row in found] == ["record 9", "record 7", "record 17", "record 18"]


def test_versions(rows: Rows) -> None:
    """All of them, oldest first, with the position that ended each."""
    found = rows("versions")
    assert [(row["position"], row["superseded_at"], row["record"]) for row in found] == [
        (1, 3, "record 1"),
        (3, 9, "record 3"),
        (8, 8, "record 8"),
        (9, None, "record 9"),
    ]


def test_what_superseded_what(rows: Rows) -> None:
    """Pairs of old and new after one position up to another; what changed nothing is in none."""
    found = rows("superseded")
    pairs = [(row["old"]["position"], row["new"]["position"]) for row in found]
    assert pairs == [(1, 3), (4, 7), (3, 9)]
    assert [row["was"]["key"] for row in found] == ["graz", "rex", "linz"]
    assert [row["now"]["key"] for row in found] == ["linz", "rex", "graz"]
    assert [row["new"]["position"] for row in rows("superseded", after=3, upto=7)] == [7]


@pytest.mark.parametrize(
    "question",
    [
        GIVEN["question"],
        "Which way does Ana, or the Danube, go?",
        "Who (of those in Linz) knows h1/h4?",
        "nobody",
        "",
    ],
)
def test_the_closure_is_that_of_a_read(
    rows: Rows, store: Store, written: str, question: str
) -> None:
    """The same edges and anchors as `read` with five hops."""
    memory = Memory(store, written)
    memory._finalizer.detach()  # the store is the fixture's
    evidence = memory.read(question or "?", hops=5)
    found = rows("closure", question=question)
    assert sorted(edges(found)) == sorted(
        (e.subject_key, e.relation, e.object_key, e.position) for e in evidence.edges
    )
    assert {row["subject"]["key"] for row in found if row["anchor"]} == set(evidence.anchors)


def test_unresolved(rows: Rows) -> None:
    """The records that no frontend could read, with the reason."""
    found = rows("unresolved")
    assert [(row["record"]["text"], row["position"], row["reason"]) for row in found] == [
        ("record 5", 5, "no pattern reads it")
    ]


def test_hubs(rows: Rows) -> None:
    """Most edges first, counted in both directions; an ended edge is none."""
    found = rows("hubs")
    assert [(row["hub"]["key"], row["incoming"], row["outgoing"]) for row in found[:2]] == [
        ("ana silva", 0, 3),
        ("graz", 1, 1),
    ]
    assert [edge["position"] for edge in found[0]["edges"]] == [18, 17, 9]
    assert [node["key"] for node in found[0]["others"]] == ["dutch", "basque", "graz"]


DRIFTS = {
    "an edge deleted": (
        "MATCH ()-[c:CURRENT {history: $h, position: 9}]->() DELETE c",
        [("a last word without its edge", 9)],
    ),
    "an edge of an old version": (
        "MATCH ()-[c:CURRENT {history: $h, position: 9}]->() SET c.position = 1",
        [("an edge without its last word", 1), ("a last word without its edge", 9)],
    ),
    "a retraction that became a value": (
        "MATCH (s)-[e:ENDED {history: $h, position: 7}]->(o) CREATE (s)-[c:CURRENT]->(o) "
        "SET c = properties(e) DELETE e",
        [("a last word without its edge", 7), ("an edge without its last word", 7)],
    ),
    "an end that nothing explains": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 1}]->() SET a.superseded_at = 4",
        [("a version that ends where nothing took its slot", 1)],
    ),
}


@pytest.mark.parametrize(("damage", "findings"), DRIFTS.values(), ids=DRIFTS.keys())
def test_drift(
    rows: Rows, driver: neo4j.Driver, written: str, damage: str, findings: list[tuple[str, int]]
) -> None:
    """No row where the layers agree; each disagreement is named with the edge it is about."""
    assert rows("drift") == []
    driver.execute_query(damage, h=written)
    found = rows("drift")
    assert [(row["finding"], row["edge"]["position"]) for row in found] == findings
