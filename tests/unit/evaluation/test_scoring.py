"""Scores of a small run, counted by hand: populations, coverage, pairs, flags, what is refused."""

import pytest

from cmc_graph.errors import EvaluationError
from cmc_graph.evaluation.formats import Prediction
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.scoring import Figure, Scores, score
from cmc_graph.evaluation.scoring.screen import is_superseded
from cmc_graph.evaluation.scoring.strata import keys_change, populations
from tests.unit.evaluation import scored


@pytest.fixture(scope="module")
def history() -> Frozen:
    """The meeting that moved."""
    return scored.frozen()


def scores(history: Frozen, told: list[Prediction] | None = None) -> Scores:
    """The scores of the small run."""
    known = {("grammar", scored.HISTORY): history}
    return score(scored.cases(), scored.predictions() if told is None else told, known)


def figure(found: Scores, arm: str, population: str) -> Figure:
    """One figure."""
    return next(f for f in found.figures if (f.arm, f.population) == (arm, population))


def test_strata(history: Frozen) -> None:
    """The meeting's floor needs another key after the update; the room's floor does not."""
    floor, room, stays = scored.cases()
    assert keys_change(floor.question, history)
    assert not keys_change(stays.question, history)
    assert list(populations(floor, history)) == [
        *("all", "mh", "mh_6k", "mh, non-overflow", "mh, keys change")
    ]
    long = scored.cases(**{scored.ROOM: {"cell": "sh"}})[1]
    assert list(populations(long, history)) == ["all", "sh", "sh, keys change"]
    assert room.question == long.question


def test_the_screen(history: Frozen) -> None:
    """An earlier value of a selected key is flagged, unless it is a current value as well."""
    floor, room, stays = scored.cases()
    assert [is_superseded(case, history) for case in (floor, room, stays)] == [False, True, False]
    also = scored.cases(**{scored.ROOM: {"references": ("Room A", "Room B")}})[1]
    assert not is_superseded(also, history)
    never = scored.cases(**{scored.ROOM: {"references": ("Room C",)}})[1]
    assert not is_superseded(never, history)
    assert scores(history).flagged == (("grammar", (scored.ROOM,)),)


def test_figures(history: Frozen) -> None:
    """Right answers, coverage, size and failures of each arm."""
    found = scores(history)
    ours = figure(found, "cmc", "mh")
    assert (ours.questions, ours.right, ours.accuracy) == (2, 2, 100.0)
    assert (ours.strict, ours.f1) == (50.0, pytest.approx(100 * (2 / 3 + 1) / 2))
    assert (ours.has_object, ours.has_string, ours.clipped) == (2, 2, 0)
    assert (ours.characters, ours.tokens) == (60.0, 15.0)
    assert (ours.records, ours.most_records) == (1.5, 2)
    assert ours.interval == pytest.approx((34.2, 100.0), abs=0.05)
    theirs = figure(found, "prior_read_refresh", "mh")
    assert (theirs.right, theirs.has_object, theirs.has_string, theirs.clipped) == (1, 1, 1, 1)
    assert figure(found, "prior_read_refresh", "mh, keys change").accuracy == 0.0
    assert figure(found, "prior_read_refresh", "mh, keys stay").accuracy == 100.0


def test_failures_stay_in_the_denominator(history: Frozen) -> None:
    """A failed request counts as wrong, and is no answer in the precision."""
    whole = figure(scores(history), "prior_read_refresh", "all")
    assert (whole.questions, whole.right, whole.failed, whole.answered) == (3, 1, 1, 2)
    assert whole.accuracy == pytest.approx(100 / 3)
    assert whole.precision == 50.0
    failed = figure(scores(history), "prior_read_refresh", "sh")
    assert (failed.accuracy, failed.precision) == (0.0, None)


def test_versus(history: Frozen) -> None:
    """CMC wins the question whose keys change, and the control lacks both record and answer."""
    found = next(v for v in scores(history).versus if v.population == "mh")
    assert (found.other, found.frontend, found.reader) == ("prior_read_refresh", "grammar", "path")
    told = found.contrast
    assert (told.wins, told.ties, told.losses, told.advantage) == (1, 1, 0, 50.0)
    assert (found.shortfall.questions, found.shortfall.lacks_record) == (1, 1)
    assert found.shortfall.lacks_gold == 1
    whole = next(v for v in scores(history).versus if v.population == "all")
    assert (whole.flagged, whole.least) == (1, pytest.approx(100 * (2 - 1 - 1) / 3))


def test_the_interaction_needs_all_four_arms(history: Frozen) -> None:
    """(cmc - latest state) - (stale closure - raw history), where all of them were run."""
    assert scores(history).interactions == ()
    told = [p for p in scored.predictions() if p.arm == "cmc"]
    for arm, answers in (
        ("latest_state_uncapped", ("5", "2")),
        ("stale_closure", ("2", "2")),
        ("raw_history", ("2", "5")),
    ):
        rows = zip((scored.FLOOR, scored.STAYS), answers, strict=True)
        told += [scored.prediction(case, arm, (1,), answer=answer) for case, answer in rows]
    found = scores(history, told).interactions
    assert [(each.population, each.points) for each in found] == [
        ("mh, non-overflow", (100 - 50) - (0 - 50))
    ]


def test_excluded_questions_do_not_count(history: Frozen) -> None:
    """A question that is excluded keeps its prediction and has no part in any figure."""
    cases = scored.cases(**{scored.FLOOR: {"excluded": "overwritten"}})
    found = score(cases, scored.predictions(), {("grammar", scored.HISTORY): history})
    assert (found.cases, found.excluded) == (2, (("overwritten", 1),))
    assert figure(found, "cmc", "mh").questions == 1


def test_what_the_run_is_about(history: Frozen) -> None:
    """The data set is what all ids begin with."""
    found = scores(history)
    assert (found.data, found.groups, found.cells) == ("data", ("mh", "sh"), ("mh_6k", "sh_6k"))
    assert score([], [], {}).data == ""


def test_a_cell_is_predicted_whole_or_not_at_all(history: Frozen) -> None:
    """An arm for single-hop questions only is fine; half a cell, a stranger or a twin is not."""
    told = scored.predictions()
    assert scores(history, told[:3]).versus == ()
    single = scores(history, [told[0], told[1], told[2], told[4]])
    assert {v.population for v in single.versus} == {"sh", "sh_6k", *_parts(single, "sh")}
    with pytest.raises(EvaluationError, match="1 of the 2 cases of mh_6k"):
        scores(history, told[:2])
    with pytest.raises(EvaluationError, match="unknown"):
        scores(history, [*told, scored.prediction("data_other", "cmc", ())])
    with pytest.raises(EvaluationError, match="several"):
        scores(history, [*told, told[0]])


def _parts(found: Scores, group: str) -> set[str]:
    return {f.population for f in found.figures if f.population.startswith(f"{group}, ")}
