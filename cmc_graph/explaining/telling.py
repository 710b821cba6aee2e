"""What a read showed, what it replaced, and what it left out, told from what the stores found.

Pure. This module must not know how any of it is drawn.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cmc_graph.explaining import paths
from cmc_graph.explaining.values import (
    Explanation,
    Hidden,
    Reached,
    Replaced,
    Shown,
    Timeline,
    TimelineEntry,
    Why,
    WhyNot,
)
from cmc_graph.model import Edge, Evidence, ReadOptions, Record
from cmc_graph.stores.base import Version

Slot = tuple[str, str, str]


class Found(NamedTuple):
    """What was asked of a store for an explanation.

    Attributes:
        evidence: What the read returns.
        edges: The closure under the largest hop cap, with depths.
        versions: All versions of the closure's subjects, oldest first.
        records: By position: those of ``edges``, and of replaced versions and those without effect.
    """

    evidence: Evidence
    edges: Sequence[Edge]
    versions: Sequence[Version]
    records: Mapping[int, Record]


def explanation(question: str, options: ReadOptions, found: Found) -> Explanation:
    """The read, told."""
    evidence = found.evidence
    older = replaced(evidence.edges, found.versions, options.as_of)
    return Explanation(
        question=question,
        anchors=paths.anchors(question, evidence.anchors),
        evidence=evidence,
        shown=tuple(_shown(evidence)),
        replaced=older,
        hidden=_hidden(options, found, older),
        hops=options.hops,
        budget=options.budget,
        as_of=options.as_of,
    )


def replaced(
    edges: Iterable[Edge], versions: Iterable[Version], as_of: int | None
) -> tuple[Replaced, ...]:
    """The slots of these edges that had older versions with effect, in the edges' order."""
    older: defaultdict[Slot, list[Version]] = defaultdict(list)
    for version in known_at(versions, as_of):
        if version.superseded_at is not None and version.superseded_at != version.position:
            older[slot(version)].append(version)
    return tuple(
        Replaced(edge=edge, versions=tuple(older[edge.slot]))
        for edge in edges
        if edge.slot in older
    )


def idle(edges: Iterable[Edge], versions: Iterable[Version], as_of: int | None) -> set[int]:
    """The positions of the versions in the slots of these edges that never had any effect."""
    slots = {edge.slot for edge in edges}
    known = known_at(versions, as_of)
    return {v.position for v in known if v.superseded_at == v.position and slot(v) in slots}


def known_at(versions: Iterable[Version], as_of: int | None) -> list[Version]:
    """The versions as the ledger stood after a position; None: now."""
    if as_of is None:
        return list(versions)
    return [
        version
        if version.superseded_at is None or version.superseded_at <= as_of
        else replace(version, superseded_at=None)
        for version in versions
        if version.position <= as_of
    ]


def slot(version: Version) -> Slot:
    """The slot a version is of."""
    return (version.subject, version.relation, version.member)


def timeline(
    entity: str, relation: str | None, versions: Sequence[Version], records: Mapping[int, Record]
) -> Timeline:
    """The versions with their records, and what took each slot after them.

    Args:
        entity: The key they are of.
        relation: The relation they are of; None: all.
        versions: Oldest first.
        records: Those of the versions, by position.
    """
    holding = {
        (slot(version), version.position): version
        for version in versions
        if version.superseded_at is None or version.superseded_at > version.position
    }
    entries = (_entry(version, holding, records) for version in versions)
    return Timeline(entity=entity, relation=relation, entries=tuple(entries))


def _entry(
    version: Version,
    holding: Mapping[tuple[Slot, int], Version],
    records: Mapping[int, Record],
) -> TimelineEntry:
    """A version among those that hold from a position on in a slot."""
    end = version.superseded_at
    ends_later = end is not None and end != version.position
    by = holding.get((slot(version), end)) if end is not None and ends_later else None
    return TimelineEntry(
        version=version,
        record=records.get(version.position),
        replaced_by=by,
        has_effect=end != version.position,
        is_replacement_lost=ends_later and by is None,
    )


def _shown(evidence: Evidence) -> Iterator[Shown]:
    ways: defaultdict[int, list[Reached]] = defaultdict(list)
    for each in paths.reached(evidence.edges):
        ways[each.edge.position].append(each)
    for record in evidence.records:
        reached = tuple(ways.get(record.position or 0, ()))
        why: Why = evidence.fallback or ("closure" if reached else "unresolved")
        yield Shown(record=record, why=why, reached=reached)


def _hidden(options: ReadOptions, found: Found, older: Iterable[Replaced]) -> tuple[Hidden, ...]:
    """Each record that is not shown, once, with the reason that counts most.

    A record that is missing, which a check of the store finds, is not told of.
    """
    hidden: dict[int, Hidden] = {}
    for position, why, by, depth in _reasons(options, found, older):
        record = found.records.get(position)
        if record is not None:
            hidden[position] = Hidden(record=record, why=why, by=by, depth=depth)
    shown = {record.position for record in found.evidence.records}
    return tuple(hidden[position] for position in sorted(hidden) if position not in shown)


def _reasons(
    options: ReadOptions, found: Found, older: Iterable[Replaced]
) -> Iterator[tuple[int, WhyNot, int | None, int | None]]:
    """Position, reason, what supersedes and hop of records; of several the last one counts."""
    for position in idle(found.evidence.edges, found.versions, options.as_of):
        yield position, "without effect", None, None
    ends: dict[int, int] = {}
    for version in (version for each in older for version in each.versions):
        ends[version.position] = max(ends.get(version.position, 0), version.superseded_at or 0)
    for position, by in ends.items():
        yield position, "superseded", by, None
    depths: dict[int, int] = {}
    for edge in found.edges:
        depths.setdefault(edge.position, edge.depth)
    for position, depth in depths.items():
        if depth > options.hops:
            yield position, "beyond the hop cap", None, depth
    for position in found.evidence.cut:
        yield position, "cut by the budget", None, depths[position]
