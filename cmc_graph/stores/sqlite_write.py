"""What the SQLite store writes: each function is the body of one write transaction.

Python binds rows and calls the pure rules of the port; latest-wins itself is the statement
``resolve``, which all functions share.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cmc_graph.errors import UsageError
from cmc_graph.model import Forgotten, SetBy, Status, Values
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores.base import Applied, Assertion, Batch, Declared, Entry, Known, check_history
from cmc_graph.stores.planning import Plan, plan, settle
from cmc_graph.stores.sqlite_read import HistoryRow, find_history
from cmc_graph.stores.sqlite_statements import execute, execute_many
from cmc_graph.text import key_length, shorten


@dataclass(frozen=True, slots=True)
class _RelationRow:
    """A relation as it is stored; ``many`` says that a subject has a slot for each value."""

    id: int
    declared: Declared
    many: bool


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers that stand for the texts of a batch."""

    history: int
    keys: Mapping[str, int]
    relations: Mapping[str, _RelationRow]
    labels: Mapping[str, int]


def append(connection: sqlite3.Connection, name: str, batch: Batch) -> Applied:
    """Write the new entries of a batch and resolve the slots they touch.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        SourceError: The history has no position left.
        UsageError: The history cannot have that name.
    """
    history = find_history(connection, name)
    records = [entry.record for entry in batch.entries]
    known = Known() if history is None else read.known(connection, history, records)
    planned = plan(batch, known, 0 if history is None else history.next_position)
    if not planned.entries:
        return Applied(skipped=planned.skipped, version=0 if history is None else history.version)
    if history is None:
        row = execute(connection, "add_history", name=check_history(name)).fetchone()
        history = HistoryRow(*row)
    numbers = _Numbers(
        history.id,
        _write_entities(connection, history, planned.entries),
        _write_relations(connection, history, batch.relations, planned.entries),
        _write_labels(connection, planned.entries),
    )
    assertions = _write_entries(connection, numbers, planned.entries)
    changed = _resolve(connection, history).slots
    version = _advance(connection, history, planned, numbers.keys)
    return _applied(planned, assertions, changed, version)


def set_relation(
    connection: sqlite3.Connection, history: HistoryRow | None, name: str, values: Values
) -> int:
    """How many slots the relation has after a person said how many values it takes.

    Raises:
        UsageError: The history has no such relation.
    """
    found = history and _find_relation(connection, history, name)
    if not history or not found:
        raise UsageError(
            f"the history has no relation {shorten(name, 40)!r}; "
            "'cmc-graph relations' lists those it has"
        )
    said = Declared(values, SetBy.PERSON)
    if said != found.declared:
        _put_relation(connection, history, name, said, found)
        _resolve(connection, history)
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
        changed += sum(_resolve(connection, history))
        changed += _rename(connection, numbers)
    else:
        changed += execute(connection, "recount_history", history=history.id).rowcount
    if changed:
        execute(connection, "advance_version", history=history.id)
    return entities[-1] if entities else None


def forget(
    connection: sqlite3.Connection, history: HistoryRow, positions: Sequence[int]
) -> Forgotten:
    """Remove the records at these positions and all that came of them alone."""
    gone: dict[str, Any] = {"history": history.id, "positions": json.dumps(list(positions))}
    entities = json.dumps([number for (number,) in execute(connection, "entities_at", **gone)])
    sources = json.dumps([number for (number,) in execute(connection, "sources_at", **gone)])
    execute(connection, "touch_positions", **gone)
    assertions = execute(connection, "delete_assertions", **gone).rowcount
    records = execute(connection, "delete_records", **gone).rowcount
    if not records:
        return Forgotten()
    changed = execute(connection, "drop_slots").rowcount
    changed += _resolve(connection, history).slots
    removed = execute(connection, "delete_entities", entities=entities).rowcount
    _rename(connection, entities)
    execute(connection, "delete_labels", labels=sources)
    execute(connection, "recount_history", history=history.id)
    execute(connection, "advance_version", history=history.id)
    return Forgotten(
        records=records, assertions=assertions, entities=removed, slots_changed=changed
    )


class _Resolved(NamedTuple):
    """What resolving changed.

    Attributes:
        slots: Slots that have another last word than before, new ones included.
        ends: Assertions that end elsewhere than before.
    """

    slots: int
    ends: int


def _resolve(connection: sqlite3.Connection, history: HistoryRow) -> _Resolved:
    """Resolve the touched slots, which are none afterwards."""
    execute(connection, "resolve", history=history.id)
    ends = execute(connection, "set_ends", history=history.id).rowcount
    slots = execute(connection, "set_slots").rowcount
    execute(connection, "clear_touched")
    execute(connection, "clear_resolved")
    return _Resolved(slots, ends)


def _rename(connection: sqlite3.Connection, entities: str) -> int:
    """How many of the entities were named anew, after their earliest surface."""
    misnamed = [
        {"id": number, "name": name, "name_position": position}
        for number, _, name, position, *_ in execute(
            connection, "misnamed_entities", entities=entities
        )
    ]
    execute_many(connection, "rename_entity", misnamed)
    return len(misnamed)


def _write_entities(
    connection: sqlite3.Connection, history: HistoryRow, entries: Iterable[Entry]
) -> dict[str, int]:
    """The numbers of all keys that the entries name, which are written where they are new."""
    mentions: dict[str, dict[str, Any]] = {}
    for entry in sorted(entries, key=_position):
        position = _position(entry)
        for said in entry.assertions:
            if said.subject not in mentions:
                mentions[said.subject] = _mention(said.subject, said.subject_text, position)
            if said.object not in mentions:
                mentions[said.object] = _mention(said.object, said.object_text, position)
    execute_many(connection, "add_mention", mentions.values())
    execute(connection, "add_entities", history=history.id)
    keys = dict(execute(connection, "mentioned_entities", history=history.id))
    execute(connection, "clear_mentioned")
    return keys


def _mention(key: str, surface: str, position: int) -> dict[str, Any]:
    return {"key": key, "surface": surface, "position": position}


def _write_relations(
    connection: sqlite3.Connection,
    history: HistoryRow,
    declared: Mapping[str, Declared],
    entries: Iterable[Entry],
) -> dict[str, _RelationRow]:
    """The relations that the entries use, after what the batch says of them."""
    used = dict.fromkeys(said.relation for entry in entries for said in entry.assertions)
    rows: dict[str, _RelationRow] = {}
    for name in used:
        found = _find_relation(connection, history, name)
        if found:
            rows[name] = found
    stored = {name: row.declared for name, row in rows.items()}
    for name, said in settle(declared, stored, used).items():
        rows[name] = _put_relation(connection, history, name, said, rows.get(name))
    return rows


def _find_relation(
    connection: sqlite3.Connection, history: HistoryRow, name: str
) -> _RelationRow | None:
    row = execute(connection, "find_relation", history=history.id, name=name).fetchone()
    return row and _relation_row(row[0], Declared(Values(row[1]), SetBy(row[2])))


def _put_relation(
    connection: sqlite3.Connection,
    history: HistoryRow,
    name: str,
    said: Declared,
    before: _RelationRow | None,
) -> _RelationRow:
    """Write what is said of a relation; where its number of values changes, touch its slots."""
    (number,) = execute(
        connection,
        "put_relation",
        history=history.id,
        name=name,
        values=said.values.value,
        set_by=said.set_by.value,
    ).fetchone()
    if before is not None and before.declared.values is not said.values:
        relation = {"history": history.id, "relation": number}
        execute(connection, "touch_relation", **relation)
        execute(connection, "set_members", **relation)
        execute(connection, "drop_slots")
        execute(connection, "touch_relation", **relation)
    return _relation_row(number, said)


def _relation_row(number: int, declared: Declared) -> _RelationRow:
    return _RelationRow(number, declared, declared.values is Values.MANY)


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
    connection: sqlite3.Connection, numbers: _Numbers, entries: Sequence[Entry]
) -> int:
    """How many assertions were written, beside their records; their slots are touched."""
    execute_many(connection, "add_record", (_record_row(numbers, entry) for entry in entries))
    rows = [_assertion_row(numbers, entry, said) for entry in entries for said in entry.assertions]
    execute_many(connection, "add_assertion", rows)
    positions = json.dumps([entry.record.position for entry in entries])
    execute(connection, "touch_new", history=numbers.history, positions=positions)
    return len(rows)


def _record_row(numbers: _Numbers, entry: Entry) -> dict[str, Any]:
    record = entry.record
    return {
        "history": numbers.history,
        "position": record.position,
        "text": record.text,
        "status": record.status and str(record.status),
        "reason": record.reason,
        "source": None if record.source is None else numbers.labels[record.source],
        "source_line": record.source_line,
        "observed_at": record.observed_at,
        "speaker": record.speaker,
        "session": record.session,
    }


def _assertion_row(numbers: _Numbers, entry: Entry, said: Assertion) -> dict[str, Any]:
    relation = numbers.relations[said.relation]
    obj = numbers.keys[said.object]
    return {
        "history": numbers.history,
        "position": entry.record.position,
        "ordinal": said.ordinal,
        "subject": numbers.keys[said.subject],
        "relation": relation.id,
        "object": obj,
        "member": obj if relation.many else 0,
        "retracts": said.retracts,
        "subject_text": said.subject_text,
        "object_text": said.object_text,
        "literal": said.literal,
        "frontend": numbers.labels[said.frontend],
    }


def _advance(
    connection: sqlite3.Connection, history: HistoryRow, planned: Plan, keys: Iterable[str]
) -> int:
    """The history's version after the batch."""
    (version,) = execute(
        connection,
        "advance_history",
        history=history.id,
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


def _position(entry: Entry) -> int:
    return entry.record.position or 0
