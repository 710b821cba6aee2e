"""The use case of forgetting: which records a position, a source or an entity means, and what goes.

What models answered about the records goes first: a forgetting that was interrupted finds the
records again, and the same call completes it. Records are looked at as they are scanned; in memory
are those that are meant. This module must not know which store it writes to.
"""

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from cmc_graph import interpretations
from cmc_graph.anchors import longest_matches
from cmc_graph.compile import batches
from cmc_graph.errors import UsageError
from cmc_graph.frontends import induce
from cmc_graph.model import Forgotten, Record
from cmc_graph.stores import wholeness
from cmc_graph.stores.base import Kept, Store, Version
from cmc_graph.stores.slots import resolve
from cmc_graph.text import fold_space, key, tokens
from loaders.lines import source_of

#: So many records are looked up one by one, more are found on one way through the history.
_FEW = 100
#: What standard input is called as a source.
_STDIN = "stdin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What is to be forgotten: exactly one of the three.

    Attributes:
        positions: Of records; those the history does not have are ignored.
        source: As the records have it, or the path of a file that was ingested, with all parts that
            a loader made of it (``FILE#PART``). Other names that begin alike are other sources.
        entity: A name. All records are meant that assert something of it, as subject or object,
            whose speaker it is, or that have it in their text, as a question has an anchor: "Ana"
            is not in "Ana Lima" if that is an entity, too.

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

    When it returns, a last look found nothing that is meant.

    Args:
        store: Where the history is.
        history: Its name.
        selector: What is meant.
        dry_run: Only look.

    Raises:
        StoreBusy: The history was written to while it was looked through; the same call goes on.
        StoreError: The store failed, or something is damaged or lost, so that nobody knows whether
            it is meant. What models answered may be gone; the same call goes on.
    """
    if dry_run:
        return foreseen(store, history, frozenset(_selected(store, history, selector)))
    done = Forgotten()
    while True:  # also with nothing left to select: an interrupted forgetting has not tidied up
        gone = _selected(store, history, selector)
        part = _forget(store, history, gone)
        done = Forgotten(
            records=done.records + part.records,
            assertions=done.assertions + part.assertions,
            entities=done.entities + part.entities,
            slots_changed=done.slots_changed + part.slots_changed,
            positions=tuple(sorted({*done.positions, *part.positions})),
        )
        if selector.positions is not None or not gone:
            break
    _forget_patterns(store, history)
    return done


def foreseen(store: Store, history: str, gone: Set[int]) -> Forgotten:
    """What forgetting these positions would remove; nothing is written.

    Only the slots that the records speak of are resolved.

    Args:
        store: Where the history is.
        history: Its name.
        gone: Positions to forget.
    """

    def is_left(said: Version) -> bool:
        return said.position not in gone

    removed = _removed(store, history, gone)
    is_few = len(removed.slots) <= _FEW
    claims = _claims(store, history, removed.slots if is_few else ())
    alone = removed.keys - {said.subject for said in chain(*claims.values()) if is_left(said)}
    for kept in store.scan(history) if removed.positions else ():
        if is_few and not alone:
            break
        for said in kept.assertions:
            if not is_few and _slot(said) in removed.slots:
                claims.setdefault(_slot(said), []).append(said)
            if is_left(said):
                alone -= {said.subject, said.object}
    return Forgotten(
        records=len(removed.positions),
        assertions=removed.assertions,
        entities=len(alone),
        slots_changed=sum(_falls_back(said, [*filter(is_left, said)]) for said in claims.values()),
        positions=tuple(removed.positions),
    )


def of_source(kept: Iterable[Kept], source: str) -> list[int]:
    """The positions of the records that come from a source, or from a part of a file."""
    path = source_of(Path(source))
    names = {source, path}
    parts = tuple(f"{name}#" for name in names & {path, _STDIN})
    return [
        each.record.position or 0
        for each in kept
        if (said := each.record.source) is not None and (said in names or said.startswith(parts))
    ]


def naming(kept: Iterable[Kept], entity: str) -> list[int]:
    """The positions of the records that name an entity: in an assertion, as speaker, in the text.

    Args:
        kept: Consumed once.
        entity: Its name.
    """
    wanted = key(entity)
    longer = {wanted}
    found: list[int] = []
    texts: dict[int, tuple[str, ...]] = {}  # whether they mean it, the keys of all records say
    for each in kept:
        position, speaker = each.record.position or 0, each.record.speaker
        keys = {name for said in each.assertions for name in (said.subject, said.object)}
        longer |= {name for name in keys if _holds(name, wanted)}
        if wanted in keys or (speaker is not None and key(speaker) == wanted):
            found.append(position)
        elif _holds(" ".join(said := tokens(each.record.text)), wanted):
            texts[position] = said
    meant = (
        position for position, said in texts.items() if wanted in longest_matches(said, longer)
    )
    return sorted([*found, *meant])


_Slot = tuple[str, str, str]


@dataclass(slots=True)
class _Removed:
    """What goes with the records that are forgotten."""

    positions: list[int] = field(default_factory=list)
    assertions: int = 0
    slots: set[_Slot] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)

    def take(self, position: int, assertions: Sequence[Version]) -> None:
        self.positions.append(position)
        self.assertions += len(assertions)
        for said in assertions:
            self.slots.add(_slot(said))
            self.keys |= {said.subject, said.object}


def _removed(store: Store, history: str, gone: Set[int]) -> _Removed:
    """What the records at these positions bring; few of them are looked up one by one."""
    removed = _Removed()
    if len(gone) > _FEW:
        for kept in store.scan(history):
            if (position := kept.record.position or 0) in gone:
                removed.take(position, kept.assertions)
        return removed
    for position in sorted(store.known(history, [_place(each) for each in gone]).texts):
        said = store.changes(history, position - 1, position)
        removed.take(position, [each for each in said if each.position == position])
    return removed


def _claims(store: Store, history: str, slots: Iterable[_Slot]) -> dict[_Slot, list[Version]]:
    """All assertions of these slots, oldest first."""
    claims: dict[_Slot, list[Version]] = {slot: [] for slot in slots}
    for subject, relation in {(subject, relation) for subject, relation, _ in claims}:
        for said in store.versions(history, subject, relation=relation):
            if _slot(said) in claims:
                claims[_slot(said)].append(said)
    return claims


def _place(position: int) -> Record:
    """A record to look for at a position."""
    return Record(text="?", position=position)


def _selected(store: Store, history: str, selector: Selector) -> list[int]:
    """The positions that are meant, ascending."""
    if selector.positions is not None:
        return sorted(set(selector.positions))
    kept = wholeness.scan(store, history)
    if selector.source is not None:
        return of_source(kept, selector.source)
    return naming(kept, selector.entity or "")


def _forget(store: Store, history: str, gone: list[int]) -> Forgotten:
    """Remove the records at these positions, and what models answered about their texts."""
    there: list[int] = []
    answered: set[bytes] = set()
    for some in batches(gone):
        texts = store.known(history, [_place(position) for position in some]).texts
        there += texts
        answered |= {_answered(text) for text in texts.values() if isinstance(text, str)}
    interpretations.forget(answered)
    forgotten = store.forget(history, gone)  # also what is left of a record that is lost
    return replace(forgotten, positions=tuple(sorted(there)))


def _forget_patterns(store: Store, history: str) -> None:
    """Remove the patterns that no record shows any more: their words are those of texts."""
    patterns = store.patterns(history)
    if not patterns:
        return
    listed = {each.name for each in store.relations(history)}
    unseen = {each.template for each in patterns}
    for kept in store.scan(history):
        unseen -= {each for each in unseen if induce.shows(kept.record.text, each)}
        if not unseen:
            break
    rest = [each for each in patterns if each.template not in unseen and each.relation in listed]
    if rest != patterns:
        gone = {each.template for each in patterns} - {each.template for each in rest}
        interpretations.forget(set(map(interpretations.digest, gone)))
        store.keep_patterns(history, rest)


def _answered(text: str) -> bytes:
    """What stands for a text where models' answers are kept."""
    return interpretations.digest(fold_space(text))


def _holds(key: str, wanted: str) -> bool:
    return f" {wanted} " in f" {key} "


def _slot(said: Version) -> _Slot:
    return (said.subject, said.relation, said.member)


def _falls_back(claims: list[Version], rest: list[Version]) -> bool:
    """The slot's last word is another one with the rest of its claims alone."""
    return not rest or claims[resolve(claims).winner] is not rest[resolve(rest).winner]
