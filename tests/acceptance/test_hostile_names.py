"""Names that are meant to do harm, wherever a name can stand, through all commands and outputs.

They are values: stored and found again, or refused in one line; nothing else is touched.
"""

import json
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cmc_graph.exchange import graphml
from tests.acceptance.running import Ran, Workspace, run, said

HOSTILE = {
    "cypher": "x'}) DETACH DELETE n WITH 1 AS n MATCH (n) // `x`]->() CALL db.labels()",
    "sql": "'; DROP TABLE record; DELETE FROM history; -- \" OR 1=1",
    "path": "../../../../etc/x",
    "nul": "a\x00b",
    "control": "a\x1b]0;x\x07\x1b[31m\r\n\tb\x08\x7f\x9b1m",
    "right-to-left": "abc\u202egnp.exe\u2066x",
    "zero-width": "zero\u200bwidth\u200d\ufeff\u00ad",
    "line-ends": "a\u2028b\u2029c\x85d\x0b\x0ce",
    "script": "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "attribute": '" onload="alert(1)" x=\'</title></svg><svg/onload=alert(3)>',
    "mermaid": '"] click n0 "javascript:alert(1)" n9["',
    "template": "%s{0}{x}${question}$body %(x)s {{7*7}}",
    "xml": "]]><!ENTITY x SYSTEM 'file:///etc/passwd'>&x;&#0;",
    "option": "--store=sqlite:///x.db",
    "long": "h" * 1_000_000,
    "surrogate": "a\ud800b",
}
#: Names that are refused, by where they stand: what no store can encode, and what is too long.
REFUSED = {
    "surrogate": ("history", "entity", "relation", "source"),
    "long": ("history", "source"),
}
ORDINARY = [name for name in HOSTILE if name not in REFUSED]
#: Those that a graph database might take for something else; SQLite is given all of them.
GRAPH = ("cypher", "nul", "control", "line-ends")
each_on_its_stores = pytest.mark.parametrize(
    ("database", "name"),
    [("sqlite", name) for name in ORDINARY] + [("neo4j", name) for name in GRAPH],
    indirect=["database"],
)


def commands(question: str, entity: str, relation: str, source: str) -> Iterator[tuple[str, ...]]:
    """All that can be asked of a history, and at last what is removed."""
    # An operating system gives a program no argument as long as the longest name.
    question, entity, relation, source = (
        each[:9_000] for each in (question, entity, relation, source)
    )
    yield ("read", "--", question)
    yield ("ask", "--", question)
    yield ("explain", "--", question)
    yield ("explain", "--html", "page.html", "--", question)
    yield ("explain", "--mermaid", "--", question)
    yield ("timeline", "--", entity)
    yield ("timeline", "--", "Ana", relation)
    yield from (("diff", "--from", "0", "--to", "5"), ("stats",), ("relations",), ("histories",))
    yield ("relations", "set", "--many", "--", relation)
    yield from (("export", "--format", "graphml"), ("export",), ("doctor",), ("rebuild",))
    yield ("forget", "--dry-run", f"--source={source}")
    yield ("forget", f"--entity={entity}")


def asked(workspace: Workspace, command: tuple[str, ...]) -> Ran:
    """The command on the history of the workspace; what follows ``--`` is no option."""
    options = command.index("--") if "--" in command else len(command)
    flags = (*command[:options], *workspace.flags, *command[options:])
    return run(*flags, **workspace.environment)


def settled(ran: Ran) -> None:
    """The command did what it was asked, or refused in one line."""
    assert ran.code in (0, 1, 2, 3), ran
    assert "Traceback" not in ran.err
    if ran.code > 1:
        assert ran.out == ""
        assert ran.err.count("\n") == 1, ran.err


def in_folder(folder: Path) -> set[str]:
    """What lies in a folder, beside the files of an open SQLite store."""
    return {path.name for path in folder.iterdir() if not path.name.startswith("memory.db")}


@pytest.fixture
def neighbour(
    workspace: Workspace, another: Callable[[], Workspace]
) -> Iterator[Callable[[], None]]:
    """Tells whether another history in the same store is what it was, to the byte."""
    other = another()
    other.bring(said("Ana knows Ben", ["Ana", "knows", "Ben"], position=1, source="s"))
    other.bring(said("Ana knows Cy", ["Ana", "knows", "Cy"], position=2), name="b.jsonl")
    before = other.run("export").out
    assert before.count("\n") == 5

    def unchanged() -> None:
        assert other.run("export").out == before
        assert not other.drift()

    yield unchanged
    unchanged()


def record(entity: str, relation: str, source: str) -> str:
    """A line of input with these names; a lone surrogate is an escape in it, as in a file."""
    fields = {"source": source, "source_line": 1, "position": 1}
    triples = [[entity, relation, "Ben"]]
    return json.dumps({"text": f"{entity} {relation} Ben", "triples": triples, **fields})


def told(workspace: Workspace, entity: str, relation: str, source: str) -> None:
    """Every command of the history settles, and writes no file but the one it is told to."""
    there = {*in_folder(workspace.folder), "page.html"}
    for command in commands(f"{entity}?", entity, relation, source):
        settled(asked(workspace, command))
    assert in_folder(workspace.folder) <= there


@each_on_its_stores
def test_a_hostile_name_is_a_value(
    workspace: Workspace, neighbour: Callable[[], None], name: str
) -> None:
    """As history, entity, relation and source at once, a name is found again by every command."""
    hostile = HOSTILE[name]
    own = workspace.on(f"{hostile}{workspace.history}")
    try:
        assert own.run("ingest", own.file(record(*[hostile] * 3), "in.jsonl")).code == 0
        (edge,) = own.read("Ben?", "--fallback", "latest_state")["records"]
        assert (edge["source"], edge["text"]) == (hostile, f"{hostile} {hostile} Ben")
        (relation,) = own.run("relations", "--json").json()
        assert relation["name"] == " ".join(hostile.split())
        told(own, hostile, hostile, hostile)
        neighbour()
    finally:
        own.run("forget", "--position", "1")


@pytest.mark.parametrize(
    ("name", "place"), [(name, place) for name, places in REFUSED.items() for place in places]
)
def test_a_name_that_cannot_be_one_is_refused(
    workspace: Workspace, neighbour: Callable[[], None], name: str, place: str
) -> None:
    """What no store can hold is refused in one line by the ingest, and meant by no command."""
    names = dict.fromkeys(("entity", "relation", "source"), "Ana")
    if place == "history":
        workspace = workspace.on(HOSTILE[name])
    else:
        names[place] = HOSTILE[name]
    ran = workspace.run("ingest", workspace.file(record(**names), "in.jsonl"))
    ran.refused(2 if place == "history" else 3)
    told(workspace, **names)
    neighbour()


@pytest.mark.parametrize("place", ["entity", "relation"])
def test_a_name_of_a_million_characters(
    workspace: Workspace, neighbour: Callable[[], None], place: str
) -> None:
    """A name too long for an index leaves its record unresolved, and so visible."""
    names = {"entity": "Ana", "relation": "Ana", "source": "s", place: HOSTILE["long"]}
    path = workspace.file(record(**names), "in.jsonl")
    assert workspace.run("ingest", path, "--json").json()["unresolved"] == 1
    told(workspace, **names)
    neighbour()


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_a_page_runs_nothing(sqlite: Workspace) -> None:
    """No name becomes an element, an attribute or an address of the HTML page."""
    names = [name for name in HOSTILE.values() if len(name) < 1_000 and "\ud800" not in name]
    sqlite.bring(
        *(
            said(
                f"Ana {name} {name}",
                ["Ana", name, name],
                position=n,
                source=name,
                source_line=1,
            )
            for n, name in enumerate(names)
        ),
    )
    sqlite.bring(said(f"Ana {names[0]} Ben", ["Ana", names[0], "Ben"], position=99), name="b.jsonl")
    ran = sqlite.run("explain", "Ana? <script>alert(4)</script>", "--html", "page.html")
    assert ran.code == 0
    page = Elements((sqlite.folder / "page.html").read_text("utf-8"))
    assert {"table", "svg"} <= {tag for tag, _ in page.found}
    for tag, attributes in page.found:
        assert tag not in ("script", "img", "iframe", "object", "embed", "a", "base", "form"), tag
        for attribute, value in attributes.items():
            assert not attribute.startswith("on"), (tag, attributes)
            assert attribute not in ("src", "href", "action"), (tag, attributes)
            assert "javascript:" not in (value or "")


def test_a_chart_has_one_statement_a_line(sqlite: Workspace) -> None:
    """No name ends its label in a Mermaid chart, nor begins a line of its own."""
    names = [name for name in HOSTILE.values() if len(name) < 1_000 and "\ud800" not in name]
    sqlite.bring(
        *(
            said(f"Ana {name} {name}", ["Ana", name, name], position=n)
            for n, name in enumerate(names)
        )
    )
    first, *lines = sqlite.run("explain", "Ana?", "--mermaid").out.splitlines()
    assert first == "flowchart LR"
    for line in lines:
        assert line.startswith(("  n", "  classDef ")), line
        assert line.count('"') in (0, 2), line
        assert "click" not in line.partition('"')[0], line


def test_a_document_holds_names_as_text(workspace: Workspace) -> None:
    """Whatever a name is, GraphML is well-formed and has it, but for what XML cannot hold."""
    names = [name for name in HOSTILE.values() if len(name) < 1_000 and "\ud800" not in name]
    workspace.bring(
        *(
            said(f"Ana {name} {name}", ["Ana", name, name], position=n)
            for n, name in enumerate(names)
        )
    )
    root = ElementTree.fromstring(workspace.run("export", "--format", "graphml").out)  # noqa: S314 - our own
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    path = ".//g:edge/g:data[@key='edge_object']"
    shown = [each.text for each in root.findall(path, space)]
    folded = (" ".join(name.split()) for name in names)
    assert shown == [graphml._ILLEGAL.sub("\ufffd", name) for name in folded]


@pytest.mark.parametrize("name", [*GRAPH, *REFUSED, "xml", "option"])
def test_a_load_file_with_hostile_names(
    workspace: Workspace, neighbour: Callable[[], None], name: str
) -> None:
    """A load file may call things anything: loaded and exported again, or refused in one line."""
    hostile = HOSTILE[name]
    documents = [
        {"kind": "cmc-graph history", "format": 1},
        {"kind": "relation", "name": hostile, "values": "one", "set_by": "frontend"},
        {"kind": "record", "position": 1, "text": f"{hostile} is", "status": "facts",
         "source": hostile, "speaker": hostile, "session": hostile,
         "assertions": [{"subject": hostile, "relation": hostile, "object": hostile,
                         "frontend": hostile}]},
        {"kind": "end", "relations": 1, "patterns": 0, "records": 1, "assertions": 1},
    ]  # fmt: skip
    path = workspace.file("".join(json.dumps(each) + "\n" for each in documents), "in.jsonl")
    loaded = workspace.run("load", path)
    settled(loaded)
    assert (loaded.code == 0) == (name not in ("surrogate", "long")), loaded
    if loaded.code == 0:
        exported = workspace.run("export").out.splitlines()
        assert [json.loads(line) for line in exported] == documents
    neighbour()
