"""Compares ledger and projection of the SQLite store by the pure rule, slot after slot.

The store resolves in SQL; this recomputes in Python what the statement should have written. This
module must not write.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from cmc_graph.model import Drift, Finding
from cmc_graph.stores import sqlite_read as read
from cmc_graph.stores.slots import resolve
from cmc_graph.stores.sqlite_read import HistoryRow
from cmc_graph.stores.sqlite_statements import execute

_SHOWN = 100
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
        return f"{self.slot} {_place(self.position, self.ordinal)}"


@dataclass(slots=True)
class _Tally:
    """How many differences there are, and the first of them."""

    differences: int = 0
    findings: list[Finding] = field(default_factory=list)

    def add(self, found: Iterable[Finding]) -> None:
        """Count these findings, and keep them while there is room."""
        for finding in found:
            self.differences += 1
            if len(self.findings) < _SHOWN:
                self.findings.append(finding)


def verify(connection: sqlite3.Connection, history: HistoryRow) -> Drift:
    """The differences; in memory are those of a thousand entities at a time."""
    tally, slots, after = _Tally(), 0, 0
    while entities := read.entities(connection, history, after):
        numbers = json.dumps(entities)
        claims = map(_claim, execute(connection, "verify_versions", entities=numbers))
        for _, versions in groupby(claims, key=attrgetter("subject", "relation", "member")):
            tally.add(_slot_findings(list(versions)))
            slots += 1
        tally.add(_stray_slots(connection, numbers))
        tally.add(_names(connection, numbers))
        after = entities[-1]
    tally.add(_counters(connection, history))
    return Drift(slots=slots, differences=tally.differences, findings=tuple(tally.findings))


def _slot_findings(claims: Sequence[_Claim]) -> Iterator[Finding]:
    resolved = resolve(claims)
    word = claims[resolved.winner]
    expected = _place(word.position, word.ordinal)
    if word.slot_position is None or word.slot_ordinal is None:
        yield _finding("missing", word.slot, expected, "no edge")
    elif (word.slot_position, word.slot_ordinal) != (word.position, word.ordinal):
        yield _finding("wrong", word.slot, expected, _place(word.slot_position, word.slot_ordinal))
    for claim, end in zip(claims, resolved.superseded_at, strict=True):
        if claim.superseded_at != end:
            yield _finding("superseded_at", claim.where, str(end), str(claim.superseded_at))
        if claim.member != claim.expected_member:
            many = "a slot of its object" if claim.expected_member else "the slot of its relation"
            yield _finding("wrong", claim.where, many, f"the slot {claim.slot}")


def _stray_slots(connection: sqlite3.Connection, entities: str) -> Iterator[Finding]:
    rows = execute(connection, "verify_slots", entities=entities)
    for subject, relation, position, ordinal in rows:
        yield _finding(
            "unexpected", f"{subject} / {relation}", "no edge", _place(position, ordinal)
        )


def _names(connection: sqlite3.Connection, entities: str) -> Iterator[Finding]:
    rows = execute(connection, "misnamed_entities", entities=entities)
    for _, key, name, position, held, held_position in rows:
        yield _finding("name", key, f"{name!r} [{position}]", f"{held!r} [{held_position}]")


def _counters(connection: sqlite3.Connection, history: HistoryRow) -> Iterator[Finding]:
    row = execute(connection, "verify_counters", history=history.id).fetchone()
    expected, found = row[: len(_COUNTERS)], row[len(_COUNTERS) :]
    for name, ought, has in zip(_COUNTERS, expected, found, strict=True):
        if ought != has:
            yield _finding("counter", name, str(ought), str(has))


def _claim(row: Sequence[Any]) -> _Claim:
    *values, retracts = row
    return _Claim._make((*values, bool(retracts)))


def _finding(kind: str, where: str, expected: str, found: str) -> Finding:
    return Finding(kind=kind, where=where, expected=expected, found=found)


def _place(position: int, ordinal: int) -> str:
    return f"[{position}].{ordinal}"
