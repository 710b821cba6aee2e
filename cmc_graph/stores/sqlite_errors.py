"""The one seam where errors of SQLite become errors of cmc-graph.

This module must not know what was being done when they came up.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from cmc_graph.errors import (
    CmcError,
    SchemaMismatch,
    StoreBusy,
    StoreError,
    StoreRefused,
    StoreUnreachable,
    UsageError,
)

#: By SQLite's primary result code: the error, and what to do. All others are a plain StoreError.
_MEANING: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreBusy, "another writer holds it; try again when it is done"),
    sqlite3.SQLITE_LOCKED: (StoreBusy, "another writer holds it; try again when it is done"),
    sqlite3.SQLITE_READONLY: (StoreRefused, "it can only be read: check who may write the file"),
    sqlite3.SQLITE_PERM: (StoreRefused, "check who may read and write the file"),
    sqlite3.SQLITE_AUTH: (StoreRefused, "check who may read and write the file"),
    sqlite3.SQLITE_CANTOPEN: (StoreUnreachable, "check that file and folder are there and yours"),
    sqlite3.SQLITE_NOTADB: (SchemaMismatch, "it is no SQLite database; choose another file"),
    sqlite3.SQLITE_CORRUPT: (StoreError, "it is damaged; go back to a copy"),
    sqlite3.SQLITE_FULL: (StoreError, "the disk is full; make room and try again"),
    sqlite3.SQLITE_IOERR: (StoreError, "the disk fails, or a limit on file sizes; check them"),
    sqlite3.SQLITE_TOOBIG: (StoreError, "a text is longer than SQLite can hold; split it"),
}
_OTHERWISE = (StoreError, "report this as a fault of cmc-graph")


@contextmanager
def translated(where: str) -> Iterator[None]:
    """A block in which errors of SQLite become errors of cmc-graph.

    Args:
        where: The store, for messages.

    Raises:
        StoreError: SQLite failed.
        UsageError: A text cannot be encoded.
    """
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise store_error(error, where) from error
    except UnicodeEncodeError as error:
        raise UsageError(
            "a name holds a lone surrogate, which no store can encode; give whole characters"
        ) from error


def store_error(error: sqlite3.Error | sqlite3.Warning, where: str) -> CmcError:
    """What an error of SQLite means, in one line.

    Args:
        error: Any exception the sqlite3 module raises.
        where: The store, for messages.
    """
    code = getattr(error, "sqlite_errorcode", None)  # absent where Python itself objects
    if code is None and str(error).startswith("Could not decode"):
        return StoreError(f"the store {where} holds a damaged text ({error}); go back to a copy")
    kind, advice = _OTHERWISE if code is None else _MEANING.get(code & 0xFF, _OTHERWISE)
    return kind(f"the store {where} failed ({error}): {advice}")


def is_busy(error: BaseException) -> bool:
    """Another connection holds the database right now."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY
