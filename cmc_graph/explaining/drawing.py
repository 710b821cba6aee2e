"""The graph of a read as SVG: a column for each hop, arrows from left to right.

Pure; nothing is loaded. Colours are those of the page around it. This module must not know files.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from cmc_graph.explaining.graph import Arrow, Box, Graph, label
from cmc_graph.text import shorten, visible

_WIDTH, _HEIGHT = 190, 34
#: From one column to the next, with room for the arrows' labels, and from one row to the next.
_PITCH, _ROW, _MARGIN = 350, 64, 24
_NAME, _RELATION = 24, 18
#: A second label at a box stands above the first; beyond the most they share one place.
_LABEL, _MOST_LABELS = 13, 20
#: What a column is further from the next where labels stand on both sides of the space.
_BESIDE = 130


class _Place(NamedTuple):
    x: float
    y: float


def svg(graph: Graph) -> str:
    """The drawing, complete in itself."""
    places = _places(graph)
    width = max((place.x for place in places), default=0) + _WIDTH + _MARGIN + _back(graph)
    height = max((place.y for place in places), default=0) + _HEIGHT + _MARGIN
    # No arrow runs over a label, and none over a box.
    parts = [*_arrows(graph, places), *_labels(graph, places), *map(_box, graph.boxes, places)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">'
        f"<title>The graph of the read</title>{_HEADS}{''.join(parts)}</svg>"
    )


_HEADS = "<defs>" + "".join(
    f'<marker id="{state}" class="head {state}" viewBox="0 0 8 8" refX="8" refY="4" '
    f'markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>'
    for state in ("current", "ended", "old")
) + "</defs>"  # fmt: skip


def _places(graph: Graph) -> list[_Place]:
    """Where each box stands: columns from the left, each filled from the top.

    A box has room above it for the labels of the arrows to it, and so has the space between two
    columns for those of arrows that turn back beside those that arrive.
    """
    labels = Counter((arrow.stop, _is_forward(graph, arrow)) for arrow in graph.arrows)
    pitch = _PITCH if all(is_forward for _, is_forward in labels) else _PITCH + _BESIDE
    filled: Counter[int] = Counter()
    places: list[_Place] = []
    for number, box in enumerate(graph.boxes):
        most = max(labels[number, True], labels[number, False], 1)
        top = _MARGIN + filled[box.column] + (min(most, _MOST_LABELS) - 1) * _LABEL
        filled[box.column] = top - _MARGIN + _ROW
        places.append(_Place(_MARGIN + box.column * pitch, top))
    return places


def _is_forward(graph: Graph, arrow: Arrow) -> bool:
    """Whether an arrow leads to the right; one that turns back arrives from the right."""
    return graph.boxes[arrow.start].column < graph.boxes[arrow.stop].column


def _back(graph: Graph) -> int:
    """Room at the right for arrows that turn back from the last column."""
    last = max((box.column for box in graph.boxes), default=0)
    turns = any(
        graph.boxes[arrow.start].column == last == graph.boxes[arrow.stop].column
        for arrow in graph.arrows
    )
    return _PITCH // 2 if turns else 0


def _box(box: Box, place: _Place) -> str:
    style = "old" if box.old else "anchor" if box.column == 0 else "entity"
    name = escape(visible(shorten(box.name, _NAME)))
    return (
        f'<g class="box {style}"><title>{escape(visible(shorten(box.name, 200)))}</title>'
        f'<rect x="{place.x}" y="{place.y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>'
        f'<text x="{place.x + _WIDTH / 2}" y="{place.y + 22}">{name}</text></g>'
    )


def _arrows(graph: Graph, places: Sequence[_Place]) -> Iterator[str]:
    for arrow in graph.arrows:
        way = _curve(places[arrow.start], places[arrow.stop], forward=_is_forward(graph, arrow))
        yield (
            f'<g class="{_class(arrow)}"><title>{_title(arrow)}</title>'
            f'<path d="{way}" marker-end="url(#{arrow.state})"/></g>'
        )


def _labels(graph: Graph, places: Sequence[_Place]) -> Iterator[str]:
    """What the arrows say, at their ends, one above the other."""
    taken: Counter[tuple[int, bool]] = Counter()
    for arrow in graph.arrows:
        end = arrow.stop, _is_forward(graph, arrow)
        yield _label(arrow, places[arrow.stop], forward=end[1], above=taken[end])
        taken[end] = min(taken[end] + 1, _MOST_LABELS - 1)


def _label(arrow: Arrow, stop: _Place, *, forward: bool, above: int) -> str:
    x, anchor = (stop.x - 12, "end") if forward else (stop.x + _WIDTH + 12, "start")
    y = stop.y + _HEIGHT / 2 - 6 - above * _LABEL
    said = label(arrow, visible(shorten(arrow.relation, _RELATION)), f"[{arrow.position}]")
    return (
        f'<g class="{_class(arrow)}"><title>{_title(arrow)}</title>'
        f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(said)}</text></g>'
    )


def _class(arrow: Arrow) -> str:
    return f"arrow {arrow.state} cut" if arrow.cut else f"arrow {arrow.state}"


def _title(arrow: Arrow) -> str:
    return escape(f"{visible(arrow.relation)} [{arrow.position}]")


def _curve(start: _Place, stop: _Place, *, forward: bool) -> str:
    """The way from one box's right side to the other's left, or right where it turns back."""
    from_x, from_y = start.x + _WIDTH, start.y + _HEIGHT / 2
    to_x, to_y = (stop.x if forward else stop.x + _WIDTH), stop.y + _HEIGHT / 2
    bend = (to_x - from_x) * 0.4 if forward else _PITCH * 0.35
    turn = to_x - bend if forward else to_x + bend
    lift = _HEIGHT if start == stop else 0  # what points at itself goes round
    return f"M{from_x} {from_y}C{from_x + bend} {from_y - lift} {turn} {to_y + lift} {to_x} {to_y}"
