"""What changes a history of the SQLite store beside appending: bodies of write transactions.

A person's word on a relation, the projection derived anew, records forgotten. All of them end in
``sqlite_resolve``.
"""

import json
import sqlite3
from collections.abc import Sequence

from cmc_graph.errors import UsageError
from cmc_graph.model import Forgotten, SetBy, Values
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores import sqlite_relations as relations
from cmc_graph.stores import sqlite_rows as rows
from cmc_graph.stores.base import Declared
from cmc_graph.stores.merging import check_counts, unknown, unused
from cmc_graph.stores.planning import check_lost, still_counted
from cmc_graph.stores.sqlite_read import HistoryRow
from cmc_graph.stores.sqlite_resolve import resolve
from cmc_graph.stores.sqlite_statements import execute, execute_many


def set_relation(
    connection: sqlite3.Connection, history: HistoryRow | None, name: str, values: Values
) -> int:
    """How many slots the relation has after a person said how many values it takes.

    Raises:
        UsageError: The history has no such relation.
    """
    found = relations.find(connection, history.id, name) if history else None
    if history is None or found is None:
        raise UsageError(unknown(name))
    check_counts(name, relations.merged(connection, history.id))
    said = Declared(values, SetBy.PERSON)
    if said != found.declared:
        relations.put(connection, history.id, name, said, found)
        resolve(connection, history.id)
        execute(connection, "advance_version", history=history.id)
    return next(r.slots for r in read.relations(connection, history) if r.name == name)


def rebuild(connection: sqlite3.Connection, history: HistoryRow, after: int) -> int | None:
    """Derive anew all that hangs on the next entities; the number of the last one, None at the end.

    What hangs on no single entity, members and counters, is derived with the first and the last.

    Args:
        connection: In a write transaction.
        history: Whose entities.
        after: Number of the last entity done, 0 at the beginning.
    """
    changed = 0
    if after == 0:
        changed += execute(connection, "set_members", history=history.id, relation=None).rowcount
    entities = read.entities(connection, history, after)
    if entities:
        numbers = json.dumps(entities)
        execute(connection, "touch_subjects", entities=numbers)
        changed += execute(connection, "drop_slots").rowcount
        changed += sum(resolve(connection, history.id))
        changed += execute(connection, "delete_entities", entities=numbers).rowcount
        changed += rename(connection, numbers)
    else:
        changed += execute(connection, "recount_history", history=history.id).rowcount
    if changed:
        execute(connection, "advance_version", history=history.id)
    return entities[-1] if entities else None


def forget(
    connection: sqlite3.Connection, history: HistoryRow, positions: Sequence[int]
) -> Forgotten:
    """Remove the records at these positions and all that came of them alone.

    Raises:
        StoreError: A slot they speak of lost its last word.
    """
    gone = {"history": history.id, "positions": json.dumps(list(positions))}
    entities = json.dumps([number for (number,) in execute(connection, "entities_at", **gone)])
    sources = json.dumps([number for (number,) in execute(connection, "sources_at", **gone)])
    execute(connection, "touch_positions", **gone)
    lost = execute(connection, "lost_touched", history=history.id)
    check_lost((position for (position,) in lost), positions)
    assertions = execute(connection, "delete_assertions", **gone).rowcount
    records = execute(connection, "delete_records", **gone).rowcount
    if not records and not assertions:
        return Forgotten()
    changed = execute(connection, "drop_slots").rowcount
    changed += resolve(connection, history.id).slots
    removed = execute(connection, "delete_entities", entities=entities).rowcount
    rename(connection, entities)
    execute(connection, "delete_sources", sources=sources)
    names = unused(read.relations(connection, history))
    execute(connection, "delete_relations", history=history.id, names=json.dumps(names))
    execute(connection, "recount_history", history=history.id)
    following = history.next_position
    left = still_counted(history.records, following, positions)
    execute(connection, "keep_counted", history=history.id, records=left, next_position=following)
    execute(connection, "advance_version", history=history.id)
    return Forgotten(
        records=records, assertions=assertions, entities=removed, slots_changed=changed
    )


def rename(connection: sqlite3.Connection, entities: str) -> int:
    """How many of the entities were named anew, after their earliest surface."""
    found = execute(connection, "misnamed_entities", entities=entities)
    misnamed = [(name, position, number) for number, _, name, position, *_ in found]
    execute_many(connection, "rename_entity", rows.NAME, misnamed)
    return len(misnamed)
