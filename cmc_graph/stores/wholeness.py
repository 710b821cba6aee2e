"""The whole of a history, or an error: for those who copy, select, replace or resolve all of it.

``Store.scan`` shows what is there, also beside damage. What is made of it here is checked: nothing
may be missing, or it would be lost without a word. This module must not know any database.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cmc_graph.errors import SourceError, StoreBusy, StoreError
from cmc_graph.model import MAX_POSITION, History, Record, Status, Values
from cmc_graph.stores.base import Kept, Store, Version
from cmc_graph.text import count, join_names, key, shorten

#: What every assertion has.
_REQUIRED = (
    *("subject", "relation", "object", "member", "retracts"),
    *("subject_text", "object_text", "literal", "frontend"),
)
_DOCTOR = "cmc-graph doctor says what to do"
#: How many positions an error names.
_NAMED = 5
#: How often a check starts over because a batch came in between.
_ATTEMPTS = 3


def head(store: Store, history: str) -> History:
    """The history as it is listed: name, version and number of records; 0 of a new one."""
    found = (each for each in store.histories() if each.name == history)
    return next(found, History(name=history, version=0, records=0))


def check(store: Store, history: str) -> None:
    """Refuse a history of which something is damaged or lost.

    Raises:
        StoreBusy: The history was written to meanwhile.
        StoreError: A record or an assertion is damaged or lost.
    """
    for attempt in reversed(range(_ATTEMPTS)):
        try:
            deque(scan(store, history), maxlen=0)
            return
        except StoreBusy:
            if not attempt:
                raise


def scan(store: Store, history: str, before: History | None = None) -> Iterator[Kept]:
    """Every record with its assertions, ascending by position: all there are, of one version.

    Args:
        store: Where the history is.
        history: Its name.
        before: Its head, when something of the same version was read already.

    Raises:
        StoreBusy: The history was written to meanwhile.
        StoreError: A record or an assertion is damaged or lost; those before it were given out.
    """
    before = before or head(store, history)
    relations = _relations(store, history)
    records = assertions = 0
    for kept in store.scan(history):
        if flaw := _flaw(kept, relations):
            place = f"record [{kept.record.position}] of history {history!r}"
            raise StoreError(f"{place} {flaw}; {_DOCTOR}")
        records += 1
        assertions += len(kept.assertions)
        yield kept
    after = store.stats(history)
    if after.version != before.version:
        raise StoreBusy(
            f"history {history!r} was written to while it was read; run the command again when no "
            "ingest runs"
        )
    if after.assertions != assertions:
        raise StoreError(_astray(store, history, after.assertions, assertions))
    if before.records != records:
        raise StoreError(
            f"history {history!r} counts {before.records} records, but {records} are there; "
            f"{_DOCTOR}"
        )
    if lost := store.verify(history, lost_only=True).lost:
        raise StoreError(
            f"history {history!r} lost what record [{lost[0].position}] said of "
            f"{shorten(lost[0].slot)!r}; {_DOCTOR}"
        )


def flaws(store: Store, history: str) -> Iterator[tuple[int, str]]:
    """Position of each record with something in it that no record may have, and what that is."""
    for kept in store.scan(history):
        if flaw := _flaw_of_record(kept.record):
            yield kept.record.position or 0, flaw


def _relations(store: Store, history: str) -> dict[str, Values]:
    """How many values each of the relations takes that count."""
    found = store.relations(history)
    merged = {each.name: each.merged_into for each in found}
    for name, root in merged.items():
        if root is not None and merged.get(root, name) is not None:
            raise StoreError(
                f"the relation {shorten(name)!r} of history {history!r} is merged into "
                f"{shorten(root)!r}, which is none that counts; {_DOCTOR}"
            )
    return {each.name: each.values for each in found if each.merged_into is None}


def _flaw(kept: Kept, relations: Mapping[str, Values]) -> str | None:
    """What a record lacks, if anything."""
    said = kept.assertions
    if flaw := _flaw_of_record(kept.record):
        return flaw
    if (kept.record.status is Status.FACTS) != bool(said):
        return f"has status {kept.record.status} with {count(len(said), 'assertion')}"
    if [each.ordinal for each in said] != list(range(len(said))):
        return "lacks one of its assertions"
    flaws = (_flaw_of(each, relations) for each in said)
    return next(filter(None, flaws), None)


def _flaw_of_record(record: Record) -> str | None:
    """What the loaders, and ``load``, would refuse of a record."""
    try:
        replace(record)  # checks all of it
    except SourceError as error:
        return f"is damaged: {error}"
    return None


def _flaw_of(said: Version, relations: Mapping[str, Values]) -> str | None:
    """What an assertion of a record lacks, or what in it contradicts itself."""
    if lost := next((name for name in _REQUIRED if getattr(said, name) is None), None):
        return f"has an assertion without {lost}"
    values, relation = relations.get(said.relation), shorten(said.relation)
    if values is None:
        return f"speaks of the relation {relation!r}, which is not listed"
    if said.member != (said.object if values is Values.MANY else ""):
        return f"is in another slot than the relation {relation!r} ({values}) has"
    for name, surface in ((said.subject, said.subject_text), (said.object, said.object_text)):
        if key(surface) != name:
            return f"names {shorten(surface)!r}, but {shorten(name)!r} is there"
    return None


def _astray(store: Store, history: str, held: int, found: int) -> str:
    """What to say when there are other assertions than those of the records."""
    there = {each.record.position for each in store.scan(history)}
    said = {each.position for each in store.changes(history, -1, MAX_POSITION)}
    lost = sorted(said - there)
    which = f" (lost: {join_names(f'[{each}]' for each in lost[:_NAMED])})" if lost else ""
    return (
        f"history {history!r} holds {count(held, 'assertion')}, but its records have {found}{which}"
        f"; {_DOCTOR}"
    )
