"""What a store costs when it is a hundred times as large: reads, writes, memory and disk.

Three stores of one kind, each a file or a server of its own, used in one run, taking turns:

- one history of 262k tokens (18,332 records);
- one long history: the same a hundred times (1,833,200 records), entities renamed in each copy;
- a hundred histories of 18,332 records in one database.

Measured:

- ``Memory.read`` of 400 questions, three times, each about a copy or history chosen by chance.
- Memory of a client process that read 2,000 questions from each.
- ``Memory.ingest`` of 18,332 more records into the long history and into an empty one.
- One new record into the long history (``Memory.ingest``), and a read that sees it.
- Bytes on disk per record, by table or store file, and those of the text itself.

The stores are built once and stay in the folder that ``--keep`` names; delete it when done. On a
quiet machine with two cores, SQLite takes about 10 minutes to build and Neo4j about half an hour;
a run on stores that are there takes about 5. ``--copies 10`` makes everything a tenth as large.
"""

import argparse
import multiprocessing
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, TypeVar

import common
from copies import Copies
from disk import sizes
from kept import ENGINES, LONG, MANY, ONE, SHAPES, Kept, kept
from servers import Program

from cmc_graph.memory import Memory
from cmc_graph.model import Evidence, Record
from cmc_graph.stores import open_store

ROUNDS, WARM_READS, INGEST_ROUNDS, SINGLES = 3, 2_000, 3, 50

#: Times as much as on one history: a read's median, and the memory of the client.
READ, CLIENT = 1.3, 1.1
#: The least share of the records per second that an empty history takes.
INGEST = 0.8
#: A new record and the read that sees it: milliseconds, or times the smallest statement.
SINGLE = {"sqlite": 5.0, "neo4j": 5.0}

#: Bytes per record of the smallest part that has a row.
SHOWN = 0.1

Figures = dict[str, Any]
Result = TypeVar("Result")


def main() -> None:
    """Build what is missing, then measure one kind of store."""
    options = arguments()
    copies = Copies(options.data)
    program = None
    if options.engine == "neo4j":
        newest = options.jars and options.java
        program = Program.newest(options.jars, options.java) if newest else Program.locked()
    opened = partial(kept, options.engine, options.keep)
    for shape in SHAPES:
        with opened(shape, copies, options.copies, program):
            pass  # built, and closed: all of it is on disk
    if options.build_only:
        return
    with ExitStack() as stack:
        stores = {
            shape: stack.enter_context(opened(shape, copies, options.copies, program))
            for shape in SHAPES
        }
        on_disk = {s: dict(sizes(stores[s].store, stores[s].files)) for s in SHAPES}
        held = {shape: records(store) for shape, store in stores.items()}
        questions, times = read_times(stores, copies, options.copies)
        singles = single_times(stores[LONG])
        figures: Figures = {
            "milliseconds": common.percentiles(times),
            "single record, milliseconds": common.percentiles(singles),
            "client, bytes": client_bytes(stores, questions),
            "records per second": ingest_rates(stores, copies),
            "records": held,
            "bytes on disk": on_disk,
            "bytes of text per record": text_bytes(copies),
        }
        versions = stores[ONE].side.versions()
    publish(options.engine, options.copies, versions, figures)


def arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--copies", type=int, default=100, metavar="N")
    parser.add_argument("--data", type=Path, default=common.HISTORY, metavar="FILE")
    parser.add_argument("--build-only", action="store_true", help="measure nothing")
    parser.add_argument("--jars", type=Path, metavar="FOLDER", help="of another Neo4j version")
    parser.add_argument("--java", type=Path, metavar="FOLDER", help="of the Java for --jars")
    return parser.parse_args()


def read_times(
    stores: Mapping[str, Kept], copies: Copies, count: int
) -> tuple[list[str], dict[str, list[float]]]:
    """The questions, and milliseconds of reads and of each store's smallest statement."""
    common.note("measuring reads")
    chance = random.Random(0)  # noqa: S311  # no secret
    one, long, many = (stores[shape].memories for shape in SHAPES)
    texts = common.asked(common.CELLS)
    # Made before they are asked: each question about the only copy, and about others by chance.
    questions = copies.questions(texts, 0)
    about = {
        original: cycle(
            [copies.questions([text], chance.randrange(count))[0] for _ in range(ROUNDS)]
        )
        for original, text in zip(questions, texts, strict=True)
    }
    reads: dict[str, Callable[[str], Evidence]] = {
        ONE: one[0].read,
        LONG: lambda question: long[0].read(next(about[question])),
        MANY: lambda question: chance.choice(many).read(question),
    }
    for question in questions:
        if len({len(read(question).edges) for read in reads.values()}) != 1:
            sys.exit(f"not as much is found everywhere for {question!r}")
    for question in islice(cycle(questions), WARM_READS):
        for read in reads.values():
            read(question)
    actions: dict[str, common.Action] = {}
    for shape, store in stores.items():
        actions[shape] = partial(without_words, reads[shape])
        for name, probe in store.side.probes(store.memories[0]._history).items():
            if name != "anchor look-up":
                actions[f"{name}, {shape}"] = partial(without_words, probe)
    return questions, common.milliseconds(actions, questions, ROUNDS)


def without_words(action: Callable[[Any], object], question: str, _words: Sequence[str]) -> None:
    """Let an action have the question alone."""
    action(question)


def single_times(store: Kept) -> dict[str, list[float]]:
    """Milliseconds of one new record, of the read that sees it, and of the smallest statement."""
    common.note("measuring single records")
    memory = store.memories[0]
    before = memory.stats().records
    smallest = next(iter(store.side.probes(memory._history).values()))
    times: dict[str, list[float]] = {"write": [], "read": [], "both": [], "smallest": []}
    added: list[int] = []
    for number in range(SINGLES):
        subject, place = f"Depot {before}k{number}", f"Hall {number}"
        text = f"{subject} is in {place}."
        record = Record(text=text, triples=[(subject, "location", place)])
        _, write = timed(partial(memory.ingest, [record], grammar=()))
        evidence, read = timed(partial(memory.read, f"Where is {subject}?"))
        _, least = timed(partial(smallest, ()))
        if [record.text for record in evidence.records] != [text]:
            sys.exit("a read does not see the record that was just written")
        added += [record.position or 0 for record in evidence.records]
        for name, spent in zip(times, (write, read, write + read, least), strict=True):
            times[name].append(spent)
    memory.forget(positions=added)
    return times


def timed(action: Callable[[], Result]) -> tuple[Result, float]:
    """What the action gives, and the milliseconds it took."""
    started = time.perf_counter()
    given = action()
    return given, (time.perf_counter() - started) * 1_000


def client_bytes(stores: Mapping[str, Kept], questions: Sequence[str]) -> dict[str, int]:
    """Most memory that a process of its own ever had that did nothing but read from a store."""
    common.note("measuring clients")
    context = multiprocessing.get_context("spawn")
    found = {}
    for shape, store in stores.items():
        names = [memory._history for memory in store.memories]
        with context.Pool(1) as pool:
            found[shape] = pool.apply(client, (store.url, names, questions))
    return found


def client(url: str, names: Sequence[str], questions: Sequence[str]) -> int:
    """Read in this process, and say how much memory it took."""
    store = open_store(url)
    memories = cycle([Memory(store, name) for name in names])
    for text in islice(cycle(questions), WARM_READS):
        next(memories).read(text)
    store.close()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024


def ingest_rates(stores: Mapping[str, Kept], copies: Copies) -> dict[str, list[float]]:
    """Records per second into an empty history and into the long one, taking turns."""
    rates: dict[str, list[float]] = {"empty": [], LONG: []}
    for number in range(INGEST_ROUNDS):
        common.note(f"ingesting, round {number + 1} of {INGEST_ROUNDS}")
        long = stores[LONG].memories[0]
        more = copies.records(long.stats().records // copies.size)
        url = None if stores[ONE].url.startswith(common.SQLITE) else stores[ONE].url
        with common.place(url) as empty:
            turns = [("empty", empty.memory), (LONG, long)]
            for name, memory in turns if number % 2 else reversed(turns):
                spent = common.seconds(partial(memory.ingest, more, grammar=()))
                rates[name].append(len(more) / spent)
    return rates


def records(store: Kept) -> int:
    """Records of all histories of a store."""
    return sum(history.records for history in store.store.histories())


def text_bytes(copies: Copies) -> float:
    """Bytes of the text of a record in the mean."""
    return statistics.fmean(len(record.text.encode()) for record in copies.records(0))


def limits(engine: str, figures: Figures) -> Iterator[common.Limit]:
    """What has to hold."""
    reads, clients = figures["milliseconds"], figures["client, bytes"]
    rates, single = figures["records per second"], figures["single record, milliseconds"]
    for shape in (LONG, MANY):
        ratio = reads[shape]["p50"] / reads[ONE]["p50"]
        yield common.Limit(f"p50 of a read, {shape} / {ONE}", ratio, READ)
        yield common.Limit(f"client, {shape} / {ONE}", clients[shape] / clients[ONE], CLIENT)
    share = statistics.median(a / b for a, b in zip(rates[LONG], rates["empty"], strict=True))
    yield common.Limit(f"records/s, {LONG} / empty", share, INGEST, at_least=True)
    both, smallest = single["both"]["p50"], single["smallest"]["p50"]
    if engine == "sqlite":
        yield common.Limit("new record and read, ms", both, SINGLE[engine])
    else:
        yield common.Limit("new record and read / RETURN 1", both / smallest, SINGLE[engine])


def publish(engine: str, count: int, versions: Mapping[str, str], figures: Figures) -> None:
    """Print what was measured."""
    reads, sizes_of, held = (figures[n] for n in ("milliseconds", "bytes on disk", "records"))
    common.print_table(
        "bytes on disk per record",
        [
            ("", *SHAPES),
            *(
                (part, *(sizes_of[shape].get(part, 0) / held[shape] for shape in SHAPES))
                for part, size in sizes_of[LONG].items()
                if size >= held[LONG] * SHOWN
            ),
            ("all of it", *(sum(sizes_of[shape].values()) / held[shape] for shape in SHAPES)),
        ],
    )
    common.print_table(
        f"one new record, history of {held[LONG]:,}, in milliseconds",
        [
            ("", "p50", "p95"),
            *(
                (name, f["p50"], f["p95"])
                for name, f in figures["single record, milliseconds"].items()
            ),
        ],
    )
    common.print_table(
        "most memory of a client, and records per second in each round",
        [
            *(
                (shape, f"{size / 2**20:.1f} MB")
                for shape, size in figures["client, bytes"].items()
            ),
            *(
                (f"records/s, {name}", " ".join(f"{rate:,.0f}" for rate in rates))
                for name, rates in figures["records per second"].items()
            ),
        ],
    )
    common.publish(
        f"{engine}: Memory.read, {count} copies, in milliseconds",
        versions,
        [("", "p50", "p95"), *((name, f["p50"], f["p95"]) for name, f in reads.items())],
        list(limits(engine, figures)),
        copies=count,
        **figures,
    )


if __name__ == "__main__":
    main()
