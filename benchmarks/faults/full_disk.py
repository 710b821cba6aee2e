"""A disk that is full in the middle of an ingest.

Rule: the ingest ends with 6 and one line that says so; the batches that were committed are intact,
can be read while the disk is still full, and are whole; after room is made the same command leaves
a history whose export is byte-identical to that of an undisturbed run.

SQLite: a limit on the size of files (``ulimit -f``), another one each round; and, for root, a small
file system in memory that is made larger afterwards. Neo4j, with ``--store neo4j``, for root: a
server of the script's own whose data lie on such a file system; a server whose disk was full is
started again when there is room.
"""

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import harness
from common import note
from harness import Limit, Place, Reference, none

from cmc_graph import server
from tests.acceptance.running import Ran, Workspace, finish

MEGABYTE = 1 << 20
#: What a Neo4j server needs to start: each of its two databases keeps logs of 256 MB beforehand.
START_ROOM = 700
#: What is left to an ingest on the server's file system, in MB.
LEFT = 2
#: Written to the server before the script gives up.
MOST_HISTORIES = 40

_LIMITED = 'ulimit -f "$0"; exec "$@"'


def main() -> None:
    """Fill the disk as often as asked for, and judge."""
    parser = harness.options(__doc__ or "", rounds=6)
    parser.add_argument("--no-mount", action="store_true", help="only the limit on file sizes")
    chosen = parser.parse_args()
    if chosen.store == harness.LOCAL:
        _neo4j(chosen.size or "262k", chosen.seed)
    with harness.place(None) as place:
        size = harness.size_for(place.kind, chosen.size)
        reference = Reference.of(place, size)
        with place.workspace() as workspace:
            harness.timed(workspace, "ingest", reference.path)
            kilobytes = Path(workspace.url.removeprefix("sqlite:///")).stat().st_size // 1024
        found = Counter[str]()
        said = set[str]()
        for limit in harness.moments(chosen.seed, chosen.rounds, kilobytes * 0.9):
            note(f"files of at most {limit:.0f} kB")
            with place.workspace() as workspace:
                before = ("/bin/sh", "-c", _LIMITED, str(int(limit * 2)))  # blocks of 512 bytes
                ran = finish(workspace.start("ingest", reference.path, before=before))
                found.update(_judged(workspace, reference, ran))
                found.update(_completed(workspace, reference))
                said.add(ran.err.replace(workspace.url.removeprefix("sqlite:///"), "FILE"))
        for room in () if chosen.no_mount else harness.moments(chosen.seed, 3, kilobytes * 0.9):
            note(f"a file system of {room:.0f} kB")
            with place.workspace() as first, _mounted(place.folder / "small", f"{room:.0f}k") as at:
                workspace = replace(first, url=f"sqlite:///{at}/memory.db")
                ran = finish(workspace.start("ingest", reference.path))
                found.update(_judged(workspace, reference, ran))
                _resize(at, "1g")
                found.update(_completed(workspace, reference))
                said.add(ran.err.replace(str(at), "DIR"))
        _conclude(place, found, sorted(said), seed=chosen.seed, size=size)


def _judged(workspace: Workspace, reference: Reference, ran: Ran) -> Counter[str]:
    """What there is while the disk is full."""
    found = Counter({"rounds": 1, "refused": ran.code == 6, "half": 0, "drift": 0})
    words = ("full", "disk", "space")
    one_line = ran.err.startswith("cmc-graph: ") and ran.err.count("\n") == 1
    found["unclear"] = not (ran.code == 6 and one_line and any(w in ran.err for w in words))
    shown = workspace.run("export")
    found["unread"] = shown.code != 0
    if shown.code == 0:
        found["half"] = not reference.begins_with(shown.out)
        found["drift"] = bool(workspace.drift())
    else:
        note(f"  export on the full disk: {shown.err.strip()}")
    return found


def _completed(workspace: Workspace, reference: Reference) -> Counter[str]:
    """What the same command does with room."""
    held = harness.exported(workspace)
    again = finish(workspace.start("ingest", reference.path))
    same = again.code == 0 and harness.exported(workspace) == reference.export
    return Counter(
        {
            "half": not reference.begins_with(held),
            "batches": len(harness.records_of(held)) // 1000,
            "unlike": not same or bool(workspace.drift()),
        }
    )


@contextmanager
def _mounted(at: Path, size: str) -> Iterator[Path]:
    """A file system in memory of that size."""
    at.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", at], check=True)
    try:
        yield at
    finally:
        subprocess.run(["umount", at], check=True)
        at.rmdir()


def _resize(at: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", at], check=True)


def _neo4j(size: str, seed: int) -> None:
    """Fill the disk of a server, make room, start it again."""
    with tempfile.TemporaryDirectory(prefix="cmc-graph-faults-") as name:
        home = Path(name)
        with (
            _mounted(home / "data", f"{START_ROOM}m") as data,
            harness.own_server(home) as place,
        ):
            _resize(data, "4g")
            with harness.place(None) as elsewhere:  # a server keeps the room of what is removed
                reference = Reference.of(elsewhere, size)
            used = shutil.disk_usage(data).used // MEGABYTE
            _resize(data, f"{used + LEFT}m")
            note(f"{LEFT} MB left beside {used}")
            with ExitStack() as later:
                workspace, ran = _filled(place, reference.path, later)
                found = _judged(workspace, reference, ran)
                _resize(data, "4g")
                server.stop(home)
                server.start(home, auth=False)
                found.update(_completed(workspace, reference))
            _conclude(place, found, [ran.err], seed=seed, size=size)


def _filled(place: Place, path: str, later: ExitStack) -> tuple[Workspace, Ran]:
    """The history that found no room, and what its ingest said.

    The server has set room aside for its log, which some histories fill before.
    """
    for _ in range(MOST_HISTORIES):
        workspace = later.enter_context(place.workspace())
        ran = finish(workspace.start("ingest", path))
        if ran.code:
            return workspace, ran
    sys.exit(f"{MOST_HISTORIES} histories did not fill the disk")


def _conclude(place: Place, found: Counter[str], said: list[str], **figures: Any) -> None:
    rows = [
        ("full disks", found["rounds"]),
        ("batches that had been committed", found["batches"]),
        ("could not be read while it was full", found["unread"]),
    ]
    limits = [
        none("exports unlike the undisturbed one", found["unlike"]),
        none("full disks that left half a batch", found["half"]),
        none("full disks after which ledger and projection differ", found["drift"]),
        none("unclear errors", found["unclear"]),
        Limit("refused with 6", found["refused"], found["rounds"], at_least=True),
    ]
    rule = "a full disk is one clear error, and committed batches stay"
    harness.conclude(rule, place, rows, limits, said=said, **figures)


if __name__ == "__main__":
    main()
