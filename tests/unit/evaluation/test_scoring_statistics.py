"""Intervals, pairs, the screen's bound and the interaction, against the paper and hand counts."""

from itertools import product

import pytest

from cmc_graph.evaluation.scoring.intervals import bootstrap, wilson
from cmc_graph.evaluation.scoring.paired import Outcome, Shortfall, Shown, contrast, shortfall
from cmc_graph.evaluation.scoring.screen import lower_bound
from cmc_graph.evaluation.scoring.versus import interaction


def outcomes(wins: int, both: int, losses: int) -> list[Outcome]:
    """So many questions, each asked once."""
    told = [(True, False)] * wins + [(True, True)] * both + [(False, True)] * losses
    return [Outcome(cluster=f"q{n}", ours=a, theirs=b) for n, (a, b) in enumerate(told)]


@pytest.mark.parametrize(
    ("right", "questions", "low", "high"),
    [
        (313, 400, 0.7395, 0.8201),
        (0, 10, 0.0, 0.2775),  # z² / (n + z²) = 3.8415 / 13.8415
        (10, 10, 0.7225, 1.0),
        (1, 2, 0.0945, 0.9055),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson(right: int, questions: int, low: float, high: float) -> None:
    """The Wilson interval at 95 %, also at its ends and without questions."""
    assert wilson(right, questions) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("wins", "ties", "losses", "advantage", "interval"),
    [
        (667, 130, 3, 83.0, (80.25, 85.63)),  # against the disjoint random control
        (547, 223, 30, 64.63, (60.75, 68.38)),  # against the stale closure
    ],
)
def test_the_paper_s_contrasts(
    wins: int, ties: int, losses: int, advantage: float, interval: tuple[float, float]
) -> None:
    """From the counts of appendix B.1 come its advantages and its bootstrap intervals."""
    found = contrast(outcomes(wins, ties, losses))
    assert (found.wins, found.ties, found.losses) == (wins, ties, losses)
    assert found.advantage == pytest.approx(advantage, abs=0.006)
    assert found.interval == pytest.approx(interval, abs=0.13)  # the next value is 0.125 away


def test_the_bootstrap_against_every_draw() -> None:
    """For three clusters, the percentiles are those of all 27 equally likely draws."""
    clusters = {"a": [0.0, 0.0], "b": [3.0], "c": [6.0, 6.0, 6.0]}
    drawn = [[v for name in draw for v in clusters[name]] for draw in product("abc", repeat=3)]
    means = sorted(sum(values) / len(values) for values in drawn)
    found = bootstrap([(name, v) for name, values in clusters.items() for v in values])
    assert found == (means[0], means[-1])  # each of the two is one of 27 draws: more than 2.5 %
    assert 0 < bootstrap([(n, float(n % 2)) for n in range(100)]).low < 0.5


def test_whole_clusters_are_drawn() -> None:
    """The same question asked of four histories counts as one: the interval is twice as wide."""
    values = [float(n % 2) for n in range(400)]
    alone = bootstrap(enumerate(values))
    together = bootstrap((n % 100, n % 2) for n in range(400))
    assert together.high - together.low == pytest.approx(2 * (alone.high - alone.low), rel=0.1)


def test_the_bootstrap_can_be_repeated() -> None:
    """The same questions give the same interval in any order; other seeds give others."""
    told = [(n, float(n % 7)) for n in range(60)]
    assert bootstrap(told) == bootstrap(reversed(told))
    assert bootstrap(told) != bootstrap(told, seed=1)
    assert bootstrap([]) == (0.0, 0.0)


def test_nothing_to_compare() -> None:
    """Without questions nothing is won and nothing lost."""
    found = contrast([])
    assert (found.wins, found.ties, found.losses, found.advantage) == (0, 0, 0, 0.0)


def test_the_bound_of_the_paper() -> None:
    """Appendix B.3: 313, 85 and 83 right on the unflagged 374 give 50.50 and 51.00 points."""
    names = [f"q{n}" for n in range(400)]
    flagged = names[374:]
    ours = names[:313] + flagged  # whatever was said on the flagged ones
    assert lower_bound(ours, names[:85], flagged, 400) == 50.5
    assert lower_bound(names[:313], names[:83] + flagged, flagged, 400) == 51.0
    assert lower_bound(["a", "b"], ["b"], [], 4) == 25.0


def test_the_interaction_of_the_paper() -> None:
    """Appendix B.1: 5.00 points single-hop and 46.33 points multi-hop on the short histories."""
    assert interaction(97.67, 98.00, 33.33, 38.67) == pytest.approx(5.01)
    assert interaction(85.67, 27.00, 15.67, 3.33) == pytest.approx(46.33)


def test_what_the_loser_lacked() -> None:
    """Of the questions only ours has right: a record ours selected, or the right answer."""
    ours = dict.fromkeys("abcd", Shown(positions=frozenset({1, 2}), has_gold=True))
    theirs = {
        "a": Shown(positions=frozenset({1, 2, 3}), has_gold=True),  # had all of it, and failed
        "b": Shown(positions=frozenset({1}), has_gold=True),
        "c": Shown(positions=frozenset(), has_gold=False),
        "d": Shown(positions=frozenset(), has_gold=False),  # not lost
    }
    assert shortfall("abc", ours, theirs) == Shortfall(questions=3, lacks_record=2, lacks_gold=1)
