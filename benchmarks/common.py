"""What the benchmarks share: input, places to write to, numbers, and how a result is printed.

A benchmark compares within one run, so that a busy machine slows down both sides. The table goes to
standard error, the JSON document to standard output.
"""

import argparse
import gc
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from neo4j_side import Neo4jSide
from sqlite_side import SqliteSide

from cmc_graph import __version__, settings
from cmc_graph.memory import Memory
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Store
from cmc_graph.stores.neo4j import Neo4jStore
from cmc_graph.stores.sqlite import SqliteStore
from cmc_graph.text import tokens

FACTS = Path(__file__).parents[2] / "shared" / "data" / "factconsolidation"
HISTORY = FACTS / "history_262k.json.gz"

CELLS = [FACTS / f"{kind}_{size}.json" for kind in ("sh", "mh") for size in ("6k", "32k")]

SQLITE = "sqlite:///"

#: What is timed: takes a question and its tokens.
Action = Callable[[str, Sequence[str]], object]


class Side(Protocol):
    """A database beside the store: what is measured next to it, on the store's own connection."""

    def versions(self) -> dict[str, str]:
        """The versions that matter."""
        ...

    def probes(self, history: str) -> dict[str, Callable[[Sequence[str]], object]]:
        """What a read of a history is compared with, by name; each takes the question's tokens."""
        ...

    def copy(self, history: str, size: int) -> list[Any]:
        """All that is stored of a history, in batches of so many records, to be written again."""
        ...

    def write(self, history: str, batch: Any) -> None:
        """Write one batch of a copy as it is, in one transaction, resolving nothing."""
        ...

    def remove(self, history: str) -> None:
        """Remove a history."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """A history of one's own in a store; for SQLite the file is one's own, too."""

    url: str
    memory: Memory
    store: Store
    side: Side
    history: str


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure has to be: at most, or at least, a number."""

    figure: str
    value: float
    bound: float
    at_least: bool = False

    def as_json(self) -> dict[str, Any]:
        """The limit, and whether the figure holds it."""
        holds = self.value >= self.bound if self.at_least else self.value <= self.bound
        kind = "at_least" if self.at_least else "at_most"
        return {"figure": self.figure, "value": self.value, kind: self.bound, "holds": holds}


def parser(description: str) -> argparse.ArgumentParser:
    """A parser with the options that every benchmark has."""
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--store",
        metavar="URL",
        help="bolt://… or neo4j://…, user and password as for cmc-graph; or sqlite:///FILE, a file "
        "that is not there yet; default: SQLite in a temporary folder. All is removed at the end.",
    )
    return options


@contextmanager
def place(url: str | None) -> Iterator[Place]:
    """An empty place to write to, removed at the end.

    Args:
        url: Of the store; None: SQLite in a temporary folder.
    """
    if url is None:
        with tempfile.TemporaryDirectory() as folder, place(f"{SQLITE}{folder}/bench.db") as made:
            yield made
        return
    file = Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None
    if file is not None and file.exists():
        sys.exit(f"{file} exists; name a file that is not there yet")
    found = settings.load()
    store = open_store(
        url,
        username=found.neo4j_username,
        password=settings.password(found),
        database=found.neo4j_database,
    )
    history = f"benchmark {os.getpid()}-{time.monotonic_ns()}"
    beside = side(store)
    try:
        yield Place(url, Memory(store, history), store, beside, history)
    finally:
        beside.remove(history)
        store.close()
        if file is not None:
            for leftover in file.parent.glob(f"{file.name}*"):
                leftover.unlink()


def side(store: Store) -> Side:
    """What is measured beside a store."""
    if isinstance(store, SqliteStore):
        return SqliteSide(store)
    if isinstance(store, Neo4jStore):
        return Neo4jSide(store)
    sys.exit(f"nothing is known to compare a {type(store).__name__} with")


def percentile(values: Sequence[float], percent: int) -> float:
    """The percentile of the values, interpolated between neighbours."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def milliseconds(
    actions: Mapping[str, Action], questions: Sequence[str], rounds: int, *, block: int = 1
) -> dict[str, list[float]]:
    """Milliseconds of each action for each question, taking turns in a shuffled order.

    Args:
        actions: By name; each takes a question and its tokens.
        questions: What to ask, in this order.
        rounds: How often all questions are asked.
        block: How many questions an action is asked before the next one has its turn.
    """
    turns = list(actions.items())
    order = random.Random(0)  # noqa: S311  # no secret
    times: dict[str, list[float]] = {name: [] for name in actions}
    asked = iter([(question, tokens(question)) for question in questions] * rounds)
    while some := list(islice(asked, block)):
        order.shuffle(turns)
        for name, action in turns:
            for question, words in some:
                started = time.perf_counter()
                action(question, words)
                times[name].append((time.perf_counter() - started) * 1_000)
    return times


def percentiles(times: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """The median and the 95th percentile of each."""
    return {
        name: {f"p{percent}": percentile(spent, percent) for percent in (50, 95)}
        for name, spent in times.items()
    }


def asked(files: Iterable[Path]) -> list[str]:
    """The questions of cells, in order."""
    return [
        question for file in files for question in json.loads(file.read_text("utf-8"))["questions"]
    ]


def seconds(action: Callable[[], object]) -> float:
    """How long the action took by the clock; what others left to collect is collected before."""
    gc.collect()
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def note(text: str) -> None:
    """Say what is done, since some steps take minutes."""
    print(text, file=sys.stderr, flush=True)


def publish(
    measured: str,
    versions: Mapping[str, str],
    table: Sequence[Sequence[object]],
    limits: Sequence[Limit],
    **figures: object,
) -> None:
    """Print the table and the JSON document of one benchmark.

    Args:
        measured: What was measured, in a sentence.
        versions: Of the database.
        table: Header and rows, the first column text.
        limits: The figures that have to hold.
        figures: All others, for the JSON document.
    """
    judged = [limit.as_json() for limit in limits]
    print_table(measured, table)
    if judged:
        print_table("", [("limit", "is", "holds"), *(_limit_row(limit) for limit in judged)])
    document = {
        "measured": measured,
        "machine": _machine(),
        "versions": {"cmc-graph": __version__, "python": platform.python_version(), **versions},
        "limits": judged,
        **figures,
    }
    print(json.dumps(document, ensure_ascii=False, indent=2))


def print_table(title: str, rows: Sequence[Sequence[object]]) -> None:
    """Print rows in aligned columns on standard error, the first row as header."""
    cells = [[cell if isinstance(cell, str) else f"{cell:,.4g}" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    note(f"\n{title}" if title else "")
    for first, *others in cells:
        numbers = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        note("  ".join([first.ljust(widths[0]), *numbers]).rstrip())


def _limit_row(limit: Mapping[str, Any]) -> tuple[object, ...]:
    bound = f"<= {limit['at_most']}" if "at_most" in limit else f">= {limit['at_least']}"
    return (f"{limit['figure']} {bound}", limit["value"], "yes" if limit["holds"] else "NO")


def _machine() -> dict[str, Any]:
    """The hardware, and how busy it was."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text("utf-8").splitlines() if described.is_file() else ()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())
