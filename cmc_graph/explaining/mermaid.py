"""An explanation as a Mermaid flow chart, for pages that draw one.

Pure. This module must not know where the text goes.
"""

import re
from collections.abc import Iterator

from cmc_graph.explaining.graph import Arrow, Box, Graph, label
from cmc_graph.text import count, shorten

#: What draws each state of an arrow.
_ARROWS = {"current": "-->", "ended": "--x", "old": "-.->"}
#: Mermaid reads these inside a quoted label (`$$` begins a formula, `fa:` an icon, `://` a link);
#: each is written by its number instead.
_SPECIAL = frozenset('"#$:&<>`\\[](){}|;%*_~')
#: The beginning of a list, which Mermaid refuses; the last sign is written by its number.
_LIST = re.compile(r"[-+]|\d+\.")


def lines(graph: Graph) -> Iterator[str]:
    """The chart; replaced values are dotted and struck out, the question's entities bold."""
    yield "flowchart LR"
    for number, box in enumerate(graph.boxes):
        yield f'  n{number}["{_quoted(box.name)}"]{_class(box)}'
    for arrow in graph.arrows:
        yield f"  n{arrow.start} {_ARROWS[arrow.state]}|{_label(arrow)}| n{arrow.stop}"
    if graph.left_out:
        yield f"  %% {count(graph.left_out, 'edge')} more"
    yield "  classDef anchor font-weight:bold,stroke-width:3px"
    yield "  classDef old text-decoration:line-through,stroke-dasharray:4"


def _class(box: Box) -> str:
    return ":::old" if box.old else "" if box.column else ":::anchor"


def _label(arrow: Arrow) -> str:
    said = label(arrow, _quoted(arrow.relation), _quoted(f"[{arrow.position}]"))
    return f'"{said}"'


def _quoted(text: str) -> str:
    short = shorten(text)
    mark = _LIST.match(short)
    sign = mark.end() - 1 if mark else None
    return "".join(
        f"#{ord(character)};"
        if number == sign or character in _SPECIAL or not character.isprintable()
        else character
        for number, character in enumerate(short)
    )
