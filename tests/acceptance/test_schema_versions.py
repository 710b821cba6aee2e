"""A store of another schema version, older or newer: one line and exit code 6, nothing written."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from cmc_graph import Memory
from cmc_graph.errors import SchemaMismatch
from tests.acceptance.conftest import Secured
from tests.acceptance.running import Workspace, numbered, variables

NOTES = numbered("Ana lives in Graz.", "Ana lives in Porto.", "Ben speaks Dutch.")

#: Every command that opens a store; doctor tells of it as a finding.
COMMANDS = (
    ("ingest", "notes.txt"),
    ("ingest", "more.txt"),
    ("read", "Where does Ana live?"),
    ("ask", "Where does Ana live?"),
    ("explain", "Where does Ana live?", "--html", "page.html"),
    ("timeline", "Ana"),
    ("diff", "--from", "0", "--to", "3"),
    ("stats",),
    ("histories",),
    ("relations",),
    ("relations", "set", "speaks", "--one"),
    ("relations", "merge", "speaks", "lives in"),
    ("relations", "patterns"),
    ("rebuild",),
    ("recompile",),
    ("export",),
    ("load", "export.jsonl"),
    ("forget", "--position", "1"),
    ("forget", "--entity", "Ana", "--dry-run"),
)


@dataclass(frozen=True, slots=True)
class Store:
    """A store whose version can be changed past the product.

    Attributes:
        write: Puts another version in.
        held: All that it holds, as text.
        version: The one that this client writes.
    """

    workspace: Workspace
    write: Callable[[int], object]
    held: Callable[[], str]
    version: int


@pytest.fixture(params=["sqlite", "neo4j"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store with three records, on each of the two databases in turn."""
    kind = "sqlite" if request.param == "sqlite" else "locked"
    workspace: Workspace = request.getfixturevalue(kind)
    workspace.ingest(NOTES)
    workspace.file(numbered("Ana lives in Bern.", first=9), "more.txt")
    workspace.file(workspace.run("export").out, "export.jsonl")
    if request.param == "sqlite":
        yield in_file(workspace)
        return
    made = in_server(workspace, request.getfixturevalue("secured"))
    yield made
    made.write(made.version)


def in_file(workspace: Workspace) -> Store:
    path = Path(workspace.url.removeprefix("sqlite:///"))

    def write(version: int) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {version:d}")

    def held() -> str:
        with closing(sqlite3.connect(path)) as connection:
            return "\n".join(connection.iterdump())

    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return Store(workspace, write, held, version)


def in_server(workspace: Workspace, secured: Secured) -> Store:
    def rows(statement: str, **parameters: int) -> list[list[object]]:
        with secured.target.driver() as driver:
            found, _, _ = driver.execute_query(statement, parameters)
            return [list(row.values()) for row in found]

    def write(version: int) -> None:
        rows("MATCH (s:Schema) SET s.version = $version", version=version)

    def held() -> str:
        nodes = rows("MATCH (n) WHERE NOT n:Schema RETURN labels(n), properties(n)")
        edges = rows("MATCH ()-[r]->() RETURN type(r), properties(r)")
        rules = rows("SHOW INDEXES YIELD name, state")
        return "\n".join(sorted(repr(row) for row in (*nodes, *edges, *rules)))

    [[version]] = rows("MATCH (s:Schema) RETURN s.version")
    assert isinstance(version, int)
    return Store(workspace, write, held, version)


@pytest.mark.parametrize("difference", [-1, 1, 98])
def test_a_store_of_another_version_is_refused(store: Store, difference: int) -> None:
    """By every command, in one line that names both versions, and not a thing changes."""
    store.write(store.version + difference)
    before = store.held()
    for command in COMMANDS:
        line = store.workspace.run(*command).refused(6)
        assert "version" in line or "another program" in line, (command, line)
    diagnosed = store.workspace.run("doctor")
    assert (diagnosed.code, diagnosed.err.count("Traceback")) == (1, 0)
    assert store.workspace.run("doctor", "--repair").code == 1
    with variables(store.workspace.environment), pytest.raises(SchemaMismatch):
        Memory.open(store.workspace.url, store.workspace.history)
    assert store.held() == before
    assert not (store.workspace.folder / "page.html").exists()
    store.write(store.version)
    assert store.workspace.shown("Where does Ana live?") == [2]
