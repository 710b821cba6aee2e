"""Which files are stores of ours, found out without changing a byte of those that are not.

This module must not know what a store holds.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from cmc_graph.errors import SchemaMismatch, StoreRefused, StoreUnreachable
from cmc_graph.stores.base import SCHEMA_VERSION
from cmc_graph.stores.sqlite_statements import run_script

#: "CMCG" in the header of the file says whose it is.
APPLICATION_ID = 0x434D4347

#: How to open a file: the query of its URI. The last one reads it without lock, log or journal, as
#: a file that does not change while it is open.
CREATE, READ_AND_WRITE, READ_ONLY = "mode=rwc", "mode=rw", "mode=ro&immutable=1"


def opening_mode(path: Path) -> str:
    """How to open the file.

    Raises:
        StoreUnreachable: The folder is missing, or the path is no file.
        StoreRefused: The file may not be read, or not be created.
        SchemaMismatch: Not a store, or one of another version.
    """
    if not path.parent.is_dir():
        raise StoreUnreachable(f"there is no folder {path.parent} for the store; create it first")
    if path.exists() and not path.is_file():
        raise StoreUnreachable(f"{path} is not a file; name the file of the store")
    writable = _may(path.parent, os.W_OK)
    if not path.exists() or path.stat().st_size == 0:
        if not writable:
            raise StoreRefused(f"the folder {path.parent} may not be written; choose another one")
        return CREATE
    if not _may(path, os.R_OK):
        raise StoreRefused(f"the file {path} may not be read; check its permissions")
    _check_ours(path)
    if writable or path.with_name(f"{path.name}-wal").exists():
        return READ_AND_WRITE
    return READ_ONLY  # SQLite cannot put its log beside the file


def uri(path: Path, mode: str) -> str:
    """The name of the file for SQLite."""
    return f"{path.as_uri()}?{mode}"


def create_schema(connection: sqlite3.Connection) -> None:
    """Write the tables into an empty database, unless another process just did.

    The header is part of the same transaction and in the file itself before the file gets a log, so
    that a killed process leaves an empty file or a store.
    """
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
        run_script(connection, "schema")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.commit()


def check_version(connection: sqlite3.Connection, where: str) -> None:
    """Refuse a database that is not ours or of another version.

    Raises:
        SchemaMismatch: It is one of these.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise SchemaMismatch(f"{where} was written by another program; choose another file")
    if version != SCHEMA_VERSION:
        raise SchemaMismatch(
            f"{where} has schema version {version}, this cmc-graph works with {SCHEMA_VERSION}: "
            "use the release that wrote it, or export from there and load here"
        )


def _check_ours(path: Path) -> None:
    """Read the header, through SQLite: a file that is opened past it drops, when it is closed, the
    locks that other connections of this process hold on it.
    """
    with closing(sqlite3.connect(uri(path, READ_ONLY), uri=True)) as connection:
        # A store that another process creates at this moment is shorter than its header says.
        connection.execute("PRAGMA writable_schema = ON")
        check_version(connection, str(path))


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
