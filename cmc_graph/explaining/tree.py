"""An explanation as a tree of lines for a terminal or a log.

Pure. This module must not know where the lines go.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from cmc_graph import render
from cmc_graph.explaining.values import Explanation, Hidden, Reached, Replaced, Shown
from cmc_graph.model import Edge
from cmc_graph.text import count, shorten

#: How many replaced versions of a slot are told; a timeline has all of them.
_MOST_VERSIONS = 5

_Place = tuple[int, int]


def lines(explanation: Explanation) -> Iterator[str]:
    """The question, from each anchor the edges that were reached, and what is not shown."""
    yield shorten(explanation.question, 200)
    yield from _walk(explanation)
    beside = [each for each in explanation.shown if not each.reached]
    if beside:
        yield (
            "shown beside them" if explanation.evidence.edges else "shown, since nothing was found"
        )
        yield from map(_beside, beside)
    if explanation.hidden:
        yield "not shown"
        yield from map(_hidden, explanation.hidden)
    listed = sum(each.why == "cut by the budget" for each in explanation.hidden)
    if (rest := explanation.evidence.omitted - listed) > 0:
        yield f"not shown: {count(rest, 'other record')} cut by the budget"


def reason(hidden: Hidden) -> str:
    """Why a record is not shown, in words."""
    if hidden.why == "superseded":
        return f"superseded by {hidden.by}"
    return f"{hidden.why}, at hop {hidden.depth}"


def why(shown: Shown) -> str:
    """Why a record is shown that no edge of the closure led to, in words."""
    if shown.why == "unresolved":
        return f"unresolved: {shown.record.reason}" if shown.record.reason else "unresolved"
    return shown.why.replace("_", " ")


def _walk(explanation: Explanation) -> Iterator[str]:
    """The closure as a tree; every edge stands once, where its path leads."""
    texts = {each.record.position or 0: each.record.text for each in explanation.shown}
    ways = {_place(way.edge): way for each in explanation.shown for way in each.reached}
    older = {_place(each.edge): each for each in explanation.replaced}
    children: defaultdict[_Place, list[Edge]] = defaultdict(list)
    roots: defaultdict[str, list[Edge]] = defaultdict(list)
    for way in sorted(ways.values(), key=_by_depth):
        if len(way.path) == 1:
            roots[way.anchor].append(way.edge)
            continue
        visible = [edge for edge in way.path[:-1] if _place(edge) in ways]
        if visible:
            children[_place(visible[-1])].append(way.edge)
        else:
            roots[way.anchor].append(way.edge)
    for anchor in explanation.anchors:
        yield f"{anchor.span!r} names {anchor.key}"
        yield from _branches(roots[anchor.key], children, texts, older, "")


def _branches(
    edges: Sequence[Edge],
    children: Mapping[_Place, Sequence[Edge]],
    texts: Mapping[int, str],
    older: Mapping[_Place, Replaced],
    indent: str,
) -> Iterator[str]:
    for number, edge in enumerate(edges, 1):
        last = number == len(edges)
        below = children.get(_place(edge), ())
        deeper = indent + ("   " if last else "│  ")
        yield f"{indent}{'└─' if last else '├─'} {_edge(edge)}"
        yield f"{deeper}{'│' if below else ' '}  {_line(edge.position, texts[edge.position])}"
        if _place(edge) in older:
            for told in _older(older[_place(edge)]):
                yield f"{deeper}{'│' if below else ' '}  {told}"
        yield from _branches(below, children, texts, older, deeper)


def _edge(edge: Edge) -> str:
    value = f"{edge.object} no longer" if edge.ended else edge.object
    return f"hop {edge.depth}: {edge.subject} · {edge.relation} → {value}"


def _older(replaced: Replaced) -> Iterator[str]:
    """What the slot was before, newest first."""
    versions = replaced.versions[::-1]
    for version in versions[:_MOST_VERSIONS]:
        verb = "ended" if version.retracts else "was"
        yield f"{verb} {version.object_text} [{version.position}], until {version.superseded_at}"
    if (rest := len(versions) - _MOST_VERSIONS) > 0:
        yield f"and {count(rest, 'older version')}"


def _beside(shown: Shown) -> str:
    return f"   {_line(shown.record.position, shown.record.text)}   ({why(shown)})"


def _hidden(hidden: Hidden) -> str:
    return f"   {_line(hidden.record.position, hidden.record.text)}   ({reason(hidden)})"


def _line(position: int | None, text: str) -> str:
    return render.line(position or 0, text).rstrip("\n")


def _place(edge: Edge) -> _Place:
    return (edge.position, edge.ordinal)


def _by_depth(way: Reached) -> tuple[int, int, int]:
    return (way.edge.depth, *_place(way.edge))
