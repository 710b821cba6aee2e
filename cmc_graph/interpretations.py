"""What models have answered before, by content: a text is paid for once, wherever it occurs.

One SQLite file in the user's data folder, shared by all stores and histories; keys are hashes, and
every answer is on disk before anything is made of it. This module must not know what is kept.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Self

import platformdirs

from cmc_graph.errors import StoreError

_VERSION = 1
_BUSY_SECONDS = 60.0
_TABLE = (
    "CREATE TABLE kept (name BLOB, scope BLOB, value TEXT NOT NULL, PRIMARY KEY (name, scope)) "
    "STRICT, WITHOUT ROWID"
)


class Interpretations:
    """The file; a context manager, for several threads and processes.

    Args:
        path: None: ``interpretations.db`` in the user's data folder.

    Raises:
        StoreError: The file cannot be used; every other method raises it, too.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or usual_path()
        self._lock = threading.Lock()
        with self._translated():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):  # what records say is for their owner alone
                os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            self._connection = sqlite3.connect(
                self._path, _BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._setup()

    def get(self, scope: str, names: Iterable[str]) -> dict[str, str]:
        """What is kept of these names within a scope; names without a value are left out.

        Args:
            scope: What the values depend on besides the name, such as prompt and model.
            names: Texts of any length.
        """
        query = "SELECT value FROM kept WHERE name = ? AND scope = ?"
        place = digest(scope)
        found: dict[str, str] = {}
        with self._lock, self._translated():
            for name in names:
                row = self._connection.execute(query, (digest(name), place)).fetchone()
                if row:
                    found[name] = row[0]
        return found

    def put(self, scope: str, values: Mapping[str, str]) -> None:
        """Keep the values, all or none, instead of what was there; they are on disk afterwards."""
        statement = "INSERT OR REPLACE INTO kept (name, scope, value) VALUES (?, ?, ?)"
        place = digest(scope)
        rows = [(digest(name), place, value) for name, value in values.items()]
        with self._lock, self._translated(), self._transaction():
            self._connection.executemany(statement, rows)

    def drop(self, scope: str, names: Iterable[str]) -> None:
        """Keep these names no longer within a scope."""
        place = digest(scope)
        with self._lock, self._translated(), self._transaction():
            self._connection.executemany(
                "DELETE FROM kept WHERE name = ? AND scope = ?",
                [(digest(name), place) for name in names],
            )

    def forget(self, texts: Set[bytes]) -> int:
        """How many values are gone: those of these texts in any scope, and those that quote one.

        Nothing of them is left in the file.

        Args:
            texts: Digests of the texts as they were kept under, white space folded.
        """
        drop = "DELETE FROM kept WHERE name = ? AND scope = ?"
        with self._lock, self._translated():
            with self._transaction():
                gone = [
                    (name, scope)
                    for name, scope, value in self._connection.execute("SELECT * FROM kept")
                    if name in texts or not texts.isdisjoint(_quoted(value))
                ]
                self._connection.executemany(drop, gone)
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return len(gone)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _setup(self) -> None:
        connection = self._connection
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != _VERSION and not self._is_empty():
            raise StoreError(
                f"{self._path} was not written by this version of cmc-graph; move it away"
            )
        connection.execute("PRAGMA secure_delete = ON")  # what was forgotten is overwritten
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing
        with self._transaction():
            if self._is_empty():  # still, now that no other process can write
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version = {_VERSION:d}")

    def _is_empty(self) -> bool:
        query = "SELECT count(*) FROM sqlite_schema"
        return bool(self._connection.execute(query).fetchone()[0] == 0)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"the file of model answers {self._path} cannot be used ({error}); check its "
                "folder, or move it away to begin a new one"
            ) from error


def usual_path() -> Path:
    """Where the file is unless said otherwise: in the user's data folder."""
    return platformdirs.user_data_path("cmc-graph", appauthor=False) / "interpretations.db"


def forget(texts: Set[bytes]) -> None:
    """Remove from the usual file, if it is there, all that is kept of texts with these digests.

    Raises:
        StoreError: The file cannot be used.
    """
    # a folder that may not be looked into is another user's, and so are the answers in it
    if texts and os.path.exists(usual_path()):  # noqa: PTH110 - False, too, where access is denied
        with Interpretations() as kept:
            kept.forget(texts)


def digest(text: str) -> bytes:
    """What stands for a text in the file."""
    return sha256(text.encode()).digest()


def _quoted(value: str) -> Iterator[bytes]:
    """The digests of all texts in a value, which is JSON."""
    with suppress(ValueError):
        found = [json.loads(value)]
        while found:
            match found.pop():
                case str(text):
                    yield digest(text)
                case list(items):
                    found += items
                case dict(items):
                    found += [*items, *items.values()]
