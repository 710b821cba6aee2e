"""An ingest against the bare floor: the same rows written in the same batches, nothing resolved.

Measured, each into a fresh history (Neo4j) or file (SQLite), several times, taking turns:

- ``Memory.ingest`` with the grammar: parsing included.
- The same with interpretations made before: everything ``Memory.ingest`` does but parsing, that is
  looking for known records, keys, one transaction per batch, latest-wins, counters, the report.
- The floor. What an ingest left in the database is copied beforehand, as it finally is, and written
  again in batches of as many records, one transaction each.
  Neo4j: ``Record`` and ``Entity`` nodes and ``ASSERTED``, ``CURRENT`` and ``ENDED`` relationships
  with plain ``CREATE``, under the same constraints; both ends of a relationship found through the
  entity constraint; an entity is created in the batch that first names it, the few nodes of the
  history itself and of its relations in the first batch.
  SQLite: the rows of all tables with ``executemany`` into the same schema, ids known, under the
  store's own settings. Both write a value that was overwritten later with its end already known.
- The same records a second time, right after the first ingest.
"""

import gc
import statistics
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import common

from cmc_graph.compile import BATCH_SIZE
from cmc_graph.frontends import Frontend
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.model import Interpretation, Record, Values
from loaders import factconsolidation

Times = Mapping[str, Sequence[float]]

ROUNDS = 5
PARSED = "Memory.ingest"
PREPARED = "Memory.ingest, parsed before"
AGAIN = "the same a second time"
FLOOR = "bare floor"

#: The least share of the floor's records per second, and how much faster a second ingest is.
SHARE, FASTER = 0.6, 5.0


class Prepared:
    """A frontend that interpreted the records beforehand."""

    def __init__(self, frontend: Frontend, records: Sequence[Record]) -> None:
        self.relations: Mapping[str, Values] = frontend.relations
        verdicts = frontend.interpret(records)
        self._verdicts = {r.position: v for r, v in zip(records, verdicts, strict=True)}

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        """The interpretations made then."""
        return (self._verdicts[record.position] for record in records)


def main() -> None:
    """Measure one store."""
    parser = common.parser(__doc__ or "")
    parser.add_argument("--data", type=Path, default=common.HISTORY, metavar="FILE")
    options = parser.parse_args()
    records = list(factconsolidation.records(options.data))
    prepared = Prepared(grammar_frontend(factconsolidation.PACKS), records)
    common.note("a first ingest, to copy from")
    with common.place(options.store) as place:
        place.memory.ingest(records, frontend=prepared)
        written = place.memory.stats()
        batches = place.side.copy(place.history, BATCH_SIZE)
        versions = place.side.versions()
    common.note("a first run of the floor, to check that it writes the same")
    with common.place(options.store) as place:
        write(place, batches)
        if place.memory.stats() != written or place.memory.verify():
            sys.exit("the floor does not write what an ingest writes; adapt the benchmark")
    times = measure(options.store, records, prepared, batches)
    publish(times, versions, options.data.name, records=len(records))


def measure(
    url: str | None, records: Sequence[Record], prepared: Prepared, batches: Sequence[Any]
) -> Times:
    """Seconds of each way to write, taking turns, each into a place of its own."""
    times: dict[str, list[float]] = {name: [] for name in (PARSED, PREPARED, AGAIN, FLOOR)}

    def parsed(place: common.Place) -> None:
        ingest = partial(place.memory.ingest, records, grammar=factconsolidation.PACKS)
        times[PARSED].append(common.seconds(ingest))
        before = place.memory.stats()
        times[AGAIN].append(common.seconds(ingest))
        if place.memory.stats() != before:
            sys.exit("the second ingest wrote something")

    def parsed_before(place: common.Place) -> None:
        ingest = partial(place.memory.ingest, records, frontend=prepared)
        times[PREPARED].append(common.seconds(ingest))

    def bare(place: common.Place) -> None:
        times[FLOOR].append(common.seconds(partial(write, place, batches)))

    gc.collect()
    gc.freeze()  # the copied rows are this script's: the collector of an ingest need not walk them
    turns = deque([parsed, parsed_before, bare])
    for number in range(ROUNDS):
        common.note(f"round {number + 1} of {ROUNDS}")
        for turn in turns:
            with common.place(url) as place:
                turn(place)
        turns.rotate()
    return times


def write(place: common.Place, batches: Iterable[Any]) -> None:
    """The floor: write the copied batches one by one."""
    for batch in batches:
        place.side.write(place.history, batch)


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """How many times as long one took as the other, the median of the rounds.

    What runs in the same round meets the same load.
    """
    return statistics.median(a / b for a, b in zip(one, other, strict=True))


def publish(times: Times, versions: Mapping[str, str], data: str, *, records: int) -> None:
    """Print what was measured."""
    share = {name: ratio(times[FLOOR], spent) for name, spent in times.items()}
    typical = {name: statistics.median(spent) for name, spent in times.items()}
    limits = [
        common.Limit(f"share, {name}", share[name], SHARE, at_least=True)
        for name in (PREPARED, PARSED)
    ]
    faster = ratio(times[PARSED], times[AGAIN])
    limits.append(common.Limit("times as fast, second ingest", faster, FASTER, at_least=True))
    common.publish(
        f"{data}, {records:,} records in batches of {BATCH_SIZE:,}, medians of {ROUNDS} rounds",
        versions,
        [
            ("", "seconds", "records/s", "share of the floor's records/s"),
            *((name, s, records / s, share[name]) for name, s in typical.items()),
        ],
        limits,
        seconds=times,
        records=records,
        batch_size=BATCH_SIZE,
    )


if __name__ == "__main__":
    main()
