"""Asks a store for what explanations, timelines and comparisons are made of.

Several round trips that see one version of the history, or start over. This module must not decide
anything about what it finds.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from cmc_graph import closure
from cmc_graph.explaining import comparing, telling
from cmc_graph.explaining.values import Diff, Explanation, Timeline
from cmc_graph.model import MAX_POSITION, ReadOptions, Record
from cmc_graph.retrieval import ATTEMPTS, Retrieval, never_still, sound
from cmc_graph.stores.base import Store
from cmc_graph.text import fold_space, key, tokens

#: Before any position.
_BEGINNING = -1
#: Characters of records that are held at once where all of a history is looked at.
_PAGE = 4_000_000

_Result = TypeVar("_Result")


def explain(
    store: Store, history: str, retrieval: Retrieval, question: str, options: ReadOptions
) -> Explanation:
    """Why a read shows what it shows, and what it does not show.

    Args:
        store: Where the history is.
        history: Its name.
        retrieval: Its reads.
        question: Any text that is not blank.
        options: Of the read.

    Raises:
        StoreError: The store failed.
    """

    def found() -> Explanation | None:
        evidence = retrieval.read(question, options)
        wide = store.select(history, tokens(question), closure.MAX_HOPS, options.as_of)
        if wide.version != evidence.version:
            return None
        subjects = dict.fromkeys(edge.subject_key for edge in evidence.edges)
        versions = store.versions(history, *subjects)
        older = telling.replaced(evidence.edges, versions, options.as_of)
        places = {version.position for each in older for version in each.versions}
        places |= telling.idle(evidence.edges, versions, options.as_of)
        records = [*wide.records, *store.records(history, sorted(places))]
        edges = closure.depths(wide.anchors, sound(wide.edges), closure.MAX_HOPS)
        by_position = {record.position or 0: record for record in records}
        return telling.explanation(
            question, options, telling.Found(evidence, edges, versions, by_position)
        )

    return _steadily(store, history, found)


def timeline(
    store: Store, history: str, entity: str, relation: str | None, as_of: int | None
) -> Timeline:
    """Every version of what was said of an entity, oldest first.

    Args:
        store: Where the history is.
        history: Its name.
        entity: Any surface of it.
        relation: One relation, by any of its names; None: all.
        as_of: Position; None: now.

    Raises:
        StoreError: The store failed.
    """

    def found() -> Timeline:
        name = None if relation is None else _counting(store, history, fold_space(relation))
        versions = telling.known_at(store.versions(history, key(entity), relation=name), as_of)
        places = sorted({version.position for version in versions})
        records = {r.position or 0: r for r in store.records(history, places)}
        return telling.timeline(key(entity), name, versions, records)

    return _steadily(store, history, found)


def changed(store: Store, history: str, after: int | None, upto: int) -> Diff:
    """Which slots changed after one position, None: from the beginning on, up to another.

    Raises:
        StoreError: The store failed.
    """
    since = _BEGINNING if after is None else after
    versions = store.changes(history, since, upto)
    return Diff(after=after, upto=upto, changes=comparing.changes(versions, since, upto))


def position_at(store: Store, history: str, date: str) -> int:
    """The position a history had reached by a date, from the dates its records carry.

    Raises:
        UsageError: No date, or no record is dated up to it.
        StoreError: The store failed.
    """
    return comparing.position_at(comparing.dated(_newest_first(store, history)), date)


def _newest_first(store: Store, history: str) -> Iterator[Record]:
    """All records from the newest on, a page at a time: a history may be larger than memory."""
    below, room = MAX_POSITION, _PAGE
    while True:
        page = store.newest(history, room, below)
        yield from reversed(page.records)
        if not page.omitted:
            return
        if page.records:
            below = (page.records[0].position or 0) - 1
        else:
            room *= 2  # for a record that is longer than a page


def _counting(store: Store, history: str, relation: str) -> str:
    """The name of the relation that counts, which may be another one."""
    merged = {each.name: each.merged_into for each in store.relations(history)}
    return merged.get(relation) or relation


def _steadily(store: Store, history: str, find: Callable[[], _Result | None]) -> _Result:
    """What is found while the history stays at one version; None says that it saw two."""
    before = _version(store, history)
    for _ in range(ATTEMPTS):
        result = find()
        now = _version(store, history)
        if result is not None and now == before:
            return result
        before = now
    raise never_still(history)


def _version(store: Store, history: str) -> int:
    return store.unresolved(history, 0).version
