"""Looks at a SQLite store as it is, and mends what follows from what is whole.

A file that is not there is not created. This module must not know what a finding means to a person.
"""

import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from cmc_graph.stores import surfaces
from cmc_graph.stores.inspection import SHOWN, Damage, Inspection, first
from cmc_graph.stores.sqlite_connections import Connections
from cmc_graph.stores.sqlite_read import find_history
from cmc_graph.stores.sqlite_statements import execute, run_script
from cmc_graph.stores.sqlite_verify import lost_words
from cmc_graph.stores.surfaces import Named

_BUSY_SECONDS = 5.0
_LAYOUT = re.compile(r"(?:--[^\n]*|\s)+")

#: What the tables, indexes and views are, by type and name, with the statement that makes each.
_Objects = dict[tuple[str, str], str]


def inspect(path: Path, history: str) -> Inspection:
    """What is found in the file, without writing to what is stored.

    Args:
        path: Of the file.
        history: Whose rows are looked at.

    Raises:
        SchemaMismatch: It is no store, or one of another version.
        StoreError: It cannot be read.
    """
    server = f"SQLite {sqlite3.sqlite_version}"
    if path.parent.is_dir() and (not path.exists() or path.stat().st_size == 0):
        return Inspection(server=server, is_new=True)
    with _opened(path) as connections, connections.reading() as connection:
        missing = tuple(" ".join(each) for each in _wrong_objects(connection))
        damages = first(_file_damages(connection, path))
        row, nameless = None, []
        if not any(each.startswith("table ") for each in missing):
            row = find_history(connection, history)
            nameless = first(_lost_histories(connection, path, None if row else history))
            damages += nameless
        if row is not None:
            damages += first(_damages(connection, path, row.id))
        return Inspection(
            server=server,
            has_history=None if row is None and (missing or nameless) else row is not None,
            missing=missing,
            damages=tuple(damages[:SHOWN]),
            is_cut=len(damages) > SHOWN,
        )


def mend(path: Path, history: str) -> bool:
    """Create what is missing of the schema; False while a history's ledger lacks something.

    The projection may be derived anew only of a ledger that is whole.

    Raises:
        StoreError: The file cannot be read or written.
    """
    if not path.exists() or path.stat().st_size == 0:
        return False
    with _opened(path) as connections, connections.writing() as connection:
        held = _objects(connection)
        for kind, name in _wrong_objects(connection):
            if (kind, name) in held:
                connection.execute(f'DROP {kind} "{name}"')  # a name of the schema's own
            connection.execute(_expected()[kind, name])
        row = find_history(connection, history)
        if row is None:
            return False
        _mend_ledger(connection, row.id)
        if any(each.is_of_ledger for each in _damages(connection, path, row.id)):
            return False
        if any(lost_words(connection, row)):
            return False
        execute(connection, "clear_stray_slots")
    return True


@contextmanager
def _opened(path: Path) -> Iterator[Connections]:
    connections = Connections(path.absolute(), _BUSY_SECONDS)
    try:
        connections.setup()
        yield connections
    finally:
        connections.close()


def _wrong_objects(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Type and name of what is not there; of indexes and views, also what is another one."""
    held = _objects(connection)
    for key, sql in _expected().items():
        if key not in held or (key[0] != "table" and not _is_same(held[key], sql)):
            yield key


def _is_same(statement: str, other: str) -> bool:
    return _LAYOUT.sub("", statement) == _LAYOUT.sub("", other)


def _objects(connection: sqlite3.Connection) -> _Objects:
    return {(kind, name): sql for kind, name, sql in execute(connection, "schema_objects")}


@cache
def _expected() -> _Objects:
    """What the schema creates, in its order."""
    with closing(sqlite3.connect(":memory:")) as connection:
        run_script(connection, "schema")
        return _objects(connection)


def _file_damages(connection: sqlite3.Connection, path: Path) -> Iterator[Damage]:
    """What SQLite finds; rows that refer to nothing are looked for by history."""
    file = shlex.quote(str(path))
    for (message,) in execute(connection, "check_integrity"):
        if message != "ok":
            command = f"sqlite3 {file} .recover | sqlite3 {shlex.quote(f'{path}.recovered')}"
            hint = "writes what can be read into a new file, where the shell of SQLite can .recover"
            yield Damage("file", "the file", message, by_hand=command, hint=hint)


def _lost_histories(
    connection: sqlite3.Connection, path: Path, free_name: str | None
) -> Iterator[Damage]:
    for records, name, todo in execute(connection, "lost_histories", name=free_name):
        hint = f"names it {name}; doctor --repair of that one does the rest"
        yield Damage("no-history", "record", str(records), by_hand=_command(path, todo), hint=hint)


def _damages(connection: sqlite3.Connection, path: Path, history: int) -> Iterator[Damage]:
    for what, place, detail, position, todo in execute(connection, "damaged", history=history):
        is_derived = position is None and todo is None
        damage = Damage(what, place, detail, position, is_derived=is_derived)
        if todo is not None:
            is_parted = what == "relation"
            hint = "parts it from that" if is_parted else "deletes it"
            command = _command(path, todo)
            damage = damage._replace(by_hand=command, hint=hint, gives_up=not is_parted)
        yield damage
    ends = _ends(connection, history)
    yield from surfaces.damages(ends, lambda key: _has_entity(connection, history, key))


def _ends(connection: sqlite3.Connection, history: int) -> Iterator[Named]:
    return (Named(*row) for row in execute(connection, "surfaces", history=history))


def _has_entity(connection: sqlite3.Connection, history: int, key: str) -> bool:
    return execute(connection, "find_entity", history=history, key=key).fetchone() is not None


def _mend_ledger(connection: sqlite3.Connection, history: int) -> None:
    """Derive what is provable: keys from surfaces, how many values a relation takes from slots."""
    for number, key in surfaces.wrong_keys(_ends(connection, history)).items():
        execute(connection, "mend_key", id=number, key=key)
    execute(connection, "mend_values", history=history)


def _command(path: Path, todo: str) -> str:
    return shlex.join(["sqlite3", str(path), todo])
