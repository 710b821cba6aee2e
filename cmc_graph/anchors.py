"""Stage 3: which entities a question names (paper, section 3; read contract, section 2).

Pure: candidate spans in, the longest matches out. The SQLite store, long questions and the tests
use these functions; the Neo4j statement does the same by itself, and a test holds the two together.
"""

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """A run of question tokens, ``start`` inclusive to ``stop`` exclusive, and its key."""

    start: int
    stop: int
    key: str


def spans(tokens: Sequence[str], longest: int) -> Iterator[Span]:
    """All token spans of a question up to ``longest`` tokens, by start, then length.

    Args:
        tokens: The question's normalised tokens.
        longest: Number of tokens of the history's longest key.
    """
    count = len(tokens)
    for start in range(count):
        key = tokens[start]
        yield Span(start, start + 1, key)
        for stop in range(start + 2, min(start + longest, count) + 1):
            key = f"{key} {tokens[stop - 1]}"
            yield Span(start, stop, key)


def longest_matches(
    tokens: Sequence[str], longest: int, subjects: Container[str]
) -> tuple[str, ...]:
    """Keys of the anchors, in the order of the question, each once.

    A match strictly contained in a longer matched span is dropped. One pass from left to right is
    enough: per start only the longest match can survive, and it is contained in an earlier one
    exactly when it does not reach beyond the furthest end seen.

    Args:
        tokens: The question's normalised tokens.
        longest: Number of tokens of the history's longest key.
        subjects: Those candidate keys that are subjects of a current or ended edge.
    """
    best: dict[int, Span] = {}
    for span in spans(tokens, longest):
        if span.key in subjects:
            best[span.start] = span  # spans of one start come shortest first
    anchors: dict[str, None] = {}
    reach = 0
    for span in best.values():
        if span.stop > reach:
            anchors[span.key] = None
            reach = span.stop
    return tuple(anchors)
