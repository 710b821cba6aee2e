"""How explanations are drawn: trees, Mermaid charts and pages, from hostile names on."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph import Memory, Record
from cmc_graph.explaining import Explanation, mermaid, page, paths, telling, tree
from cmc_graph.explaining.drawing import svg
from cmc_graph.explaining.graph import graph
from cmc_graph.model import ReadOptions
from cmc_graph.text import tokens
from tests.support.builders import edge

HOSTILE = '<script>alert("x")</script> & \u202e"`[]{}|;%%#--> ]]> \x00'


def explained(*said: tuple[str, str, str], question: str = "Ana", **options: int) -> Explanation:
    with Memory.open("sqlite:///:memory:") as memory:
        records = [
            Record(text=f"{s} {r} {o}", position=n, triples=[(s, r, o)])
            for n, (s, r, o) in enumerate(said, 1)
        ]
        memory.ingest(records, literal=False)
        return memory.explain(question, **options)  # type: ignore[arg-type]  # numbers


CHAIN = [("Ana", "city", "Linz"), ("Ana", "city", "Graz"), ("Graz", "river", "Mur")]


def test_the_tree() -> None:
    """The exact lines: each edge below the one that led to it, with what it replaced."""
    assert list(tree.lines(explained(*CHAIN, question="Where is Ana?"))) == [
        "Where is Ana?",
        "'Ana' names ana",
        "└─ hop 1: Ana · city → Graz",
        "   │  [2] Ana city Graz",
        "   │  was Linz [1], until 2",
        "   └─ hop 2: Graz · river → Mur",
        "         [3] Graz river Mur",
        "not shown",
        "   [1] Ana city Linz   (superseded by 2)",
    ]


def test_a_tree_whose_middle_was_cut() -> None:
    """The way to a record that is shown is whole; a record on it that was cut is named as such."""
    lines = list(tree.lines(explained(*CHAIN, budget=85)))
    assert lines[2:7] == [
        "└─ hop 1: Ana · city → Graz",
        "   │  [2] cut by the budget",
        "   │  was Linz [1], until 2",
        "   └─ hop 2: Graz · river → Mur",
        "         [3] Graz river Mur",
    ]
    assert "   [2] Ana city Graz   (cut by the budget, at hop 1)" in lines


def test_many_versions_are_counted() -> None:
    """A tree tells the newest replaced versions; how many more there are is said."""
    lines = list(tree.lines(explained(*(("Ana", "city", f"C{n}") for n in range(9)))))
    assert sum(" was C" in line for line in lines) == 5
    assert any(line.endswith("and 3 older versions") for line in lines)


def test_the_mermaid_chart() -> None:
    """The exact text: replaced values have a box of their own, dotted and struck out."""
    assert list(mermaid.lines(graph(explained(*CHAIN), 60)))[:-2] == [
        "flowchart LR",
        '  n0["Ana"]:::anchor',
        '  n1["Graz"]',
        '  n2["Linz"]:::old',
        '  n3["Mur"]',
        '  n0 -->|"city #91;2#93;"| n1',
        '  n0 -.->|"city #91;1#93; until 2"| n2',
        '  n1 -->|"river #91;3#93;"| n3',
    ]


def test_what_the_budget_cut_is_drawn_as_such() -> None:
    """An arrow whose record is not in the evidence says so, in a chart and on a page."""
    found = graph(explained(*CHAIN, budget=85), 60)
    chart = list(mermaid.lines(found))
    assert '  n0 -->|"city #91;2#93;, cut"| n1' in chart
    assert '  n1 -->|"river #91;3#93;"| n3' in chart
    drawn = svg(found)
    assert drawn.count('class="arrow current cut"') == 2
    assert drawn.count("[2], cut<") == 1


def test_names_cannot_leave_a_label() -> None:
    """Whatever a name holds, a line of a chart has the quotes that the chart itself wrote."""
    found = explained(("Ana", HOSTILE, HOSTILE), ("Ana", HOSTILE, "Ben"))
    for line in mermaid.lines(graph(found, 60)):
        assert line.count('"') in (0, 2)
        assert line.isprintable()


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("end", "end"),
        ('say "it" [now]', "say #34;it#34; #91;now#93;"),
        ("two\nlines", "two lines"),
        ("$$a^2$$", "#36;#36;a^2#36;#36;"),
        ("fa:fa-car", "fa#58;fa-car"),
        ("http://x.y", "http#58;//x.y"),
        ("1. one 2.", "1#46; one 2."),
        ("- item - x", "#45; item - x"),
        ("+ plus", "#43; plus"),
        ("2.5 km", "2#46;5 km"),
    ],
)
def test_what_mermaid_would_read_is_written_by_number(name: str, label: str) -> None:
    """No formula, icon, link or list: Mermaid 11 drew these labels as the names they stand for."""
    chart = list(mermaid.lines(graph(explained(("Ana", name, name)), 60)))
    assert chart[2:4] == [f'  n1["{label}"]', f'  n0 -->|"{label} #91;1#93;"| n1']


def test_more_than_can_be_drawn_is_counted() -> None:
    """A drawing has the nearest edges, and says how many it left out."""
    found = graph(explained(*(("Ana", f"r{n}", "Ben") for n in range(9))), 4)
    assert (len(found.arrows), found.left_out) == (4, 5)


def test_labels_of_a_dense_drawing_stand_apart() -> None:
    """On each side of a box one label stands above the other, below those of the box above it."""
    names = [f"N{n}" for n in range(5)]
    said = [(one, f"r{n}", other) for one in names for n, other in enumerate(names)]
    drawn = svg(graph(explained(*said, question="What of N0?"), 60))
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(start|end)">', drawn)
    assert len(found) == 25
    places = sorted((anchor, float(x), float(y)) for x, y, anchor in found)
    for one, other in pairwise(places):
        assert one[:2] != other[:2] or other[2] - one[2] >= 13
    sides = {anchor: sorted(x for side, x, _ in places if side == anchor) for anchor, *_ in places}
    assert sides["end"][0] - sides["start"][0] > 2 * 120  # a label is about 120 wide
    assert drawn.rindex("<path d=") < drawn.index("text-anchor") < drawn.index("<rect")


def test_no_path_leads_over_an_ended_edge() -> None:
    """Of an ended and a current edge to one entity, the walk went on from the current one."""
    edges = [
        edge("Ana", "had", "Rex", 1, ended=True, depth=1),
        edge("Ana", "has", "Rex", 2, depth=1),
        edge("Rex", "eats", "Bones", 3, depth=2),
    ]
    assert [each.position for each in paths.reached(edges)[-1].path] == [2, 3]


def test_a_record_that_is_missing() -> None:
    """Where a record was deleted by hand, the rest is told; a timeline says that it is missing."""
    found = explained(*CHAIN)
    versions = found.replaced[0].versions
    told = telling.Found(found.evidence, found.evidence.edges, versions, {})
    options = ReadOptions(5, 60_000, None, "history", "newest")
    again = telling.explanation("Ana", options, told)
    assert (again.hidden, again.shown) == ((), found.shown)
    assert [e.record for e in telling.timeline("ana", None, versions, {}).entries] == [None]


class Checked(HTMLParser):
    """Collects what a browser would see: tags, attributes that load something, and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loading: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loading += [name for name, _ in attrs if name in ("src", "href") or name[:2] == "on"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_page_stands_alone_and_escapes_everything() -> None:
    """No script, nothing to load, no text that turns the page around, from hostile names."""
    said = [("Ana", HOSTILE, HOSTILE), ("Ana", HOSTILE, "Ben"), ("Ben", "knows", HOSTILE)]
    text = page.render(explained(*said, question=f"What about Ana? {HOSTILE}"))
    seen = Checked(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(seen.tags)
    assert seen.loading == []
    assert re.findall(r"url\((?!#)", text) == []
    assert "\u202e" not in text
    assert "\x00" not in text
    assert '<script>alert("x")</script>' in "".join(seen.words)
    assert {"svg", "del", "table"} <= set(seen.tags)


def test_a_page_without_a_graph() -> None:
    """A fall-back has nothing to draw; its records are there."""
    text = page.render(explained(*CHAIN, question="nobody"))
    assert "<svg" not in text
    assert "Graz river Mur" in text


@pytest.mark.parametrize(
    ("question", "key", "span"),
    [
        ("Where is Room B?", "room b", "Room B"),
        ("(Ana's) home", "ana", "Ana"),
        ("東京支社の責任者は誰ですか", "東 京 支 社", "東京支社"),
        ("«Room\n  B»…", "room b", "Room\n  B"),
    ],
)
def test_a_span_as_the_question_writes_it(question: str, key: str, span: str) -> None:
    """The anchor is shown without the punctuation around it, also in scripts without spaces."""
    assert [found.span for found in paths.anchors(question, [key])] == [span]


@settings(max_examples=50)
@given(st.text(max_size=40))
def test_a_span_is_a_part_of_any_question(question: str) -> None:
    """Every token of a question is found in it again."""
    words = tokens(question)
    for found in paths.anchors(question, words):
        assert (found.span in question) or found.span == found.key
