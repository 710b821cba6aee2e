"""The use case of forgetting: which records a position, a source or an entity means, and what goes.

What models answered about the records goes first: a forgetting that was interrupted finds the
records again, and the same call completes it. This module must not know which store it writes to.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cmc_graph import interpretations
from cmc_graph.anchors import longest_matches
from cmc_graph.errors import UsageError
from cmc_graph.model import Forgotten, Record, Relation
from cmc_graph.stores.base import Declared, Kept, Store
from cmc_graph.stores.projection import Placed, projection
from cmc_graph.text import fold_space, key, tokens
from loaders.lines import source_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What is to be forgotten: exactly one of the three.

    Attributes:
        positions: Of records; those the history does not have are ignored.
        source: As the records have it, or the path of a file that was ingested.
        entity: A name. All records are meant that assert something of it, as subject or object, or
            that have it in their text, as a question has an anchor: "Ana" is not in "Ana Lima" if
            that is an entity, too.

    Raises:
        UsageError: None of them, or several.
    """

    positions: Collection[int] | None = None
    source: str | None = None
    entity: str | None = None

    def __post_init__(self) -> None:
        given = [each for each in (self.positions, self.source, self.entity) if each is not None]
        if len(given) != 1:
            raise UsageError("say what to forget: positions, a source or an entity, one of them")
        if any(isinstance(each, str) and not each.strip() for each in given):
            raise UsageError("a source or an entity to forget has a name that is not blank")


def forget(store: Store, history: str, selector: Selector, *, dry_run: bool = False) -> Forgotten:
    """What was removed, or with ``dry_run`` what would be.

    Args:
        store: Where the history is.
        history: Its name.
        selector: What is meant.
        dry_run: Only look.

    Raises:
        StoreError: The store failed. What models answered may be gone; the same call goes on.
    """
    if dry_run:
        kept = list(store.scan(history))
        return outcome(kept, store.relations(history), set(_positions(kept, selector)))
    gone = set(selector.positions or ())  # also what is left of a record that is lost
    if selector.positions is not None:
        wanted = [Record(text="?", position=position) for position in set(selector.positions)]
        texts = dict(store.known(history, wanted).texts)
    else:
        kept = list(store.scan(history))
        gone = set(_positions(kept, selector))
        texts = {p: each.record.text for each in kept if (p := each.record.position or 0) in gone}
    interpretations.forget(map(fold_space, texts.values()))
    forgotten = store.forget(history, sorted(gone))
    return replace(forgotten, positions=tuple(sorted(texts)))


def outcome(
    kept: Sequence[Kept], relations: Iterable[Relation], gone: Collection[int]
) -> Forgotten:
    """What forgetting these positions removes, found out without a store.

    Args:
        kept: All records of the history with their assertions.
        relations: All of the history.
        gone: Positions to forget.
    """
    declared = {each.name: Declared(each.values, each.set_by) for each in relations}
    entries = [each.entry for each in kept]
    rest = [each for each in entries if each.record.position not in gone]
    before, after = (projection(some, declared).words for some in (entries, rest))
    removed = [each for each in entries if each.record.position in gone]
    changed = sum(
        _place(before.get(slot)) != _place(after.get(slot)) for slot in before.keys() | after.keys()
    )
    return Forgotten(
        records=len(removed),
        assertions=sum(len(each.assertions) for each in removed),
        entities=len(_keys(kept) - _keys(k for k in kept if k.record.position not in gone)),
        slots_changed=changed,
        positions=tuple(each.record.position or 0 for each in removed),
    )


def of_source(kept: Iterable[Kept], source: str) -> list[int]:
    """The positions of the records that come from a source, or from a part of it."""
    names = {source, source_of(Path(source))}
    parts = tuple(f"{name}#" for name in names)
    return [
        each.record.position or 0
        for each in kept
        if (said := each.record.source) is not None and (said in names or said.startswith(parts))
    ]


def naming(kept: Sequence[Kept], entity: str) -> list[int]:
    """The positions of the records that name an entity, in an assertion or in their text."""
    wanted = key(entity)
    longer = {each for each in _keys(kept) if f" {wanted} " in f" {each} "} | {wanted}
    return [
        each.record.position or 0
        for each in kept
        if any(wanted in (said.subject, said.object) for said in each.assertions)
        or _mentions(each.record.text, wanted, longer)
    ]


def _positions(kept: Sequence[Kept], selector: Selector) -> Iterable[int]:
    if selector.positions is not None:
        return selector.positions
    if selector.source is not None:
        return of_source(kept, selector.source)
    return naming(kept, selector.entity or "")


def _mentions(text: str, wanted: str, keys: Collection[str]) -> bool:
    return wanted in longest_matches(tokens(text), keys)


def _keys(kept: Iterable[Kept]) -> set[str]:
    """The keys of all entities."""
    return {
        name for each in kept for said in each.assertions for name in (said.subject, said.object)
    }


def _place(word: Placed | None) -> tuple[int, int] | None:
    """Which assertion is a slot's last word."""
    return None if word is None else (word.position, word.said.ordinal)
