"""Stage 3: which entities a question names (paper, section 3; read contract, section 2).

Pure: candidate spans in, the longest matches out. The SQLite store, long questions and the tests
use these functions; the Neo4j statement does the same by itself, and a test holds the two together.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from cmc_graph.text import key_length

#: A question with more tokens than this has too many spans to look each of them up: the stores then
#: ask for the keys that begin with one of its tokens, and it is anchored among these.
LONG_QUESTION = 200


class Span(NamedTuple):
    """A run of question tokens, ``start`` inclusive to ``stop`` exclusive, and its key."""

    start: int
    stop: int
    key: str


def spans(tokens: Sequence[str], longest: int) -> Iterator[str]:
    """The keys of all token spans of a question up to ``longest`` tokens, by start, then length.

    Args:
        tokens: The question's normalised tokens.
        longest: Number of tokens of the history's longest key.
    """
    text = " ".join(tokens)
    stops = [end - 1 for end in accumulate(len(token) + 1 for token in tokens)]
    start = 0
    for first, next_stop in enumerate(stops):
        for stop in stops[first : first + longest]:
            yield text[start:stop]
        start = next_stop + 1


def longest_matches(tokens: Sequence[str], subjects: Collection[str]) -> tuple[str, ...]:
    """Keys of the anchors, in the order of the question, each once.

    A match strictly contained in a longer matched span is dropped. One pass from left to right is
    enough: per start only the longest match can survive, and it is contained in an earlier one
    exactly when it does not reach beyond the furthest end seen.

    Args:
        tokens: The question's normalised tokens.
        subjects: Keys of subjects of a current or ended edge, at least those the question holds.
    """
    return tuple(dict.fromkeys(span.key for span in longest_spans(tokens, subjects)))


def longest_spans(tokens: Sequence[str], subjects: Collection[str]) -> Iterator[Span]:
    """Where the longest matches stand, by start; the same key as often as the question has it.

    Args:
        tokens: As for ``longest_matches``, like the rest.
        subjects: Keys.
    """
    lengths = _lengths_by_first_token(subjects)
    reach = 0
    for start, token in enumerate(tokens):
        for length in lengths.get(token, ()):
            stop = start + length
            if stop > len(tokens):
                continue
            key = " ".join(tokens[start:stop])
            if key in subjects:
                if stop > reach:
                    yield Span(start, stop, key)
                    reach = stop
                break  # the longest match of this start


def _lengths_by_first_token(keys: Collection[str]) -> dict[str, list[int]]:
    """How many tokens the keys have that begin with a token, longest first."""
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    for key in keys:
        lengths[key.partition(" ")[0]].add(key_length(key))
    return {token: sorted(found, reverse=True) for token, found in lengths.items()}
