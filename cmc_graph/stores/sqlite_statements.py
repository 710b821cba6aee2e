"""Runs the SQL statements of the SQLite store, each by the name of its file in ``sql/``.

The head comment of a file is its contract: purpose, parameters, returned columns. This module must
not know what a statement means.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from cmc_graph.queries import Statement

_PARAMETER = re.compile(r":([a-z_]+)")
_COMMENT = re.compile(r"--[^\n]*")

#: The files with several statements; all others hold one.
SCRIPTS = ("schema", "connection")


@cache
def statement(name: str) -> Statement:
    """The statement of that name.

    Args:
        name: File name without ``.sql``.
    """
    text = (files("cmc_graph.stores") / "sql" / f"{name}.sql").read_text("utf-8")
    parameters = frozenset(_PARAMETER.findall(_COMMENT.sub("", text)))
    return Statement(name, text, parameters)


def names() -> tuple[str, ...]:
    """The names of all files, sorted."""
    found = (item.name for item in (files("cmc_graph.stores") / "sql").iterdir())
    return tuple(sorted(name.removesuffix(".sql") for name in found if name.endswith(".sql")))


def execute(
    connection: sqlite3.Connection, statement_name: str, /, **parameters: Any
) -> sqlite3.Cursor:
    """The cursor over the statement's rows."""
    found = statement(statement_name)
    found.check(parameters)
    return connection.execute(found.text, parameters)


def execute_many(
    connection: sqlite3.Connection,
    statement_name: str,
    fields: tuple[str, ...],
    rows: Iterable[tuple[object, ...]],
    /,
) -> None:
    """Run the statement once per row.

    Rows are bound by position, which costs a third less than by name.

    Args:
        connection: In a transaction.
        statement_name: Name of the statement.
        fields: The names of the rows' fields: the statement's parameters in its order.
        rows: What to bind.
    """
    connection.executemany(_by_position(statement_name, fields), rows)


def run_script(connection: sqlite3.Connection, name: str, /) -> None:
    """Run a file of several statements; unlike ``executescript``, inside an open transaction."""
    for text in _statements(name):
        connection.execute(text)


@cache
def _by_position(name: str, fields: tuple[str, ...]) -> str:
    text = _COMMENT.sub("", statement(name).text)
    parameters = tuple(_PARAMETER.findall(text))
    if parameters != fields:
        raise TypeError(f"statement {name} takes {parameters}, not {fields}")
    return _PARAMETER.sub("?", text)


@cache
def _statements(name: str) -> tuple[str, ...]:
    return tuple(_split(statement(name).text))


def _split(script: str) -> Iterator[str]:
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            yield text
            text = ""
