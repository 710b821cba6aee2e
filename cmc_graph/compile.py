"""The write use case: records to interpretations, one transaction per batch, to a report.

Decides what enters the store and proves that nothing was lost on the way. This module must not know
where records come from or which store it writes to.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from cmc_graph.errors import ExtractionError
from cmc_graph.frontends import Frontend, check_count
from cmc_graph.model import IngestReport, Interpretation, Record, SetBy, Status, Values
from cmc_graph.stores.base import (
    MAX_KEY_BYTES,
    MAX_RELATION_BYTES,
    Applied,
    Assertion,
    Batch,
    Declared,
    Entry,
    Store,
)
from cmc_graph.stores.planning import fresh
from cmc_graph.text import count, fold_space, key, shorten, utf8_length

_log = logging.getLogger(__name__)

#: Records per transaction at most: large enough that the round trips do not count, small enough
#: that a writer never holds a history for long.
BATCH_SIZE = 1_000

#: Assertions per transaction, but for the last record's: a server keeps a transaction in memory.
_MOST_ASSERTIONS = 5_000

#: Names of so many characters in all are within the limits: a character has at most 4 bytes.
_SURELY_SHORT = min(MAX_KEY_BYTES, MAX_RELATION_BYTES) // 4

#: A relation's name as it is stored, kept since relations are few.
_relation = lru_cache(maxsize=1_024)(fold_space)

#: What becomes of a record; every record is counted in exactly one of them.
_ACCOUNTED = ("facts", "unresolved", "no_fact", "skipped")

Progress = Callable[[int], None]

_Item = TypeVar("_Item")


@dataclass(slots=True)
class _Tally:
    """Running sums of one ingest."""

    records: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, applied: Applied) -> None:
        for name in (*_ACCOUNTED, "assertions", "slots_changed"):
            self.counts[name] += getattr(applied, name)

    def read(self, entry: Entry) -> None:
        self.counts[entry.status.value] += 1
        self.counts["assertions"] += len(entry.assertions)


def ingest(
    store: Store,
    history: str,
    frontend: Frontend,
    records: Iterable[Record],
    *,
    batch_size: int = BATCH_SIZE,
    on_progress: Progress | None = None,
) -> IngestReport:
    """What the ingest of the records did.

    Records the history has already are skipped before the frontend sees them. Each batch is one
    transaction, or several when its records bring more assertions than one can hold: a reader sees
    all of a transaction or nothing, and an interrupted ingest continues when the same records are
    given again.

    Args:
        store: Where to write.
        history: Name of the history.
        frontend: Interprets the new records.
        records: In source order; consumed once, one batch at a time.
        batch_size: Records per transaction at most.
        on_progress: Called with the number of records done so far.

    Raises:
        PositionConflict: A position holds another text; nothing of its batch or later is written.
        ExtractionError: The accounting does not add up.
        StoreError: The store failed; finished batches stay.
    """
    started = time.perf_counter()
    tally = _Tally()
    for batch in batches(records, batch_size):
        new = fresh(batch, store.known(history, batch))
        tally.records += len(batch)
        tally.counts["skipped"] += len(batch) - len(new)
        if new:
            relations = declared(frontend.relations)
            for entries in bounded(interpret(frontend, new)):
                tally.add(store.append(history, Batch(entries, relations)))
                tally.reasons.update(e.reason for e in entries if e.reason)
        if on_progress is not None:
            on_progress(tally.records)
    report = _report(tally, time.perf_counter() - started)
    _log.debug("ingest %r: %s", history, report)
    return report


def preview(
    frontend: Frontend, records: Iterable[Record], on_unresolved: Callable[[Entry], None]
) -> IngestReport:
    """What an ingest of these records into an empty history would do, without any store.

    Args:
        frontend: Interprets the records.
        records: In source order; consumed once, one batch at a time.
        on_unresolved: Called with each record that would stay unresolved, in source order.

    Raises:
        ExtractionError: The accounting does not add up.
    """
    started = time.perf_counter()
    tally = _Tally()
    for batch in batches(records, BATCH_SIZE):
        tally.records += len(batch)
        for each in interpret(frontend, batch):
            tally.read(each)
            if each.reason:
                tally.reasons[each.reason] += 1
                on_unresolved(each)
    return _report(tally, time.perf_counter() - started)


def interpret(frontend: Frontend, records: Sequence[Record]) -> list[Entry]:
    """One entry per record, in order: the record with its verdict, and its assertions.

    Raises:
        ExtractionError: The frontend gave more or fewer interpretations than records.
    """
    verdicts = iter(frontend.interpret(records))
    entries = list(map(entry, records, verdicts))  # lets go of each verdict at once
    check_count(len(entries) + sum(1 for _ in verdicts), len(records))
    return entries


def entry(record: Record, verdict: Interpretation) -> Entry:
    """The record with its verdict; unresolved when a name is too long for a store to index.

    Raises:
        ExtractionError: The verdict is facts without triples, or has triples and is not facts: the
            record would be in no read, or its facts not accounted for.
    """
    if (verdict.status is Status.FACTS) != bool(verdict.triples):
        raise ExtractionError(
            f"the frontend called {shorten(record.text)!r} {verdict.status} with "
            f"{count(len(verdict.triples), 'triple')}; nothing of this batch was written"
        )
    assertions, loose = list[Assertion](), verdict.loose
    for ordinal, triple in enumerate(verdict.triples):
        said, value = triple.subject, triple.object
        subject, relation, obj = key(said), _relation(triple.relation), key(value)
        if len(subject) + len(relation) + len(obj) > _SURELY_SHORT and (
            reason := oversize(subject, relation, obj)
        ):
            return Entry(record, Status.UNRESOLVED, reason)
        assertions.append(
            Assertion(
                ordinal,
                subject,
                relation,
                obj,
                said,
                value,
                triple.retracts,
                ordinal not in loose,
                verdict.frontend,
            )
        )
    return Entry(record, verdict.status, verdict.reason, tuple(assertions))


def declared(relations: Mapping[str, Values]) -> dict[str, Declared]:
    """What a frontend's packs say of their relations, for the store."""
    return {name: Declared(values, SetBy.PACK) for name, values in relations.items()}


def batches(records: Iterable[_Item], size: int = BATCH_SIZE) -> Iterator[list[_Item]]:
    """The records, or entries, in order, in lists of at most so many."""
    source = iter(records)
    while batch := list(islice(source, size)):
        yield batch


def bounded(entries: Iterable[Entry]) -> Iterator[tuple[Entry, ...]]:
    """The entries in order, in groups whose assertions one transaction can hold."""
    group: list[Entry] = []
    assertions = 0
    for each in entries:
        group.append(each)
        assertions += len(each.assertions)
        if assertions >= _MOST_ASSERTIONS:
            yield tuple(group)
            group, assertions = [], 0
    if group:
        yield tuple(group)


def oversize(subject: str, relation: str, obj: str) -> str | None:
    """Which name is too long to be indexed, if any."""
    limits = (
        ("subject", subject, MAX_KEY_BYTES),
        ("object", obj, MAX_KEY_BYTES),
        ("relation", relation, MAX_RELATION_BYTES),
    )
    for part, value, limit in limits:
        if utf8_length(value) > limit:
            return f"the {part} is longer than {limit} bytes"
    return None


def _report(tally: _Tally, seconds: float) -> IngestReport:
    counts = tally.counts
    accounted = sum(counts[name] for name in _ACCOUNTED)
    if accounted != tally.records:
        raise ExtractionError(
            f"{tally.records} records were read, but facts, unresolved, no_fact and skipped add up "
            f"to {accounted}; run the ingest again, and report this as a fault of cmc-graph"
        )
    return IngestReport(
        records=tally.records,
        facts=counts["facts"],
        unresolved=counts["unresolved"],
        no_fact=counts["no_fact"],
        skipped=counts["skipped"],
        assertions=counts["assertions"],
        slots_changed=counts["slots_changed"],
        seconds=seconds,
        reasons=tuple(tally.reasons.most_common()),
    )
