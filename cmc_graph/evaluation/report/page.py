"""One self-contained HTML page: tables, plots, and the paper's figures beside ours.

Nothing is loaded from anywhere; every text is escaped. This module must not know files.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from cmc_graph.evaluation.formats import Manifest
from cmc_graph.evaluation.report import comparisons, tables
from cmc_graph.evaluation.report.plots import plots
from cmc_graph.evaluation.report.quoted import Paper
from cmc_graph.evaluation.report.tables import Table
from cmc_graph.evaluation.scoring import Scores

_FILE = "page.html"


def render(scores: Scores, manifest: Manifest, paper: Paper, readers: Sequence[str]) -> str:
    """The page.

    Args:
        scores: Of a run.
        manifest: Of the same run.
        paper: What is quoted.
        readers: The readers the project has; those that were not run are shown as such.
    """
    template = Template((files("cmc_graph.evaluation.report") / _FILE).read_text("utf-8"))
    about = paper.names.get(scores.data, scores.data) or "own questions"
    rest = [
        tables.coverage(scores),
        comparisons.beside(scores, paper, readers),
        comparisons.against(scores, paper),
        tables.strata(scores, paper),
        tables.strictness(scores, paper),
    ]
    return template.substitute(
        title=escape(f"Evaluation: {about}"),
        facts=_facts(scores, manifest),
        accuracy="\n".join(map(_table, tables.accuracy(scores, paper, readers))),
        plots="\n".join(f"<figure>{plot}</figure>" for plot in plots(scores, paper)),
        rest="\n".join(_table(table) for table in rest if table.rows),
    )


def _facts(scores: Scores, manifest: Manifest) -> str:
    """What was run, as terms and their descriptions."""
    return "".join(
        f"<dt>{escape(term)}</dt><dd>{escape(description)}</dd>"
        for term, description in _told(scores, manifest)
    )


def _told(scores: Scores, manifest: Manifest) -> Iterator[tuple[str, str]]:
    yield "questions", f"{scores.cases} ({', '.join(scores.cells)})"
    for reason, number in scores.excluded:
        yield "excluded", f"{number}: {reason}"
    for frontend, ids in scores.flagged:
        flags = ", ".join(ids) or "none"
        yield f"references that may be superseded, {frontend}", f"{len(ids)}: {flags}"
    for each in scores.interactions:
        where = f"{each.population}; {each.frontend}, {each.reader}"
        yield f"interaction contrast, {where}", f"{each.points:+.2f} points"
    yield "sha-256 of the questions", manifest.dataset
    yield "seal of the predictions", manifest.seal or "none: the run is not complete"
    yield "versions", ", ".join(f"{name} {value}" for name, value in manifest.versions.items())
    yield "settings", ", ".join(f"{name} = {value}" for name, value in manifest.settings.items())
    for reader, names in manifest.models.items():
        yield f"model behind {reader}", ", ".join(names)


def _table(table: Table) -> str:
    head = "".join(_cells("th", table.header, table.labels))
    body = "".join(f"<tr>{''.join(_cells('td', row, table.labels))}</tr>" for row in table.rows)
    return (
        f'<h2>{escape(table.title)}</h2><p class="note">{escape(table.note)}</p>'
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(tag: str, texts: Iterable[str], labels: int) -> Iterator[str]:
    for number, text in enumerate(texts):
        style = "name" if number < labels else "missing" if text == tables.NOT_RUN else ""
        yield (
            f'<{tag} class="{style}">{escape(text)}</{tag}>'
            if style
            else (f"<{tag}>{escape(text)}</{tag}>")
        )
