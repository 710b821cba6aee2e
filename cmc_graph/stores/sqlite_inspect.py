"""Looks at a SQLite store as it is; a file that is not there is not created.

This module must not know what a finding means.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from cmc_graph.stores.inspection import Damage, Inspection
from cmc_graph.stores.sqlite_connections import Connections
from cmc_graph.stores.sqlite_statements import execute

_BUSY_SECONDS = 5.0


def inspect(path: Path) -> Inspection:
    """What is found in the file, without writing to what is stored.

    Raises:
        SchemaMismatch: It is no store, or one of another version.
        StoreError: It cannot be read.
    """
    server = f"SQLite {sqlite3.sqlite_version}"
    if path.parent.is_dir() and (not path.exists() or path.stat().st_size == 0):
        return Inspection(server=server, is_new=True)
    connections = Connections(path.absolute(), _BUSY_SECONDS)
    try:
        connections.setup()
        with connections.reading() as connection:
            return Inspection(server=server, damages=tuple(_damages(connection)))
    finally:
        connections.close()


def _damages(connection: sqlite3.Connection) -> Iterator[Damage]:
    for (message,) in execute(connection, "check_integrity"):
        if message != "ok":
            yield Damage("file", "the file", message)
    for table, parent, rows in execute(connection, "check_references"):
        yield Damage("reference", f"{rows} of table {table}", f"no such {parent}")
