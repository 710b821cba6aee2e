"""The tables of a report as plain cells, for the terminal and for the page alike.

Pure. This module must not know how a table is drawn.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cmc_graph.evaluation.report.quoted import Paper, Quoted
from cmc_graph.evaluation.scoring import Figure, Scores
from cmc_graph.evaluation.scoring.strata import KEYS_CHANGE, KEYS_STAY
from cmc_graph.evaluation.scoring.versus import OURS

#: What stands where nobody measured; never a zero, and never the paper's figure.
NOT_RUN = "not run"
NONE = "–"

#: The arms that are the read with a hop cap.
HOPS = {1: "hops_1", 2: "hops_2", 3: "hops_3", 5: "hops_5"}

_OF_THE_PAPER = " Quoted: the paper's main comparison, with its own readers and all lengths."


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under a header.

    Attributes:
        note: What has to be known to read it; may be empty.
        labels: How many columns from the left are names; the others are figures.
    """

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1


Place = tuple[str, str, str, str]


def by_place(scores: Scores) -> dict[Place, Figure]:
    """The figures by frontend, arm, reader and population."""
    return {(f.frontend, f.arm, f.reader, f.population): f for f in scores.figures}


def arms_of(scores: Scores, paper: Paper) -> list[tuple[str, str]]:
    """Frontend and arm of each row: those that were run, then those only the paper has."""
    ran = list(dict.fromkeys((f.frontend, f.arm) for f in scores.figures))
    told = (
        arm
        for each in paper.about(scores.data)
        for values in each.accuracy.values()
        for arm in values
    )
    known = {arm for _, arm in ran}
    return [*ran, *((NONE, arm) for arm in dict.fromkeys(told) if arm not in known)]


def readers_of(scores: Scores, readers: Iterable[str]) -> list[str]:
    """The readers the project has, then others that were run."""
    return list(dict.fromkeys((*readers, *(f.reader for f in scores.figures))))


def accuracy(scores: Scores, paper: Paper, readers: Sequence[str]) -> Iterator[Table]:
    """One table for each group of questions: every arm with every reader, and the paper's figure.

    Args:
        scores: Of a run.
        paper: What is quoted.
        readers: The readers the project has.
    """
    known = by_place(scores)
    names = readers_of(scores, readers)
    about, named = paper.about(scores.data), paper.names.get(scores.data, "Accuracy")
    for group in scores.groups:
        rows = []
        for frontend, arm in arms_of(scores, paper):
            found = [known.get((frontend, arm, reader, group)) for reader in names]
            main = next((figure for figure in found if figure), None)
            told = [_quoted(about, arm, group)] if about else []
            cells = (paper.labelled(arm), frontend, *map(_accuracy, found))
            rows.append((*cells, *told, *_evidence(main)))
        yield Table(
            title=f"{named}, {group}: {_questions(scores, group)} questions",
            note="Substring exact match in percent [95 % Wilson interval]. Gold as object or in "
            "the text: questions whose evidence holds a right answer, the most any reader can "
            "reach." + (_OF_THE_PAPER if about else ""),
            header=(
                "arm",
                "frontend",
                *(f"{paper.labelled(reader)}, measured" for reader in names),
                *(["quoted"] if about else []),
                "gold as object",
                "gold in text",
                "tokens",
                "characters",
                "clipped",
            ),
            rows=tuple(rows),
            labels=2,
        )


def strictness(scores: Scores, paper: Paper) -> Table:
    """How each arm with each reader does under the stricter measures, group by group."""
    rows = tuple(
        (
            paper.labelled(f.arm),
            f.frontend,
            paper.labelled(f.reader),
            f.population,
            _percent(f.accuracy),
            _percent(f.strict),
            _percent(f.f1),
            f"{f.answered}",
            NONE if f.precision is None else _percent(f.precision),
            f"{f.failed}",
            f"{f.fallbacks}",
            f"{f.calls}",
            f"{f.reused}",
        )
        for f in scores.figures
        if f.population in scores.groups
    )
    return Table(
        title="Measures",
        note="Strict: the parsed answer equals a reference. Precision: of the answers given. "
        "Failed questions count as wrong.",
        header=(
            *("arm", "frontend", "reader", "questions", "accuracy", "strict", "F1", "answered"),
            *("precision", "failed", "fall-backs", "calls", "reused"),
        ),
        rows=rows,
        labels=4,
    )


def strata(scores: Scores, paper: Paper) -> Table:
    """Each arm where the update changes which keys a read needs, and where it does not."""
    rows = tuple(
        (
            paper.labelled(f.arm),
            f.frontend,
            paper.labelled(f.reader),
            f.population,
            f"{f.questions}",
            _percent(f.accuracy),
        )
        for f in scores.figures
        if f.population.endswith((KEYS_CHANGE, KEYS_STAY))
    )
    return Table(
        title="Where the update changes the keys",
        note="From the sources alone: does the constructed prior graph select other keys?",
        header=("arm", "frontend", "reader", "questions", "number", "accuracy"),
        rows=rows,
        labels=4,
    )


def coverage(scores: Scores) -> Table:
    """How many questions of each cell have a right answer among the objects, by hop cap."""
    found = {(f.arm, f.frontend, f.population): f for f in scores.figures}
    rows = []
    for frontend in dict.fromkeys(f.frontend for f in scores.figures):
        for cell in scores.cells:
            caps = [found.get((arm, frontend, cell)) for arm in HOPS.values()]
            whole = found.get((OURS, frontend, cell))
            covered = (f"{f.has_object}" if f else NOT_RUN for f in caps)
            size = (f"{whole.records:.1f}", f"{whole.most_records}") if whole else (NOT_RUN,) * 2
            if any(caps):
                rows.append((cell, frontend, *covered, *size))
    return Table(
        title="Coverage by hop cap",
        note="Questions whose evidence has a right answer as the object of a fact; what a read "
        "without that cap shows, on average and at most.",
        header=(
            *("questions", "frontend", *(f"cap {hops}" for hops in HOPS)),
            *("mean records", "most records"),
        ),
        rows=tuple(rows),
        labels=2,
    )


def _accuracy(figure: Figure | None) -> str:
    if figure is None:
        return NOT_RUN
    low, high = figure.interval
    return f"{figure.accuracy:.2f} [{low:.1f}, {high:.1f}]"


def _evidence(figure: Figure | None) -> tuple[str, ...]:
    """What the evidence holds; it is the same for every reader."""
    if figure is None:
        return (NOT_RUN,) * 5
    return (
        f"{figure.has_object}",
        f"{figure.has_string}",
        f"{figure.tokens:.0f}",
        f"{figure.characters:.0f}",
        f"{figure.clipped}",
    )


def _quoted(about: Iterable[Quoted], arm: str, population: str) -> str:
    """The first figure the paper gives."""
    for each in about:
        value = each.accuracy.get(population, {}).get(arm)
        if value is not None:
            return f"{value:.2f} ({each.reader})"
    return NONE


def _questions(scores: Scores, group: str) -> int:
    return next((f.questions for f in scores.figures if f.population == group), 0)


def _percent(value: float) -> str:
    return f"{value:.2f}"
