"""SIGKILL of the other commands: load, forget, rebuild, a repair, an export.

Rule, each with kills at random moments, then the same command again:

- ``load``: the history exports what was loaded, byte for byte.
- ``forget --entity`` and ``forget --position``: the export is that of an undisturbed forgetting.
- ``rebuild`` and ``doctor --repair``: ledger and projection agree, and the ledger is as it was.
- ``export``: what was printed is no whole export, and ``load`` refuses it with 3 and one line.
"""

import sqlite3
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from subprocess import TimeoutExpired

import harness
from common import note
from harness import Place, none

from tests.acceptance import real
from tests.acceptance.running import Workspace, finish

#: Damage: the current edges of a history are gone.
LOSE_EDGES = "MATCH ()-[c:CURRENT {history: $history}]->() DELETE c"

#: Every command that is killed; FILE stands for the export of the real history.
COMMANDS = (
    ("load", "FILE"),
    ("forget", "--position", "100-1900"),
    ("forget", "--entity", "United Kingdom"),
    ("rebuild",),
    ("doctor", "--repair"),
    ("export",),
)


def main() -> None:
    """Kill each command as often as asked for, and judge."""
    parser = harness.options(__doc__ or "", rounds=5)
    names = sorted({words[0] for words in COMMANDS})
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="default: all")
    chosen = parser.parse_args()
    with harness.place(chosen.store) as place:
        size = chosen.size or "32k"
        file = place.folder / "export.jsonl"
        with place.workspace() as workspace:
            harness.timed(workspace, "ingest", str(real.path(size)))
            file.write_text(harness.exported(workspace), "utf-8")
        found = Counter[str]()
        for words in COMMANDS:
            if words[0] not in chosen.only:
                continue
            note(" ".join(words))
            command = [str(file) if word == "FILE" else word for word in words]
            found.update(_tried(place, str(file), command, chosen.rounds, chosen.seed))
        _conclude(place, found, seed=chosen.seed, size=size)


def _tried(place: Place, file: str, command: Sequence[str], rounds: int, seed: int) -> Counter[str]:
    """What was found around all kills of one command."""
    found = Counter[str]()
    with place.workspace() as undisturbed:
        _prepare(place, undisturbed, file, command)
        idle = harness.timed(undisturbed, "histories")
        seconds = harness.timed(undisturbed, *command)
        expected = harness.exported(undisturbed)
    for moment in harness.moments(seed, rounds, max(seconds - idle, 0.05)):
        with place.workspace() as workspace:
            _prepare(place, workspace, file, command)
            process = workspace.start(*command)
            try:
                out, _ = process.communicate(timeout=idle + moment)
            except TimeoutExpired:
                process.kill()
                out, _ = process.communicate()
            is_killed = process.returncode < 0
            found.update(_judged(workspace, command, out, expected, is_killed=is_killed))
    return found


def _prepare(place: Place, workspace: Workspace, file: str, command: Sequence[str]) -> None:
    """Bring about what the command needs: the history, or one whose projection is lost."""
    if command[0] == "load":
        return
    loaded = workspace.run("load", file)
    if loaded.code:
        sys.exit(loaded.err)
    if command[0] not in ("rebuild", "doctor"):
        return
    if place.target is None:
        with closing(sqlite3.connect(workspace.url.removeprefix("sqlite:///"))) as database:
            database.execute("DELETE FROM slot")
            database.commit()
        return
    with place.target.driver() as driver:
        driver.execute_query(LOSE_EDGES, history=workspace.history)


def _judged(
    workspace: Workspace, command: Sequence[str], out: str, expected: str, *, is_killed: bool
) -> Counter[str]:
    """What is there after a kill, and after the same command again."""
    found = Counter({"rounds": 1, "killed": int(is_killed)})
    if command[0] == "export":
        if is_killed and out and out != expected:  # killed after its last line, it is whole
            part = workspace.file(out, "part.jsonl")
            ran = finish(workspace.on("elsewhere").start("load", part))
            found["part taken"] = ran.code != 3 or ran.err.count("\n") != 1
    else:
        found["drift"] = command[0] in ("load", "forget") and bool(workspace.drift())
        again = finish(workspace.start(*command))
        found["failed"] = again.code != 0
    found["unlike"] = harness.exported(workspace) != expected or bool(workspace.drift())
    return found


def _conclude(place: Place, found: Counter[str], **figures: object) -> None:
    rows = [("rounds", found["rounds"]), ("killed in the middle", found["killed"])]
    limits = [
        none("histories unlike those of undisturbed commands", found["unlike"]),
        none("kills after which ledger and projection differ", found["drift"]),
        none("second runs that failed", found["failed"]),
        none("cut-off exports that load does not refuse", found["part taken"]),
    ]
    rule = "load, forget, rebuild, repair and export, killed and run again, end as if undisturbed"
    harness.conclude(rule, place, rows, limits, **figures)


if __name__ == "__main__":
    main()
