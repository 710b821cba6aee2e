"""The graph of a read, as what is drawn: boxes with a column each, and arrows between them.

Pure. This module must not know how boxes and arrows look.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cmc_graph.explaining.values import Explanation
from cmc_graph.model import Edge
from cmc_graph.stores.base import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """An entity of the read, or a value it no longer has.

    Attributes:
        column: Hops from the question; 0: an anchor.
        old: A replaced value: it has a box of its own, so that it can be struck out.
    """

    name: str
    column: int
    old: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """What one record says; ``start`` and ``stop`` are numbers of boxes.

    Attributes:
        state: ``current``, ``ended`` (the slot's last word is a retraction) or ``old``.
        until: The position from which it holds no longer.
        cut: The budget had no room for its record.
    """

    start: int
    stop: int
    relation: str
    position: int
    state: str
    until: int | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """What is drawn; ``left_out`` counts the edges that there was no room for."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    left_out: int = 0


def graph(explanation: Explanation, most: int) -> Graph:
    """The closure with the newest replaced value of each slot beside its current one.

    Args:
        explanation: What is drawn.
        most: How many edges, nearest first; what they replaced is drawn besides.
    """
    edges = explanation.evidence.edges
    cut = frozenset(explanation.evidence.cut)
    older = {each.edge.slot: each.versions for each in explanation.replaced}
    boxes = [Box(name=anchor.span, column=0) for anchor in explanation.anchors]
    numbers = {anchor.key: number for number, anchor in enumerate(explanation.anchors)}
    arrows: list[Arrow] = []
    for edge in edges[:most]:
        start = numbers[edge.subject_key]
        stop = numbers.setdefault(edge.object_key, len(boxes))
        if stop == len(boxes):
            boxes.append(Box(name=edge.object, column=edge.depth))
        arrows.append(_current(edge, start, stop, cut=edge.position in cut))
        if (version := _replaced(edge, older.get(edge.slot, ()))) is not None:
            arrows.append(_old(version, start, len(boxes)))
            boxes.append(Box(name=version.object_text, column=edge.depth, old=True))
    return Graph(boxes=tuple(boxes), arrows=tuple(arrows), left_out=max(len(edges) - most, 0))


def _current(edge: Edge, start: int, stop: int, *, cut: bool) -> Arrow:
    return Arrow(
        start=start,
        stop=stop,
        relation=edge.relation,
        position=edge.position,
        state="ended" if edge.ended else "current",
        cut=cut,
    )


def label(arrow: Arrow, relation: str, position: str) -> str:
    """What is written at an arrow.

    Args:
        arrow: The arrow.
        relation: Its relation as it is to be shown.
        position: Its position as it is to be shown.
    """
    gone = " no longer" if arrow.state == "ended" else ""
    until = "" if arrow.until is None else f" until {arrow.until}"
    cut = ", cut" if arrow.cut else ""
    return f"{relation}{gone} {position}{until}{cut}"


def _old(version: Version, start: int, stop: int) -> Arrow:
    return Arrow(
        start=start,
        stop=stop,
        relation=version.relation,
        position=version.position,
        state="old",
        until=version.superseded_at,
    )


def _replaced(edge: Edge, versions: Sequence[Version]) -> Version | None:
    """The newest replaced value of the edge's slot that is another one."""
    if edge.ended:  # its own arrow shows the value that holds no longer
        return None
    others = (v for v in reversed(versions) if not v.retracts and v.object != edge.object_key)
    return next(others, None)
