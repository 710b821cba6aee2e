"""Compares ledger and projection of the Neo4j store by the pure rule, slot after slot.

The store resolves in Cypher; this recomputes in Python what the statement should have written. This
module must not write.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from cmc_graph.errors import StoreBusy
from cmc_graph.model import Drift, Finding, LostWord
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.findings import Tally, finding, named, place
from cmc_graph.stores.neo4j_batch import Counters, chunks, find_head, is_published, lock_whole
from cmc_graph.stores.neo4j_link import Link, Row
from cmc_graph.stores.slots import resolve

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
        return f"{what} {self.subject} -> {self.object} {place(self.position, self.ordinal)}"


def verify(link: Link, history: str, *, lost_only: bool = False) -> Drift:
    """The differences; a thousand slots are in memory at a time.

    The statements of one comparison do not read from one snapshot. So differences count only when
    no batch was written meanwhile.

    Raises:
        StoreBusy: Other writers did not leave the history alone.
    """
    for _ in range(_ATTEMPTS):
        before = find_head(link, history)
        if not before:
            return Drift()
        tally = Tally() if lost_only else _compare(link, history, before)
        tally.lose(lost_words(link, history))
        (after,) = link.read("head", history=history, relations=[])
        is_settled = is_published(before) and after["announced"] == before["version"]
        if is_settled or not (tally.differences or tally.lost):
            return tally.drift()
        link.write(partial(lock_whole, history=history))
    raise StoreBusy(
        f"history {history!r} was written while it was compared, {_ATTEMPTS} times; "
        "verify again when no ingest runs"
    )


def lost_words(link: Link, history: str) -> Iterator[LostWord]:
    """The slots whose last word is lost."""
    return (LostWord(*row.values()) for row in link.stream("lost_words", history=history))


def _compare(link: Link, history: str, head: Row) -> Tally:
    tally = Tally()
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
            yield finding("unexpected", where, "no edge", edge)
        return
    resolved = resolve(claims)
    word = claims[resolved.winner]
    expected = _Edge(word.position, word.ordinal, word.subject, word.object, word.retracts)
    if not edges:
        yield finding("missing", where, expected, "no edge")
    for edge in edges:
        if edge != expected:
            yield finding("wrong", where, expected, edge)
    for claim, end in zip(claims, resolved.superseded_at, strict=True):
        if claim.superseded_at != end:
            yield finding(
                "superseded_at",
                f"{where} {place(claim.position, claim.ordinal)}",
                end,
                claim.superseded_at,
            )


def _name_findings(entities: Sequence[Row]) -> Iterator[Finding]:
    for row in entities:
        expected, found = (row["surface"], row["position"]), (row["name"], row["name_position"])
        if expected != found:
            yield finding("name", row["key"], named(*expected), named(*found))


def _loose_findings(loose: Iterable[Row]) -> Iterator[Finding]:
    for row in loose:
        where = f"{row['subject']} / {row['relation']} {place(row['position'], row['ordinal'])}"
        yield finding(row["kind"], where, row["expected"], row["found"])


def _counter_findings(head: Row, counted: Sequence[Row]) -> Iterator[Finding]:
    for name in Counters._fields:
        if counted[0][name] != head[name]:
            yield finding("counter", name, counted[0][name], head[name])
