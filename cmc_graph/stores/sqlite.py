"""The SQLite store: one file, nothing to install or to start.

Every verb is one transaction on a borrowed connection. What is read is in ``sqlite_read``, what is
written in ``sqlite_append`` and ``sqlite_upkeep``, the statements in ``sql/``. This module must not
know a statement.
"""

import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from cmc_graph.model import (
    Drift,
    Forgotten,
    History,
    Pattern,
    Record,
    Relation,
    Stats,
    Values,
)
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores import sqlite_replace as renewal
from cmc_graph.stores import sqlite_upkeep as upkeep
from cmc_graph.stores.base import Applied, Batch, Kept, Known, Selection, Suffix, Version
from cmc_graph.stores.sqlite_append import append
from cmc_graph.stores.sqlite_connections import Connections
from cmc_graph.stores.sqlite_verify import verify

#: How long a writer waits for another one: longer than any batch takes.
BUSY_SECONDS = 30.0

_Result = TypeVar("_Result")


class SqliteStore:
    """A store in one SQLite file, or in memory.

    May be used from several threads, and after a fork in both processes. Closes itself when it is
    no longer referenced.

    Args:
        path: The file; ``":memory:"`` for a store that ends with this object.
        busy_seconds: How long a writer waits for another one before ``StoreBusy``.
    """

    def __init__(self, path: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        file = None if path == ":memory:" else Path(path).absolute()
        self._connections = Connections(file, busy_seconds)
        self._finalizer = weakref.finalize(self, self._connections.close)

    def setup(self) -> None:
        """Look at the file; one that is not there comes with the first write.

        Raises:
            StoreError: The file cannot be opened or created, is not ours, or of another version;
                then it is left as it is.
        """
        self._connections.setup()

    def known(self, history: str, records: Sequence[Record]) -> Known:
        """What the history holds at the positions and source lines of these records."""
        return self._read(history, Known(), lambda c, h: read.known(c, h, records))

    def append(self, history: str, batch: Batch) -> Applied:
        """Write the new entries and resolve the slots they touch, all in one transaction.

        Raises:
            PositionConflict: A position, or a line of a known source, holds another text.
            SourceError: The history has no position left.
            UsageError: The history cannot have that name.
            StoreError: The store failed. In every case nothing of the batch is written.
        """
        with self._connections.writing(creates=True) as connection:
            row = read.written_history(connection, history)
            return append(connection, row, history, batch)

    def select(
        self, history: str, tokens: Sequence[str], hops: int, as_of: int | None = None
    ) -> Selection:
        """The closure of the entities that the question's tokens name, with its records."""
        return self._read(history, Selection(), lambda c, h: read.select(c, h, tokens, hops, as_of))

    def unresolved(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest unresolved records, as many as fill ``chars`` characters of evidence."""
        return self._suffix(history, "unresolved", chars, as_of)

    def newest(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest records of any status, as many as fill ``chars`` characters of evidence."""
        return self._suffix(history, "newest", chars, as_of)

    def latest_state(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest records of the slots' last words and unresolved ones that fill ``chars``."""
        return self._suffix(history, "latest_state", chars, as_of)

    def versions(self, history: str, *subjects: str, relation: str | None = None) -> list[Version]:
        """The assertions about these subject keys, oldest first; of one relation or of all."""
        return self._read(history, [], lambda c, h: read.versions(c, h, subjects, relation))

    def changes(self, history: str, after: int, upto: int) -> list[Version]:
        """The assertions after one position up to another, and what held before in their slots."""
        return self._read(history, [], lambda c, h: read.changes(c, h, after, upto))

    def records(self, history: str, positions: Sequence[int]) -> list[Record]:
        """The records at these positions, ascending; a position without a record has none."""
        return self._read(history, [], lambda c, h: read.records(c, h, positions))

    def relations(self, history: str) -> list[Relation]:
        """The relations of a history, by name."""
        return self._read(history, [], read.relations)

    def set_relation(self, history: str, name: str, values: Values) -> int:
        """How many slots the relation has after a person said how many values it takes.

        Raises:
            UsageError: The history has no such relation.
            StoreError: The store failed; nothing is changed.
        """
        with self._connections.writing() as connection:
            row = read.written_history(connection, history)
            return upkeep.set_relation(connection, row, name, values)

    def merge_relations(self, history: str, into: Mapping[str, str]) -> None:
        """Make relations other names of those that count instead, in one transaction.

        Raises:
            UsageError: The history has no relation to merge into, or two are one already, the other
                way round.
            StoreError: The store failed. In every case nothing is changed.
        """
        with self._connections.writing() as connection:
            row = read.written_history(connection, history)
            renewal.merge_relations(connection, row, into)

    def declare(self, history: str, relations: Sequence[Relation]) -> None:
        """Write the relations the history does not have, as they are given, in one transaction.

        Raises:
            UsageError: The history cannot have that name.
            StoreError: The store failed; nothing is changed.
        """
        with self._connections.writing(creates=True) as connection:
            row = read.written_history(connection, history)
            renewal.declare(connection, row, history, relations)

    def patterns(self, history: str) -> list[Pattern]:
        """The patterns kept with a history, in the order in which they were given."""
        return self._read(history, [], read.patterns)

    def keep_patterns(self, history: str, patterns: Sequence[Pattern]) -> None:
        """Keep these patterns with a history, instead of those it had.

        Raises:
            UsageError: The history cannot have that name.
            StoreError: The store failed; nothing is changed.
        """
        with self._connections.writing(creates=True) as connection:
            row = read.written_history(connection, history)
            renewal.keep_patterns(connection, row, history, patterns)

    def replace(self, history: str, batch: Batch, version: int) -> Applied:
        """Put other verdicts and assertions in the place of those of all records.

        Raises:
            StoreBusy: The history was written to after that version.
            StoreError: The store failed. In every case nothing is changed.
        """
        with self._connections.writing() as connection:
            row = read.written_history(connection, history)
            return renewal.replace(connection, row, history, batch, version)

    def scan(self, history: str) -> Iterator[Kept]:
        """Every record with its assertions, ascending by position, as of one version.

        Read as it is consumed, except from memory: its one connection is not held so long.
        """
        kept = self._scan(history)
        return iter(list(kept)) if self._connections.single else kept

    def rebuild(self, history: str) -> int:
        """How many slots there are after the projection was derived anew from the ledger alone.

        In transactions of a thousand entities each; every one leaves its slots complete.
        """
        after: int | None = 0
        while after is not None:
            with self._connections.writing() as connection:
                row = read.written_history(connection, history)
                after = row and upkeep.rebuild(connection, row, after)
        stats = self.stats(history)
        return stats.current + stats.ended

    def verify(self, history: str, *, lost_only: bool = False) -> Drift:
        """The differences between the ledger and the projection; writes nothing."""
        return self._read(history, Drift(), partial(verify, lost_only=lost_only))

    def forget(self, history: str, positions: Sequence[int]) -> Forgotten:
        """Remove records, their assertions and entities nothing names any more, in one transaction.

        What was removed is overwritten in the file, at the latest when the store is closed.
        """
        with self._connections.writing() as connection:
            row = read.written_history(connection, history)
            return Forgotten() if row is None else upkeep.forget(connection, row, positions)

    def stats(self, history: str) -> Stats:
        """Counts of one history."""
        return self._read(history, Stats(), read.stats)

    def histories(self) -> list[History]:
        """All histories, by name."""
        with self._connections.reading() as connection:
            return read.histories(connection)

    def close(self) -> None:
        """Release connections; further calls raise StoreError, closing again does nothing."""
        self._finalizer()

    def _scan(self, history: str) -> Iterator[Kept]:
        with self._connections.reading() as connection:
            row = read.written_history(connection, history)
            if row is not None:
                yield from read.scan(connection, row)

    def _suffix(self, history: str, which: str, chars: int, as_of: int | None) -> Suffix:
        return self._read(history, Suffix(), lambda c, h: read.suffix(c, h, which, chars, as_of))

    def _read(
        self,
        history: str,
        empty: _Result,
        reader: Callable[[sqlite3.Connection, read.HistoryRow], _Result],
    ) -> _Result:
        """What the reader finds in one read transaction; ``empty`` for an unknown history."""
        with self._connections.reading() as connection:
            row = read.written_history(connection, history)
            return empty if row is None else reader(connection, row)
