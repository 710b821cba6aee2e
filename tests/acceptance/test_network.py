"""Which connections are tried: those to the database and to the model's endpoint, no other."""

import json
import subprocess
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.acceptance.running import Workspace, finish, numbered
from tests.support.endpoint import Endpoint, annotator

#: Runs several commands in one process, and prints what they tried to reach: addresses, host names
#: and other programs. The hook cannot be taken away again.
GUARD = """
import json, sys
tried = []
def guard(event, found):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg") and found[0].family != 1:
        tried.append([event, found[1]])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        tried.append([event, [found[0], *found[1:2]]])
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.startfile"):
        tried.append([event, repr(found[0])])
sys.addaudithook(guard)
from cmc_graph.cli import main
flags = sys.argv[-4:]
ended = []
for command in json.loads(sys.argv[1]):
    shared = [] if command[0] == "eval" else flags
    ended.append(main([*command, *shared]))
with open("tried.json", "w") as file:
    json.dump([ended, tried], file, default=repr)
"""

#: The client of models tells its endpoint what kind of machine it runs on; a local program knows.
PLATFORM = ("subprocess.Popen", repr("uname"))

NOTES = numbered("Ana lives in Graz.", "Ana lives in Porto.", "Ben speaks Dutch.", "Maybe so.")
CASE = {
    "id": "1",
    "question": "Where does Ana live?",
    "references": ["Porto"],
    "history": "notes.txt",
}
QUESTION = "Where does Ana live?"

COMMANDS = (
    ("ingest", "notes.txt"),
    ("read", QUESTION),
    ("read", QUESTION, "--as-of", "1"),
    ("ask", QUESTION),
    ("ask", QUESTION, "--reader", "path-learned"),
    ("explain", QUESTION, "--html", "page.html"),
    ("explain", QUESTION, "--mermaid"),
    ("timeline", "Ana"),
    ("diff", "--from", "0", "--to", "4"),
    ("stats",),
    ("histories",),
    ("relations",),
    ("load", "export.jsonl"),
    ("relations", "set", "speaks", "--many"),
    ("doctor",),
    ("rebuild",),
    ("recompile",),
    ("export",),
    ("export", "--format", "graphml"),
    ("forget", "--position", "4"),
    ("ingest", "notes.txt"),
)


def guarded(
    workspace: Workspace, commands: Sequence[Sequence[str]], before: Sequence[str] = (), **env: str
) -> tuple[list[int], list[tuple[str, Any]]]:
    """How the commands ended, and what they tried to reach."""
    ran = finish(workspace.start(json.dumps(commands), program=GUARD, before=before, env=env))
    assert ran.code == 0, ran.err
    ended, tried = json.loads((workspace.folder / "tried.json").read_text("utf-8"))
    return ended, [(event, found) for event, found in tried]


def reached(tried: Sequence[tuple[str, Any]]) -> set[tuple[str, int]]:
    """Host and port of everything that was tried; anything but a connection fails."""
    found = [each for each in tried if each != PLATFORM]
    assert {event for event, _ in found} <= {"socket.connect", "socket.getaddrinfo"}, found
    return {(str(place[0]), int(place[1])) for _, place in found}


def address(url: str) -> set[tuple[str, int]]:
    """Host and port of an address, by every name they may have."""
    parts = urlsplit(url)
    port = parts.port or 7687
    hosts = ("127.0.0.1", "localhost", "::1")
    return {(host, port) for host in {*hosts, parts.hostname or ""}}


@pytest.fixture
def ready(workspace: Workspace) -> Workspace:
    """A folder with what the commands read."""
    workspace.file(NOTES)
    workspace.ingest(NOTES)
    exported = workspace.run("export").out
    workspace.file(exported, "export.jsonl")
    return workspace


def test_only_the_database_is_reached(ready: Workspace) -> None:
    """All commands work, and try no connection but that to the database; SQLite needs none."""
    ended, tried = guarded(ready, COMMANDS)
    assert ended == [0] * len(COMMANDS)
    expected = set() if ready.kind == "sqlite" else address(ready.url)
    assert reached(tried) <= expected
    assert bool(tried) == bool(expected)


@pytest.mark.parametrize("frontend", ["direct", "hybrid"])
def test_only_the_endpoint_is_reached_beside_it(ready: Workspace, frontend: str) -> None:
    """A model is asked at its endpoint; no other host, and no proxy of its own choice."""
    ready.file("The weekly meeting is in Room B.\nOtto lives in Linz.\n", "prose.txt")
    commands = [
        ("ingest", "prose.txt", "--frontend", frontend),
        ("recompile", "--frontend", frontend),
        ("ask", QUESTION, "--reader", "openai"),
    ]
    with Endpoint(annotator) as endpoint:
        env = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "k", "CMC_MODEL": "small"}
        ended, tried = guarded(ready, commands, XDG_DATA_HOME=str(ready.folder), **env)
        expected = address(endpoint.url)
    assert ended == [0, 0, 0]
    if ready.kind == "neo4j":
        expected |= address(ready.url)
    assert reached(tried) <= expected
    assert reached(tried) & address(endpoint.url)


def test_an_evaluation_reaches_nobody(sqlite: Workspace) -> None:
    """Running and scoring an evaluation without a model needs no network at all."""
    sqlite.file(NOTES)
    cases = sqlite.file(json.dumps(CASE), "cases.jsonl")
    commands = [
        ("eval", "run", cases, "--out", "run", "--arms", "cmc,hops_2", "--readers", "path"),
        ("eval", "score", "run"),
    ]
    ended, tried = guarded(sqlite, commands)
    assert ended == [0, 0]
    assert tried == []


def can_unshare() -> bool:
    """A process here can be given a network of its own."""
    try:
        subprocess.run(["unshare", "-rn", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def test_without_any_network(sqlite: Workspace) -> None:
    """In a process that has no network, not even the local one, SQLite does everything."""
    if not can_unshare():
        pytest.skip("this machine lets nobody take the network away")
    sqlite.file(NOTES)
    sqlite.ingest(NOTES)
    sqlite.file(sqlite.run("export").out, "export.jsonl")
    ended, tried = guarded(sqlite, COMMANDS, before=["unshare", "-rn"])
    assert ended == [0] * len(COMMANDS)
    assert tried == []
