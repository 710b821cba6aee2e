"""Compares what a store says of a history with what the oracle says of its entries."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from cmc_graph import closure, render
from cmc_graph.anchors import longest_matches
from cmc_graph.model import Edge, Record, Status
from cmc_graph.stores.base import Kept, Store, Suffix, Version
from tests.support.oracle import Oracle

#: Between two names of a question, so that no span reaches across; it names nothing itself.
GAP = "zzz"

#: More characters than any test writes.
ROOM = 10**9


def everything(memory: Oracle) -> list[str]:
    """A question that names every entity: one hop from them all is the whole projection."""
    return [token for key in sorted(memory.keys()) for token in (*key.split(" "), GAP)]


def check(store: Store, history: str, memory: Oracle) -> None:
    """The history is exactly the oracle's memory, and its projection follows from its ledger."""
    assert replace(store.stats(history), version=0) == memory.stats()
    assert list(store.scan(history)) == kept(memory)
    check_select(store, history, memory, everything(memory), 1)
    check_suffixes(store, history, memory)
    check_relations(store, history, memory)
    drift = store.verify(history)
    assert (drift.findings, drift.differences, drift.slots) == ((), 0, len(memory.words))


def check_as_of(
    store: Store, history: str, memory: Oracle, position: int, tokens: Sequence[str], hops: int
) -> None:
    """The history as of a position reads like a memory of the records up to it."""
    then = memory.as_of(position)
    check_select(store, history, then, everything(memory), 1, as_of=position)
    check_select(store, history, then, tokens, hops, as_of=position)
    check_suffixes(store, history, then, as_of=position)


def check_select(
    store: Store,
    history: str,
    memory: Oracle,
    tokens: Sequence[str],
    hops: int,
    *,
    as_of: int | None = None,
) -> None:
    """One read finds the longest matches, exactly the slots within the cap, and their records."""
    found = store.select(history, tokens, hops, as_of)
    assert found.anchors == longest_matches(tokens, memory.subjects())
    expected = memory.closure(found.anchors, hops)
    assert described(found.edges) == sorted(edge_of(memory, slot) for slot in expected)
    reached = closure.depths(found.anchors, found.edges, hops)
    assert {edge.slot: edge.depth for edge in reached} == expected
    said = {edge.position for edge in found.edges}
    assert by_position(found.records) == records_at(memory, said)
    assert found.version == store.stats(history).version


def check_suffixes(
    store: Store, history: str, memory: Oracle, *, as_of: int | None = None, chars: int = ROOM
) -> None:
    """Unresolved, newest and latest-state records fill the room from the newest on."""
    version = store.stats(history).version
    residuals = {p for p, e in memory.entries.items() if e.status is Status.UNRESOLVED}
    words = {word.place[0] for word in memory.words.values()}
    for read, positions in (
        (store.unresolved, residuals),
        (store.newest, set(memory.entries)),
        (store.latest_state, words | residuals),
    ):
        expected = filling(records_at(memory, positions), chars, version)
        assert read(history, chars, as_of) == expected, read.__name__


def check_relations(store: Store, history: str, memory: Oracle) -> None:
    """Every relation in use is listed with its number of slots and how many values it takes."""
    slots = [slot[1] for slot in memory.words]
    expected = {name: ("many" if name in memory.many else "one") for name in set(slots)}
    listed = [relation for relation in store.relations(history) if relation.slots]
    assert [relation.name for relation in listed] == sorted(expected)
    assert {relation.name: relation.values for relation in listed} == expected
    assert {relation.name: relation.slots for relation in listed} == {
        name: slots.count(name) for name in expected
    }


def filling(records: Sequence[Record], chars: int, version: int) -> Suffix:
    """The newest records up to the first that does not fit, ascending."""
    taken = 0
    for record in reversed(records):
        if chars < 0:
            break
        chars -= len(render.line(record.position or 0, record.text))
        taken += 1
    omitted = len(records) - taken
    return Suffix(records=tuple(records[omitted:]), omitted=omitted, version=version)


def kept(memory: Oracle) -> list[Kept]:
    """What a scan of the history returns: records and their assertions with slot and end."""
    scanned = []
    for position, entry in sorted(memory.entries.items()):
        said = sorted(entry.assertions, key=lambda a: a.ordinal)
        versions = tuple(version_of(memory, position, a.ordinal) for a in said)
        scanned.append(Kept(entry.record, versions))
    return scanned


def version_of(memory: Oracle, position: int, ordinal: int) -> Version:
    """One assertion as the ledger must hold it."""
    said = next(a for a in memory.entries[position].assertions if a.ordinal == ordinal)
    subject, relation, member = memory.ledger[position, ordinal]
    return Version(
        position=position,
        ordinal=ordinal,
        subject=subject,
        relation=relation,
        object=said.object,
        member=member,
        retracts=said.retracts,
        superseded_at=memory.superseded_at.get((position, ordinal)),
        subject_text=said.subject_text,
        object_text=said.object_text,
        literal=said.literal,
        frontend=said.frontend,
    )


def edge_of(memory: Oracle, slot: tuple[str, str, str]) -> tuple[Any, ...]:
    """The edge of a slot, described."""
    (position, ordinal), said = memory.words[slot]
    surfaces = (said.subject_text, said.object_text)
    return (slot, said.object, position, ordinal, said.retracts, *surfaces, 0)


def described(edges: Iterable[Edge]) -> list[tuple[Any, ...]]:
    """Edges as sorted tuples: all they say."""
    return sorted(
        (
            edge.slot,
            edge.object_key,
            edge.position,
            edge.ordinal,
            edge.ended,
            edge.subject,
            edge.object,
            edge.depth,
        )
        for edge in edges
    )


def by_position(records: Iterable[Record]) -> list[Record]:
    return sorted(records, key=lambda record: record.position or 0)


def records_at(memory: Oracle, positions: Iterable[int]) -> list[Record]:
    return [memory.entries[position].record for position in sorted(positions)]
