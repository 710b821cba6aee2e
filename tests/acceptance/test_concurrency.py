"""Several processes at once (field reports A14 and A15)."""

from collections.abc import Callable

import pytest

from tests.acceptance.conftest import Secured
from tests.acceptance.running import Workspace, finish, numbered, said

#: Runs `ingest` for several files, one after the other, in one process.
WORKER = """
import sys
from cmc_graph.cli import main
paths, flags = sys.argv[1:-4], sys.argv[-4:]
sys.exit(max(main(["ingest", path, *flags]) for path in paths))
"""

#: The schema of design/graph-model.md: kind, label or type, properties.
CONSTRAINTS = {
    ("UNIQUENESS", "History", ("name",)),
    ("UNIQUENESS", "Record", ("history", "position")),
    ("UNIQUENESS", "Entity", ("history", "key")),
    ("UNIQUENESS", "Relation", ("history", "name")),
    ("RELATIONSHIP_UNIQUENESS", "ASSERTED", ("history", "position", "ordinal")),
    ("RELATIONSHIP_UNIQUENESS", "CURRENT", ("history", "subject", "relation", "member")),
    ("RELATIONSHIP_UNIQUENESS", "ENDED", ("history", "subject", "relation", "member")),
}
INDEXES = {
    ("Record", ("history", "status", "position")),
    ("ASSERTED", ("history", "subject", "relation", "member", "position")),
}


def emptied(secured: Secured) -> None:
    """Take everything out of the server: data, constraints and indexes."""
    with secured.target.driver() as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        for kind, plural in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
            found, _, _ = driver.execute_query(
                f"SHOW {plural} YIELD name, type WHERE type <> 'LOOKUP' RETURN name"
            )
            for row in found:
                driver.execute_query(f"DROP {kind} `{row['name']}` IF EXISTS")


def schema(secured: Secured) -> tuple[set[object], set[object], set[str]]:
    """The server's constraints, its other indexes, and the states of all indexes."""
    with secured.target.driver() as driver:
        constraints, _, _ = driver.execute_query("SHOW CONSTRAINTS")
        indexes, _, _ = driver.execute_query("SHOW INDEXES YIELD * WHERE type <> 'LOOKUP'")
    return (
        {(c["type"], c["labelsOrTypes"][0], tuple(c["properties"])) for c in constraints},
        {
            (i["labelsOrTypes"][0], tuple(i["properties"]))
            for i in indexes
            if i["owningConstraint"] is None
        },
        {i["state"] for i in indexes},
    )


def halves(workspace: Workspace) -> list[str]:
    """Two files that belong into one history."""
    lines = [f"Gate {n % 9} is on floor {n}." for n in range(100)]
    return [
        workspace.file(numbered(*lines[:50]), "a.txt"),
        workspace.file(numbered(*lines[50:], first=51), "b.txt"),
    ]


@pytest.mark.parametrize("kind", ["sqlite", "neo4j"])
def test_two_first_starts_at_once(kind: str, request: pytest.FixtureRequest) -> None:
    """A14: two ingests into an empty database at the same time both succeed."""
    workspace: Workspace = request.getfixturevalue("sqlite" if kind == "sqlite" else "locked")
    if kind == "neo4j":
        emptied(request.getfixturevalue("secured"))
    processes = [workspace.start("ingest", path, "--json") for path in halves(workspace)]
    for ran in map(finish, processes):
        assert (ran.code, ran.err) == (0, "")
    assert workspace.stats()["records"] == 100
    assert workspace.walked("gate 0 and gate 8") == [99, 100]
    assert not workspace.drift()


def test_the_schema_after_two_first_starts(locked: Workspace, secured: Secured) -> None:
    """A14: after them every constraint and index of the graph model is there and online."""
    emptied(secured)
    for ran in map(finish, [locked.start("ingest", path) for path in halves(locked)]):
        assert ran.code == 0, ran.err
    constraints, indexes, states = schema(secured)
    assert constraints >= CONSTRAINTS
    assert indexes >= INDEXES
    assert states == {"ONLINE"}


def test_workers_on_the_same_subjects(
    workspace: Workspace, another: Callable[[], Workspace]
) -> None:
    """A15: 8 processes interleave records about 5 subjects: no error, equal to the serial run."""
    relations = ("place", "floor", "state")
    lines = [
        said(
            f"S{n % 5} {relations[n % 3]} V{n % 11}",
            [f"S{n % 5}", relations[n % 3], f"V{n % 11}"],
            position=n,
            source="log",
        )
        for n in range(240)
    ]
    files = [
        workspace.file("".join(lines[worker + 8 * part :: 24]), f"{worker}-{part}.jsonl")
        for worker in range(8)
        for part in range(3)
    ]
    shares = [files[3 * worker : 3 * worker + 3] for worker in range(8)]
    processes = [workspace.start(*share, program=WORKER) for share in shares]
    for ran in map(finish, processes):
        assert (ran.code, ran.err) == (0, "")
    serial = another()
    assert serial.run("ingest", *files).code == 0
    (kept, _), (expected, _) = workspace.state(), serial.state()
    assert kept == expected
    assert workspace.counts() == serial.counts()
    assert workspace.stats()["records"] == 240


def test_readers_beside_a_writer(workspace: Workspace) -> None:
    """Readers beside a writer always see whole batches: a subject has exactly one value."""
    workspace.ingest(numbered("Gate 1 is on floor 0.", first=0), name="zero.txt")
    paths = [
        workspace.file(numbered(f"Gate 1 is on floor {n}.", first=n), f"{n}.txt")
        for n in range(1, 20)
    ]
    process = workspace.start(*paths, program=WORKER)
    seen: list[int] = []
    try:
        with workspace.memory() as memory:
            while process.poll() is None or not seen:
                (edge,) = memory.read("On which floor is gate 1?").edges
                seen.append(edge.position)
    finally:
        ran = finish(process)
    assert ran.code == 0, ran.err
    assert seen == sorted(seen)
    assert workspace.walked("gate 1") == [19]
