"""Each prediction with its marks and with what its evidence held.

Pure. This module must not know which arms there are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cmc_graph.errors import EvaluationError
from cmc_graph.evaluation.formats import Case, Prediction
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.scoring.coverage import has_object, has_string
from cmc_graph.evaluation.scoring.metrics import Marks, mark, normalised
from cmc_graph.text import join_names

#: The histories as each frontend read them, by frontend and name.
Interpretations = Mapping[tuple[str, str], Frozen]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One prediction, and how right it is.

    Attributes:
        marks: The released measures; a failure has none of them.
        has_object: A right answer is the object of a fact shown.
        has_string: A right answer is somewhere in the text shown.
    """

    case: Case
    prediction: Prediction
    marks: Marks
    has_object: bool
    has_string: bool

    @property
    def series(self) -> tuple[str, str, str]:
        """What the predictions of one arm have in common: frontend, arm and reader."""
        return (self.prediction.frontend, self.prediction.arm, self.prediction.reader)


def judge(
    cases: Sequence[Case], predictions: Iterable[Prediction], interpretations: Interpretations
) -> list[Judged]:
    """The predictions of the cases that count, judged, in their order.

    Args:
        cases: All cases of the run.
        predictions: One per case, frontend, arm and reader; of a cell all cases or none.
        interpretations: What the evidence was selected from.

    Raises:
        EvaluationError: Cases and predictions do not belong together.
    """
    told = tuple(predictions)
    known = {case.id: case for case in cases}
    _check(known, told)
    texts = _Texts(interpretations)
    return [
        _judged(known[prediction.case], prediction, interpretations, texts)
        for prediction in told
        if known[prediction.case].excluded is None
    ]


def _judged(
    case: Case, prediction: Prediction, interpretations: Interpretations, texts: "_Texts"
) -> Judged:
    place = (prediction.frontend, case.history)
    shown = interpretations[place].objects(prediction.positions)
    return Judged(
        case=case,
        prediction=prediction,
        marks=mark(None if prediction.error else prediction.answer, case.references),
        has_object=has_object(case.references, shown),
        has_string=has_string(case.references, texts.at(place, prediction.positions)),
    )


class _Texts:
    """The normalised texts of records; each is normalised once."""

    def __init__(self, interpretations: Interpretations) -> None:
        self._interpretations = interpretations
        self._known: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)

    def at(self, place: tuple[str, str], positions: Iterable[int]) -> Iterator[str]:
        """The texts of the records at these positions of one history."""
        known, records = self._known[place], self._interpretations[place].records
        for position in positions:
            if position not in known:
                known[position] = normalised(records[position].text)
            yield known[position]


def _check(cases: Mapping[str, Case], predictions: Sequence[Prediction]) -> None:
    """Raise where a case is unknown, missing or predicted twice."""
    strange = {prediction.case for prediction in predictions} - cases.keys()
    if strange:
        raise EvaluationError(
            f"predictions for unknown cases ({join_names(sorted(strange)[:3])}, …): score them "
            "with the cases.jsonl of their own run"
        )
    twice = [key for key, times in Counter(p.key for p in predictions).items() if times > 1]
    if twice:
        raise EvaluationError(f"several predictions of one kind: {join_names(twice[0])}")
    cells = Counter(case.cell for case in cases.values())
    done = Counter((p.key[1:], cases[p.case].cell) for p in predictions)
    for (series, cell), count in done.items():
        if count != cells[cell]:
            raise EvaluationError(
                f"{join_names(series)}: {count} of the {cells[cell]} cases of {cell} are predicted;"
                " finish the run before it is scored"
            )
