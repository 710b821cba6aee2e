"""An explanation as a tree of lines for a terminal or a log.

Pure. This module must not know where the lines go.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cmc_graph import render
from cmc_graph.explaining.values import Explanation, Hidden, Replaced, Shown
from cmc_graph.model import Edge
from cmc_graph.text import count, shorten

#: How many replaced versions of a slot are told; a timeline has all of them.
_MOST_VERSIONS = 5
_LONGEST_NAME = 200
#: In place of a record's text.
MISSING = "missing: see cmc-graph doctor"

_Place = tuple[int, int]


def lines(explanation: Explanation) -> Iterator[str]:
    """The question, from each anchor the edges that were reached, and what is not shown."""
    yield _name(explanation.question)
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
    return hidden.why if hidden.depth is None else f"{hidden.why}, at hop {hidden.depth}"


def why(shown: Shown) -> str:
    """Why a record is shown that no edge of the closure led to, in words."""
    if shown.why == "unresolved":
        return f"unresolved: {shown.record.reason}" if shown.record.reason else "unresolved"
    return shown.why.replace("_", " ")


@dataclass(frozen=True, slots=True)
class _Walk:
    """What the tree is made of: the lines of edges' records, what they replaced, what follows."""

    texts: Mapping[int, str]
    older: Mapping[_Place, Replaced]
    below: Mapping[_Place | str, Sequence[Edge]]

    def branches(self, parent: _Place | str, indent: str) -> Iterator[str]:
        """The lines of the edges below an edge, or below an anchor."""
        edges = self.below.get(parent, ())
        for number, edge in enumerate(edges, 1):
            last = number == len(edges)
            deeper = indent + ("   " if last else "│  ")
            rest = deeper + ("│  " if _place(edge) in self.below else "   ")
            yield f"{indent}{'└─' if last else '├─'} {_edge(edge)}"
            yield rest + _line(edge.position, self.texts.get(edge.position, MISSING))
            if _place(edge) in self.older:
                yield from (rest + told for told in _older(self.older[_place(edge)]))
            yield from self.branches(_place(edge), deeper)


def _walk(explanation: Explanation) -> Iterator[str]:
    """The edges on the way to the records that are shown; each stands once, on its path."""
    below: defaultdict[_Place | str, dict[_Place, Edge]] = defaultdict(dict)
    for way in (way for each in explanation.shown for way in each.reached):
        parent: _Place | str = way.anchor
        for edge in way.path:
            below[parent][_place(edge)] = edge
            parent = _place(edge)
    walk = _Walk(
        texts=dict.fromkeys(explanation.evidence.cut, "cut by the budget")
        | {each.record.position or 0: each.record.text for each in explanation.shown},
        older={_place(each.edge): each for each in explanation.replaced},
        below={
            parent: [edges[place] for place in sorted(edges)] for parent, edges in below.items()
        },
    )
    for anchor in explanation.anchors:
        yield f"{_name(anchor.span)!r} names {_name(anchor.key)}"
        yield from walk.branches(anchor.key, "")


def _edge(edge: Edge) -> str:
    gone = " no longer" if edge.ended else ""
    subject, relation, value = (_name(n) for n in (edge.subject, edge.relation, edge.object))
    return f"hop {edge.depth}: {subject} · {relation} → {value}{gone}"


def _older(replaced: Replaced) -> Iterator[str]:
    """What the slot was before, newest first."""
    versions = replaced.versions[::-1]
    for version in versions[:_MOST_VERSIONS]:
        verb = "ended" if version.retracts else "was"
        value = f"{_name(version.object_text)} [{version.position}]"
        yield f"{verb} {value}, until {version.superseded_at}"
    if (rest := len(versions) - _MOST_VERSIONS) > 0:
        yield f"and {count(rest, 'older version')}"


def _beside(shown: Shown) -> str:
    return f"   {_line(shown.record.position, shown.record.text)}   ({why(shown)})"


def _hidden(hidden: Hidden) -> str:
    return f"   {_line(hidden.record.position, hidden.record.text)}   ({reason(hidden)})"


def _name(name: str) -> str:
    return shorten(name, _LONGEST_NAME)


def _line(position: int | None, text: str) -> str:
    return render.line(position or 0, text).rstrip("\n")


def _place(edge: Edge) -> _Place:
    return (edge.position, edge.ordinal)
