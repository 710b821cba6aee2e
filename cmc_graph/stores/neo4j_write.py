"""What the Neo4j store writes: each verb is one locked batch, ``rebuild`` several small ones.

Python binds columns and calls the pure rules of the port; latest-wins itself is the statement
``latest_wins``, which all verbs share. This module must not know sessions, locks or retries.
"""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from cmc_graph.errors import UsageError
from cmc_graph.model import MAX_POSITION, Forgotten, SetBy, Values
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import Applied, Batch, Declared, check_history
from cmc_graph.stores.merging import check_counts, renamed, unknown
from cmc_graph.stores.neo4j_batch import Counters, Locked, Outcome, chunks, find_head, in_batch
from cmc_graph.stores.neo4j_ledger import (
    WHOLE,
    counted,
    resolve,
    settle_entities,
    switch,
    tidy_relations,
    write_assertions,
    write_entities,
    write_settled,
)
from cmc_graph.stores.neo4j_link import Link, Row
from cmc_graph.stores.neo4j_read import known
from cmc_graph.stores.neo4j_rows import used_relations
from cmc_graph.stores.planning import (
    check_lost,
    first_mentions,
    plan,
    settle,
    still_counted,
    verdicts,
)
from cmc_graph.stores.projection import Slot
from cmc_graph.text import key_length


def append(link: Link, history: str, batch: Batch) -> Applied:
    """Write the new entries of a batch and resolve the slots they touch.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        SourceError: The history has no position left.
        UsageError: The history cannot have that name.
        StoreError: The store failed. In every case nothing of the batch is written, unless the
            answer to its commit was lost; then the same batch given again finds out.
    """
    if not batch.entries:
        found = find_head(link, history)
        return Applied(version=found["version"] if found else 0)
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
    """Remove the records at these positions and all that came of them alone.

    In transactions of a thousand records, since a look-up costs more, the more its transaction has
    deleted. The oldest go first: no value comes back in between that is to be forgotten, too.

    Raises:
        StoreError: A slot they speak of lost its last word; what was forgotten before stays so.
    """
    gone = sorted({position for position in positions if 0 <= position <= MAX_POSITION})
    done = Forgotten()
    if not find_head(link, history):
        return done
    for some in chunks(gone):
        part = in_batch(link, history, partial(_forget, positions=some, gone=gone))
        done = Forgotten(**{name: getattr(done, name) + n for name, n in asdict(part).items()})
    in_batch(link, history, _tidy_relations)  # also what an interrupted forgetting left
    return done


def rebuild(link: Link, history: str) -> int:
    """How many slots there are after the projection was derived anew from the ledger alone.

    In transactions of a thousand slots or entities each; every one leaves its slots complete.
    """
    if not find_head(link, history):
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


def _append(locked: Locked, batch: Batch) -> Outcome[Applied]:
    counters = locked.counters
    batch = renamed(batch, locked.merged)
    records = [entry.record for entry in batch.entries]
    held = known(locked.read, records, below=counters.next_position)
    planned = plan(batch, held, counters.next_position)
    if not planned.entries:
        return Outcome(Applied(skipped=planned.skipped, version=locked.version))
    settled = settle(batch.relations, locked.declared, used_relations(planned.entries))
    touched = write_settled(locked, settled)
    names = first_mentions(planned.entries)
    locked.write("write_records", len(planned.entries), **rows.record_columns(planned.entries))
    write_entities(locked, names)
    declared = {**locked.declared, **settled}
    assertions = write_assertions(locked, planned.entries, declared, touched)
    applied = Applied(
        **verdicts(planned.entries),
        skipped=planned.skipped,
        assertions=assertions,
        slots_changed=resolve(locked, touched).changed,
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
        raise UsageError(unknown(name))
    check_counts(name, locked.merged)
    if said == before:
        return Outcome(None)
    resolve(locked, write_settled(locked, {name: said}))
    return Outcome(None, locked.counters)


def _forget(locked: Locked, positions: Sequence[int], gone: Sequence[int]) -> Outcome[Forgotten]:
    held = [row["position"] for row in locked.read("known_positions", positions=positions)]
    said = locked.read("delete_assertions", positions=positions)  # also of a record that is lost
    if not held and not said:
        return Outcome(Forgotten())
    locked.write("delete_records", len(held), positions=held)
    slots = set(filter(rows.is_slot, map(rows.slot, said)))
    if damaged := [row for row in said if not rows.is_slot(rows.slot(row))]:
        at = {"keys": sorted(_keys(damaged)), "positions": positions}
        slots |= set(filter(rows.is_slot, map(rows.slot, locked.read("words_at", **at))))
    for some in chunks(sorted(slots)):
        lost = locked.read("lost_edges", **rows.slot_columns(some))
        check_lost((row["position"] for row in lost), gone)
    resolved = resolve(locked, dict.fromkeys(slots, WHOLE))
    forgotten = Forgotten(
        records=len(held),
        assertions=len(said),
        entities=settle_entities(locked, sorted(_keys(said))).deleted,
        slots_changed=resolved.changed,
    )
    found, before = counted(locked), locked.counters
    left = still_counted(before.records, before.next_position, positions)
    if found.records < left:  # some were lost before, and the count is all that tells of them
        found = found._replace(records=left, next_position=before.next_position)
    return Outcome(forgotten, found)


def _keys(said: Sequence[Row]) -> set[str]:
    """The entities at some assertions; one that is damaged may lack a key."""
    return {row[end] for row in said for end in ("subject", "object") if row[end] is not None}


def _tidy_relations(locked: Locked) -> Outcome[None]:
    return Outcome(None, locked.counters if tidy_relations(locked) else None)


def _rebuild_members(locked: Locked, name: str, values: Values) -> Outcome[None]:
    resolve(locked, switch(locked, name, values))
    return Outcome(None, locked.counters)


def _rebuild_slots(locked: Locked, slots: Sequence[Slot]) -> Outcome[None]:
    resolved = resolve(locked, dict.fromkeys(slots, WHOLE))
    return Outcome(None, locked.counters if resolved.wrote else None)


def _rebuild_entities(locked: Locked, keys: Sequence[str]) -> Outcome[None]:
    settled = settle_entities(locked, keys)
    return Outcome(None, locked.counters if settled.renamed or settled.deleted else None)


def _rebuild_counters(locked: Locked) -> Outcome[None]:
    found = counted(locked)
    return Outcome(None, None if found == locked.counters else found)
