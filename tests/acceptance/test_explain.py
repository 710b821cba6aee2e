"""Seeing why and going back in time, from the command line."""

import json
from contextlib import closing
from sqlite3 import connect

import pytest

from tests.acceptance.running import Workspace, numbered, said

LINES = (
    "The weekly meeting is in Room A.",
    "hmm, somebody should ask",
    "The weekly meeting is in Room B.",
    "Room B is on floor 5.",
)
QUESTION = "On which floor is the weekly meeting?"


@pytest.fixture
def notes(workspace: Workspace) -> Workspace:
    workspace.ingest(numbered(*LINES))
    return workspace


def test_explain_prints_a_tree(notes: Workspace) -> None:
    """Text has the path to every record, what it replaced, and what is not shown."""
    ran = notes.run("explain", QUESTION)
    assert ran.code == 0
    for line in (
        "'weekly meeting' names weekly meeting",
        "└─ hop 1: The weekly meeting · location → Room B",
        "   │  was Room A [1], until 3",
        "   └─ hop 2: Room B · floor → 5",
        "   [2] hmm, somebody should ask   (unresolved: no pattern reads it)",
        "   [1] The weekly meeting is in Room A.   (superseded by 3)",
    ):
        assert line in ran.out.splitlines()


def test_explain_as_json_has_the_same_read(notes: Workspace) -> None:
    """One document, whose evidence is what read prints."""
    told = notes.run("explain", QUESTION, "--hops", "1", "--json").json()
    assert told["evidence"] == notes.read(QUESTION, "--hops", "1")
    assert [(each["record"]["position"], each["why"]) for each in told["hidden"]] == [
        (1, "superseded"),
        (4, "beyond the hop cap"),
    ]


def test_explain_draws(notes: Workspace) -> None:
    """A Mermaid chart on standard output, or one HTML page in a file and nothing on it."""
    assert notes.run("explain", QUESTION, "--mermaid").out.startswith("flowchart LR\n")
    ran = notes.run("explain", QUESTION, "--html", str(notes.folder / "why.html"))
    assert (ran.code, ran.out) == (0, "")
    page = (notes.folder / "why.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<del><bdi>Room A</bdi></del>" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "Ana", "--json", "--mermaid"), "one of --html, --mermaid and --json"),
        (("explain", "Ana", "--html", "no/such/folder/x.html"), "cannot write no/such/folder"),
        (("explain", " "), "the question is empty"),
        (("explain", "Ana", "--overflow", "oldest"), "overflow must be newest or nearest"),
        (("timeline", " "), "entity must be a text"),
        (("diff", "--from", "5", "--to", "4"), "from 5 to 4"),
        (("diff", "--from", "-1", "--to", "4"), "after must be a whole number"),
        (("read", "Ana", "--as-of", "1", "--as-of-date", "2026-03-01"), "--as-of or --as-of-date"),
        (("read", "Ana", "--as-of-date", "tomorrow"), "a date is written like"),
    ],
)
def test_one_line_for_what_cannot_be_done(
    sqlite: Workspace, arguments: tuple[str, ...], message: str
) -> None:
    """Usage errors are one line with what to do, and exit 2."""
    sqlite.bring(said("Ana: Ben", ["Ana", "knows", "Ben"], observed_at="2026-03-01"))
    ran = sqlite.run(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


def test_timeline_and_diff(notes: Workspace) -> None:
    """Every version with what replaced it; every slot that changed, with before and after."""
    rows = notes.run("timeline", "the weekly meeting", "location").out.splitlines()
    assert [row.split()[0] for row in rows[1:]] == ["1", "3"]
    assert "Room B [3]" in rows[1]
    told = notes.run("timeline", "weekly meeting", "--as-of", "2", "--json").json()
    assert [entry["version"]["superseded_at"] for entry in told["entries"]] == [None]
    changed = notes.run("diff", "--from", "1", "--to", "4", "--json").json()["changes"]
    assert [(change["kind"], change["after"]["position"]) for change in changed] == [
        ("changed", 3),
        ("new", 4),
    ]
    assert notes.run("diff", "--from", "1", "--to", "4").out.splitlines()[1].startswith("changed")


@pytest.mark.parametrize("command", ["read", "explain", "ask", "timeline"])
def test_as_of_a_date(workspace: Workspace, command: str) -> None:
    """A date reads like the position it means, which is said on standard error."""
    workspace.bring(
        said("Ana lives in Graz.", position=1, observed_at="2026-03-01"),
        said("Ana lives in Porto.", position=5, observed_at="2026-03-05T10:00:00+01:00"),
    )
    what = "ana" if command == "timeline" else "Where does Ana live?"
    by_date = workspace.run(command, what, "--as-of-date", "2026-03-04", "--json")
    by_position = workspace.run(command, what, "--as-of", "1", "--json")
    assert by_date.json() == by_position.json()
    assert "Porto" not in by_date.out
    assert "as of position 1" in by_date.err
    late = workspace.run(command, what, "--as-of-date", "2026-03-05T09:00:00Z", "--json")
    assert json.loads(late.out) != by_position.json()


def test_what_a_retraction_replaced_is_no_longer(workspace: Workspace) -> None:
    """A timeline says that a value ended, where that is what took its place."""
    workspace.ingest(numbered("Ana lives in Graz.", "Ana no longer lives in Graz."))
    first, last = workspace.run("timeline", "Ana").out.splitlines()[1:]
    assert "Graz no longer [2]" in first
    assert "Graz no longer" in last


def test_every_read_warns_of_damage(sqlite: Workspace) -> None:
    """Reading, asking and explaining go on beside a lost record, and each says so."""
    sqlite.ingest(numbered(*LINES))
    with closing(connect(sqlite.url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("DELETE FROM record WHERE position = 3")
    for command in ("read", "ask", "explain"):
        ran = sqlite.run(command, QUESTION)
        assert "record [3] is missing or damaged" in ran.err, command
        assert "'cmc-graph doctor' says what to do" in ran.err
    told = sqlite.run("explain", QUESTION).out
    assert "[3] missing: see cmc-graph doctor" in told
    assert "cut by the budget" not in told
