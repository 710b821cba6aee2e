"""How the SQLite store takes what is read of a history anew, and merges its relations.

Bodies of write transactions: readers see the old state or the new one. This module binds rows.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence

from cmc_graph.errors import UsageError
from cmc_graph.model import Pattern, Relation, SetBy, Values
from cmc_graph.stores import sqlite_append as appending
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores import sqlite_relations as relations
from cmc_graph.stores import sqlite_rows as rows
from cmc_graph.stores.base import Applied, Batch, Declared, Entry, check_history
from cmc_graph.stores.merging import check_unchanged, merges, renamed, unknown, unused
from cmc_graph.stores.planning import stronger
from cmc_graph.stores.sqlite_read import HistoryRow
from cmc_graph.stores.sqlite_resolve import resolve
from cmc_graph.stores.sqlite_statements import execute, execute_many
from cmc_graph.stores.sqlite_upkeep import rename

_NEW = Declared(Values.ONE, SetBy.FRONTEND)


def replace(
    connection: sqlite3.Connection,
    history: HistoryRow | None,
    name: str,
    batch: Batch,
    version: int,
) -> Applied:
    """Put other verdicts and assertions in the place of those the records of a history have.

    Args:
        connection: In a write transaction.
        history: The history, None if it was never written.
        name: Of the history.
        batch: All its records, with their new verdicts.
        version: The version they were read at.

    Raises:
        StoreBusy: The history was written to meanwhile.
    """
    check_unchanged(name, history.version if history else 0, version)
    if history is None:
        return Applied()
    batch = renamed(batch, relations.merged(connection, history.id))
    before = _last_words(connection, history)
    gone = {"history": history.id, "positions": json.dumps(_positions(batch.entries))}
    execute(connection, "touch_positions", **gone)
    execute(connection, "delete_assertions", **gone)
    verdicts = [(e.status.value, e.reason, history.id, e.record.position) for e in batch.entries]
    execute_many(connection, "decide_record", rows.VERDICT, verdicts)
    keys = appending.write_entities(connection, history.id, batch.entries)
    known, _ = appending.write_relations(
        connection, history.id, batch.relations, batch.entries, anew=True
    )
    numbers = rows.Numbers(
        history=history.id,
        keys=keys,
        relations=known,
        sources={},  # records stay as they are
        frontends=appending.write_frontends(connection, batch.entries),
    )
    assertions = appending.write_assertions(connection, numbers, batch.entries)
    execute(connection, "drop_slots")
    resolve(connection, history.id)
    after = _last_words(connection, history)
    _tidy(connection, history)
    changed = sum(before.get(slot) != after.get(slot) for slot in before.keys() | after.keys())
    return appending.applied(batch.entries, assertions, changed, history.version + 1)


def merge_relations(
    connection: sqlite3.Connection, history: HistoryRow | None, into: Mapping[str, str]
) -> None:
    """Make relations other names of those that count instead.

    Raises:
        UsageError: The history has no relation to merge into, or two are one already, the other
            way round.
    """
    merged = relations.merged(connection, history.id) if history else {}
    known = {each.name for each in read.relations(connection, history)} if history else set()
    todo = list(merges(into, merged, known))
    if history is None or not todo:
        return
    for name, root in todo:
        _merge(connection, history, name, root)
    resolve(connection, history.id)
    execute(connection, "advance_version", history=history.id)


def declare(
    connection: sqlite3.Connection,
    history: HistoryRow | None,
    name: str,
    found: Sequence[Relation],
) -> None:
    """Write the relations the history does not have, as they are given.

    Raises:
        UsageError: The history cannot have that name.
    """
    held = {each.name for each in read.relations(connection, history)} if history else set()
    new = [each for each in found if each.name not in held]
    if not new:
        return
    history = history or _new(connection, name)
    for each in new:
        said = Declared(each.values, each.set_by)
        relations.put(connection, history.id, each.name, said, None)
    for each in new:
        if each.merged_into is not None:
            _mark_merged(connection, history.id, each.name, each.merged_into)
    execute(connection, "advance_version", history=history.id)


def keep_patterns(
    connection: sqlite3.Connection,
    history: HistoryRow | None,
    name: str,
    patterns: Sequence[Pattern],
) -> None:
    """Keep these patterns with the history, instead of those it had.

    Raises:
        UsageError: The history cannot have that name.
    """
    if history is None:
        if not patterns:
            return
        history = _new(connection, name)
        execute(connection, "advance_version", history=history.id)
    execute(connection, "delete_patterns", history=history.id)
    found = [
        (history.id, number, p.template, p.relation, p.support, p.answers)
        for number, p in enumerate(patterns)
    ]
    execute_many(connection, "add_pattern", rows.PATTERN, found)


def _new(connection: sqlite3.Connection, name: str) -> HistoryRow:
    row = execute(connection, "add_history", name=check_history(name)).fetchone()
    return HistoryRow(*row)


def _merge(connection: sqlite3.Connection, history: HistoryRow, name: str, root: str) -> None:
    """Give a relation's assertions to the one that counts; the slots of both are touched."""
    target = relations.find(connection, history.id, root)
    if target is None:
        raise UsageError(unknown(root))
    moved = relations.find(connection, history.id, name)
    moved = moved or relations.put(connection, history.id, name, _NEW, None).relation
    said = stronger(target.declared, moved.declared)
    target = relations.put(connection, history.id, root, said, target).relation
    pair = {"history": history.id, "relation": moved.id, "root": target.id}
    execute(connection, "touch_relation", history=history.id, relation=moved.id)
    moves = execute(connection, "move_assertions", **pair, many=int(target.many)).rowcount
    execute(connection, "drop_slots")
    if moves:
        execute(connection, "touch_relation", history=history.id, relation=target.id)
    execute(connection, "merge_relation", **pair)


def _mark_merged(connection: sqlite3.Connection, history: int, name: str, root: str) -> None:
    merged, target = (relations.find(connection, history, each) for each in (name, root))
    if merged is None or target is None:
        raise UsageError(unknown(root))
    execute(connection, "merge_relation", history=history, relation=merged.id, root=target.id)


def _last_words(
    connection: sqlite3.Connection, history: HistoryRow
) -> dict[tuple[int, int, int], tuple[int, int, int, int]]:
    """The last word of each slot: position, ordinal, object, and whether it is a retraction."""
    found = execute(connection, "last_words", history=history.id)
    return {(row[0], row[1], row[2]): (row[3], row[4], row[5], row[6]) for row in found}


def _tidy(connection: sqlite3.Connection, history: HistoryRow) -> None:
    """Remove what nothing speaks of any more, and derive names and counters anew."""
    found = [number for (number,) in execute(connection, "all_entities", history=history.id)]
    entities = json.dumps(found)
    execute(connection, "delete_entities", entities=entities)
    rename(connection, entities)
    names = unused(read.relations(connection, history))
    execute(connection, "delete_relations", history=history.id, names=json.dumps(names))
    execute(connection, "recount_history", history=history.id)
    execute(connection, "advance_version", history=history.id)


def _positions(entries: Sequence[Entry]) -> list[int | None]:
    return [entry.record.position for entry in entries]
