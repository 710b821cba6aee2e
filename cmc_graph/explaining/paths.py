"""How the closure reached each of its edges, and which words of the question it started from.

Pure. This module must not know stores.
"""

import re
from collections.abc import Iterable, Sequence

from cmc_graph.anchors import Span, longest_spans
from cmc_graph.explaining.values import Anchor, Reached
from cmc_graph.model import Edge
from cmc_graph.text import tokens

#: Longer spans are shown whole: finding a name inside its words costs the square of their length.
_LONGEST = 80
_WORD = re.compile(r"\S+")


def reached(edges: Sequence[Edge]) -> tuple[Reached, ...]:
    """Each edge with the path that leads to it, in the same order.

    Args:
        edges: A closure, by depth, then position.
    """
    ways: dict[str, tuple[Edge, ...]] = {}
    found: list[Reached] = []
    for edge in edges:
        before = () if edge.depth == 1 else ways[edge.subject_key]
        path = (*before, edge)
        found.append(Reached(edge=edge, anchor=path[0].subject_key, path=path))
        if not edge.ended:
            ways.setdefault(edge.object_key, path)
    return tuple(found)


def anchors(question: str, keys: Iterable[str]) -> tuple[Anchor, ...]:
    """The spans of the question that name these entities, in its order, each entity once.

    Args:
        question: As it was asked.
        keys: The anchors of its read.
    """
    words: list[tuple[int, int]] = []  # for each token the ends of the word it is of
    for word in _WORD.finditer(question):
        words += [word.span()] * len(tokens(word[0]))
    first: dict[str, Span] = {}
    for span in longest_spans(tokens(question), frozenset(keys)):
        first.setdefault(span.key, span)
    return tuple(
        Anchor(key=key, span=_written(question, words, span), start=span.start, stop=span.stop)
        for key, span in first.items()
    )


def _written(question: str, words: Sequence[tuple[int, int]], span: Span) -> str:
    """The span as the question writes it, without what stands around the name in its words."""
    if span.stop > len(words):
        return span.key
    start, stop = words[span.start][0], words[span.stop - 1][1]
    text = question[start:stop]
    if len(text) > _LONGEST:
        return text
    name = tuple(span.key.split(" "))
    parts = (
        text[begin : begin + length]
        for length in range(1, len(text) + 1)
        for begin in range(len(text) - length + 1)
    )
    return next((part for part in parts if tokens(part) == name), text)
