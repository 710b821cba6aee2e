"""Moving a history and forgetting parts of it, from the command line."""

import gzip
import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cmc_graph import interpretations
from tests.acceptance.running import Workspace, finish, numbered, said

NOTES = numbered(
    "Ana lives in Porto.",
    "Ana lives in Graz.",
    "Ben speaks Dutch.",
    "Maybe Ana moves again.",
)


def export(place: Workspace, *arguments: str) -> str:
    ran = place.run("export", *arguments)
    assert ran.code == 0, ran.err
    return ran.out


def test_a_history_moves_between_stores(workspace: Workspace, sqlite: Workspace) -> None:
    """One pair of commands moves a history; the export of the copy is the same, byte for byte."""
    workspace.ingest(NOTES)
    workspace.run("relations", "set", "speaks", "--one")
    exported = export(workspace)
    report = sqlite.run("load", workspace.file(exported, "history.jsonl"), "--json").json()
    assert (report["records"], report["facts"], report["unresolved"]) == (4, 3, 1)
    assert export(sqlite) == exported
    assert sqlite.shown("Where does Ana live?") == workspace.shown("Where does Ana live?")
    packed = workspace.file(gzip.compress(exported.encode()), "history.jsonl.gz")
    assert sqlite.on("packed").run("load", packed).code == 0
    assert export(sqlite.on("packed")) == exported


def test_a_pipe_moves_a_history(sqlite: Workspace) -> None:
    """``export | load -`` is a move, and a broken export loads nothing."""
    sqlite.ingest(NOTES)
    program = f"{shlex.quote(sys.executable)} -m cmc_graph"
    store = f"--store {shlex.quote(sqlite.url)} --history"

    def shell(line: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-c", line], check=False, cwd=sqlite.folder, capture_output=True, text=True
        )

    assert shell(f"{program} export {store} h | {program} load - {store} copy").returncode == 0
    assert export(sqlite.on("copy")) == export(sqlite)
    ran = shell(f"{program} export {store} h | head -n 3 | {program} load - {store} broken")
    assert (ran.returncode, "breaks off after line 3" in ran.stderr) == (3, True)
    assert [each["name"] for each in sqlite.run("histories", "--json").json()] == ["copy", "h"]


@pytest.mark.parametrize("command", ["export", "load"])
def test_a_bar_on_a_terminal_leaves_standard_output_alone(sqlite: Workspace, command: str) -> None:
    """A bar goes to a terminal on standard error, and all that is printed to standard output."""
    sqlite.ingest(NOTES)
    whole = export(sqlite)
    more = [sqlite.file(whole, "h.jsonl"), "--json"] if command == "load" else []
    ours, theirs = pty.openpty()
    process = sqlite.start(command, *more, stderr=theirs)
    os.close(theirs)
    ran = finish(process)
    assert command in os.read(ours, 10_000).decode()
    os.close(ours)
    assert ran.json()["skipped"] == 4 if command == "load" else ran.out == whole


def test_refusals(workspace: Workspace) -> None:
    """What cannot be loaded is refused in one line, with the exit code of its kind."""
    workspace.ingest(NOTES)
    lines = workspace.file(export(workspace), "history.jsonl")
    workspace.run("load", workspace.file("{}\n", "no.jsonl")).refused(3, "line 1", "kind")
    broken = workspace.file("\n\n" + export(workspace).replace('"unresolved"', '"no"'), "b.jsonl")
    number = (
        export(workspace)
        .split("\n")
        .index(next(line for line in export(workspace).split("\n") if '"unresolved"' in line))
    )
    workspace.run("load", broken).refused(3, f"b.jsonl, line {number + 3}:", "status", "again")
    workspace.run("load", "nowhere.jsonl").refused(3, "nowhere.jsonl", "No such file")
    workspace.run("export", "--format", "pdf").refused(2, "jsonl", "graphml")
    assert workspace.run("load", lines, "--json").json()["skipped"] == 4
    workspace.run("forget", "--position", "1")
    workspace.ingest("1. Ana lives in Rome.\n", name="other.txt")
    workspace.run("load", lines).refused(2, "something else", "--history")


@pytest.mark.parametrize("selector", ["source", "entity", "position"])
def test_nothing_forgotten_is_left(
    workspace: Workspace,
    another: Callable[[], Workspace],
    selector: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By source, entity or position: gone from every read and answer kept; others stay as is."""
    monkeypatch.setenv("XDG_DATA_HOME", str(workspace.folder / "data"))
    bystander = another()
    bystander.bring(said("Ana lives in Porto.", position=1))
    kept = [said("Ben lives in Oslo.", position=3, source="b.md")]
    gone = [
        said("Ana lives in Porto.", position=1, source="a.md"),
        said("Ana lives in Graz.", position=2, source="a.md"),
        said("Maybe Ana moves.", position=4, source="a.md"),
    ]
    alone = another()
    alone.bring(*kept)
    workspace.bring(*gone, *kept)
    whole = export(workspace)
    choice = {
        "source": ["--source", "a.md"],
        "entity": ["--entity", "Ana"],
        "position": ["--position", "1-2", "--position", "4"],
    }[selector]
    with interpretations.Interpretations() as file:
        file.put("a model", {"Ana lives in Graz.": "[]", "Ben lives in Oslo.": "[]"})
    foreseen = workspace.run("forget", *choice, "--dry-run", "--json").json()
    assert (foreseen["positions"], export(workspace)) == ([1, 2, 4], whole)
    assert workspace.run("forget", *choice, "--json").json() == foreseen
    with interpretations.Interpretations() as file:
        found = file.get("a model", ["Ana lives in Graz.", "Ben lives in Oslo."])
    assert list(found) == ["Ben lives in Oslo."]
    assert export(workspace) == export(alone)
    assert "Ana" not in workspace.run("read", "Where does Ana live?").out
    assert bystander.shown("Where does Ana live?") == [1]
    workspace.bring(*gone)
    assert export(workspace) == whole


def test_a_source_by_its_path(sqlite: Workspace) -> None:
    """A file is forgotten by the path it was ingested by, also from its folder."""
    path = sqlite.file(NOTES, "notes.txt")
    sqlite.run("ingest", path)
    assert sqlite.run("forget", "--source", path, "--dry-run", "--json").json()["records"] == 4
    assert sqlite.run("forget", "--source", Path(path).name, "--json").json()["records"] == 4
    assert sqlite.stats()["records"] == 0


@pytest.mark.parametrize(
    "choice", [[], ["--source", "a", "--entity", "b"], ["--entity", " "]], ids=str
)
def test_one_selector(sqlite: Workspace, choice: list[str]) -> None:
    """What to forget is said in exactly one way."""
    sqlite.run("forget", *choice).refused(2, "forget")


def test_the_lines_are_documented_json(workspace: Workspace) -> None:
    """Each line is one object with a kind; the first names the format, the last counts."""
    workspace.ingest(NOTES)
    lines = [json.loads(line) for line in export(workspace).split("\n") if line]
    assert lines[0] == {"kind": "cmc-graph history", "format": 1}
    assert lines[-1] == {
        "kind": "end", "relations": 2, "patterns": 0, "records": 4, "assertions": 3
    }  # fmt: skip
    assert export(workspace, "--format", "graphml").count("<edge ") == 3
