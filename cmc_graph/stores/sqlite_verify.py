"""Compares ledger and projection of the SQLite store by the pure rule, slot after slot.

The store resolves in SQL; this recomputes in Python what the statement should have written. This
module must not write.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from cmc_graph.model import Drift, Finding, LostWord
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores.findings import Tally, finding, named, place
from cmc_graph.stores.slots import resolve
from cmc_graph.stores.sqlite_read import HistoryRow
from cmc_graph.stores.sqlite_statements import execute

_COUNTERS = ("records", "next_position", "longest_key")


class _Claim(NamedTuple):
    """One assertion beside its slot's row, as ``verify_versions`` returns it."""

    subject: str
    relation: str
    object: str
    member: int
    expected_member: int
    position: int
    ordinal: int
    superseded_at: int | None
    slot_position: int | None
    slot_ordinal: int | None
    retracts: bool

    @property
    def slot(self) -> str:
        """The slot, for people."""
        parts = (self.subject, self.relation, self.object if self.member else None)
        return " / ".join(filter(None, parts))

    @property
    def where(self) -> str:
        """The assertion, for people."""
        return f"{self.slot} {place(self.position, self.ordinal)}"


def verify(
    connection: sqlite3.Connection, history: HistoryRow, *, lost_only: bool = False
) -> Drift:
    """The differences; in memory are those of a thousand entities at a time."""
    tally = Tally() if lost_only else _compare(connection, history)
    tally.lose(lost_words(connection, history))
    return tally.drift()


def _compare(connection: sqlite3.Connection, history: HistoryRow) -> Tally:
    tally, after = Tally(), 0
    while entities := read.entities(connection, history, after):
        numbers = json.dumps(entities)
        claims = map(_claim, execute(connection, "verify_versions", entities=numbers))
        for _, versions in groupby(claims, key=attrgetter("subject", "relation", "member")):
            tally.add(_slot_findings(list(versions)))
            tally.slots += 1
        tally.add(_stray_slots(connection, numbers))
        tally.add(_names(connection, numbers))
        after = entities[-1]
    tally.add(_counters(connection, history))
    return tally


def lost_words(connection: sqlite3.Connection, history: HistoryRow) -> Iterator[LostWord]:
    """The slots whose last word is lost."""
    rows = execute(connection, "lost_words", history=history.id)
    return (LostWord(slot, position, bool(has_record)) for slot, position, has_record in rows)


def _slot_findings(claims: Sequence[_Claim]) -> Iterator[Finding]:
    resolved = resolve(claims)
    word = claims[resolved.winner]
    expected = place(word.position, word.ordinal)
    if word.slot_position is None or word.slot_ordinal is None:
        yield finding("missing", word.slot, expected, "no edge")
    elif (word.slot_position, word.slot_ordinal) != (word.position, word.ordinal):
        yield finding("wrong", word.slot, expected, place(word.slot_position, word.slot_ordinal))
    for claim, end in zip(claims, resolved.superseded_at, strict=True):
        if claim.superseded_at != end:
            yield finding("superseded_at", claim.where, end, claim.superseded_at)
        if claim.member != claim.expected_member:
            many = "a slot of its object" if claim.expected_member else "the slot of its relation"
            yield finding("wrong", claim.where, many, f"the slot {claim.slot}")


def _stray_slots(connection: sqlite3.Connection, entities: str) -> Iterator[Finding]:
    rows = execute(connection, "verify_slots", entities=entities)
    for subject, relation, position, ordinal in rows:
        yield finding("unexpected", f"{subject} / {relation}", "no edge", place(position, ordinal))


def _names(connection: sqlite3.Connection, entities: str) -> Iterator[Finding]:
    rows = execute(connection, "misnamed_entities", entities=entities)
    for _, key, name, position, held, held_position in rows:
        yield finding("name", key, named(name, position), named(held, held_position))


def _counters(connection: sqlite3.Connection, history: HistoryRow) -> Iterator[Finding]:
    row = execute(connection, "verify_counters", history=history.id).fetchone()
    expected, found = row[: len(_COUNTERS)], row[len(_COUNTERS) :]
    for name, ought, has in zip(_COUNTERS, expected, found, strict=True):
        if ought != has:
            yield finding("counter", name, ought, has)


def _claim(row: Sequence[Any]) -> _Claim:
    *values, retracts = row
    return _Claim._make((*values, bool(retracts)))
