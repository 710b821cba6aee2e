"""Anchors: longest matches among the spans of a question (read contract, section 2)."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.anchors import longest_matches, spans

words = st.lists(st.sampled_from("abc"), max_size=12)
keys = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(" ".join)


def by_definition(tokens: Sequence[str], subjects: set[str]) -> tuple[str, ...]:
    """All matched spans but those strictly contained in another one, by start, each key once."""
    size = len(tokens)
    every = [(i, j) for i in range(size) for j in range(i + 1, size + 1)]
    hits = [(i, j) for i, j in every if " ".join(tokens[i:j]) in subjects]
    kept = [
        (i, j) for i, j in hits if not any((a, b) != (i, j) and a <= i and j <= b for a, b in hits)
    ]
    return tuple(dict.fromkeys(" ".join(tokens[i:j]) for i, j in sorted(kept)))


@given(words, st.sets(keys))
def test_equals_the_definition(tokens: list[str], subjects: set[str]) -> None:
    """One pass from left to right finds what comparing all pairs of matches finds."""
    assert longest_matches(tokens, subjects) == by_definition(tokens, subjects)


@pytest.mark.parametrize(
    ("question", "subjects", "anchors"),
    [
        pytest.param("who is ana", {"ana"}, ("ana",), id="one"),
        pytest.param("ana maria silva", {"ana", "maria", "ana maria"}, ("ana maria",), id="nested"),
        pytest.param("a b c", {"a b", "b c"}, ("a b", "b c"), id="overlapping stay both"),
        pytest.param("a b c", {"a b c", "b", "b c"}, ("a b c",), id="same end"),
        pytest.param("b a a b", {"a", "b"}, ("b", "a"), id="twice is one, in question order"),
        pytest.param("x a b y a", {"a", "a b"}, ("a b", "a"), id="free elsewhere"),
        pytest.param("nobody here", {"ana"}, (), id="none"),
        pytest.param("", {"ana"}, (), id="no tokens"),
    ],
)
def test_examples(question: str, subjects: set[str], anchors: tuple[str, ...]) -> None:
    """A match inside a longer match is dropped; all others are anchors, each key once."""
    assert longest_matches(question.split(), subjects) == anchors


def test_spans_reach_no_further_than_the_longest_key() -> None:
    """Spans come by start, then by length, up to the longest key's number of tokens."""
    assert list(spans(["a", "b", "c"], 2)) == ["a", "a b", "b", "b c", "c"]


def test_a_long_question_costs_linear_time() -> None:
    """40,000 matched tokens take seconds at most; comparing all pairs would take hours."""
    tokens = ["a", "b"] * 20_000
    started = time.perf_counter()
    assert longest_matches(tokens, {"a", "b a", "b"}) == ("a", "b a", "b")
    assert time.perf_counter() - started < 5
