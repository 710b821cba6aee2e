"""The steps that batches of the Neo4j store are made of: relations, entities, ledger, projection.

Latest-wins itself is the statement ``latest_wins``. This module must not know why anything is
written.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cmc_graph.model import Values
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import Declared, Entry
from cmc_graph.stores.merging import unused
from cmc_graph.stores.neo4j_batch import Counters, Locked, check_written, chunks
from cmc_graph.stores.neo4j_read import as_relations
from cmc_graph.stores.projection import Placed, Slot

#: A position before all others: the slot is resolved as a whole.
WHOLE = -1

#: Touched slots, each with the smallest position that changed.
Touched = dict[Slot, int]


class Resolved(NamedTuple):
    """What resolving did.

    Attributes:
        changed: Slots that have another last word than before, or none any more.
        wrote: Anything was not as it ought to be.
    """

    changed: int
    wrote: bool


def resolve(locked: Locked, touched: Mapping[Slot, int]) -> Resolved:
    """Resolve slots, each from the smallest position that changed, or ``WHOLE``."""
    changed, wrote = 0, False
    for slots in chunks(sorted(touched)):
        firsts = [touched[slot] for slot in slots]
        columns = rows.slot_columns(slots)
        (row,), counters = locked.run("latest_wins", **columns, firsts=firsts)
        check_written("slots", len(slots), row["slots"])
        changed += row["changed"]
        wrote = wrote or counters.contains_updates
    return Resolved(changed, wrote)


def write_settled(locked: Locked, settled: Mapping[str, Declared]) -> Touched:
    """Write what is said of relations; the slots of those that have another number of values."""
    touched: Touched = {}
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
            touched |= switch(locked, name, said.values)
    return touched


def switch(locked: Locked, name: str, values: Values) -> Touched:
    """The slots of a relation, old and new, after its assertions were given new members."""
    moved = locked.read("set_members", relation=name, many=values is Values.MANY)
    return {(row["subject"], name, row["member"]): WHOLE for row in moved}


def write_entities(locked: Locked, names: Mapping[str, tuple[str, int]]) -> None:
    """Write entities by key, each with its name and the name's position, where they are new."""
    if names:
        (row,) = locked.read("write_entities", **rows.entity_columns(names))
        check_written("entities", len(names), row["entities"])


def write_assertions(
    locked: Locked,
    entries: Sequence[Entry],
    declared: Mapping[str, Declared],
    touched: Touched,
) -> int:
    """How many assertions were written; their slots are added to the touched ones."""
    written: list[Placed] = []
    for entry in entries:
        position = entry.record.position or 0
        for said in entry.assertions:
            is_many = declared[said.relation].values is Values.MANY
            slot = (said.subject, said.relation, said.object if is_many else "")
            touched[slot] = min(touched.get(slot, position), position)
            written.append(Placed(position, slot[2], said))
    if written:
        locked.write("write_assertions", len(written), **rows.assertion_columns(written))
    return len(written)


class Settled(NamedTuple):
    """How many entities were given another name, and how many nothing names any more."""

    renamed: int
    deleted: int


def settle_entities(locked: Locked, keys: Sequence[str]) -> Settled:
    """Name these entities after their first surface; delete those that nothing names any more."""
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
    return Settled(len(renamed), len(deleted))


def tidy_relations(locked: Locked) -> bool:
    """True when relations were deleted: those that nothing speaks of any more."""
    gone = unused(as_relations(locked.read("relations")))
    if gone:  # of a damaged projection, slots may be lost
        said = {row["name"] for row in locked.read("asserted_relations", names=gone)}
        gone = [name for name in gone if name not in said]
    if gone:
        locked.write("delete_relations", len(gone), names=gone)
    return bool(gone)


def counted(locked: Locked) -> Counters:
    """The counters as the history's records and entities have them."""
    (row,) = locked.read("counters")
    return Counters(*(row[name] for name in Counters._fields))
