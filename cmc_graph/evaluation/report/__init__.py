"""Reports: tables for the terminal, and one self-contained page; measured or quoted, never mixed.

``tables`` and ``comparisons`` have the cells, ``plots`` the plots, ``quoted`` the paper's figures.
"""

from collections.abc import Sequence

from rich.console import Group

from cmc_graph.evaluation.formats import MODEL_READER, Manifest
from cmc_graph.evaluation.report import comparisons, tables, terminal
from cmc_graph.evaluation.report import page as html
from cmc_graph.evaluation.report import plots as drawn
from cmc_graph.evaluation.report.quoted import paper
from cmc_graph.evaluation.scoring import Scores
from cmc_graph.readers import READERS

#: Those that were not run are shown as such.
KNOWN_READERS = (*READERS, MODEL_READER)

__all__ = ["page", "plots", "table"]


def table(scores: Scores, readers: Sequence[str] = KNOWN_READERS) -> Group:
    """The measures of every arm, and CMC against each, for ``rich`` to print.

    Args:
        scores: Of a run.
        readers: The readers there are; those that were not run are shown as such.
    """
    quoted = paper()
    shown = [
        *tables.accuracy(scores, quoted, readers),
        tables.coverage(scores),
        tables.strictness(scores, quoted),
        comparisons.against(scores, quoted),
    ]
    return terminal.render(each for each in shown if each.rows)


def plots(scores: Scores) -> list[str]:
    """The plots of the page as SVG, each complete in itself.

    Args:
        scores: Of a run.
    """
    return list(drawn.plots(scores, paper()))


def page(scores: Scores, manifest: Manifest, readers: Sequence[str] = KNOWN_READERS) -> str:
    """The HTML page, complete in itself.

    Args:
        scores: Of a run.
        manifest: Of the same run.
        readers: The readers there are; those that were not run are shown as such.
    """
    return html.render(scores, manifest, paper(), readers)
