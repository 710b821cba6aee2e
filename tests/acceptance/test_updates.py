"""What a new record changes, and what it leaves alone (field reports A1 to A5)."""

import sqlite3
from collections.abc import Callable

import pytest

from tests.acceptance.running import Workspace, numbered, said
from tests.support.neo4j_target import Target

LENA = numbered(
    "Lena Ortiz lives in Porto.",
    "Lena Ortiz plays the cello.",
    "Marek Dole lives in Graz.",
    "Lena Ortiz lives in Tampere.",
)
FIRMWARE = numbered(*(f"Relay Seven runs firmware {n}." for n in ("Alder", "Birch", "Alder")))
TEAMS = numbered("Orla Finch manages Team Basalt.", "Team Basalt maintains Depot Nine.")


def test_a_new_fact_retires_only_the_fact_it_overwrites(workspace: Workspace) -> None:
    """A1: a new value ends the old value of its own slot and nothing else."""
    workspace.ingest(LENA)
    assert workspace.walked("Where do Lena Ortiz and Marek Dole live?") == [2, 3, 4]
    assert workspace.shown("Where does Lena Ortiz live?") == [2, 4]
    assert workspace.shown("Where does Marek Dole live?") == [3]
    counts = workspace.stats()
    assert (counts["assertions"], counts["current"], counts["superseded"]) == (4, 3, 1)


def test_one_update_among_many_subjects_and_relations(workspace: Workspace) -> None:
    """A1: of a hundred slots that share subjects, relations and objects, one changes."""
    relations = [f"link {number}" for number in range(10)]
    lines = [
        said(f"S{s} {r} Hub.", [f"S{s}", r, "Hub"], position=10 * s + n)
        for s in range(10)
        for n, r in enumerate(relations)
    ]
    workspace.bring(*lines)
    report = workspace.bring(said("S3 link 7 Rim.", ["S3", "link 7", "Rim"], position=100))
    assert report["slots_changed"] == 1
    everyone = " ".join(f"S{s}" for s in range(10))
    assert workspace.walked(everyone) == [n for n in range(101) if n != 37]


def test_a_value_that_goes_back_to_an_earlier_one(workspace: Workspace) -> None:
    """A2: equal values at two positions stay two assertions, and the later one is current."""
    workspace.ingest(FIRMWARE)
    evidence = workspace.read("What does Relay Seven run?")
    assert [(e["object"], e["position"]) for e in evidence["edges"]] == [("Alder", 3)]
    assert [record["position"] for record in evidence["records"]] == [3]
    counts = workspace.stats()
    assert (counts["assertions"], counts["current"], counts["superseded"]) == (3, 1, 2)


def test_equal_assertions_stay_separate_relationships(
    workspace: Workspace, neo4j_target: Target
) -> None:
    """A2: two assertions with equal ends are two relationships of the graph."""
    if workspace.kind != "neo4j":
        pytest.skip("a graph's relationships; SQLite has rows")
    workspace.ingest(FIRMWARE)
    with neo4j_target.driver() as driver:
        rows, _, _ = driver.execute_query(
            "MATCH (:Entity {history: $history, key: 'relay seven'})-[a:ASSERTED]->(o) "
            "RETURN o.key AS object, a.position AS position ORDER BY position",
            history=workspace.history,
            database_=workspace.options.get("database"),
        )
    assert [tuple(row) for row in rows] == [("alder", 1), ("birch", 2), ("alder", 3)]


def test_the_same_value_again_moves_the_fact_to_the_newer_record(workspace: Workspace) -> None:
    """A2: a value said again is shown by its newest record."""
    workspace.ingest(numbered(*["Relay Seven runs firmware Alder."] * 2))
    assert workspace.shown("What does Relay Seven run?") == [2]
    assert workspace.stats()["slots_overwritten"] == 1


def piers(first: int) -> str:
    """A hundred numbered lines from a position on; the pier closes at 40 and opens at 150."""
    lines = [f"Buoy {n % 7} is on floor {n}." for n in range(first, first + 100)]
    for position, state in ((40, "closed"), (150, "open")):
        if first <= position < first + 100:
            lines[position - first] = f"The state of Long Pier is {state}."
    return numbered(*lines, first=first)


def test_old_material_that_arrives_late_changes_nothing_newer(
    workspace: Workspace, another: Callable[[], Workspace]
) -> None:
    """A3: positions decide, not the time of arrival; the graph equals the one built in order."""
    newer, older = workspace.file(piers(101), "b.txt"), workspace.file(piers(1), "a.txt")
    for path in (newer, older):
        assert workspace.run("ingest", path).code == 0
    assert workspace.shown("What is the state of Long Pier?") == [150]
    in_order = another()
    for path in (older, newer):
        assert in_order.run("ingest", path).code == 0
    assert workspace.state() == in_order.state()
    assert workspace.counts() == in_order.counts()


def test_the_time_of_observation_decides_nothing(workspace: Workspace) -> None:
    """A3: a record at a later position wins, whatever time its source gives it."""
    workspace.bring(
        said("A is B.", ["A", "is", "B"], position=1, observed_at="2031-01-01"),
        said("A is C.", ["A", "is", "C"], position=2, observed_at="2001-01-01"),
    )
    assert workspace.shown("A?") == [2]


def test_edges_run_from_subject_to_object_only(workspace: Workspace) -> None:
    """A4: a read follows edges in the direction that was asserted, and never back."""
    workspace.ingest(TEAMS)
    forth = workspace.read("What is Orla Finch responsible for?")
    assert [(e["subject"], e["object"], e["depth"]) for e in forth["edges"]] == [
        ("Orla Finch", "Team Basalt", 1),
        ("Team Basalt", "Depot Nine", 2),
    ]
    back = workspace.read("Who is responsible for Depot Nine?")
    assert (back["edges"], back["anchors"], back["fallback"]) == ([], [], "history")
    for evidence in (forth, workspace.read("And Team Basalt, as of now?", "--as-of", "2")):
        for edge in evidence["edges"]:
            assert edge["position"] == {"Orla Finch": 1, "Team Basalt": 2}[edge["subject"]]


def rows(workspace: Workspace, target: Callable[[], Target]) -> dict[str, int]:
    """How many of each kind the database itself says it holds of the history."""
    if workspace.kind == "sqlite":
        with sqlite3.connect(workspace.url.removeprefix("sqlite:///")) as database:
            tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            return {
                name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608  # a table's name
                for (name,) in tables.fetchall()
            }
    with target().driver() as driver:
        found, _, _ = driver.execute_query(
            "MATCH (n {history: $history}) RETURN labels(n)[0] AS kind, count(*) AS many UNION ALL "
            "MATCH ()-[r {history: $history}]->() RETURN type(r) AS kind, count(*) AS many",
            history=workspace.history,
            database_=workspace.options.get("database"),
        )
    return {row["kind"]: row["many"] for row in found}


def test_the_same_ingest_again_writes_nothing(
    workspace: Workspace, request: pytest.FixtureRequest
) -> None:
    """A5: records that are there already cost nothing, and appended lines are all that is new."""

    def target() -> Target:
        found: Target = request.getfixturevalue("neo4j_target")
        return found

    lines = [f"Sensor {n} is on floor {n % 5}.\n" for n in range(50)]
    workspace.ingest("".join(lines))
    stats, held = workspace.stats(), rows(workspace, target)
    again = workspace.ingest("".join(lines))
    assert (again["records"], again["skipped"], again["calls"], again["assertions"]) == (
        50, 50, 0, 0,
    )  # fmt: skip
    assert (workspace.stats(), rows(workspace, target)) == (stats, held)
    more = workspace.ingest("".join([*lines, "Sensor 7 is on floor 9.\n", lines[0]]))
    assert (more["records"], more["skipped"], more["facts"]) == (52, 50, 2)
    grown = workspace.stats()
    assert grown["records"] == 52
    assert grown["assertions"] == 52, "the same text at another line is a new assertion"
    assert grown["current"] == 50
    assert grown["entities"] == stats["entities"] + 1
    assert sum(rows(workspace, target).values()) > sum(held.values())


def test_the_second_run_says_that_everything_was_there(workspace: Workspace) -> None:
    """A5: the report of a run that wrote nothing says so."""
    path = workspace.file(numbered("Ana lives in Graz.", "Ana lives in Porto."))
    assert workspace.run("ingest", path).code == 0
    again = workspace.run("ingest", path)
    assert (again.code, again.err) == (0, "")
    assert "0 facts" in again.out
    assert "2 skipped" in again.out
    assert "0 slots changed" in again.out
