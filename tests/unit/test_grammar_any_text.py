"""Whatever text comes: nothing is lost, nothing is invented, nothing runs away."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.frontends.given import Given
from cmc_graph.frontends.grammar import MAX_SENTENCE, Grammar, load_pack
from cmc_graph.model import Record, Status

SHIPPED = Given(Grammar([load_pack("factconsolidation"), load_pack("general")]))

PIECES = st.sampled_from(
    [
        "Lena", "the", "The", "Room B", "is", "in", "'s", "’s", "of", "lives in", "moved to",
        "from", "no longer", "speaks", "and", ",", ".", "!", "?", "now", "since", "May",
        "As of Monday,", "Update:", '"', "(", "manager", "floor", "5", "has", "was", "by", "東京",
        "\u2028", "\x0c", "a", "an", "dog", "named", "who", "it", "closed", "on", "at",
        "10:00", "became",
    ]
)  # fmt: skip


def check(text: str) -> None:
    (found,) = SHIPPED.interpret([Record(text=text)])
    folded = " ".join(text.split())
    if found.status is Status.FACTS:
        assert found.triples
        assert not found.loose
        for triple in found.triples:
            for name in (triple.subject, triple.object):
                assert name.strip() == name != ""
                assert name in folded
            assert triple.relation.strip()
    else:
        assert found.status is Status.UNRESOLVED
        assert found.reason


@given(st.lists(PIECES, min_size=1, max_size=14).filter(lambda pieces: "".join(pieces).strip()))
def test_any_sentence_is_read_or_unresolved(pieces: list[str]) -> None:
    """Whatever the sentence: literal triples or a reason, and never an error."""
    check(" ".join(pieces))


@given(st.text(min_size=1).filter(str.strip))
def test_any_text_is_read_or_unresolved(text: str) -> None:
    """Whatever the text: literal triples or a reason, and never an error."""
    check(text)
    check(f"{text} lives in {text}.")
    check(f"The {text} of {text} is {text}")


@pytest.mark.parametrize(
    "unit",
    [
        " is in ",
        "a is b ",
        "a's b is ",
        "The head of the ",
        "The a of B is c ",
        "moved from ",
        "a moved from b to c ",
        "b's price changed from x to y ",
        "now Lena lives in Porto ",
        "now is ",
        "A replaced B as c of D ",
        "since May ",
        "A, ",
        "A and ",
        "x",
        " ",
    ],
)
def test_a_record_costs_in_proportion_to_its_length(unit: str) -> None:
    """However often a pattern's words occur, one record costs milliseconds, and is not lost."""
    for length in (MAX_SENTENCE - 20, 1_000_000):
        text = "Lena lives in " + (unit * (length // len(unit) + 1))[:length]
        started = time.process_time()
        check(text)
        assert time.process_time() - started < 0.5
