"""Errors of SQLite become errors of cmc-graph, all of them, at one seam."""

import ast
import inspect
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph import stores
from cmc_graph.errors import (
    SchemaMismatch,
    StoreBusy,
    StoreError,
    StoreRefused,
    StoreUnreachable,
    UsageError,
)
from cmc_graph.model import Values
from cmc_graph.stores.sqlite import SqliteStore
from cmc_graph.stores.sqlite_errors import store_error, translated
from tests.support.builders import batch, entry

CLASSES = [
    value
    for value in vars(sqlite3).values()
    if inspect.isclass(value) and issubclass(value, Exception)
]
MODULES = sorted(Path(*stores.__path__).glob("sqlite*.py"))


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_exception_of_the_module_is_translated(kind: type[Exception]) -> None:
    """Whatever the sqlite3 module raises comes out as a StoreError with the cause kept."""
    cause = kind("something")
    with pytest.raises(StoreError) as raised, translated("memory.db"):
        raise cause
    assert raised.value.__cause__ is cause
    assert "memory.db" in str(raised.value)


@pytest.mark.parametrize(
    ("code", "kind", "word"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusy, "try again"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusy, "try again"),
        (sqlite3.SQLITE_LOCKED, StoreBusy, "try again"),
        (sqlite3.SQLITE_READONLY, StoreRefused, "only be read"),
        (sqlite3.SQLITE_READONLY_DBMOVED, StoreRefused, "only be read"),
        (sqlite3.SQLITE_CANTOPEN, StoreUnreachable, "file and folder"),
        (sqlite3.SQLITE_NOTADB, SchemaMismatch, "another file"),
        (sqlite3.SQLITE_CORRUPT, StoreError, "damaged"),
        (sqlite3.SQLITE_FULL, StoreError, "disk is full"),
        (sqlite3.SQLITE_IOERR_WRITE, StoreError, "the disk fails, or a limit on file sizes"),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, StoreError, "report"),
    ],
)
def test_what_a_result_code_means(code: int, kind: type[StoreError], word: str) -> None:
    """A code of SQLite, extended ones included, decides class and advice; one line."""
    cause = sqlite3.OperationalError("no")
    cause.sqlite_errorcode = code
    error = store_error(cause, "memory.db")
    assert type(error) is kind
    assert word in str(error)
    assert "\n" not in str(error)


def test_other_errors_pass() -> None:
    """What is not SQLite's is not touched."""
    with pytest.raises(KeyError), translated("memory.db"):
        raise KeyError


def test_a_lone_surrogate_is_a_usage_error() -> None:
    """A name that no store can encode is refused as what it is."""
    with closing(SqliteStore(":memory:")) as store:
        store.setup()
        store.append("h", batch(entry(1, ("Ana", "home", "Graz"))))
        with pytest.raises(UsageError, match="surrogate"):
            store.set_relation("h", "home\ud800", Values.MANY)


def test_the_seam_is_one() -> None:
    """No other module catches an exception of sqlite3."""
    catching = [
        path.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler) and node.type and "sqlite3" in ast.unparse(node.type)
    ]
    assert catching == ["sqlite_errors.py"]
