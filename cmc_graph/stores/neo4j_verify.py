"""Compares ledger and projection of the Neo4j store by the pure rule, slot after slot.

The store resolves in Cypher; this recomputes in Python what the statement should have written. This
module must not write.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cmc_graph.errors import StoreBusy
from cmc_graph.model import Drift, Finding
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.neo4j_batch import Counters, chunks
from cmc_graph.stores.neo4j_link import Link, Row
from cmc_graph.stores.slots import resolve

_SHOWN = 100
#: How often to compare anew because a batch came in between.
_ATTEMPTS = 3


class _Claim(NamedTuple):
    """One assertion of a slot."""

    position: int
    ordinal: int
    subject: str
    object: str
    retracts: bool
    superseded_at: int | None


class _Edge(NamedTuple):
    """An edge of the projection, found or expected."""

    position: int
    ordinal: int
    subject: str
    object: str
    ended: bool

    def __str__(self) -> str:
        what = "ended" if self.ended else "current"
        return f"{what} {self.subject} -> {self.object} {_place(self)}"


@dataclass(slots=True)
class _Tally:
    """How much was compared, how many differences there are, and the first of them."""

    slots: int = 0
    differences: int = 0
    findings: list[Finding] = field(default_factory=list)

    def add(self, found: Iterable[Finding]) -> None:
        """Count these findings, and keep them while there is room."""
        for finding in found:
            self.differences += 1
            if len(self.findings) < _SHOWN:
                self.findings.append(finding)


def verify(link: Link, history: str) -> Drift:
    """The differences; a thousand slots are in memory at a time.

    The statements of one comparison do not read from one snapshot. So differences count only when
    no batch was written meanwhile.

    Raises:
        StoreBusy: Other writers did not leave the history alone.
    """
    for _ in range(_ATTEMPTS):
        before = link.read("head", history=history, relations=[])
        if not before:
            return Drift()
        tally = _compare(link, history, before[0])
        (after,) = link.read("head", history=history, relations=[])
        if not tally.differences or before[0]["version"] == after["version"]:
            return Drift(
                slots=tally.slots,
                differences=tally.differences,
                findings=tuple(tally.findings),
            )
    raise StoreBusy(
        f"history {history!r} was written while it was compared, {_ATTEMPTS} times; "
        "verify again when no ingest runs"
    )


def _compare(link: Link, history: str, head: Row) -> _Tally:
    tally = _Tally()
    for chunk in chunks(rows.slot(row) for row in link.stream("slots", history=history)):
        tally.slots += len(chunk)
        for row in link.read("slot_state", history=history, **rows.slot_columns(chunk)):
            tally.add(_slot_findings(row))
    for chunk in chunks(rows.slot(row) for row in link.stream("stray_slots", history=history)):
        for row in link.read("slot_state", history=history, **rows.slot_columns(chunk)):
            tally.add(_slot_findings(row))
    for keys in chunks(row["key"] for row in link.stream("entities", history=history)):
        tally.add(_name_findings(link.read("naming", history=history, keys=keys)))
    tally.add(_loose_findings(link.stream("loose_assertions", history=history)))
    tally.add(_counter_findings(head, link.read("counters", history=history)))
    return tally


def _slot_findings(row: Row) -> Iterator[Finding]:
    where = " / ".join(filter(None, rows.slot(row)))
    claims = [_Claim(*version) for version in row["versions"]]
    edges = [_Edge(*edge) for edge in row["edges"]]
    if not claims:
        for edge in edges:
            yield _finding("unexpected", where, "no edge", edge)
        return
    resolved = resolve(claims)
    word = claims[resolved.winner]
    expected = _Edge(word.position, word.ordinal, word.subject, word.object, word.retracts)
    if not edges:
        yield _finding("missing", where, expected, "no edge")
    for edge in edges:
        if edge != expected:
            yield _finding("wrong", where, expected, edge)
    for claim, end in zip(claims, resolved.superseded_at, strict=True):
        if claim.superseded_at != end:
            yield _finding("superseded_at", f"{where} {_place(claim)}", end, claim.superseded_at)


def _name_findings(named: Sequence[Row]) -> Iterator[Finding]:
    for row in named:
        expected, found = (row["surface"], row["position"]), (row["name"], row["name_position"])
        if row["surface"] is None:
            yield _finding("name", row["key"], "no entity", _named(*found))
        elif expected != found:
            yield _finding("name", row["key"], _named(*expected), _named(*found))


def _loose_findings(loose: Iterable[Row]) -> Iterator[Finding]:
    for row in loose:
        where = f"{row['subject']} / {row['relation']} [{row['position']}].{row['ordinal']}"
        yield _finding("wrong", where, row["expected"], row["found"])


def _counter_findings(head: Row, counted: Sequence[Row]) -> Iterator[Finding]:
    for name in Counters._fields:
        if counted[0][name] != head[name]:
            yield _finding("counter", name, counted[0][name], head[name])


def _finding(kind: str, where: str, expected: object, found: object) -> Finding:
    return Finding(kind=kind, where=where, expected=str(expected), found=str(found))


def _named(name: str | None, position: int | None) -> str:
    return f"{name!r} [{position}]"


def _place(said: _Claim | _Edge) -> str:
    return f"[{said.position}].{said.ordinal}"
