"""What the Neo4j store writes: each verb is one locked batch, ``rebuild`` several small ones.

Python binds columns and calls the pure rules of the port; latest-wins itself is the statement
``latest_wins``, which all verbs share. This module must not know sessions, locks or retries.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from cmc_graph.errors import UsageError
from cmc_graph.model import MAX_POSITION, Forgotten, Record, SetBy, Values
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import (
    Applied,
    Batch,
    Declared,
    Entry,
    check_history,
    plan,
    settle,
)
from cmc_graph.stores.neo4j_batch import (
    Counters,
    Locked,
    Outcome,
    check_written,
    chunks,
    in_batch,
)
from cmc_graph.stores.neo4j_link import Link
from cmc_graph.stores.neo4j_read import known
from cmc_graph.stores.neo4j_rows import Slot
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
    used = _used(batch.entries)
    return in_batch(link, check_history(history), lambda locked: _append(locked, batch), used)


def set_relation(link: Link, history: str, name: str, values: Values) -> int:
    """How many slots the relation has after a person said how many values it takes.

    Raises:
        UsageError: The history has no such relation.
    """
    said = Declared(values, SetBy.PERSON)

    def body(locked: Locked) -> Outcome[None]:
        if name not in locked.declared:
            raise UsageError(
                f"the history has no relation {shorten(name, 40)!r}; "
                "'cmc-graph relations' lists those it has"
            )
        if locked.declared[name] == said:
            return Outcome(None)
        _write_relations(locked, {name: said})
        if locked.declared[name].values is not values:
            _resolve(locked, _switch(locked, name, values))
        return Outcome(None, locked.counters)

    in_batch(link, history, body, [name])
    return next(row["slots"] for row in link.read("relations", history=history) if row["name"] == name)


def forget(link: Link, history: str, positions: Sequence[int]) -> Forgotten:
    """Remove the records at these positions and all that came of them alone."""
    gone = sorted({position for position in positions if 0 <= position <= MAX_POSITION})

    def body(locked: Locked) -> Outcome[Forgotten]:
        held = [row["position"] for row in locked.read("known_positions", positions=gone)]
        if not held:
            return Outcome(Forgotten())
        said = locked.read("delete_assertions", positions=held)
        locked.write("delete_records", len(held), positions=held)
        changed = _resolve(locked, {_slot(row): _WHOLE for row in said})
        keys = {key for row in said for key in (row["subject"], row["object"])}
        forgotten = Forgotten(
            records=len(held),
            assertions=len(said),
            entities=_settle_entities(locked, sorted(keys)),
            slots_changed=changed,
        )
        return Outcome(forgotten, _recount(locked))

    if not link.read("head", history=history, relations=[]):
        return Forgotten()
    return in_batch(link, history, body)


def rebuild(link: Link, history: str) -> int:
    """How many slots there are after the projection was derived anew from the ledger alone.

    In transactions of a thousand slots or entities each; every one leaves its slots complete.
    """
    if not link.read("head", history=history, relations=[]):
        return 0
    astray = {(row["relation"], row["many"]) for row in link.stream("members_astray", history=history)}
    for name, many in sorted(astray):
        in_batch(link, history, _rebuilding_members(name, many=many))
    slots = 0
    for chunk in chunks(map(_slot, link.stream("slots", history=history))):
        in_batch(link, history, _rebuilding_slots(chunk))
        slots += len(chunk)
    for chunk in chunks(map(_slot, link.stream("stray_slots", history=history))):
        in_batch(link, history, _rebuilding_slots(chunk))
    for keys in chunks(row["key"] for row in link.stream("entities", history=history)):
        in_batch(link, history, _rebuilding_entities(keys))
    in_batch(link, history, _recounting)
    return slots
