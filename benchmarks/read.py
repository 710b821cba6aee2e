"""A read against the smallest things its database can do, on the same connection.

Measured: ``Memory.read`` (tokens, the store's ``select``, depths, evidence text) on a history of
262k tokens (18,332 records), for 400 questions, three times. Beside it, for each question, in an
order shuffled with a fixed seed:

- Neo4j: ``RETURN 1``, and the anchor look-up alone: the spans of the question up to the longest
  key, built by the server as the read's own statement builds them, sought in the same index. Both
  in the same kind of session as the read, so on the one connection a driver has in one thread.
- SQLite: ``SELECT 1``.

2,000 reads come first, so that the server is warm. With ``--empty-first``, all questions are read
from the empty history before anything is written: no plan made for an empty store may stay. That
says most about a database without other histories and a server that was just started.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

import common

from cmc_graph.memory import Memory
from loaders import factconsolidation

WARM_READS = 2_000
ROUNDS = 3
READ = "read"

#: What a read may cost at most: so many times as much as something beside it, at a percentile.
RATIOS = (("RETURN 1", 50, 2.5), ("RETURN 1", 95, 3.0), ("anchor look-up", 50, 1.4))
#: Where there is no server to talk to, milliseconds by percentile.
SQLITE = ((50, 0.25), (95, 1.0))

Times = Mapping[str, Sequence[float]]


def main() -> None:
    """Measure one store."""
    parser = common.parser(__doc__ or "")
    parser.add_argument("--data", type=Path, default=common.HISTORY, metavar="FILE")
    parser.add_argument("--questions", type=Path, nargs="+", default=common.CELLS, metavar="FILE")
    parser.add_argument("--empty-first", action="store_true", help="first read the empty history")
    options = parser.parse_args()
    questions = common.asked(options.questions)
    with common.place(options.store) as place:
        memory = place.memory
        if options.empty_first:
            common.note(f"reading {len(questions)} questions from the empty history")
            read_all(memory, questions)
        common.note(f"ingesting {options.data.name}")
        memory.ingest(factconsolidation.records(options.data), grammar=factconsolidation.PACKS)
        common.note(f"{WARM_READS} reads to warm up")
        read_all(memory, islice(cycle(questions), WARM_READS))
        common.note("measuring")
        times = measure(memory, place.side.probes(place.history), questions)
        versions = place.side.versions()
    publish(times, versions, options.data.name, empty_first=options.empty_first)


def read_all(memory: Memory, questions: Iterable[str]) -> None:
    """Read all questions, not looking at anything."""
    for question in questions:
        memory.read(question)


def measure(
    memory: Memory, probes: Mapping[str, Callable[[Sequence[str]], object]], questions: list[str]
) -> Times:
    """Milliseconds of each probe and of the read, question by question, taking turns."""
    actions: dict[str, common.Action] = {
        name: lambda _question, words, probe=probe: probe(words)  # type: ignore[misc]  # bound now
        for name, probe in probes.items()
    }
    actions[READ] = lambda question, _words: memory.read(question)
    return common.milliseconds(actions, questions, ROUNDS)


def limits(times: Times) -> list[common.Limit]:
    """What has to hold for the store that was measured."""
    found = [
        common.Limit(
            f"p{percent} of the read / p{percent} of {name}",
            common.percentile(times[READ], percent) / common.percentile(times[name], percent),
            bound,
        )
        for name, percent, bound in RATIOS
        if name in times
    ]
    return found or [
        common.Limit(
            f"p{percent} of the read in ms", common.percentile(times[READ], percent), bound
        )
        for percent, bound in SQLITE
    ]


def publish(times: Times, versions: Mapping[str, str], data: str, *, empty_first: bool) -> None:
    """Print what was measured."""
    figures = common.percentiles(times)
    read = figures[READ]
    common.publish(
        f"Memory.read on {data}, {len(times[READ]):,} reads, in milliseconds"
        + (", the empty history read first" if empty_first else ""),
        versions,
        [
            ("", "p50", "p95", "read / p50", "read / p95"),
            *(
                (name, f["p50"], f["p95"], read["p50"] / f["p50"], read["p95"] / f["p95"])
                for name, f in figures.items()
            ),
        ],
        limits(times),
        milliseconds=figures,
        reads=len(times[READ]),
        reads_before=WARM_READS,
        empty_first=empty_first,
    )


if __name__ == "__main__":
    main()
