"""What a command costs as a process of its own, beside the interpreter alone.

Measured, each as a process, taking turns in a shuffled order, after one of each to warm up:

- ``python -c pass`` of the same interpreter: the floor.
- ``cmc-graph --help``, by the script of the same environment.
- ``cmc-graph read QUESTION`` on a SQLite file that holds the history of 262k tokens.

The seconds of the processor say what a busy machine would have taken if it had been quiet. Takes
about a minute.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import common

from loaders import factconsolidation

TIMES = 40
FLOOR, HELP, READ = "python -c pass", "cmc-graph --help", "cmc-graph read, SQLite"

#: Seconds at the median.
LIMITS = {HELP: 0.25, READ: 0.4}


Times = dict[str, list[tuple[float, float]]]


def main() -> None:
    """Measure the environment of this interpreter."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=TIMES, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"{common.SQLITE}{folder}/bench.db"
        with common.place(url) as place:
            place.memory.ingest(
                factconsolidation.records(common.HISTORY), grammar=factconsolidation.PACKS
            )
            versions = place.side.versions()
            times = measure(url, place.history, options.times)
    publish(times, versions)


def measure(url: str, history: str, count: int) -> Times:
    """Seconds of each command by the clock and of the processor, taking turns."""
    program = str(Path(sys.executable).parent / "cmc-graph")
    question = common.asked(common.CELLS)[0]
    commands = {
        FLOOR: [sys.executable, "-c", "pass"],
        HELP: [program, "--help"],
        READ: [program, "read", question, "--store", url, "--history", history],
    }
    for command in commands.values():
        run(command)
    times: Times = {name: [] for name in commands}
    order = random.Random(0)  # noqa: S311  # no secret
    turns = list(commands.items())
    for _ in range(count):
        order.shuffle(turns)
        for name, command in turns:
            started, before = time.perf_counter(), processor()
            run(command)
            times[name].append((time.perf_counter() - started, processor() - before))
    return times


def run(command: Sequence[str]) -> None:
    """Run a command in this environment; it has to succeed."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def processor() -> float:
    """Seconds of the processor that all processes started here took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def publish(times: Times, versions: Mapping[str, str]) -> None:
    """Print what was measured."""
    figures = common.percentiles({name: [wall for wall, _ in t] for name, t in times.items()})
    worked = common.percentiles({name: [used for _, used in t] for name, t in times.items()})
    floor = figures[FLOOR]["p50"]
    common.publish(
        f"processes, {len(times[FLOOR])} of each, in seconds",
        versions,
        [
            ("", "p50", "p95", "p50 above the floor", "processor, p50"),
            *(
                (name, f["p50"], f["p95"], f["p50"] - floor, worked[name]["p50"])
                for name, f in figures.items()
            ),
        ],
        [
            common.Limit(f"p50 of {name}, s", figures[name]["p50"], bound)
            for name, bound in LIMITS.items()
        ],
        seconds=figures,
        processor_seconds=worked,
    )


if __name__ == "__main__":
    main()
