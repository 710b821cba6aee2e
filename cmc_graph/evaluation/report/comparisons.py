"""The tables that compare: CMC with each other arm, and the paper's figures with ours.

Pure. This module must not know how a table is drawn.
"""

from collections.abc import Iterable, Iterator, Sequence

from cmc_graph.evaluation.report.quoted import Paper, Quoted
from cmc_graph.evaluation.report.tables import NOT_RUN, Table, by_place, readers_of
from cmc_graph.evaluation.scoring import Figure, Scores, Versus


def against(scores: Scores, paper: Paper) -> Table:
    """CMC against each other arm."""
    return Table(
        title="CMC against each other arm",
        note="Paired by question; interval: percentile bootstrap over questions, 10,000 "
        "replicates. Lacks a record, lacks gold: of the questions only CMC has right, those where "
        "the other's evidence lacks a record that CMC selected, or the right answer altogether. At "
        "least: all flagged references going against CMC.",
        header=(
            *("other arm", "frontend", "reader", "questions", "wins", "ties", "losses"),
            *("advantage", "lacks a record", "lacks gold", "flagged", "at least"),
        ),
        rows=tuple(_against(v, paper) for v in scores.versus if v.population in scores.groups),
        labels=4,
    )


def beside(scores: Scores, paper: Paper, readers: Sequence[str]) -> Table:
    """Every figure of the paper about the data, with what was measured for arm and population."""
    known = by_place(scores)
    names = readers_of(scores, readers)
    frontends = list(dict.fromkeys(f.frontend for f in scores.figures))
    rows = []
    for each in paper.about(scores.data):
        for measure, population, arm, value in _values(each):
            ours = [
                _measured(measure, [known.get((f, arm, reader, population)) for f in frontends])
                for reader in names
            ]
            label = f"{each.reader}, {each.frontend}"
            told = f"{value:g}" if measure == "tokens" else f"{value:.2f}"
            rows.append((arm, population, measure, label, told, *ours, each.where))
    return Table(
        title="The paper's figures, quoted, beside those measured here",
        note="The paper's readers are models, its questions are of all four lengths, and its "
        "tokens count the whole request; here they count the evidence. The populations are the "
        "same only where the numbers of questions agree.",
        header=(
            *("arm", "questions", "measure", "the paper's reader and frontend", "quoted"),
            *(f"{paper.labelled(reader)}, measured" for reader in names),
            "where",
        ),
        rows=tuple(rows),
        labels=4,
    )


def _against(v: Versus, paper: Paper) -> tuple[str, ...]:
    told = v.contrast
    return (
        paper.labelled(v.other),
        v.frontend,
        paper.labelled(v.reader),
        v.population,
        f"{told.wins}",
        f"{told.ties}",
        f"{told.losses}",
        f"{told.advantage:+.2f} [{told.interval.low:.2f}, {told.interval.high:.2f}]",
        f"{v.shortfall.lacks_record} of {v.shortfall.questions}",
        f"{v.shortfall.lacks_gold} of {v.shortfall.questions}",
        f"{v.flagged}",
        f"{v.least:+.2f}",
    )


def _values(each: Quoted) -> Iterator[tuple[str, str, str, float]]:
    """Measure, population, arm and value."""
    for measure in ("accuracy", "strict", "tokens"):
        for population, values in getattr(each, measure).items():
            for arm, value in values.items():
                yield measure, population, arm, value


def _measured(measure: str, found: Iterable[Figure | None]) -> str:
    """The values of the frontends that were run."""
    told = [f"{getattr(figure, measure):.2f}" for figure in found if figure]
    return " / ".join(told) or NOT_RUN
