"""How the SQLite store appends a batch: the body of one write transaction.

What is new is decided by the pure rules of ``planning``, latest-wins by ``sqlite_resolve``. This
module binds rows.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from cmc_graph.model import Status
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores import sqlite_relations as relations
from cmc_graph.stores import sqlite_rows as rows
from cmc_graph.stores.base import Applied, Batch, Declared, Entry, Known, check_history
from cmc_graph.stores.planning import Plan, plan, settle
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
    planned = _plan(connection, history, batch)
    if not planned.entries:
        return Applied(skipped=planned.skipped, version=history.version if history else 0)
    if history is None:
        row = execute(connection, "add_history", name=check_history(name)).fetchone()
        history = HistoryRow(*row)
    numbers = rows.Numbers(
        history=history.id,
        keys=_write_entities(connection, history.id, planned.entries),
        relations=_write_relations(connection, history.id, batch.relations, planned.entries),
        labels=_write_labels(connection, planned.entries),
    )
    assertions = _write_entries(connection, numbers, planned.entries)
    changed = resolve(connection, history.id).slots
    version = _advance(connection, history.id, planned, numbers.keys)
    return _applied(planned, assertions, changed, version)


def _plan(connection: sqlite3.Connection, history: HistoryRow | None, batch: Batch) -> Plan:
    if history is None:
        return plan(batch, Known(), next_position=0)
    known = read.known(connection, history, [entry.record for entry in batch.entries])
    return plan(batch, known, history.next_position)


def _write_entities(
    connection: sqlite3.Connection, history: int, entries: Iterable[Entry]
) -> dict[str, int]:
    """The numbers of all keys that the entries name, which are written where they are new."""
    execute_many(connection, "add_mention", rows.MENTION, rows.mention_rows(entries))
    execute(connection, "add_entities", history=history)
    keys = dict(execute(connection, "mentioned_entities", history=history))
    execute(connection, "clear_mentioned")
    return keys


def _write_relations(
    connection: sqlite3.Connection,
    history: int,
    declared: Mapping[str, Declared],
    entries: Iterable[Entry],
) -> dict[str, rows.RelationRow]:
    """The relations that the entries use, after what the batch says of them."""
    used = dict.fromkeys(said.relation for entry in entries for said in entry.assertions)
    found = {name: relations.find(connection, history, name) for name in used}
    known = {name: row for name, row in found.items() if row is not None}
    settled = settle(declared, {name: row.declared for name, row in known.items()}, used)
    return known | {
        name: relations.put(connection, history, name, said, known.get(name))
        for name, said in settled.items()
    }


def _write_labels(connection: sqlite3.Connection, entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of the sources and frontends of the entries, written where they are new."""
    texts = {said.frontend for entry in entries for said in entry.assertions}
    texts |= {entry.record.source for entry in entries if entry.record.source is not None}
    labels: dict[str, int] = {}
    for text in sorted(texts):
        found = execute(connection, "find_label", text=text).fetchone()
        (labels[text],) = found or execute(connection, "add_label", text=text).fetchone()
    return labels


def _write_entries(
    connection: sqlite3.Connection, numbers: rows.Numbers, entries: Sequence[Entry]
) -> int:
    """How many assertions were written, beside their records; their slots are touched."""
    execute_many(connection, "add_record", rows.RECORD, rows.record_rows(numbers, entries))
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


def _applied(planned: Plan, assertions: int, changed: int, version: int) -> Applied:
    verdicts = [entry.record.status for entry in planned.entries]
    return Applied(
        facts=verdicts.count(Status.FACTS),
        unresolved=verdicts.count(Status.UNRESOLVED),
        no_fact=verdicts.count(Status.NO_FACT),
        skipped=planned.skipped,
        assertions=assertions,
        slots_changed=changed,
        version=version,
    )
