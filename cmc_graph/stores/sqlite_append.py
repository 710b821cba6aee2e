"""How the SQLite store appends a batch: the body of one write transaction.

What is new is decided by the pure rules of ``planning``, latest-wins by ``sqlite_resolve``. This
module binds rows.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores import sqlite_relations as relations
from cmc_graph.stores import sqlite_rows as rows
from cmc_graph.stores.base import Applied, Batch, Declared, Entry, Known, check_history
from cmc_graph.stores.merging import renamed
from cmc_graph.stores.planning import Plan, first_mentions, persons, plan, settle, verdicts
from cmc_graph.stores.sqlite_read import HistoryRow
from cmc_graph.stores.sqlite_resolve import resolve
from cmc_graph.stores.sqlite_statements import execute, execute_many
from cmc_graph.text import key_length


def append(
    connection: sqlite3.Connection, history: HistoryRow | None, name: str, batch: Batch
) -> Applied:
    """Write the new entries of a batch and resolve the slots they touch.

    Args:
        connection: In a write transaction.
        history: The history, None if it was never written.
        name: Of the history.
        batch: What to append.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        SourceError: The history has no position left.
        UsageError: The history cannot have that name.
    """
    if history is not None:
        batch = renamed(batch, relations.merged(connection, history.id))
    planned = _plan(connection, history, batch)
    if not planned.entries:
        return Applied(skipped=planned.skipped, version=history.version if history else 0)
    if history is None:
        row = execute(connection, "add_history", name=check_history(name)).fetchone()
        history = HistoryRow(*row)
    keys = write_entities(connection, history.id, planned.entries)
    known, dropped = write_relations(connection, history.id, batch.relations, planned.entries)
    numbers = rows.Numbers(
        history=history.id,
        keys=keys,
        relations=known,
        sources=write_sources(connection, planned.entries),
        frontends=write_frontends(connection, planned.entries),
    )
    assertions = _write_entries(connection, numbers, planned.entries)
    changed = dropped + resolve(connection, history.id).slots
    version = _advance(connection, history.id, planned, numbers.keys)
    return applied(planned.entries, assertions, changed, version, planned.skipped)


def _plan(connection: sqlite3.Connection, history: HistoryRow | None, batch: Batch) -> Plan:
    if history is None:
        return plan(batch, Known(), next_position=0)
    known = read.known(connection, history, [entry.record for entry in batch.entries])
    return plan(batch, known, history.next_position)


def write_entities(
    connection: sqlite3.Connection, history: int, entries: Iterable[Entry]
) -> dict[str, int]:
    """The numbers of all keys that the entries name, which are written where they are new."""
    first = first_mentions(entries)
    mentions = ((key, *mention) for key, mention in first.items())
    execute_many(connection, "add_mention", rows.MENTION, mentions)
    execute(connection, "add_entities", history=history)
    numbers = (number for (number,) in execute(connection, "mentioned_entities", history=history))
    keys = dict(zip(first, numbers, strict=True))
    execute(connection, "clear_mentioned")
    return keys


def write_relations(
    connection: sqlite3.Connection,
    history: int,
    declared: Mapping[str, Declared],
    entries: Iterable[Entry],
    *,
    anew: bool = False,
) -> tuple[dict[str, rows.RelationRow], int]:
    """The relations that the entries use, after what is said of them, and how many slots are gone.

    Args:
        connection: In a write transaction.
        history: Number of the history.
        declared: What the batch says.
        entries: Whose relations are wanted.
        anew: Only a person's word counts of what was said before.
    """
    used = dict.fromkeys(said.relation for entry in entries for said in entry.assertions)
    found = {name: relations.find(connection, history, name) for name in used}
    known = {name: row for name, row in found.items() if row is not None}
    stored = {name: row.declared for name, row in known.items()}
    settled = settle(declared, persons(stored) if anew else stored, used)
    done = {
        name: relations.put(connection, history, name, said, known.get(name))
        for name, said in settled.items()
    }
    now = known | {name: put.relation for name, put in done.items()}
    return now, sum(put.dropped for put in done.values())


def write_sources(connection: sqlite3.Connection, entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of the sources of the entries, written where they are new."""
    sources = {entry.record.source for entry in entries}
    names = {name for name in sources if name is not None}
    return _numbered(connection, names, "find_source", "add_source")


def write_frontends(connection: sqlite3.Connection, entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of the frontends of the entries, written where they are new."""
    frontends = {said.frontend for entry in entries for said in entry.assertions}
    return _numbered(connection, frontends, "find_frontend", "add_frontend")


def _numbered(
    connection: sqlite3.Connection, names: Iterable[str], find: str, add: str
) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for name in sorted(names):
        found = execute(connection, find, name=name).fetchone()
        (numbers[name],) = found or execute(connection, add, name=name).fetchone()
    return numbers


def _write_entries(
    connection: sqlite3.Connection, numbers: rows.Numbers, entries: Sequence[Entry]
) -> int:
    """How many assertions were written, beside their records; their slots are touched."""
    execute_many(connection, "add_record", rows.RECORD, rows.record_rows(numbers, entries))
    return write_assertions(connection, numbers, entries)


def write_assertions(
    connection: sqlite3.Connection, numbers: rows.Numbers, entries: Sequence[Entry]
) -> int:
    """How many assertions of records that are there were written; their slots are touched."""
    execute_many(connection, "add_assertion", rows.ASSERTION, rows.assertion_rows(numbers, entries))
    positions = json.dumps([entry.record.position for entry in entries])
    execute(connection, "touch_new", history=numbers.history, positions=positions)
    return sum(len(entry.assertions) for entry in entries)


def _advance(
    connection: sqlite3.Connection, history: int, planned: Plan, keys: Iterable[str]
) -> int:
    """The history's version after the batch."""
    (version,) = execute(
        connection,
        "advance_history",
        history=history,
        records=len(planned.entries),
        next_position=planned.next_position,
        longest_key=max(map(key_length, keys), default=0),
    ).fetchone()
    return int(version)


def applied(
    entries: Sequence[Entry], assertions: int, changed: int, version: int, skipped: int = 0
) -> Applied:
    """What writing these entries did."""
    return Applied(
        **verdicts(entries),
        skipped=skipped,
        assertions=assertions,
        slots_changed=changed,
        version=version,
    )
