"""How many bytes a store has on disk, by table and index or by store file."""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from cmc_graph.stores.base import Store
from cmc_graph.stores.neo4j import Neo4jStore

_BLOCK = 512  # bytes, in which the system counts what a file takes
_DATABASE = Path("data") / "databases" / "neo4j"


def sizes(store: Store, files: Path) -> Mapping[str, int]:
    """Bytes of each part of a store, the largest first.

    Args:
        store: Open; a server that was just started, since it writes everything out when it stops.
        files: The SQLite file, or the home of the server.
    """
    found = _neo4j(store, files) if isinstance(store, Neo4jStore) else _sqlite(files)
    return dict(found.most_common())


def _sqlite(file: Path) -> Counter[str]:
    """Pages of each table and index, and of none."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        rows = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
        found = Counter(dict(rows.fetchall()))
    found["(free pages)"] = file.stat().st_size - found.total()
    return found


def _neo4j(store: Neo4jStore, home: Path) -> Counter[str]:
    """Store files; the schema's indexes together, by kind; transaction logs are no part of it."""
    with store._link._driver.session() as session:  # no statement of the product's does this
        listed = session.run("SHOW INDEXES YIELD id, name, owningConstraint, type").data()
    names = {str(row["id"]): row["name"] for row in listed}
    found: Counter[str] = Counter()
    folder = home / _DATABASE
    for file in folder.rglob("*"):
        if file.is_file():
            inside = file.relative_to(folder)
            numbers = [names[part] for part in inside.parts if part in names]
            part = f"index {numbers[0]}" if numbers else inside.parts[0]
            found[part] += file.stat().st_blocks * _BLOCK
    return found
