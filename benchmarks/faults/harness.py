"""What the fault scripts share: places to write to, a watching reader, and how a rule is judged.

Each script breaks one thing on purpose, many times, and says at the end whether its rule held: the
table goes to standard error, the JSON document to standard output, and the exit code is 1 when it
did not. The commands are those a person types, as processes of their own.
"""

import argparse
import json
import os
import random
import secrets
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from sqlite3 import sqlite_version
from subprocess import Popen, TimeoutExpired
from types import TracebackType
from typing import NoReturn, Self

sys.path.insert(0, str(Path(__file__).parents[1]))

from common import Limit, publish

from cmc_graph import Memory, server, settings
from cmc_graph.compile import BATCH_SIZE
from cmc_graph.errors import CmcError
from cmc_graph.model import Evidence
from tests.acceptance import real
from tests.acceptance.running import Workspace, finish
from tests.support.neo4j_target import Target, Unreachable, check, start_local

LOCAL = "neo4j"

#: Seconds between two reads of a watching reader: it is to see, not to load the machine.
_PAUSE = 0.005


@dataclass(frozen=True, slots=True)
class Place:
    """A store to break things on.

    Attributes:
        first: The template of its workspaces.
        target: The server; None for SQLite.
        folder: Where files go; removed at the end.
    """

    first: Workspace
    target: Target | None
    folder: Path

    @property
    def kind(self) -> str:
        """Which of the two stores."""
        return self.first.kind

    def versions(self) -> dict[str, str]:
        """The versions of the database and of its client."""
        if self.target is None:
            return {"sqlite": sqlite_version}
        return {"neo4j server": self.target.version, "neo4j driver": version("neo4j")}

    @contextmanager
    def workspace(self) -> Iterator[Workspace]:
        """An empty history, and on SQLite an empty file, removed at the end of the block."""
        name = f"fault {secrets.token_hex(6)}"
        if self.target is not None:
            try:
                yield self.first.on(name)
            finally:
                self.target.wipe([name])
            return
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            yield replace(self.first, url=f"sqlite:///{folder}/memory.db", history=name)


def options(description: str, *, rounds: int, stores: bool = True) -> argparse.ArgumentParser:
    """A parser with the options that every fault script has.

    Args:
        description: The script's docstring.
        rounds: How often it breaks something.
        stores: Whether there is a choice of stores.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if stores:
        parser.add_argument(
            "--store",
            metavar="URL",
            help="bolt://…, user and password as for cmc-graph; or neo4j: a server for this run "
            "alone; default: SQLite in a temporary folder",
        )
    parser.add_argument("--rounds", type=int, default=rounds, help="how often (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of what is random (%(default)s)")
    parser.add_argument(
        "--size", choices=real.HISTORIES, help="history; default: 262k on SQLite, 64k on Neo4j"
    )
    return parser


@contextmanager
def place(url: str | None) -> Iterator[Place]:
    """A place on that store, emptied at the end.

    Args:
        url: ``bolt://…``; ``neo4j``: a local server for this run; None: SQLite.
    """
    with tempfile.TemporaryDirectory(prefix="cmc-graph-faults-") as name:
        folder = Path(name)
        if url is None:
            first = Workspace(kind="sqlite", url="", history="", folder=folder)
            yield Place(first, None, folder)
            return
        target = _server(url)
        first = Workspace(
            kind="neo4j", url=target.url, history="", folder=folder, options=target.options
        )
        try:
            yield Place(first, target, folder)
        finally:
            target.stop()


@contextmanager
def own_server(home: Path | None = None) -> Iterator[Place]:
    """A place on a server that may be killed; its folder is the server's home.

    Args:
        home: An empty folder; None: a temporary one.
    """
    with tempfile.TemporaryDirectory(prefix="cmc-graph-faults-", ignore_cleanup_errors=True) as at:
        folder = home or Path(at)
        url = server.start(folder, auth=False).bolt
        try:
            first = Workspace(kind="neo4j", url=url, history="", folder=folder)
            yield Place(first, _found(check(url, {}, "own server")), folder)
        finally:
            server.stop(folder)


def _server(url: str) -> Target:
    found = settings.load()
    given = {
        "username": found.neo4j_username,
        "password": settings.password(found),
        "database": found.neo4j_database,
    }
    kept = {name: value for name, value in given.items() if value}
    java = {"JAVA_HOME": found.java_home} if found.java_home else {}
    return _found(start_local(java) if url == LOCAL else check(url, kept, "--store"))


def _found(target: Target | Unreachable) -> Target:
    if isinstance(target, Unreachable):
        sys.exit(target.reason)
    return target


def size_for(kind: str, chosen: str | None) -> str:
    """The history that was asked for, or the one that makes a run of minutes."""
    return chosen or {"sqlite": "262k", "neo4j": "64k"}[kind]


def moments(seed: int, count: int, latest: float) -> list[float]:
    """So many random numbers from 0 up to the latest, one in each equal part, ascending."""
    chosen = random.Random(seed)  # noqa: S311 - repeatable, not secret
    return [latest * (number + chosen.random()) / count for number in range(count)]


def timed(workspace: Workspace, *arguments: str) -> float:
    """How many seconds a command took that has to succeed."""
    started = time.perf_counter()
    ran = finish(workspace.start(*arguments))
    if ran.code:
        sys.exit(f"{' '.join(arguments)}: {ran.err}")
    return time.perf_counter() - started


def wait(process: "Popen[str]", watcher: "Watcher", moment: float) -> None:
    """Return in the middle of an ingest's work, or when it has ended.

    Args:
        process: The ingest.
        watcher: Sees how far it is.
        moment: So many batches after its beginning: 2.5 is half a batch's time after the second.
    """
    batches, part = divmod(moment, 1)
    while watcher.newest < batches * BATCH_SIZE and process.poll() is None:
        time.sleep(_PAUSE)
    started = 0.0 if batches else watcher.reference.earliest
    with suppress(TimeoutExpired):
        process.wait(part * (started + watcher.reference.batch_seconds))


def killed(process: "Popen[str]") -> bool:
    """True when the process was killed; False when it had ended before."""
    process.kill()
    return finish(process).code == -signal.SIGKILL


def kill_server(home: Path) -> None:
    """SIGKILL of the server in that home; it is gone afterwards."""
    running = server.status(home)
    if running is None:
        sys.exit(f"no server runs in {home}")
    os.kill(running.pid, signal.SIGKILL)
    while server.status(home):
        time.sleep(_PAUSE)


def exported(workspace: Workspace) -> str:
    """What ``cmc-graph export`` prints."""
    ran = workspace.run("export")
    if ran.code:
        sys.exit(f"export: {ran.err}")
    return ran.out


def records_of(export: str) -> list[str]:
    """The lines of an export that are records."""
    return [line for line in export.splitlines() if line.startswith('{"kind": "record"')]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What an uninterrupted ingest leaves behind.

    Attributes:
        path: What was ingested.
        seconds: How long the command took.
        earliest: How long a command takes that does nothing.
        export: Its export.
        question: Names entities whose values change from batch to batch.
        states: What a read shows after each batch, and before the first, as ``shown`` gives it.
    """

    path: str
    seconds: float
    earliest: float
    export: str
    question: str
    states: Mapping[str, int]

    @classmethod
    def of(cls, place: Place, size: str) -> Self:
        """Ingest the real history of that size once, and keep what it looks like."""
        path = str(real.path(size))
        with place.workspace() as workspace:
            earliest = timed(workspace, "histories")
            seconds = timed(workspace, "ingest", path)
            export = exported(workspace)
            with workspace.memory() as memory:
                question = _changing(memory, len(records_of(export)))
                states = _states(memory, question, len(records_of(export)))
        return cls(
            path=path,
            seconds=seconds,
            earliest=earliest,
            export=export,
            question=question,
            states=states,
        )

    @property
    def batches(self) -> int:
        """In how many transactions it was written."""
        return -(-len(records_of(self.export)) // BATCH_SIZE)

    @property
    def batch_seconds(self) -> float:
        """How long one of them took."""
        return (self.seconds - self.earliest) / self.batches

    def is_boundary(self, records: int) -> bool:
        """True when so many records are there between two batches, or at the end."""
        return records % BATCH_SIZE == 0 or records == len(records_of(self.export))

    def begins_with(self, export: str) -> bool:
        """True when the records of an export are the first ones of the whole, and whole batches."""
        held = records_of(export)
        return self.is_boundary(len(held)) and held == records_of(self.export)[: len(held)]


def _changing(memory: Memory, records: int) -> str:
    """Twelve subjects with values in many batches, as one question."""
    spread: dict[str, set[int]] = {}
    for line in memory.export():
        entry = json.loads(line)
        for said in entry.get("assertions", ()) if entry["kind"] == "record" else ():
            batches = spread.setdefault(said["subject"], set())
            batches.add(entry["position"] // BATCH_SIZE)
    ranked = sorted(spread, key=lambda name: (-len(spread[name]), name))
    return ", ".join(ranked[:12])


def _states(memory: Memory, question: str, records: int) -> dict[str, int]:
    """What a read shows at each batch's end, by the number of records that are there."""
    ends = [*range(BATCH_SIZE, records, BATCH_SIZE), records]
    states = {shown(memory.read(question, hops=1, as_of=end - 1)): end for end in ends}
    return {"": 0, **states}


def shown(evidence: Evidence) -> str:
    """What a read shows; empty where the history has no record yet."""
    if not evidence.records:
        return ""
    edges = "".join(f"{e.depth} {e.position}.{e.ordinal} {e.ended}\n" for e in evidence.edges)
    return edges + evidence.text


class Watcher:
    """A reader beside the commands: reads again and again until its block ends.

    Args:
        workspace: What it reads; it begins as soon as the store is there.
        reference: Which states there may be.

    Attributes:
        newest: How many records the newest state had that was seen.
        seconds: How long each read took.
        torn: Reads that showed no state between two batches.
        backward: Reads that showed an older state than the read before.
        errors: What reads failed with.
    """

    def __init__(self, workspace: Workspace, reference: Reference) -> None:
        self._workspace = workspace
        self.reference = reference
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.newest = 0
        self.seconds: list[float] = []
        self.torn = 0
        self.backward = 0
        self.errors: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        file = Path(self._workspace.url.removeprefix("sqlite:///"))
        while self._workspace.kind == "sqlite" and not file.exists():
            if self._done.wait(_PAUSE):
                return
        with self._workspace.memory() as memory:
            while not self._done.wait(_PAUSE):
                self._read(memory)

    def _read(self, memory: Memory) -> None:
        started = time.perf_counter()
        try:
            evidence = memory.read(self.reference.question, hops=1)
        except CmcError as error:
            self.errors.append(str(error))
            return
        finally:
            self.seconds.append(time.perf_counter() - started)
        state = self.reference.states.get(shown(evidence))
        if state is None:
            self.torn += 1
            return
        self.backward += state < self.newest
        self.newest = max(self.newest, state)


@dataclass(slots=True)
class Watched:
    """What the readers of all rounds saw, in sum."""

    reads: int = 0
    torn: int = 0
    backward: int = 0
    slowest: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, watcher: Watcher) -> None:
        """Count what one reader saw."""
        self.reads += len(watcher.seconds)
        self.torn += watcher.torn
        self.backward += watcher.backward
        self.slowest = max([self.slowest, *watcher.seconds])
        self.errors.update(watcher.errors)

    def limits(self) -> list[Limit]:
        """The rules that hold for every reader."""
        return [
            none("reads of half a batch", self.torn),
            none("reads of an older state than before", self.backward),
            none("reads that failed", self.errors.total()),
        ]

    def rows(self) -> list[tuple[str, float]]:
        """Its figures for the table."""
        return [("reads meanwhile", self.reads), ("slowest of them, s", self.slowest)]


def none(figure: str, value: float) -> Limit:
    """The rule that something never happens."""
    return Limit(figure, value, 0)


def conclude(
    rule: str,
    place: Place,
    rows: Sequence[tuple[str, float]],
    limits: Sequence[Limit],
    **figures: object,
) -> NoReturn:
    """Print table and JSON document, and end with 1 unless every limit holds.

    Args:
        rule: What has to hold, in a sentence.
        place: Where it was tried.
        rows: Figures and their values.
        limits: The figures that decide.
        figures: All others, for the JSON document.
    """
    table = [(place.kind, "figure"), *rows]
    publish(rule, place.versions(), table, limits, store=place.kind, rows=dict(rows), **figures)
    sys.exit(0 if all(limit.as_json()["holds"] for limit in limits) else 1)
