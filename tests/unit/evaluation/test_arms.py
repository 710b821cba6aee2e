"""The arms on the paper's running example: which records each of them shows."""

import pytest

from cmc_graph import render
from cmc_graph.errors import UsageError
from cmc_graph.evaluation.arms import ARMS, Bench, Window, make, names
from cmc_graph.evaluation.arms.base import Arm
from cmc_graph.evaluation.packing import runs
from cmc_graph.evaluation.tokens import by_letters
from cmc_graph.model import Evidence
from cmc_graph.readers import open_reader
from tests.support.builders import entry, residual
from tests.unit.evaluation.histories import MEETING, MUTTERING, QUESTION, bench, shown

NOBODY = "Who knows?"


def evidence(name: str, on: Bench, question: str = QUESTION) -> Evidence:
    """What the arm shows."""
    arm = make(name, on)
    assert isinstance(arm, Arm)
    return arm.evidence(question)


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("cmc", [3, 4]),
        ("hops_1", [4]),
        ("hops_2", [3, 4]),
        ("latest_state", [2, 3, 4, 5]),
        ("latest_state_uncapped", [2, 3, 4, 5]),
        ("raw_history", [1, 2, 3, 4, 5]),
        ("stale_closure", [1, 3]),
        ("stale_closure_different", [1, 3]),
        ("stale_state", [1, 2, 3, 5]),
        ("prior_read_refresh", [2, 4]),
        ("fact_bm25", [2, 3, 4, 5]),
    ],
)
def test_what_an_arm_shows_of_the_weekly_meeting(name: str, positions: list[int]) -> None:
    """Each arm resolves, selects or refreshes as the paper says, in source order."""
    assert shown(evidence(name, bench(*MEETING))) == positions


@pytest.mark.parametrize("name", ARMS)
def test_unresolved_records_are_part_of_every_view(name: str) -> None:
    """All views share the residual records, since nobody knows what they overwrite."""
    found = evidence(name, bench(*MEETING, MUTTERING))
    assert 6 in shown(found)
    assert [record.position for record in found.unresolved] == [6]


@pytest.mark.parametrize("name", ["cmc", "stale_closure", "prior_read_refresh"])
def test_an_empty_selection_falls_back(name: str) -> None:
    """Algorithm 1 falls back to the history, the grammar grid to the latest state."""
    history = evidence(name, bench(*MEETING), NOBODY)
    assert (shown(history), history.fallback) == ([1, 2, 3, 4, 5], "history")
    state = evidence(name, bench(*MEETING, fallback="latest_state"), NOBODY)
    assert (shown(state), state.fallback) == ([2, 3, 4, 5], "latest_state")


def test_random_disjoint_shows_as_much_but_nothing_of_cmc() -> None:
    """The negative control matches number and length, draws elsewhere, and always the same."""
    others = [
        entry(n, (f"Thing {n}", "floor", f"floor {n}"), text=f"Thing {n} {extra} on floor 9.")
        for n, extra in zip(range(10, 60), ["is", "stands today"] * 25, strict=True)
    ]
    on = bench(*MEETING, *others)
    one, again = evidence("random_disjoint", on), evidence("random_disjoint", on)
    reference = evidence("cmc", on)
    assert one == again
    assert len(one.records) == len(reference.records) == 2
    assert not set(shown(one)) & set(shown(reference))
    assert evidence("random_disjoint", bench(*MEETING, *others, seed=1)) != one


def test_matched_bm25_keeps_to_the_room_of_cmc() -> None:
    """Whole facts of the ranking, never more characters than cmc shows."""
    others = [entry(n, (f"Weekly {n}", "on", "a floor of the meeting")) for n in range(10, 40)]
    on = bench(*MEETING, *others)
    found = evidence("matched_bm25", on)
    assert found.records
    assert len(found.text) <= len(evidence("cmc", on).text)
    assert set(shown(found)) < set(shown(evidence("fact_bm25", on)))


def test_a_fact_is_found_by_the_name_of_its_relation() -> None:
    """Fact BM25 looks at text, entities and relation names (paper, appendix D.2)."""
    others = [entry(n, (f"Thing {n}", "r", "x")) for n in range(10, 150)]
    on = bench(entry(1, ("Ana", "employer", "Initech"), text="Ana is with Initech."), *others)
    assert 1 in shown(evidence("fact_bm25", on, "Whose employer?"))


def test_windows_cut_the_oldest_records() -> None:
    """Characters or tokens: whole records, newest suffix, and how many were cut."""
    size = len(render.PREFIX) + len("[4] The weekly meeting is in Room B.\n")
    found = evidence("cmc", bench(*MEETING, characters=size))
    assert (shown(found), found.omitted) == ([4], 1)
    assert evidence("latest_state", bench(*MEETING, characters=size)).omitted == 3
    assert evidence("latest_state_uncapped", bench(*MEETING, characters=size)).omitted == 0


def test_a_token_limit_leaves_room_for_the_question() -> None:
    """Instruction, question and answer keep their part of a reader's limit."""
    records = [entry.record for entry in MEETING]
    window = Window(characters=None, tokens=60, reserved=20)
    text, fitting, omitted = window.show(records)
    assert by_letters(text) <= 40
    assert [record.position for record in fitting] == [4, 5][-len(fitting) :]
    assert omitted == 5 - len(fitting) > 0
    assert Window(characters=None, tokens=200, reserved=20).show(records)[2] == 0


def test_blocks_are_whole_records() -> None:
    """A block has at most so many characters; a longer record is a block of its own."""
    records = [residual(n, text="x" * 30).record for n in range(4)]
    records.append(residual(9, text="y" * 500).record)
    sizes = [[record.position for record in block] for block in runs(records, 70)]
    assert sizes == [[0, 1], [2, 3], [9]]


def test_block_bm25_takes_the_best_blocks_that_fit() -> None:
    """The block that shares the question's words is shown, in a window of one block."""
    dull = [
        entry(n, (f"Thing {n}", "r", "x"), text="Nothing to see here. " * 100)
        for n in (1, 2, 3, 4, 5, 6, 7)
    ]
    on = bench(*dull, entry(9, ("Ana", "in", "Graz"), text="Ana is in Graz."), characters=12_000)
    assert 9 in shown(evidence("block_bm25", on, "Where is Ana?"))


@pytest.mark.parametrize(
    ("name", "answer"),
    [("cmc", "floor 5"), ("latest_state", "floor 5"), ("raw_history", "floor 5"), ("hops_1", None)],
)
def test_the_offline_reader_reads_what_an_arm_shows(name: str, answer: str | None) -> None:
    """The reader follows what the shown records tell by themselves, the newest one winning."""
    found = evidence(name, bench(*MEETING))
    assert open_reader("path").answer(QUESTION, found).text == answer


def test_the_offline_reader_cannot_follow_what_is_missing() -> None:
    """Prior read and refresh has the new room, but the old room's floor: no way to the answer."""
    found = evidence("prior_read_refresh", bench(*MEETING))
    assert [edge.object for edge in found.edges] == ["Room B"]


def test_no_such_arm() -> None:
    """The message lists the arms there are."""
    with pytest.raises(UsageError, match="cmc, latest_state"):
        make("magic", bench(*MEETING))
    assert len(names()) == len(set(names()))
