"""How many values a relation takes, as the SQLite store keeps it.

This module must not know who says so, or which of two opinions wins.
"""

import sqlite3
from typing import NamedTuple

from cmc_graph.model import Values
from cmc_graph.stores.base import Declared
from cmc_graph.stores.sqlite_rows import RelationRow
from cmc_graph.stores.sqlite_statements import execute


class Put(NamedTuple):
    """A relation as it is now, and how many of its slots are no more."""

    relation: RelationRow
    dropped: int


def find(connection: sqlite3.Connection, history: int, name: str) -> RelationRow | None:
    """The relation of that name, if the history has it."""
    row = execute(connection, "find_relation", history=history, name=name).fetchone()
    return row and _relation_row(row[0], Declared.kept(name, row[1], row[2]))


def merged(connection: sqlite3.Connection, history: int) -> dict[str, str]:
    """The name that counts for each merged relation, by its own."""
    return dict(execute(connection, "merged_relations", history=history))


def put(
    connection: sqlite3.Connection,
    history: int,
    name: str,
    said: Declared,
    before: RelationRow | None,
) -> Put:
    """The relation after what is said of it; with another number of values its slots are touched.

    Args:
        connection: In a write transaction.
        history: Number of the history.
        name: Of the relation.
        said: What is to be stored.
        before: The relation as it is stored, None for a new one.
    """
    (number,) = execute(
        connection,
        "put_relation",
        history=history,
        name=name,
        values=str(said.values),
        set_by=str(said.set_by),
    ).fetchone()
    relation, dropped = _relation_row(number, said), 0
    if before is not None and before.many != relation.many:
        whose = {"history": history, "relation": number}
        execute(connection, "touch_relation", **whose)  # the slots it had
        execute(connection, "set_members", **whose)
        dropped = execute(connection, "drop_slots").rowcount
        execute(connection, "touch_relation", **whose)  # those it has now
    return Put(relation, dropped)


def _relation_row(number: int, declared: Declared) -> RelationRow:
    return RelationRow(number, declared, declared.values is Values.MANY)
