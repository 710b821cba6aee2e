"""Scores: pure functions from cases, predictions and interpretations; they can be repeated.

``metrics`` has the released measures, ``coverage`` what the evidence holds, ``strata`` the
populations, ``intervals`` and ``paired`` the statistics, ``screen`` the doubtful references.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cmc_graph.evaluation.formats import Case, Prediction
from cmc_graph.evaluation.scoring.figures import Figure, figures
from cmc_graph.evaluation.scoring.judged import Interpretations, judge
from cmc_graph.evaluation.scoring.screen import is_superseded
from cmc_graph.evaluation.scoring.strata import populations
from cmc_graph.evaluation.scoring.versus import Interaction, Versus, interactions, versus

__all__ = ["Figure", "Interaction", "Interpretations", "Scores", "Versus", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Everything that is said about a run.

    Attributes:
        data: The data set: what all ids begin with, up to the first ``_``; else empty.
        cases: Questions that count.
        groups: The groups of their cells, in the order of the cases, as are the cells.
        excluded: Questions that do not, and why: (reason, how many).
        figures: By frontend, arm, reader and population.
        versus: CMC against each other arm.
        interactions: Of resolving versions and selecting keys.
        flagged: Questions whose reference may be superseded, for a person to look at: (frontend,
            ids in the order of the cases).
    """

    data: str
    cases: int
    groups: tuple[str, ...]
    cells: tuple[str, ...]
    excluded: tuple[tuple[str, int], ...]
    figures: tuple[Figure, ...]
    versus: tuple[Versus, ...]
    interactions: tuple[Interaction, ...]
    flagged: tuple[tuple[str, tuple[str, ...]], ...]


def score(
    cases: Sequence[Case], predictions: Iterable[Prediction], interpretations: Interpretations
) -> Scores:
    """The scores of a run's predictions.

    Args:
        cases: All cases of the run.
        predictions: One per case, frontend, arm and reader; of a cell all cases or none.
        interpretations: The histories as each frontend read them.

    Raises:
        EvaluationError: Cases and predictions do not belong together.
        ConfigurationError: numpy is not installed.
    """
    counted = [case for case in cases if case.excluded is None]
    judged = judge(cases, predictions, interpretations)
    frontends = dict.fromkeys(each.prediction.frontend for each in judged)
    known = {(f, c.id): (c, interpretations[f, c.history]) for f in frontends for c in counted}
    parts = {place: tuple(populations(*of)) for place, of in known.items()}
    flagged = {
        frontend: [case.id for case in counted if is_superseded(*known[frontend, case.id])]
        for frontend in frontends
    }
    shown = figures(judged, parts)
    names = {case.id.partition("_")[0] for case in cases}
    return Scores(
        data=names.pop() if len(names) == 1 else "",
        cases=len(counted),
        groups=tuple(dict.fromkeys(case.group for case in counted)),
        cells=tuple(dict.fromkeys(case.cell for case in counted)),
        excluded=tuple(Counter(case.excluded for case in cases if case.excluded).items()),
        figures=tuple(shown),
        versus=tuple(versus(judged, parts, {f: frozenset(ids) for f, ids in flagged.items()})),
        interactions=tuple(interactions(shown)),
        flagged=tuple((frontend, tuple(ids)) for frontend, ids in flagged.items()),
    )
