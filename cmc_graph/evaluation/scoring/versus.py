"""CMC against each other arm, with the same frontend and reader.

Pure. This module must not know files.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cmc_graph.evaluation.scoring.figures import Figure
from cmc_graph.evaluation.scoring.judged import Judged
from cmc_graph.evaluation.scoring.paired import (
    Contrast,
    Outcome,
    Shortfall,
    Shown,
    contrast,
    shortfall,
)
from cmc_graph.evaluation.scoring.screen import lower_bound
from cmc_graph.evaluation.scoring.strata import NON_OVERFLOW
from cmc_graph.text import tokens

OURS = "cmc"
#: The other diagnostic arms of appendix B.1: one or both of the two steps of the read left out.
DIAGNOSTIC = ("latest_state_uncapped", "stale_closure", "raw_history")


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """CMC against another arm over one population.

    Attributes:
        other: The other arm.
        contrast: Wins, ties and losses of CMC.
        shortfall: What the other arm's evidence lacked where CMC won.
        flagged: Questions whose reference may be superseded.
        least: The advantage, in points, if all of these went against CMC.
    """

    frontend: str
    reader: str
    other: str
    population: str
    contrast: Contrast
    shortfall: Shortfall
    flagged: int
    least: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """How much more selecting keys is worth once versions are resolved, in points (appendix B.1).

    Attributes:
        population: The questions of a group whose raw history fits the window.
        points: (cmc - latest_state_uncapped) - (stale_closure - raw_history).
    """

    frontend: str
    reader: str
    population: str
    points: float


def versus(
    judged: Iterable[Judged],
    populations: Mapping[tuple[str, str], Sequence[str]],
    flagged: Mapping[str, frozenset[str]],
) -> list[Versus]:
    """CMC against each other arm that was run with the same frontend and reader.

    Args:
        judged: Predictions.
        populations: The populations of each question, by frontend and id.
        flagged: Questions whose reference may be superseded, by frontend.

    Raises:
        ConfigurationError: numpy is not installed.
    """
    rows: dict[tuple[str, str, str, str], dict[str, Judged]] = defaultdict(dict)
    for each in judged:
        frontend, arm, reader = each.series
        for population in populations[frontend, each.case.id]:
            rows[frontend, reader, population, arm][each.case.id] = each
    found = []
    for (frontend, reader, population, arm), theirs in rows.items():
        ours = rows.get((frontend, reader, population, OURS), {})
        if arm != OURS and ours.keys() == theirs.keys():
            doubtful = flagged[frontend] & ours.keys()
            found.append(_versus((frontend, reader, arm, population), ours, theirs, doubtful))
    return found


def interactions(figures: Iterable[Figure]) -> list[Interaction]:
    """The interaction contrast wherever all four diagnostic arms were run."""
    known = {(f.frontend, f.reader, f.population, f.arm): f.accuracy for f in figures}
    found = []
    for (frontend, reader, population, arm), cmc in known.items():
        place = (frontend, reader, population)
        others = [known[*place, name] for name in DIAGNOSTIC if (*place, name) in known]
        if arm != OURS or not population.endswith(NON_OVERFLOW) or len(others) < len(DIAGNOSTIC):
            continue
        points = interaction(cmc, *others)
        found.append(
            Interaction(frontend=frontend, reader=reader, population=population, points=points)
        )
    return found


def interaction(cmc: float, latest_state: float, stale_closure: float, raw_history: float) -> float:
    """The interaction of resolving versions and selecting keys, in points; 0 when they just add."""
    return (cmc - latest_state) - (stale_closure - raw_history)


def _versus(
    names: tuple[str, str, str, str],
    ours: Mapping[str, Judged],
    theirs: Mapping[str, Judged],
    flagged: Iterable[str],
) -> Versus:
    frontend, reader, other, population = names
    ours_right, theirs_right = _right(ours), _right(theirs)
    outcomes = [
        Outcome(
            cluster=" ".join(tokens(each.case.question)),
            ours=name in ours_right,
            theirs=name in theirs_right,
        )
        for name, each in ours.items()
    ]
    doubtful = frozenset(flagged)
    return Versus(
        frontend=frontend,
        reader=reader,
        other=other,
        population=population,
        contrast=contrast(outcomes),
        shortfall=shortfall(ours_right - theirs_right, _shown(ours), _shown(theirs)),
        flagged=len(doubtful),
        least=lower_bound(ours_right, theirs_right, doubtful, len(ours)),
    )


def _right(rows: Mapping[str, Judged]) -> set[str]:
    return {name for name, each in rows.items() if each.marks.substring}


def _shown(rows: Mapping[str, Judged]) -> dict[str, Shown]:
    return {
        name: Shown(positions=frozenset(each.prediction.positions), has_gold=each.has_string)
        for name, each in rows.items()
    }
