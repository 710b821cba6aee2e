"""The read use case: a question's selection, its depths, and the records beside it, to evidence.

Two round trips at most see one version of the history, or the read starts over. This module must
not know a database, nor how a question is answered.
"""

from collections import Counter
from collections.abc import Sequence

from cmc_graph import closure, render
from cmc_graph.errors import StoreBusy
from cmc_graph.model import Edge, Evidence, Fallback, ReadOptions, Status
from cmc_graph.stores.base import Selection, Store, Suffix
from cmc_graph.text import count, tokens

#: How often a read starts over because a writer committed between its two round trips.
ATTEMPTS = 20
#: How many (budget, as_of) pairs the unresolved records are kept for.
_KEPT_SUFFIXES = 16


class Retrieval:
    """The reads of one history; the unresolved records are asked for once per version."""

    def __init__(self, store: Store, history: str) -> None:
        self._store = store
        self._history = history
        self._unresolved: dict[tuple[int, int | None], Suffix] = {}

    def read(self, question: str, options: ReadOptions) -> Evidence:
        """The evidence for a question (read contract).

        Raises:
            StoreError: The store failed, or the history never stood still.
        """
        words = tokens(question)
        for _ in range(ATTEMPTS):
            selection = self._store.select(self._history, words, options.hops, options.as_of)
            edges = closure.depths(selection.anchors, sound(selection.edges), options.hops)
            rest = self._rest(selection.version, edges, options)
            if rest.version == selection.version:
                return _evidence(selection, edges, rest, options)
        raise never_still(self._history)

    def _rest(self, version: int, edges: Sequence[Edge], options: ReadOptions) -> Suffix:
        """The records beside the closure: unresolved ones, or the fall-back of an empty closure."""
        if edges:
            return self._unresolved_at(version, options.budget, options.as_of)
        if options.fallback == "history":
            return self._store.newest(self._history, options.budget, options.as_of)
        return self._store.latest_state(self._history, options.budget, options.as_of)

    def _unresolved_at(self, version: int, budget: int, as_of: int | None) -> Suffix:
        """The unresolved records, asked for once per version of the history."""
        kept = self._unresolved.get((budget, as_of))
        if kept is not None and kept.version == version:
            return kept
        suffix = self._store.unresolved(self._history, budget, as_of)
        others = {k: s for k, s in self._unresolved.items() if s.version == suffix.version}
        room = dict(list(others.items())[-_KEPT_SUFFIXES + 1 :])
        self._unresolved = {**room, (budget, as_of): suffix}  # one assignment: threads may read
        return suffix


def sound(edges: Sequence[Edge]) -> Sequence[Edge]:
    """The edges, of several last words of one slot the newest: only damage can make several."""
    last: dict[tuple[str, str, str], Edge] = {}
    for edge in edges:
        held = last.setdefault(edge.slot, edge)
        if (held.position, held.ordinal) < (edge.position, edge.ordinal):
            last[edge.slot] = edge
    return edges if len(last) == len(edges) else list(last.values())


def damage(selection: Selection, edges: Sequence[Edge]) -> tuple[str, ...]:
    """What is damaged among what was selected, in sentences.

    Args:
        selection: As the store found it.
        edges: Those of it that are within the hop cap.
    """
    held = {record.position for record in selection.records}
    lost = sorted({edge.position for edge in edges} - held)
    found = [f"record [{position}] is missing or damaged" for position in lost]
    if twice := _doubled(selection.edges):
        found.append(f"{count(twice, 'slot')} with several last words, of which the newest counts")
    if selection.damaged and not lost:
        pieces = count(
            selection.damaged, "edge, assertion or record", "edges, assertions or records"
        )
        found.append(f"{pieces} lost or damaged")
    return tuple(found)


def _doubled(edges: Sequence[Edge]) -> int:
    """How many slots have several last words."""
    if len({edge.slot for edge in edges}) == len(edges):
        return 0
    words = Counter(edge.slot for edge in edges)
    return sum(number > 1 for number in words.values())


def never_still(history: str) -> StoreBusy:
    """The error of a read that always found a writer in its way."""
    return StoreBusy(
        f"history {history!r} changed {ATTEMPTS} times while it was read; "
        "read again, or write in larger batches"
    )


def _evidence(
    selection: Selection, edges: tuple[Edge, ...], rest: Suffix, options: ReadOptions
) -> Evidence:
    hops: dict[int, int] = {}
    for edge in edges:  # by depth: the first edge of a record is its nearest
        hops.setdefault(edge.position, edge.depth)
    selected = [record for record in selection.records if record.position in hops]
    nearness = hops if options.overflow == "nearest" else None
    text, records, omitted = render.evidence([*selected, *rest.records], options.budget, nearness)
    cut: list[int] = []
    if omitted:
        shown = {record.position for record in records}
        cut = sorted(r.position or 0 for r in selected if r.position not in shown)
    fallback: Fallback | None = None if edges else options.fallback
    return Evidence(
        text=text,
        records=records,
        edges=edges,
        anchors=selection.anchors,
        unresolved=tuple(r for r in records if r.status is Status.UNRESOLVED),
        fallback=fallback,
        omitted=omitted + rest.omitted,
        overflow=options.overflow,
        cut=tuple(cut),
        version=selection.version,
        damage=damage(selection, edges),
    )
