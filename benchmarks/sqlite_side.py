"""SQLite beside the store: the least that a read or an ingest could take.

Borrows the connections of the store, on purpose: a floor says something only under the store's own
settings of durability and checking.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from cmc_graph.stores.sqlite import SqliteStore

#: The tables, each after those its rows point to, with the column that says in which batch a row
#: was new; where there is none, in the first.
TABLES = {
    "history": None,
    "source": None,
    "frontend": None,
    "relation": None,
    "record": "position",
    "entity": "name_position",
    "assertion": "position",
    "slot": "position",
}

Rows = Mapping[str, list[tuple[object, ...]]]


class SqliteSide:
    """The file of a store, which holds nothing but the benchmark's history."""

    def __init__(self, store: SqliteStore) -> None:
        self._connections = store._connections  # see the docstring of the module

    def versions(self) -> dict[str, str]:
        """The version of the library."""
        return {"sqlite": sqlite3.sqlite_version}

    def probes(self, _history: str) -> dict[str, Callable[[Sequence[str]], object]]:
        """The smallest statement there is; nothing else is compared with a read."""
        with self._connections.reading() as connection:
            execute = connection.execute  # of the one connection that reads in one thread use
        return {"SELECT 1": lambda _tokens: execute("SELECT 1").fetchone()}

    def copy(self, _history: str, size: int) -> list[Rows]:
        """The rows of all tables as they finally are, each in the batch in which it was new."""
        batches: dict[int, dict[str, list[tuple[object, ...]]]] = defaultdict(dict)
        with self._connections.reading() as connection:
            for table, column in TABLES.items():
                number = f"{column} / {size}" if column else "0"
                text = f"SELECT {number}, * FROM {table}"  # noqa: S608  # of the names above
                for batch, *row in connection.execute(text):
                    batches[batch].setdefault(table, []).append(tuple(row))
        return [batches[number] for number in sorted(batches)]

    def write(self, history: str, batch: Rows) -> None:
        """Insert the rows of one batch into a new file: one transaction, ``executemany``."""
        with self._connections.writing(creates=True) as connection:
            for table, rows in batch.items():
                marks = ", ".join("?" * len(rows[0]))
                text = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608  # of the names above
                connection.executemany(text, rows)
            if "history" in batch:
                connection.execute("UPDATE history SET name = ?", (history,))

    def remove(self, _history: str) -> None:
        """Nothing: the file goes as a whole."""
