"""The report: what was measured, what is quoted and what was not run are never mixed up."""

import re
from html.parser import HTMLParser
from io import StringIO
from itertools import pairwise

import pytest
from rich.console import Console

from cmc_graph.evaluation import report
from cmc_graph.evaluation.report import svg
from cmc_graph.evaluation.report.comparisons import beside
from cmc_graph.evaluation.report.quoted import paper
from cmc_graph.evaluation.report.tables import NOT_RUN, Table, accuracy, coverage
from cmc_graph.evaluation.scoring import Scores, score
from tests.unit.evaluation import scored

HEADING = svg.Heading("title", "what it is about")
READERS = ("path", "path-learned", "openai")


def scores(data: str = "factconsolidation") -> Scores:
    """The small run, its ids as those of a data set."""
    renamed = {case.id: f"{data}_{case.id}" for case in scored.cases()}
    return score(
        [case.model_copy(update={"id": renamed[case.id]}) for case in scored.cases()],
        [p.model_copy(update={"case": renamed[p.case]}) for p in scored.predictions()],
        {("grammar", scored.HISTORY): scored.frozen()},
    )


@pytest.fixture(scope="module")
def found() -> Scores:
    """The scores of the small run."""
    return scores()


def row(table: Table, *names: str) -> dict[str, str]:
    """The row that begins with these names, by column."""
    cells = next(cells for cells in table.rows if cells[: len(names)] == names)
    return dict(zip(table.header, cells, strict=True))


def test_measured_and_quoted_side_by_side(found: Scores) -> None:
    """An arm that was run has its own figure and the paper's, each under its own heading."""
    multi = next(table for table in accuracy(found, paper(), READERS) if "mh" in table.title)
    cells = row(multi, "prior_read_refresh", "grammar")
    assert cells["path, measured"].startswith("50.00 [")
    assert cells["quoted"] == "21.50 (HY4-preview)"
    assert cells["openai, measured"] == NOT_RUN


def test_what_was_not_run(found: Scores) -> None:
    """A reader or an arm that was not run has neither a zero nor the paper's figure."""
    multi = next(table for table in accuracy(found, paper(), READERS) if "mh" in table.title)
    cells = row(multi, "dense")
    assert [text for name, text in cells.items() if name.endswith("measured")] == [NOT_RUN] * 3
    assert (cells["gold as object"], cells["quoted"]) == (NOT_RUN, "33.25 (HY4-preview)")
    told = row(beside(found, paper(), READERS), "car", "mh", "accuracy")
    assert (told["quoted"], told["path, measured"]) == ("60.75", NOT_RUN)


def test_coverage_by_hop_cap() -> None:
    """One row for each cell, with what each cap covers and how large a whole read is."""
    told = scored.predictions()
    told += [p.model_copy(update={"arm": "hops_1", "positions": (4,)}) for p in told[:3]]
    known = {("grammar", scored.HISTORY): scored.frozen()}
    table = coverage(score(scored.cases(), told, known))
    cells = row(table, "mh_6k")
    assert [cells[f"cap {hops}"] for hops in (1, 2, 3, 5)] == ["0", NOT_RUN, NOT_RUN, NOT_RUN]
    assert (cells["mean records"], cells["most records"]) == ("1.5", "2")
    assert coverage(score(scored.cases(), told[:6], known)).rows == ()


def test_what_has_to_be_said(found: Scores) -> None:
    """The learned reader and data built from other data are named so beside every figure."""
    stream = scores("memstream")
    assert "built from MQuAKE-CF-3k" in report.page(stream, scored.manifest())
    for table in accuracy(stream, paper(), READERS):
        assert "built from MQuAKE-CF-3k" in table.title
    header = next(accuracy(found, paper(), READERS)).header
    assert "path-learned (learned from MQuAKE-CF-3k questions), measured" in header


def test_data_of_your_own_has_nothing_quoted() -> None:
    """Questions the paper does not have are shown without any figure of the paper."""
    own = scores("own")
    assert beside(own, paper(), READERS).rows == ()
    assert all("quoted" not in table.header for table in accuracy(own, paper(), READERS))
    assert "HY4-preview" not in report.page(own, scored.manifest())


@pytest.mark.parametrize(
    ("arm", "population", "value"),
    [("cmc", "mh", 78.25), ("prior_read_refresh", "mh", 21.5), ("cmc", "sh_262k", 95.0)],
)
def test_quoted_figures(arm: str, population: str, value: float) -> None:
    """The figures are those of the paper's prose."""
    told = [q.accuracy.get(population, {}).get(arm) for q in paper().about("factconsolidation")]
    assert next(found for found in told if found is not None) == value


def test_the_terminal(found: Scores) -> None:
    """The tables are printed whole; names in brackets are no markup."""
    console = Console(file=StringIO(), width=220)
    console.print(report.table(found))
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "FactConsolidation (MemoryAgentBench), mh: 2 questions" in text
    assert "100.00 [34.2, 100.0]" in text
    assert "CMC against each other arm" in text


class Reader(HTMLParser):
    """Checks that elements are closed in order and nothing is loaded from elsewhere."""

    VOID = ("meta", "circle", "rect", "path", "line", "polyline", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_complete_in_itself(found: Scores) -> None:
    """One document, well formed, that loads nothing and runs no script."""
    html = report.page(found, scored.manifest())
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert reader.loaded == []
    assert not re.search(r"<script|url\(|@import", html)
    assert set(re.findall(r"https?://[^\"]+", html)) == {"http://www.w3.org/2000/svg"}
    assert html.count("<svg") >= 3
    for told in ("sha-256", "seal", "measured", "quoted", NOT_RUN, scored.ROOM):
        assert told in reader.text


def test_text_is_escaped() -> None:
    """Names of cells and readers, which are the user's, cannot become markup."""
    told = [each.model_copy(update={"reader": "<i>"}) for each in scored.predictions()]
    cases = [case.model_copy(update={"cell": "<b>&_6k"}) for case in scored.cases()]
    known = {("grammar", scored.HISTORY): scored.frozen()}
    html = report.page(score(cases, told, known), scored.manifest())
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;&amp;_6k" in html


def test_the_page_can_be_repeated(found: Scores) -> None:
    """The same run gives the same bytes."""
    assert report.page(found, scored.manifest()) == report.page(scores(), scored.manifest())


def test_a_run_without_predictions() -> None:
    """Nothing scored is a page that says so, not an error."""
    html = report.page(score([], [], {}), scored.manifest())
    assert "own questions" in html


def test_marks_are_where_the_values_are() -> None:
    """In a dot plot 0 and 100 percent are at the ends of the axis, and 50 in the middle."""
    series = [svg.Series("s", ((0.0, 0.0), (1.0, 50.0), (2.0, 100.0)))]
    drawn = svg.dots(HEADING, ["a", "b", "c"], series, "percent")
    left, middle, right = map(float, re.findall(r'<circle[^>]*cx="([\d.]+)"', drawn)[:3])
    assert middle == pytest.approx((left + right) / 2)
    assert "<title>b, s: 50</title>" in drawn


def test_labels_do_not_cover_each_other() -> None:
    """Points at one place have their labels above each other."""
    points = [svg.Point(name, 100.0, 50.0, 40.0, 60.0) for name in ("one", "two", "three")]
    drawn = svg.scatter(HEADING, points, ("x", "y"))
    heights = [float(y) for y in re.findall(r'class="label" x="[\d.]+" y="([\d.]+)"', drawn)]
    gaps = [upper - lower for upper, lower in pairwise(heights)]
    assert all(gap >= 13 for gap in gaps)
