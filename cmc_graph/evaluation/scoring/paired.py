"""Two arms on the same questions: who wins, by how much, and what the loser's evidence lacked.

Paper, section 4.1 and appendix B.1. Pure. This module must not know files.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cmc_graph.evaluation.scoring.intervals import Interval, bootstrap


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One question as two arms answered it.

    Attributes:
        cluster: The question asked, whatever the history; see ``bootstrap``.
    """

    cluster: str
    ours: bool
    theirs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One arm against another.

    Attributes:
        wins: Questions only ours has right.
        ties: Questions both or neither have right.
        losses: Questions only theirs has right.
        advantage: Mean difference in points, -100 to 100.
        interval: 95 % interval of the advantage, by the bootstrap over questions.
    """

    wins: int
    ties: int
    losses: int
    advantage: float
    interval: Interval


def contrast(outcomes: Iterable[Outcome]) -> Contrast:
    """Wins, ties and losses, and the mean advantage with its interval.

    Raises:
        ConfigurationError: numpy is not installed.
    """
    told = tuple(outcomes)
    points = [100.0 * (outcome.ours - outcome.theirs) for outcome in told]
    wins = sum(point > 0 for point in points)
    losses = sum(point < 0 for point in points)
    clusters = (outcome.cluster for outcome in told)
    return Contrast(
        wins=wins,
        ties=len(told) - wins - losses,
        losses=losses,
        advantage=sum(points) / len(points) if points else 0.0,
        interval=bootstrap(zip(clusters, points, strict=True)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one arm's evidence for a question held.

    Attributes:
        positions: Of the records shown.
        has_gold: A right answer is among them.
    """

    positions: frozenset[int]
    has_gold: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """What the evidence of the losing arm lacked, over the questions it lost.

    Attributes:
        questions: Those only ours has right.
        lacks_record: Of these, how many lack a record that ours selected.
        lacks_gold: Of these, how many lack the right answer altogether.
    """

    questions: int
    lacks_record: int
    lacks_gold: int


def shortfall(
    won: Iterable[str], ours: Mapping[str, Shown], theirs: Mapping[str, Shown]
) -> Shortfall:
    """Why the other arm may have lost.

    Args:
        won: Questions only ours has right.
        ours: Our evidence, by question.
        theirs: The other arm's evidence, by question.
    """
    lost = [(ours[question], theirs[question]) for question in won]
    return Shortfall(
        questions=len(lost),
        lacks_record=sum(not own.positions <= other.positions for own, other in lost),
        lacks_gold=sum(not other.has_gold for _, other in lost),
    )
