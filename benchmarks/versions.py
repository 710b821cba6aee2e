"""What one more version of a slot costs when the slot has thousands already.

Measured: ``append`` of 50,000 versions of one slot, in order, in batches of 100, each batch one
transaction. The objects take turns, ten in all, so that the edges grow dense at both ends. Compared
are the last 20 batches and the 21 around the hundredth, by their medians.
"""

import statistics
import time

import common

from cmc_graph.model import Record, Status
from cmc_graph.stores.base import Assertion, Batch, Entry

VERSIONS, BATCH_SIZE, OBJECTS = 50_000, 100, 10
HUNDREDTH, LAST = slice(89, 110), slice(-20, None)

#: How many times as much the last batch may cost.
GROWTH = 1.5


def main() -> None:
    """Measure one store."""
    options = common.parser(__doc__ or "").parse_args()
    batches = [batch(first) for first in range(0, VERSIONS, BATCH_SIZE)]
    times = []
    with common.place(options.store) as place:
        common.note(f"appending {len(batches)} batches of {BATCH_SIZE} versions")
        for each in batches:
            started = time.perf_counter()
            place.store.append(place.history, each)
            times.append((time.perf_counter() - started) * 1_000)
        versions = place.side.versions()
    hundredth, last = statistics.median(times[HUNDREDTH]), statistics.median(times[LAST])
    common.publish(
        f"one slot, {VERSIONS:,} versions in order, milliseconds per batch of {BATCH_SIZE}",
        versions,
        [
            ("", "median", "times the hundredth"),
            ("around the hundredth batch", hundredth, 1.0),
            ("the last batches", last, last / hundredth),
        ],
        [common.Limit("the last batch / the hundredth", last / hundredth, GROWTH)],
        milliseconds={"hundredth": hundredth, "last": last, "all": times},
    )


def batch(first: int) -> Batch:
    """The versions from a position on."""
    return Batch(tuple(entry(position) for position in range(first, first + BATCH_SIZE)))


def entry(position: int) -> Entry:
    """One version of the slot."""
    room = f"room {position % OBJECTS}"
    said = Assertion(
        ordinal=0,
        subject="weekly meeting",
        relation="location",
        object=room,
        subject_text="weekly meeting",
        object_text=room,
        retracts=False,
        literal=True,
        frontend="benchmark",
    )
    text = f"The weekly meeting is in {room}."
    return Entry(Record(text=text, position=position), Status.FACTS, assertions=(said,))


if __name__ == "__main__":
    main()
