"""The figures of one arm over one population.

Pure. This module must not know which arms there are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from cmc_graph.evaluation.scoring.intervals import Interval, wilson
from cmc_graph.evaluation.scoring.judged import Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """How one arm did on one population; shares in percent, of all questions unless said otherwise.

    Attributes:
        right: Answers that are right by substring exact match.
        accuracy: Their share, the official score.
        interval: 95 % Wilson interval of the accuracy.
        strict: Share of parsed answers that equal a reference.
        f1: Mean overlap of words.
        answered: Questions that got an answer: neither failed nor abstained.
        precision: Share of the answers given that are right; None: none was given.
        failed: Questions whose request failed; they count as wrong.
        has_object: Questions with a right answer among the objects of the facts shown.
        has_string: Questions with a right answer somewhere in the text shown.
        clipped: Contexts that lost records to the window.
        fallbacks: Contexts that stand in for an empty selection.
        records: Mean number of records shown.
        most_records: The largest number of records shown.
        characters: Mean length of the evidence.
        tokens: Mean tokens of the evidence, by the run's counter.
        calls: Model calls in all.
        input_tokens: Mean tokens a question, as the endpoint counts them.
        reused: Answers taken over from an exactly equal request.
        seconds: Mean time a question.
    """

    frontend: str
    arm: str
    reader: str
    population: str
    questions: int
    right: int
    accuracy: float
    interval: Interval
    strict: float
    f1: float
    answered: int
    precision: float | None
    failed: int
    has_object: int
    has_string: int
    clipped: int
    fallbacks: int
    records: float
    most_records: int
    characters: float
    tokens: float
    calls: int
    input_tokens: float
    reused: int
    seconds: float


def figures(
    judged: Iterable[Judged], populations: Mapping[tuple[str, str], Sequence[str]]
) -> list[Figure]:
    """One figure for each frontend, arm, reader and population, in the order they come up.

    Args:
        judged: Predictions.
        populations: The populations of each question, by frontend and id.
    """
    rows: dict[tuple[str, str, str, str], list[Judged]] = defaultdict(list)
    for each in judged:
        for population in populations[each.prediction.frontend, each.case.id]:
            rows[*each.series, population].append(each)
    return [_figure(*names, members) for names, members in rows.items()]


def _figure(
    frontend: str, arm: str, reader: str, population: str, rows: Sequence[Judged]
) -> Figure:
    questions = len(rows)
    told = [row.prediction for row in rows]
    right = sum(row.marks.substring for row in rows)
    answered = sum(each.error is None and each.answer is not None for each in told)
    low, high = wilson(right, questions)
    return Figure(
        frontend=frontend,
        arm=arm,
        reader=reader,
        population=population,
        questions=questions,
        right=right,
        accuracy=100 * right / questions,
        interval=Interval(100 * low, 100 * high),
        strict=100 * fmean(row.marks.strict for row in rows),
        f1=100 * fmean(row.marks.f1 for row in rows),
        answered=answered,
        precision=100 * right / answered if answered else None,
        failed=sum(each.error is not None for each in told),
        has_object=sum(row.has_object for row in rows),
        has_string=sum(row.has_string for row in rows),
        clipped=sum(each.clipped > 0 for each in told),
        fallbacks=sum(each.fallback is not None for each in told),
        records=fmean(len(each.positions) for each in told),
        most_records=max(len(each.positions) for each in told),
        characters=fmean(each.evidence_characters for each in told),
        tokens=fmean(each.evidence_tokens for each in told),
        calls=sum(each.calls for each in told),
        input_tokens=fmean(each.input_tokens for each in told),
        reused=sum(each.reused for each in told),
        seconds=fmean(each.seconds for each in told),
    )
