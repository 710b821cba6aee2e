"""What follows when relations are merged, or records are read again: pure rules of both stores.

A merged relation is another name of the one that counts, its root; roots are never merged
themselves. This module must not know a database.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from cmc_graph.errors import StoreBusy, UsageError
from cmc_graph.model import Relation, SetBy
from cmc_graph.stores.base import Batch, Declared, Entry
from cmc_graph.stores.planning import stronger
from cmc_graph.text import shorten


def renamed(batch: Batch, merged: Mapping[str, str]) -> Batch:
    """The batch with the names that count, also in what is said of relations.

    Args:
        batch: As frontends named its relations.
        merged: The root of every merged relation, by its name.
    """
    if not merged:
        return batch
    relations: dict[str, Declared] = {}
    for name, said in batch.relations.items():
        root = merged.get(name, name)
        relations[root] = stronger(relations.get(root, said), said)
    return Batch(tuple(_renamed(entry, merged) for entry in batch.entries), relations)


def merges(
    into: Mapping[str, str], merged: Mapping[str, str], known: Collection[str]
) -> Iterator[tuple[str, str]]:
    """The merges that are still to be done, each as a name and the one that counts, in order.

    Args:
        into: What each relation is to be merged into.
        merged: The root of every merged relation, by its name.
        known: Relations the history has.

    Raises:
        UsageError: Two are one already the other way round, a relation is another one's name, or
            the history has none to merge into.
    """
    roots = dict(merged)
    for name, other in into.items():
        root = _root_for(name, other, roots)
        if root not in known:
            raise UsageError(unknown(root))
        if name not in roots:
            roots |= {each: root for each, its in roots.items() if its == name}
            roots[name] = root
            yield name, root


def check_counts(name: str, merged: Mapping[str, str]) -> None:
    """Refuse to say something of a relation that is another name of another one.

    Raises:
        UsageError: It was merged.
    """
    if name in merged:
        raise UsageError(
            f"the relation {shorten(name, 40)!r} was merged into {shorten(merged[name], 40)!r}; "
            "say it of that one"
        )


def unknown(name: str) -> str:
    """What to say of a relation the history does not have."""
    return (
        f"the history has no relation {shorten(name, 40)!r}; "
        "'cmc-graph relations' lists those it has"
    )


def unused(relations: Iterable[Relation]) -> list[str]:
    """The relations that nothing seems to speak of any more: no slot, person or other relation.

    Whether an assertion does, the store asks before it deletes one: slots may be lost.

    Args:
        relations: All of a history.
    """
    listed = list(relations)
    roots = {each.merged_into for each in listed}
    return [
        each.name
        for each in listed
        if each.set_by is not SetBy.PERSON
        and each.merged_into is None
        and each.name not in roots
        and each.slots == 0
    ]


def check_unchanged(history: str, found: int, expected: int) -> None:
    """Refuse to replace what was read by what was made of it, when there is more by now.

    Args:
        history: Name of the history.
        found: Its version.
        expected: The version it was read at.

    Raises:
        StoreBusy: They differ.
    """
    if found != expected:
        raise StoreBusy(
            f"history {history!r} was written to while its records were read again; nothing was "
            "changed: run the command again"
        )


def _root_for(name: str, into: str, merged: Mapping[str, str]) -> str:
    root = merged.get(into, into)
    if root == name:
        why = "itself" if into == name else f"{shorten(into, 40)!r}, which was merged into it"
        raise UsageError(f"the relation {shorten(name, 40)!r} cannot be merged into {why}")
    if merged.get(name, root) != root:
        raise UsageError(
            f"the relation {shorten(name, 40)!r} was merged into {shorten(merged[name], 40)!r} "
            "before; merge that one"
        )
    return root


def _renamed(entry: Entry, merged: Mapping[str, str]) -> Entry:
    if not any(said.relation in merged for said in entry.assertions):
        return entry
    said = (
        each._replace(relation=merged.get(each.relation, each.relation))
        for each in entry.assertions
    )
    return entry._replace(assertions=tuple(said))
