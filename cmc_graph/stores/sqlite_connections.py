"""Connections to one SQLite database: as many as verbs run at once, each used by one at a time.

A verb borrows a connection for one transaction and gives it back. Readers see one version and do
not wait for the writer; writers take turns. This module must not know what is read or written.
"""

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path

from cmc_graph.errors import StoreError
from cmc_graph.stores import sqlite_files as store_files
from cmc_graph.stores.sqlite_errors import is_busy, translated
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
        self._is_ready = False  # looked at and found ours, or made
        self._closed = False
        self._turn = threading.Lock() if path is None else nullcontext()
        _EVERY.add(self)

    @property
    def single(self) -> bool:
        """There is only one connection, which nobody may keep for long."""
        return self._path is None

    def setup(self) -> None:
        """Refuse a database that is not ours; a file that is not there comes with its first write.

        Raises:
            StoreError: It cannot be opened or created, is not ours or of another version.
        """
        _check_sqlite()
        self._check_open()
        if self._path is None:
            self._open(new=True)
        else:
            self._look(self._path)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection in one read transaction: all statements see the same version.

        While there is no file, it is one to an empty database.
        """
        with self._nothing() if self._is_missing() else self._borrowed() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self, *, creates: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection in one write transaction, committed when the block ends without error.

        Args:
            creates: The block may write something new. Without, it changes only what is there, and
                a file that is missing stays so.
        """
        missing = self._is_missing()
        if missing and creates:
            self._open(new=True)
        with self._nothing() if missing and not creates else self._borrowed() as connection:
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

    def _is_missing(self) -> bool:
        """There is no file, not even from another process meanwhile."""
        if self._path is not None and not self._is_ready and not self._closed:
            self._look(self._path)
        return not self._is_ready

    def _look(self, path: Path) -> None:
        """Open the file if it is there."""
        with translated(self.name):
            mode = store_files.opening_mode(path)
        if mode != store_files.CREATE:
            self._mode = mode
            self._open(new=False)

    def _open(self, *, new: bool) -> None:
        """Connect for the first time; a new database is given its tables."""
        if new:
            self._mode = store_files.CREATE
        with self._borrowed() as connection:
            if new:
                store_files.create_schema(connection)
                self._mode = store_files.READ_AND_WRITE
            store_files.check_version(connection, self.name)
            self._use_log(connection)
        self._is_ready = True

    @contextmanager
    def _nothing(self) -> Iterator[sqlite3.Connection]:
        """A connection to an empty database that ends with the block."""
        self._check_open()
        with _GATE.verb(), translated(self.name):
            nothing = sqlite3.connect(":memory:", isolation_level=None)
            with closing(nothing):
                store_files.create_schema(nothing)
                yield nothing

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
        self._check_open()
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"the store {self.name} is closed; open it again")

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
        if not _switched_to_log(connection, self._busy_seconds):
            raise StoreError(
                f"the file system of {self.name} cannot hold a write-ahead log; "
                "put the store on a local disk"
            )


def _switched_to_log(connection: sqlite3.Connection, busy_seconds: float) -> bool:
    """Whether the file has a write-ahead log now; for the switch SQLite itself does not wait."""
    from tenacity import (  # noqa: PLC0415 - slow to import, and only for a new file
        Retrying,
        retry_if_exception,
        stop_after_delay,
        wait_random,
    )

    patiently = Retrying(
        retry=retry_if_exception(is_busy),
        stop=stop_after_delay(busy_seconds),
        wait=wait_random(0.001, 0.02),
        reraise=True,
    )
    mode = patiently(lambda: connection.execute("PRAGMA journal_mode = WAL").fetchone())
    return bool(mode == ("wal",))


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
