"""What the Neo4j store writes: each verb is one locked batch, ``rebuild`` several small ones.

Python binds columns and calls the pure rules of the port; latest-wins itself is the statement
``latest_wins``, which all verbs share. This module must not know sessions, locks or retries.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from cmc_graph.errors import UsageError
from cmc_graph.model import MAX_POSITION, Forgotten, SetBy, Values
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import (
    Applied,
    Assertion,
    Batch,
    Declared,
    Entry,
    check_history,
)
from cmc_graph.stores.neo4j_batch import (
    Counters,
    Locked,
    Outcome,
    check_written,
    chunks,
    in_batch,
)
from cmc_graph.stores.neo4j_link import Link, Row
from cmc_graph.stores.neo4j_read import known
from cmc_graph.stores.neo4j_rows import Slot, used_relations
from cmc_graph.stores.planning import plan, settle
from cmc_graph.text import key_length, shorten

#: A position before all others: the slot is resolved as a whole.
_WHOLE = -1

#: Touched slots, each with the smallest position that changed.
_Touched = dict[Slot, int]


def append(link: Link, history: str, batch: Batch) -> Applied:
    """Write the new entries of a batch and resolve the slots they touch.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        SourceError: The history has no position left.
        UsageError: The history cannot have that name.
        StoreError: The store failed. In every case nothing of the batch is written.
    """
    if not batch.entries:
        head = _head(link, history)
        return Applied(version=head[0]["version"] if head else 0)
    relations = used_relations(batch.entries)
    return in_batch(link, check_history(history), partial(_append, batch=batch), relations)


def set_relation(link: Link, history: str, name: str, values: Values) -> int:
    """How many slots the relation has after a person said how many values it takes.

    Raises:
        UsageError: The history has no such relation.
    """
    in_batch(
        link,
        history,
        partial(_set_relation, name=name, said=Declared(values, SetBy.PERSON)),
        [name],
    )
    found = link.read("relations", history=history)
    return next(int(row["slots"]) for row in found if row["name"] == name)


def forget(link: Link, history: str, positions: Sequence[int]) -> Forgotten:
    """Remove the records at these positions and all that came of them alone."""
    gone = sorted({position for position in positions if 0 <= position <= MAX_POSITION})
    if not _head(link, history):
        return Forgotten()
    return in_batch(link, history, partial(_forget, positions=gone))


def rebuild(link: Link, history: str) -> int:
    """How many slots there are after the projection was derived anew from the ledger alone.

    In transactions of a thousand slots or entities each; every one leaves its slots complete.
    """
    if not _head(link, history):
        return 0
    for row in link.read("relations_astray", history=history):
        body = partial(_rebuild_members, name=row["name"], values=Values(row["values"]))
        in_batch(link, history, body)
    count = 0
    for slots in chunks(map(rows.slot, link.stream("slots", history=history))):
        in_batch(link, history, partial(_rebuild_slots, slots=slots))
        count += len(slots)
    for slots in chunks(map(rows.slot, link.stream("stray_slots", history=history))):
        in_batch(link, history, partial(_rebuild_slots, slots=slots))
    for keys in chunks(row["key"] for row in link.stream("entities", history=history)):
        in_batch(link, history, partial(_rebuild_entities, keys=keys))
    in_batch(link, history, _rebuild_counters)
    return count


def _head(link: Link, history: str) -> list[Row]:
    """The history's node, or nothing where it was never written."""
    return link.read("head", history=history, relations=[])


def _append(locked: Locked, batch: Batch) -> Outcome[Applied]:
    counters = locked.counters
    records = [entry.record for entry in batch.entries]
    held = known(locked.read, records, below=counters.next_position)
    planned = plan(batch, held, counters.next_position)
    if not planned.entries:
        return Outcome(Applied(skipped=planned.skipped, version=locked.version))
    settled = settle(batch.relations, locked.declared, used_relations(planned.entries))
    touched = _write_settled(locked, settled)
    names = rows.first_names(planned.entries)
    locked.write("write_records", len(planned.entries), **rows.record_columns(planned.entries))
    _write_entities(locked, names)
    declared = {**locked.declared, **settled}
    assertions = _write_assertions(locked, planned.entries, declared, touched)
    applied = Applied(
        **rows.verdicts(planned.entries),
        skipped=planned.skipped,
        assertions=assertions,
        slots_changed=_resolve(locked, touched).changed,
        version=locked.version + 1,
    )
    longest = max(map(key_length, names), default=0)
    after = Counters(
        counters.records + len(planned.entries),
        planned.next_position,
        max(counters.longest_key, longest),
    )
    return Outcome(applied, after)


def _set_relation(locked: Locked, name: str, said: Declared) -> Outcome[None]:
    before = locked.declared.get(name)
    if before is None:
        raise UsageError(
            f"the history has no relation {shorten(name, 40)!r}; "
            "'cmc-graph relations' lists those it has"
        )
    if said == before:
        return Outcome(None)
    _resolve(locked, _write_settled(locked, {name: said}))
    return Outcome(None, locked.counters)


def _forget(locked: Locked, positions: Sequence[int]) -> Outcome[Forgotten]:
    held = [row["position"] for row in locked.read("known_positions", positions=positions)]
    if not held:
        return Outcome(Forgotten())
    said = locked.read("delete_assertions", positions=held)
    locked.write("delete_records", len(held), positions=held)
    resolved = _resolve(locked, dict.fromkeys(map(rows.slot, said), _WHOLE))
    keys = {key for row in said for key in (row["subject"], row["object"])}
    forgotten = Forgotten(
        records=len(held),
        assertions=len(said),
        entities=_settle_entities(locked, sorted(keys)).deleted,
        slots_changed=resolved.changed,
    )
    return Outcome(forgotten, _counted(locked))


def _rebuild_members(locked: Locked, name: str, values: Values) -> Outcome[None]:
    _resolve(locked, _switch(locked, name, values))
    return Outcome(None, locked.counters)


def _rebuild_slots(locked: Locked, slots: Sequence[Slot]) -> Outcome[None]:
    resolved = _resolve(locked, dict.fromkeys(slots, _WHOLE))
    return Outcome(None, locked.counters if resolved.wrote else None)


def _rebuild_entities(locked: Locked, keys: Sequence[str]) -> Outcome[None]:
    settled = _settle_entities(locked, keys)
    return Outcome(None, locked.counters if settled.renamed or settled.deleted else None)


def _rebuild_counters(locked: Locked) -> Outcome[None]:
    counted = _counted(locked)
    return Outcome(None, None if counted == locked.counters else counted)


class _Resolved(NamedTuple):
    """What resolving did.

    Attributes:
        changed: Slots that have another last word than before, or none any more.
        wrote: Anything was not as it ought to be.
    """

    changed: int
    wrote: bool


def _resolve(locked: Locked, touched: Mapping[Slot, int]) -> _Resolved:
    changed, wrote = 0, False
    for slots in chunks(sorted(touched)):
        firsts = [touched[slot] for slot in slots]
        columns = rows.slot_columns(slots)
        (row,), counters = locked.run("latest_wins", **columns, firsts=firsts)
        check_written("slots", len(slots), row["slots"])
        changed += row["changed"]
        wrote = wrote or counters.contains_updates
    return _Resolved(changed, wrote)


def _write_settled(locked: Locked, settled: Mapping[str, Declared]) -> _Touched:
    """Write what is said of relations; the slots of those that have another number of values."""
    touched: _Touched = {}
    if settled:
        written = locked.read(
            "write_relations",
            names=list(settled),
            values=[said.values.value for said in settled.values()],
            set_by=[said.set_by.value for said in settled.values()],
        )
        check_written("relations", len(settled), written[0]["relations"])
    for name, said in settled.items():
        before = locked.declared.get(name)
        if before is not None and before.values is not said.values:
            touched |= _switch(locked, name, said.values)
    return touched


def _switch(locked: Locked, name: str, values: Values) -> _Touched:
    """The slots of a relation, old and new, after its assertions were given new members."""
    moved = locked.read("set_members", relation=name, many=values is Values.MANY)
    return {(row["subject"], name, row["member"]): _WHOLE for row in moved}


def _write_entities(locked: Locked, names: Mapping[str, tuple[str, int]]) -> None:
    if names:
        (row,) = locked.read("write_entities", **rows.entity_columns(names))
        check_written("entities", len(names), row["entities"])


def _write_assertions(
    locked: Locked,
    entries: Sequence[Entry],
    declared: Mapping[str, Declared],
    touched: _Touched,
) -> int:
    """How many assertions were written; their slots are added to the touched ones."""
    written: list[tuple[int, str, Assertion]] = []
    for entry in entries:
        position = entry.record.position or 0
        for said in entry.assertions:
            is_many = declared[said.relation].values is Values.MANY
            slot = (said.subject, said.relation, said.object if is_many else "")
            touched[slot] = min(touched.get(slot, position), position)
            written.append((position, slot[2], said))
    if written:
        locked.write("write_assertions", len(written), **rows.assertion_columns(written))
    return len(written)


class _Settled(NamedTuple):
    """How many entities were given another name, and how many nothing names any more."""

    renamed: int
    deleted: int


def _settle_entities(locked: Locked, keys: Sequence[str]) -> _Settled:
    named = locked.read("naming", keys=keys)
    deleted = [row["key"] for row in named if row["surface"] is None]
    renamed = {
        row["key"]: (row["surface"], row["position"])
        for row in named
        if row["surface"] is not None
        and (row["surface"], row["position"]) != (row["name"], row["name_position"])
    }
    if renamed:
        locked.read("rename_entities", **rows.entity_columns(renamed))
    if deleted:
        locked.write("delete_entities", len(deleted), keys=deleted)
    return _Settled(len(renamed), len(deleted))


def _counted(locked: Locked) -> Counters:
    (row,) = locked.read("counters")
    return Counters(*(row[name] for name in Counters._fields))
