"""The plots of a report: accuracy by arm and length, coverage by hop cap, accuracy by evidence.

Pure. This module must not know how a plot is drawn.
"""

from collections.abc import Iterator, Sequence

from cmc_graph.evaluation.report import svg
from cmc_graph.evaluation.report.quoted import Paper
from cmc_graph.evaluation.report.tables import HOPS, arms_of, by_place
from cmc_graph.evaluation.scoring import Figure, Scores

_ACCURACY = "substring exact match, percent"


def plots(scores: Scores, paper: Paper) -> Iterator[str]:
    """All plots that the run has figures for, as SVG, in the order of the page."""
    for frontend, reader in _series(scores):
        for group in scores.groups:
            yield _by_arm(scores, paper, (frontend, reader), group)
    for frontend in dict.fromkeys(f.frontend for f in scores.figures):
        yield from _by_hops(scores, paper, frontend)
    for frontend, reader in _series(scores):
        for group in scores.groups:
            yield from _by_evidence(scores, paper, (frontend, reader), group)


def _by_arm(scores: Scores, paper: Paper, series: tuple[str, str], group: str) -> str:
    """Accuracy of each arm at each history length, and what the paper has over all lengths."""
    frontend, reader = series
    known = by_place(scores)
    arms = [arm for of, arm in arms_of(scores, paper) if of == frontend]
    measured = []
    cells = [cell for cell in scores.cells if cell.partition("_")[0] == group]
    for cell in cells:
        found = [known.get((frontend, arm, reader, cell)) for arm in arms]
        points = [(float(row), round(f.accuracy, 2)) for row, f in enumerate(found) if f]
        measured.append(svg.Series(f"{cell}, measured", tuple(points)))
    for each in paper.about(scores.data)[:1]:
        told = each.accuracy.get(group, {})
        points = [(float(row), told[arm]) for row, arm in enumerate(arms) if arm in told]
        name = f"{group}, quoted: the paper's {each.reader}, all lengths"
        measured.append(svg.Series(name, tuple(points), dashed=True))
    heading = svg.Heading(f"Accuracy by arm, {group}", _about(scores, paper, series))
    return svg.dots(heading, arms, measured, _ACCURACY)


def _by_hops(scores: Scores, paper: Paper, frontend: str) -> Iterator[str]:
    """Share of questions whose evidence has the answer as an object, by hop cap."""
    series = []
    for cell in scores.cells:
        points = [
            (float(hops), round(100 * figure.has_object / figure.questions, 2))
            for hops, arm in HOPS.items()
            if (figure := _any_reader(scores, frontend, arm, cell))
        ]
        series.append(svg.Series(f"{cell}, gold covered, measured", tuple(points)))
    if not any(len(each.points) > 1 for each in series):
        return
    for each in paper.about(scores.data)[:1]:
        told = each.accuracy.get("mh", {})
        points = [(float(hops), told[arm]) for hops, arm in HOPS.items() if arm in told]
        name = f"mh, accuracy, quoted: the paper's {each.reader}"
        series.append(svg.Series(name, tuple(points), dashed=True))
    heading = svg.Heading("Coverage by hop cap", _about(scores, paper, (frontend,)))
    yield svg.lines(heading, tuple(map(float, HOPS)), series, ("hop cap", "percent of questions"))


def _by_evidence(
    scores: Scores, paper: Paper, series: tuple[str, str], group: str
) -> Iterator[str]:
    """Accuracy of each arm against the mean size of what the reader has to read."""
    points = [
        svg.Point(f.arm, f.tokens, round(f.accuracy, 2), *f.interval)
        for f in scores.figures
        if (f.frontend, f.reader, f.population) == (*series, group) and f.tokens > 0
    ]
    if points:
        heading = svg.Heading(
            f"Accuracy against evidence, {group}, measured", _about(scores, paper, series)
        )
        yield svg.scatter(heading, points, ("mean tokens of evidence", _ACCURACY))


def _about(scores: Scores, paper: Paper, series: Sequence[str]) -> str:
    """What every plot says of itself: the data, and what was run on it."""
    data = paper.names.get(scores.data, "")
    kinds = ("frontend", "reader")
    told = [f"{kind} {paper.labelled(name)}" for kind, name in zip(kinds, series, strict=False)]
    return "; ".join(filter(None, (data, ", ".join(told))))


def _series(scores: Scores) -> Sequence[tuple[str, str]]:
    """Frontend and reader of everything that was run."""
    return tuple(dict.fromkeys((f.frontend, f.reader) for f in scores.figures))


def _any_reader(scores: Scores, frontend: str, arm: str, population: str) -> Figure | None:
    """A figure of the arm; what its evidence holds is the same for every reader."""
    return next(
        (
            figure
            for figure in scores.figures
            if (figure.frontend, figure.arm, figure.population) == (frontend, arm, population)
        ),
        None,
    )
