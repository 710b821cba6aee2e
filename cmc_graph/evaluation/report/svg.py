"""Small plots as SVG text: a dot plot, lines, and labelled points; no library, nothing to load.

Each is complete in itself and can stand alone in a file, a page or a notebook; colours and fonts
are in ``plot.css``. This module must not know what is plotted.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

_STYLE = "plot.css"
#: How many series can be told apart; ``c0`` to ``c7`` in the style sheet.
_PALETTE = 8

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 70, 20, 64, 46
_ROW, _LABELS, _PLOT = 22, 220, 320
#: Room above 100 percent for labels that had to move up.
_HEADROOM = 70
_LEGEND_LETTER, _LEGEND_MARK = 7.0, 26.0
#: A label beside a point: its height, the width of a letter, and the size of the mark.
_LINE, _LETTER, _RADIUS = 14.0, 6.4, 5.0

Scale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Heading:
    """What a plot is called, and below it what it is about."""

    title: str
    subtitle: str


@dataclass(frozen=True, slots=True)
class Series:
    """Values under one name.

    Attributes:
        points: (x, y); in a dot plot (row, value).
        dashed: Drawn broken or hollow, for figures that are quoted.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One labelled value of a scatter plot."""

    label: str
    x: float
    y: float
    low: float
    high: float


def dots(heading: Heading, rows: Sequence[str], series: Sequence[Series], axis: str) -> str:
    """A dot plot: a row for each name, a dot for each series, percent to the right.

    Args:
        heading: Of the plot.
        rows: Names, from the top.
        series: Points are (number of the row, percent).
        axis: What the percents are of.
    """
    x = _linear((0, 100), (_LABELS, _WIDTH - _RIGHT - 20))
    bottom = _TOP + _ROW * len(rows) + 8
    parts = [_vertical(x(tick), _TOP, bottom, f"{tick}") for tick in range(0, 101, 20)]
    for number, name in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        parts.append(_text(_LABELS - 12, y + 4, name, "row"))
        parts.append(_line((_LABELS, y), (x(100), y), "grid"))
    for place, each in enumerate(series):
        for row, value in each.points:
            at = (x(value), _TOP + _ROW * (row + 0.5))
            parts.append(
                _mark(at, place, f"{rows[int(row)]}, {each.name}: {value:g}", hollow=each.dashed)
            )
    parts.append(_text((_LABELS + x(100)) / 2, bottom + 34, axis, "axis"))
    return _figure(heading, bottom + 44, parts, series)


def lines(
    heading: Heading, ticks: Sequence[float], series: Sequence[Series], axes: tuple[str, str]
) -> str:
    """Lines over a few places on the x axis, percent upwards.

    Args:
        heading: Of the plot.
        ticks: The places, ascending.
        series: Points are (place, percent).
        axes: What x and y are.
    """
    x = _linear((min(ticks), max(ticks)), (_LEFT + 30, _WIDTH - _RIGHT - 30))
    parts, y = _percents(axes[1], _TOP)
    parts += [_text(x(tick), _TOP + _PLOT + 20, f"{tick:g}", "tick") for tick in ticks]
    parts.append(_text(x((min(ticks) + max(ticks)) / 2), _TOP + _PLOT + 38, axes[0], "axis"))
    for place, each in enumerate(series):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in sorted(each.points))
        style = f"line c{place % _PALETTE}" + (" dashed" if each.dashed else "")
        parts.append(f'<polyline class="{style}" points="{path}"/>')
        for a, b in each.points:
            parts.append(
                _mark((x(a), y(b)), place, f"{each.name}, {a:g}: {b:g}", hollow=each.dashed)
            )
    return _figure(heading, _TOP + _PLOT + _BOTTOM, parts, series)


def scatter(heading: Heading, points: Sequence[Point], axes: tuple[str, str]) -> str:
    """Labelled points with their intervals; the x axis in powers of ten, percent upwards.

    Args:
        heading: Of the plot.
        points: x above 0.
        axes: What x and y are.
    """
    powers = [math.log10(point.x) for point in points] or [0.0]
    first, last = math.floor(min(powers)), max(math.ceil(max(powers)), math.floor(min(powers)) + 1)
    x = _linear((first, last), (_LEFT + 20, _WIDTH - _RIGHT - 100))
    top = _TOP + _HEADROOM
    parts, y = _percents(axes[1], top)
    for power in range(first, last + 1):
        parts.append(_vertical(x(power), top, top + _PLOT, f"{10**power:,}"))
    parts.append(_text(x((first + last) / 2), top + _PLOT + 38, axes[0], "axis"))
    places = [(x(math.log10(point.x)), y(point.y)) for point in points]
    for point, (at, height), label in zip(points, places, _apart(points, places), strict=True):
        parts.append(_line((at, y(point.low)), (at, y(point.high)), "interval"))
        parts.append(_line((at, height), (at + 10, label), "leader"))
        parts.append(_mark((at, height), 0, f"{point.label}: {point.x:,.0f}, {point.y:g}"))
        parts.append(_text(at + 12, label + 4, point.label, "label"))
    return _figure(heading, top + _PLOT + _BOTTOM, parts, ())


def _apart(points: Sequence[Point], places: Sequence[tuple[float, float]]) -> list[float]:
    """The height of each label: its point's, moved up until no mark or label is in the way."""
    heights = [0.0] * len(points)
    labels: list[tuple[float, float, float]] = []
    marks = [(at - _RADIUS, at + _RADIUS, height) for at, height in places]
    for number in sorted(range(len(points)), key=lambda n: -places[n][1]):
        at, height = places[number]
        start, end = at + _RADIUS, at + _LETTER * len(points[number].label) + 20
        others = marks[:number] + marks[number + 1 :]
        for left, right, taken in sorted((*labels, *others), key=lambda one: -one[2]):
            if start < right and left < end and abs(height - taken) < _LINE:
                height = taken - _LINE
        heights[number] = height
        labels.append((start, end, height))
    return heights


def _percents(axis: str, top: float) -> tuple[list[str], Scale]:
    """The y axis from 0 to 100, the latter at ``top``, and its scale."""
    y = _linear((0, 100), (top + _PLOT, top))
    parts = []
    for tick in range(0, 101, 20):
        parts.append(_line((_LEFT, y(tick)), (_WIDTH - _RIGHT, y(tick)), "grid"))
        parts.append(_text(_LEFT - 8, y(tick) + 4, f"{tick}", "row"))
    middle = y(50)
    parts.append(
        f'<text class="axis" transform="translate(18 {middle:.1f}) rotate(-90)">'
        f"{escape(axis)}</text>"
    )
    return parts, y


@cache
def _style() -> str:
    return (files("cmc_graph.evaluation.report") / _STYLE).read_text("utf-8")


def _figure(heading: Heading, height: float, parts: Iterable[str], series: Sequence[Series]) -> str:
    legend, lines_of_legend = _legend(series, height)
    tall = height + 20 * lines_of_legend + 6
    title, subtitle = heading.title, heading.subtitle
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {tall:.0f}" role="img" '
        f'aria-label="{escape(title)}, {escape(subtitle)}"><style>{_style()}</style>'
        f'<rect class="ground" width="{_WIDTH}" height="{tall:.0f}"/>'
        f"{_text(0, 18, title, 'title')}{_text(0, 36, subtitle, 'subtitle')}"
        f"{''.join(parts)}{legend}</svg>"
    )


def _legend(series: Sequence[Series], top: float) -> tuple[str, int]:
    """The marks with their names, and how many lines they take."""
    parts, x, line = [], float(_LEFT), 1
    for place, each in enumerate(series):
        wide = _LEGEND_MARK + _LEGEND_LETTER * len(each.name) + 12
        if x > _LEFT and x + wide > _WIDTH - _RIGHT:
            x, line = float(_LEFT), line + 1
        y = top + 20 * line - 8
        parts.append(_mark((x + 8, y - 4), place, each.name, hollow=each.dashed))
        parts.append(_text(x + 20, y, each.name, "label"))
        x += wide
    return "".join(parts), line if series else 0


def _linear(values: tuple[float, float], places: tuple[float, float]) -> Scale:
    """Maps a range of values to a range of places."""
    (low, high), (start, end) = values, places
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _mark(at: tuple[float, float], place: int, title: str, *, hollow: bool = False) -> str:
    """A mark in the shape and colour of its series, with a title to point at."""
    x, y = at
    style = f"mark c{place % _PALETTE}" + (" hollow" if hollow else "")
    shapes = (
        f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="5">',
        f'<rect class="{style}" x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9">',
        f'<path class="{style}" d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6-6z">',
        f'<path class="{style}" d="M{x:.1f} {y - 6:.1f}l6 10h-12z">',
    )
    shape = shapes[place % len(shapes)]
    return f"{shape}<title>{escape(title)}</title></{shape[1 : shape.index(' ')]}>"


def _vertical(x: float, top: float, bottom: float, label: str) -> str:
    """A grid line with its value below."""
    return _line((x, top), (x, bottom), "grid") + _text(x, bottom + 16, label, "tick")


def _line(start: tuple[float, float], end: tuple[float, float], style: str) -> str:
    (a, b), (c, d) = start, end
    return f'<line class="{style}" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
