"""How the Neo4j store takes what is read of a history anew, and merges its relations.

Each verb is one locked batch, so that readers see the old state or the new one. This module must
not know sessions, locks or retries.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace as replaced
from functools import partial

from cmc_graph.model import Pattern, Relation, SetBy, Values
from cmc_graph.stores import neo4j_ledger as ledger
from cmc_graph.stores import neo4j_read as read
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import Applied, Batch, Declared, check_history
from cmc_graph.stores.merging import check_unchanged, merges, renamed
from cmc_graph.stores.neo4j_batch import Locked, Outcome, check_written, chunks, find_head, in_batch
from cmc_graph.stores.neo4j_link import Link, Row
from cmc_graph.stores.planning import first_mentions, persons, settle, stronger, verdicts
from cmc_graph.stores.projection import Projection, projection
from cmc_graph.text import key_length

_NEW = Declared(Values.ONE, SetBy.FRONTEND)


def replace(link: Link, history: str, batch: Batch, version: int) -> Applied:
    """Put other verdicts and assertions in the place of those the records of a history have.

    Raises:
        StoreBusy: The history was written to after that version.
        StoreError: The store failed. In every case nothing is changed.
    """
    if not find_head(link, history):
        check_unchanged(history, 0, version)
        return Applied()
    return in_batch(link, history, partial(_replace, batch=batch, version=version))


def merge_relations(link: Link, history: str, into: Mapping[str, str]) -> None:
    """Make relations other names of those that count instead, in one batch.

    Raises:
        UsageError: The history has no relation to merge into, or two are one already, the other
            way round.
    """
    if find_head(link, history):
        in_batch(link, history, partial(_merge, into=into), [*into, *into.values()])
    else:
        deque(merges(into, {}, ()), maxlen=0)  # refuses whatever it is


def declare(link: Link, history: str, found: Sequence[Relation]) -> None:
    """Write the relations the history does not have, as they are given, in one batch.

    Raises:
        UsageError: The history cannot have that name.
    """
    if found:
        names = [each.name for each in found]
        in_batch(link, check_history(history), partial(_declare, found=found), names)


def patterns(link: Link, history: str) -> list[Pattern]:
    """The patterns kept with a history, in their order."""
    return [Pattern(**row) for row in link.read("patterns", history=history)]


def keep_patterns(link: Link, history: str, found: Sequence[Pattern]) -> None:
    """Keep these patterns with a history, instead of those it had.

    Raises:
        UsageError: The history cannot have that name.
    """
    if found or find_head(link, history):
        in_batch(link, check_history(history), partial(_keep_patterns, found=found))


def _replace(locked: Locked, batch: Batch, version: int) -> Outcome[Applied]:
    check_unchanged(locked.history, locked.version, version)
    before = read.as_relations(locked.read("relations"))
    batch = renamed(batch, {each.name: each.merged_into for each in before if each.merged_into})
    stored = {each.name: Declared(each.values, each.set_by) for each in before}
    used = rows.used_relations(batch.entries)
    settled = settle(batch.relations, persons(stored), used)
    found = projection(batch.entries, {**stored, **settled})
    names = first_mentions(batch.entries)
    held = {rows.slot(row): _word(row) for row in locked.read("clear_edges")}
    locked.run("clear_assertions")
    ledger.write_settled(locked, settled)
    _write(locked, batch, found, names)
    _tidy(locked, names)
    words = {
        slot: (word.position, word.said.ordinal, word.object, word.retracts)
        for slot, word in found.words.items()
    }
    applied = Applied(
        **verdicts(batch.entries),
        assertions=len(found.assertions),
        slots_changed=sum(held.get(s) != words.get(s) for s in held.keys() | words.keys()),
        version=locked.version + 1,
    )
    longest = max(map(key_length, names), default=0)
    return Outcome(applied, locked.counters._replace(longest_key=longest))


def _write(locked: Locked, batch: Batch, found: Projection, names: rows.Names) -> None:
    """Write verdicts, entities, ledger and projection; nothing of the last two is there."""
    for entries in chunks(batch.entries):
        (decided,) = locked.read("decide_records", **rows.verdict_columns(entries))
        check_written("verdicts", len(entries), decided["records"])
    for keys in chunks(names):
        part = {key: names[key] for key in keys}
        ledger.write_entities(locked, part)
        locked.run("rename_entities", **rows.entity_columns(part))
    for placed in chunks(found.assertions):
        locked.write("write_assertions", len(placed), **rows.assertion_columns(placed))
    for words in chunks(found.words.items()):
        locked.write("write_edges", len(words), **rows.edge_columns(words))


def _word(row: Row) -> tuple[int, int, str, bool]:
    return (row["position"], row["ordinal"], row["object"], row["retracts"])


def _tidy(locked: Locked, names: rows.Names) -> None:
    """Delete the entities and relations that nothing names any more."""
    keys = [row["key"] for row in locked.read("entities") if row["key"] not in names]
    for part in chunks(keys):
        locked.write("delete_entities", len(part), keys=part)
    ledger.tidy_relations(locked)


def _merge(locked: Locked, into: Mapping[str, str]) -> Outcome[None]:
    declared = dict(locked.declared)
    touched: ledger.Touched = {}
    todo = list(merges(into, locked.merged, declared))
    for name, root in todo:
        said = stronger(declared[root], declared.get(name, _NEW))
        if said != declared[root]:
            touched |= ledger.write_settled(replaced(locked, declared=declared), {root: said})
            declared[root] = said
        if name in declared:
            many = said.values is Values.MANY
            for row in locked.read("move_assertions", relation=name, root=root, many=many):
                touched[row["subject"], name, row["old"]] = ledger.WHOLE
                touched[row["subject"], root, row["new"]] = ledger.WHOLE
        locked.run("merge_relation", relation=name, root=root)
    ledger.resolve(locked, touched)
    return Outcome(None, locked.counters if todo else None)


def _declare(locked: Locked, found: Sequence[Relation]) -> Outcome[None]:
    new = [each for each in found if each.name not in locked.declared]
    said = {each.name: Declared(each.values, each.set_by) for each in new}
    ledger.write_settled(locked, said)
    for each in new:
        if each.merged_into is not None:
            locked.run("merge_relation", relation=each.name, root=each.merged_into)
    return Outcome(None, locked.counters if new else None)


def _keep_patterns(locked: Locked, found: Sequence[Pattern]) -> Outcome[None]:
    locked.run("delete_patterns")
    if found:
        locked.write("write_patterns", len(found), **rows.pattern_columns(found))
    return Outcome(None, None if locked.version else locked.counters)
