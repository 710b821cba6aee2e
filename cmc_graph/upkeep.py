"""The use cases that resolve slots of a whole ledger anew: rebuild, and a word on relations.

They refuse a ledger that has lost something: a slot that lacks its last word would fall back to an
older value without a word. This module must not know which store it writes to.
"""

from collections.abc import Mapping

from cmc_graph.errors import UsageError
from cmc_graph.model import Values
from cmc_graph.stores import wholeness
from cmc_graph.stores.base import Store


def rebuild(store: Store, history: str, *, accept_loss: bool = False) -> int:
    """How many slots there are after the projection was derived anew from the ledger.

    Args:
        store: Where the history is.
        history: Its name.
        accept_loss: What is there is all there is, whatever was lost.

    Raises:
        StoreBusy: The history was written to while it was looked through.
        StoreError: The store failed, or something of the ledger is damaged or lost.
    """
    if not accept_loss:
        wholeness.check(store, history)
    return store.rebuild(history)


def set_relation(store: Store, history: str, name: str, values: Values | str) -> int:
    """How many slots the relation has after it was set to one or many values.

    Args:
        store: Where the history is.
        history: Its name.
        name: Of the relation.
        values: One of ``Values``.

    Raises:
        UsageError: No such relation in the history, or neither one nor many.
        StoreError: As for ``rebuild``; nothing is changed.
    """
    if values not in tuple(Values):
        raise UsageError(f"a relation takes 'one' or 'many' values, not {values!r}")
    wholeness.check(store, history)
    return store.set_relation(history, name, Values(values))


def merge_relation(store: Store, history: str, name: str, into: str) -> int:
    """How many slots the relation that counts has after another one became a name of it.

    Raises:
        UsageError: As for ``merge_relations``, like the rest.
        StoreError: Nothing is changed.
    """
    merge_relations(store, history, {name: into})
    found = {each.name: each for each in store.relations(history)}
    return found[found[name].merged_into or into].slots


def merge_relations(store: Store, history: str, into: Mapping[str, str]) -> None:
    """Make relations other names of those that count instead.

    Args:
        store: Where the history is.
        history: Its name.
        into: What each relation is merged into.

    Raises:
        UsageError: No relation to merge into, or they are one already, the other way round.
        StoreError: As for ``rebuild``; nothing is changed.
    """
    wholeness.check(store, history)
    store.merge_relations(history, into)
