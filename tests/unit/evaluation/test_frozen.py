"""The frozen interpretation: the store's own state, as a pure index."""

from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph import closure
from cmc_graph.errors import SourceError
from cmc_graph.evaluation.frozen import Frozen, dump, load
from cmc_graph.stores import open_store
from cmc_graph.text import tokens
from tests.support.builders import batch, entry, no, residual
from tests.unit.evaluation.histories import MEETING, MUTTERING, QUESTION, frozen, kept

SLOT = ("weekly meeting", "location", "")

names = st.sampled_from(["Ana", "Ben", "Ana Ben", "Cy"])
said = st.tuples(names, st.sampled_from(["r", "s"]), names, st.booleans())
lives = st.lists(st.lists(said, min_size=1, max_size=3), min_size=1, max_size=8)
questions = st.lists(st.sampled_from(["ana", "ben", "cy", "who"]), max_size=6).map(" ".join)


@settings(max_examples=60)
@given(lives, questions, st.integers(1, 5), st.sampled_from([(), ("r",)]))
def test_anchors_and_closure_are_those_of_the_store(
    life: list[list[tuple[str, str, str, bool]]], question: str, hops: int, many: tuple[str, ...]
) -> None:
    """Whatever was ingested, the frozen graph selects what the store selects."""
    entries = [
        entry(position, *(no(s, r, o) if ends else (s, r, o) for s, r, o, ends in triples))
        for position, triples in enumerate(life)
    ]
    with closing(open_store("sqlite:///:memory:")) as store:
        store.append("h", batch(*entries, many=many))
        history = Frozen(store.scan("h"))
        selection = store.select("h", tokens(question), hops)
    anchors = history.graph.anchors(question)
    assert anchors == selection.anchors
    expected = closure.depths(selection.anchors, selection.edges, hops)
    assert history.graph.closure(anchors, hops) == expected


def test_the_preceding_and_the_most_recent_different_value() -> None:
    """The immediately preceding version may say the same; the different one never does."""
    history = frozen(
        entry(1, ("Ana", "in", "Graz")),
        entry(2, ("Ana", "in", "Porto")),
        entry(3, ("Ana", "in", "Porto")),
    )
    slot = ("ana", "in", "")
    assert history.current[slot].position == 3
    assert history.preceding(slot).position == 2
    assert history.different(slot).position == 1


def test_a_value_that_was_never_overwritten_is_its_own_earlier_version() -> None:
    """Keys without a prior version keep their active value (paper, appendix B.1)."""
    history = frozen(*MEETING)
    slot = ("room b", "floor", "")
    assert history.preceding(slot) is history.different(slot) is history.current[slot]


def test_the_prior_graph_is_walked_to_where_the_meeting_was() -> None:
    """The constructed prior graph has every slot, each with its most recent different value."""
    history = frozen(*MEETING)
    assert history.prior.edges.keys() == history.graph.edges.keys()
    walked = history.prior.closure(history.graph.anchors(QUESTION))
    assert [edge.object for edge in walked] == ["Room A", "floor 2"]


def test_some_records_tell_the_newest_of_what_they_say() -> None:
    """The graph of the records shown holds their own last words, not the history's."""
    history = frozen(*MEETING)
    assert history.shown_graph([1, 2]).edges[SLOT].object == "Room A"
    assert history.shown_graph([1, 4]).edges[SLOT].object == "Room B"
    assert history.shown_graph(history.records).edges == history.graph.edges


def test_objects_are_those_that_hold() -> None:
    """What a record takes back is no object of it."""
    history = frozen(entry(1, ("Ana", "in", "Graz")), entry(2, no("Ana", "in", "Graz")))
    assert history.objects([1]) == {"Graz"}
    assert history.objects([2]) == set()


def test_an_interpretation_survives_its_file() -> None:
    """What is read from a file is what was written to it, odd line separators included."""
    rows = kept([*MEETING, MUTTERING, residual(7, text="One\u2028line, two\x85words.")])
    text = dump(rows)
    again = load(text, "x")
    assert dump(again) == text
    assert Frozen(again).fingerprint == Frozen(rows).fingerprint
    assert [row.assertions for row in again] == [row.assertions for row in rows]


def test_a_file_that_is_no_interpretation_is_refused() -> None:
    """The message names the file."""
    with pytest.raises(SourceError, match=r"there\.jsonl"):
        load('{"text": "x"}', "there.jsonl")


def test_another_interpretation_has_another_fingerprint() -> None:
    """One other object, and answers that depend on the interpretation are asked for anew."""
    one, other = entry(1, ("Ana", "in", "Graz")), entry(1, ("Ana", "in", "Porto"))
    assert frozen(one).fingerprint != frozen(other).fingerprint
