"""How many reads a store answers while it is written to: 16 threads, and 4 processes.

The history of 262k tokens (18,332 records) is there; a writer, a process of its own, appends copies
of it with renamed entities in batches of 100, as fast as it can, while the readers ask 400
questions over and over. Threads share one ``Memory``, a process has its own; 5 seconds pass before
the 20 that count. Every read has to find the records that it found before the writer began, since
no copy changes what the questions are about; an error ends the run.

Compared, in one run: one thread without a writer, 16 threads and 4 processes without and with one.
Takes about three minutes.
"""

import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing.synchronize import Event
from typing import Any

import common
from copies import Copies

from cmc_graph.compile import ingest
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.memory import Memory
from cmc_graph.stores import open_store

THREADS, PROCESSES = 16, 4
WARM_SECONDS, SECONDS = 5.0, 20.0
BATCH_SIZE = 100

Expected = Mapping[str, tuple[int | None, ...]]
Spans = list[tuple[float, float]]  #: when each read began and ended, by the clock of the machine

_SPAWN = multiprocessing.get_context("spawn")


def main() -> None:
    """Measure one store."""
    parser = common.parser(__doc__ or "")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="N")
    options = parser.parse_args()
    copies = Copies(common.HISTORY)
    runs: dict[str, dict[str, float]] = {}
    with common.place(options.store) as place:
        common.note("ingesting")
        place.memory.ingest(copies.originals())
        expected = {text: found(place.memory, text) for text in common.asked(common.CELLS)}
        address = (place.url, place.history)
        ways = {
            "1 thread": partial(in_threads, 1),
            f"{THREADS} threads": partial(in_threads, THREADS),
            f"{PROCESSES} processes": in_processes,
        }
        for name, way in ways.items():
            common.note(f"measuring {name}")
            runs[name] = figures(way(address, expected, options.seconds), options.seconds)
            if name != "1 thread":
                with written_to(address) as written:
                    spans = way(address, expected, options.seconds)
                    batches = written.value
                runs[f"{name}, a writer"] = {
                    **figures(spans, options.seconds),
                    "records written/s": batches * BATCH_SIZE / (WARM_SECONDS + options.seconds),
                }
        versions = place.side.versions()
    publish(runs, versions)


def found(memory: Memory, question: str) -> tuple[int | None, ...]:
    """The positions of the records that a read finds."""
    return tuple(record.position for record in memory.read(question).records)


def in_threads(count: int, address: tuple[str, str], expected: Expected, seconds: float) -> Spans:
    """The reads of so many threads that share one memory."""
    spans: Spans = []
    failures: list[BaseException] = []
    memory = opened(address)

    def run(first: int) -> None:
        try:
            spans.extend(reads(memory, expected, first, seconds))
        except BaseException as error:  # noqa: BLE001  # told by the thread that asked
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    memory.close()
    if failures:
        raise failures[0]
    return spans


def in_processes(address: tuple[str, str], expected: Expected, seconds: float) -> Spans:
    """The reads of processes with a memory each."""
    all_there = _SPAWN.Barrier(PROCESSES)
    with _SPAWN.Pool(PROCESSES, all_there.wait) as pool:
        jobs = [(address, expected, number, seconds) for number in range(PROCESSES)]
        return [span for spans in pool.starmap(in_process, jobs, 1) for span in spans]


def in_process(address: tuple[str, str], expected: Expected, first: int, seconds: float) -> Spans:
    """The reads of this process."""
    memory = opened(address)
    try:
        return reads(memory, expected, first, seconds)
    finally:
        memory.close()


def reads(memory: Memory, expected: Expected, first: int, seconds: float) -> Spans:
    """Read one question after the other for so long, and compare what is found."""
    spans: Spans = []
    until = time.monotonic() + WARM_SECONDS + seconds
    questions = list(expected)
    number = first * len(questions) // THREADS
    while (began := time.monotonic()) < until:
        question = questions[number % len(questions)]
        records = found(memory, question)
        spans.append((began, time.monotonic()))
        if records != expected[question]:
            sys.exit(f"a read found other records than before: {question!r}")
        number += 1
    return spans


def opened(address: tuple[str, str]) -> Memory:
    """A memory of this process's or these threads' own."""
    url, history = address
    return Memory(open_store(url), history)


@contextmanager
def written_to(address: tuple[str, str]) -> Iterator[Any]:
    """Another process appends all the while; how many batches it wrote, as a shared number."""
    stop, batches = _SPAWN.Event(), _SPAWN.Value("q", 0)
    writer = _SPAWN.Process(target=write, args=(address, stop, batches))
    writer.start()
    try:
        while not batches.value and writer.is_alive():
            time.sleep(0.01)
        batches.value = 0
        yield batches
    finally:
        stop.set()
        writer.join()
    if writer.exitcode:
        sys.exit("the writer failed")


def write(address: tuple[str, str], stop: Event, batches: Any) -> None:
    """Append copies in small batches until told to stop."""
    url, history = address
    copies, store, frontend = Copies(common.HISTORY), open_store(url), grammar_frontend(())
    number = next(h.records for h in store.histories() if h.name == history) // copies.size + 1
    while not stop.is_set():
        records = iter(copies.records(number))
        while (batch := list(islice(records, BATCH_SIZE))) and not stop.is_set():
            ingest(store, history, frontend, batch)
            batches.value += 1
        number += 1
    store.close()


def figures(spans: Spans, seconds: float) -> dict[str, float]:
    """Reads per second, and how long a read took, of those that began when it counted."""
    begin = max(began for began, _ in spans) - seconds
    counted = [(ended - began) * 1_000 for began, ended in spans if began >= begin]
    return {
        "reads/s": len(counted) / seconds,
        **{f"p{percent}": common.percentile(counted, percent) for percent in (50, 95, 99)},
    }


def publish(runs: Mapping[str, Mapping[str, float]], versions: Mapping[str, str]) -> None:
    """Print what was measured."""
    columns: Sequence[str] = ("reads/s", "p50", "p95", "p99", "records written/s")
    common.publish(
        "reads of 400 questions, side by side, in milliseconds; all found what they had to",
        versions,
        [
            ("", *columns),
            *((name, *(run.get(c, "") for c in columns)) for name, run in runs.items()),
        ],
        [],
        runs=runs,
    )


if __name__ == "__main__":
    main()
