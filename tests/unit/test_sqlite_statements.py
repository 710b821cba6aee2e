"""The SQL files: one statement each, documented, used, and never a full scan in a read."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph import stores
from cmc_graph.stores import sqlite_rows
from cmc_graph.stores.sqlite import SqliteStore
from cmc_graph.stores.sqlite_statements import SCRIPTS, execute, execute_many, names, statement
from tests.support.builders import batch, entry

STATEMENTS = [name for name in names() if name not in SCRIPTS]
SOURCES = "".join(path.read_text("utf-8") for path in Path(*stores.__path__).glob("sqlite*.py"))


def head(name: str) -> str:
    """The comment a file begins with, as one line."""
    lines = statement(name).text.splitlines()
    comments = lines[: next(n for n, line in enumerate(lines) if not line.startswith("--"))]
    return " ".join(line.removeprefix("--").strip() for line in comments)


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    """A connection to an empty store."""
    with closing(SqliteStore(":memory:")) as store:
        store.setup()
        with store._connections.reading() as borrowed:
            yield borrowed


def plan(connection: sqlite3.Connection, name: str) -> list[str]:
    """The steps SQLite takes for a statement."""
    parameters = dict.fromkeys(statement(name).parameters, 0)
    rows = connection.execute(f"EXPLAIN QUERY PLAN {statement(name).text}", parameters)
    return [detail for *_, detail in rows]


def test_statements_are_found() -> None:
    """The other tests look at real files."""
    assert len(STATEMENTS) > 40


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_head_comment_is_the_contract(name: str) -> None:
    """Purpose, parameters and returned columns are said; the parameters are those that are used."""
    said = re.fullmatch(r"(.+) Parameters: (.+) Returns: (.+)", head(name))
    assert said, "purpose, parameters, returned columns"
    assert set(re.findall(r":([a-z_]+)", said[2])) == statement(name).parameters
    assert (said[2] == "none") == (not statement(name).parameters)


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_file_holds_one_statement(connection: sqlite3.Connection, name: str) -> None:
    """SQLite itself refuses to prepare more than one."""
    parameters = dict.fromkeys(statement(name).parameters, 0)
    connection.execute(f"EXPLAIN {statement(name).text}", parameters)


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_is_used(name: str) -> None:
    """No file is a leftover."""
    assert f'"{name}"' in SOURCES


def test_no_statement_is_written_in_python() -> None:
    """Rows are touched by files only: Python has transactions and settings, nothing else."""
    assert not re.findall(
        r"\b(SELECT|INSERT|UPDATE|DELETE)\b(?! count\(\*\) FROM sqlite_)", SOURCES
    )


READS = [
    *("find_history", "subjects", "subjects_beginning", "edges", "edges_as_of", "records"),
    *("known_texts", "known_lines", "unresolved", "newest", "latest_state", "versions"),
    *("scan_records", "scan_ledger"),
]


@pytest.mark.parametrize("name", READS)
def test_a_read_seeks(connection: sqlite3.Connection, name: str) -> None:
    """Every table of a read is sought in an index; only the given list is gone through."""
    scans = [step for step in plan(connection, name) if step.startswith("SCAN")]
    assert all("VIRTUAL TABLE" in step for step in scans), scans


@pytest.mark.parametrize(
    "name", ["unresolved", "newest", "latest_state", "scan_records", "scan_ledger"]
)
def test_an_ordered_read_sorts_nothing(connection: sqlite3.Connection, name: str) -> None:
    """What is read only as far as needed comes in order by itself."""
    assert not [step for step in plan(connection, name) if "TEMP B-TREE" in step]


def test_unresolved_records_are_not_sought_among_the_others(
    connection: sqlite3.Connection,
) -> None:
    """They have an index of their own, which is all that is gone through."""
    sought = [step for step in plan(connection, "unresolved") if "position<?" in step]
    assert sought
    assert all("record_unresolved" in step for step in sought)


@pytest.mark.parametrize(
    "name", ["touch_new", "set_ends", "set_slots", "drop_slots", "add_entities"]
)
def test_a_batch_touches_what_it_names(connection: sqlite3.Connection, name: str) -> None:
    """Writing a batch goes through the batch only."""
    own = re.compile(r"SCAN (mentioned|touched|resolved|new VIRTUAL TABLE)")
    scans = [step for step in plan(connection, name) if step.startswith("SCAN")]
    assert all(map(own.match, scans)), scans


def test_damage_is_sought_once(connection: sqlite3.Connection) -> None:
    """What records assert is counted once and then sought, not gone through for every record."""
    joined = [step for step in plan(connection, "damaged") if "LEFT-JOIN" in step]
    assert [step for step in joined if "SEARCH" in step]
    assert not [step for step in joined if "SCAN" in step]


def test_latest_wins_is_written_once() -> None:
    """Which version follows which is decided in one file."""
    ends = [name for name in STATEMENTS if "lead(" in statement(name).text]
    assert ends == ["resolve"]


def test_parameters_have_to_fit(connection: sqlite3.Connection) -> None:
    """A parameter too many or too few, or a row of another order, is a programming error."""
    with pytest.raises(TypeError, match="find_history takes"):
        execute(connection, "find_history", title="h")
    with pytest.raises(TypeError, match="add_mention takes"):
        execute_many(connection, "add_mention", ("surface", "key", "position"), [])


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("add_mention", sqlite_rows.MENTION),
        ("add_record", sqlite_rows.RECORD),
        ("add_assertion", sqlite_rows.ASSERTION),
        ("rename_entity", sqlite_rows.NAME),
        ("decide_record", sqlite_rows.VERDICT),
        ("add_pattern", sqlite_rows.PATTERN),
    ],
)
def test_rows_are_in_the_order_of_their_statement(
    connection: sqlite3.Connection, name: str, fields: tuple[str, ...]
) -> None:
    """A row is bound by position, so the names of both have to agree."""
    execute_many(connection, name, fields, [])


def test_the_work_tables_are_empty_between_transactions() -> None:
    """What one transaction notes is gone with it, also when the next one uses its connection."""
    with closing(SqliteStore(":memory:")) as store:
        store.setup()
        store.append("h", batch(entry(1, ("Ana", "speaks", "Basque")), entry(2)))
        store.append("h", batch(entry(3, ("Ana", "speaks", "Dutch")), many=["speaks"]))
        store.forget("h", [1])
        store.rebuild("h")
        with store._connections.reading() as borrowed:
            counts = borrowed.execute(
                "SELECT (SELECT count(*) FROM mentioned), (SELECT count(*) FROM touched),"
                " (SELECT count(*) FROM resolved)"
            )
            assert counts.fetchone() == (0, 0, 0)
