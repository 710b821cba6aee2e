"""Connections to one SQLite database: as many as verbs run at once, each used by one at a time.

A verb borrows a connection for one transaction and gives it back. Readers see one version and do
not wait for the writer; writers take turns. This module must not know what is read or written.
"""

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from cmc_graph.errors import StoreError
from cmc_graph.stores import sqlite_files as store_files
from cmc_graph.stores.sqlite_errors import translated
from cmc_graph.stores.sqlite_forks import gate
from cmc_graph.stores.sqlite_statements import run_script

#: Strict tables came with this release of SQLite.
_OLDEST_SQLITE = (3, 37, 0)

#: Connections that were in use while the process forked, kept by the child: to use or even to close
#: them there would end the locks and the log of the parent.
_INHERITED: list[sqlite3.Connection] = []

_EVERY: "weakref.WeakSet[Connections]" = weakref.WeakSet()


class Connections:
    """The connections to one database.

    Args:
        path: Absolute path of the file; None: a database in memory, which has one connection, so
            that verbs take turns.
        busy_seconds: How long a writer waits for another one.
    """

    def __init__(self, path: Path | None, busy_seconds: float) -> None:
        self.name = ":memory:" if path is None else str(path)
        self._path = path
        self._busy_seconds = busy_seconds
        self._mode = store_files.READ_AND_WRITE
        self._idle: list[sqlite3.Connection] = []  # append and pop are atomic
        self._closed = False
        self._turn = threading.Lock() if path is None else nullcontext()
        _EVERY.add(self)

    @property
    def single(self) -> bool:
        """There is only one connection, which nobody may keep for long."""
        return self._path is None

    def setup(self) -> None:
        """Create the database if it is not there; refuse one that is not ours.

        Raises:
            StoreError: It cannot be opened, is not ours or of another version.
        """
        _check_sqlite()
        if self._path is not None:
            with translated(self.name):
                self._mode = store_files.opening_mode(self._path)
        with self._borrowed() as connection:
            if self._path is None or self._mode == store_files.CREATE:
                store_files.create_schema(connection)
                self._mode = store_files.READ_AND_WRITE
            store_files.check_version(connection, self.name)
            self._use_log(connection)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection in one read transaction: all statements see the same version."""
        with self._borrowed() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection in one write transaction, committed when the block ends without error."""
        with self._borrowed() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.commit()

    def close(self) -> None:
        """Close all connections; one in use closes when its verb ends."""
        self._closed = True
        self.close_idle()

    def close_idle(self) -> None:
        """Close the connections nobody uses; a database in memory keeps its one until ``close``."""
        if self._path is None and not self._closed:
            return
        with suppress(IndexError):  # until none is left
            while True:
                self._idle.pop().close()

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        process = os.getpid()
        with _GATE.verb(), self._turn, translated(self.name):
            connection = self._take()
            try:
                yield connection
            finally:
                if process == os.getpid():
                    self._give_back(connection)
                else:
                    _INHERITED.append(connection)

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(f"the store {self.name} is closed; open it again")
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        try:
            connection.rollback()  # nothing to do after a commit
        finally:
            self._idle.append(connection)
            # Others may write a file that this process may not: the next verb reads it anew.
            if self._closed or self._mode == store_files.READ_ONLY:
                self.close_idle()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.name if self._path is None else store_files.uri(self._path, self._mode),
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            uri=self._path is not None,
        )
        try:
            run_script(connection, "connection")
        except BaseException:
            connection.close()
            raise
        return connection

    def _use_log(self, connection: sqlite3.Connection) -> None:
        """Keep a write-ahead log, so that readers and the writer do not wait for one another."""
        if self._path is None or self._mode == store_files.READ_ONLY:
            return
        if connection.execute("PRAGMA journal_mode").fetchone() == ("wal",):
            return
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise StoreError(
                f"the file system of {self.name} cannot hold a write-ahead log; "
                "put the store on a local disk"
            )


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"this Python brings SQLite {sqlite3.sqlite_version}; cmc-graph needs 3.37 or later"
        )


def _before_fork() -> None:
    """Close what is idle, so that no process inherits it.

    A child that inherits a connection believes to hold its locks, also for files it opens anew.
    When the parent then closes its last connection, the log is deleted under the child, and what
    the child commits from then on is lost.
    """
    for connections in list(_EVERY):
        connections.close_idle()


_GATE = gate(before=_before_fork)
