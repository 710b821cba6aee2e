"""Graphs of the shapes that make others slow: a slot of 100,000 versions, a hub, a clique.

- ``versions``: one slot, ``--size`` versions in order. What the last appends and the reads of the
  current value cost is compared with what they cost a tenth of the way; reads as of positions all
  along the slot take less than 0.3 s each.
- ``hub``: as many subjects that all point at one object, which points on. The same figures, and a
  read from the hub itself.
- ``clique``: 300 entities, each of which points at all others by distinct relations (89,700 edges)
  and at itself; a question that names 40 of them takes less than 3 s, the memory it takes is
  bounded, and its evidence fits the budget.

Everything is measured in one run, on one connection.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import common

from cmc_graph.model import Record, Status
from cmc_graph.stores.base import Assertion, Batch, Entry
from cmc_graph.text import key

BATCH_SIZE, ENTITIES, ANCHORS = 500, 300, 40
ROUNDS = 5
#: At most: times as much as a tenth of the way, seconds, and megabytes.
GROWTH, AS_OF, CLIQUE, MEGABYTES = 2.0, 0.3, 3.0, 1_000

Row = tuple[object, ...]


def main() -> None:
    """Measure the shapes on one store, and judge."""
    options = common.parser(__doc__ or "")
    options.add_argument("--size", type=int, default=100_000, help="versions, and edges of the hub")
    options.add_argument("--only", choices=SHAPES, help="one shape instead of all")
    chosen = options.parse_args()
    rows: list[Row] = [("shape", "figure", "value", "unit")]
    limits: list[common.Limit] = []
    with common.place(chosen.store) as place:
        for name in [chosen.only] if chosen.only else SHAPES:
            SHAPES[name](place, chosen.size, rows, limits)
        versions = place.side.versions()
    figures = [
        dict(zip(("shape", "figure", "value", "unit"), row, strict=True)) for row in rows[1:]
    ]
    common.publish(f"shapes of {chosen.size:,}", versions, rows, limits, figures=figures)
    if not all(limit.as_json()["holds"] for limit in limits):
        sys.exit(1)


def versions(place: common.Place, size: int, rows: list[Row], limits: list[common.Limit]) -> None:
    """One slot that is said again and again."""
    _filled(
        place, "versions", size, rows, limits, said=lambda n: ("weekly meeting", f"room {n % 10}")
    )
    positions = [size * part // 10 for part in range(1, 10)]
    took = {p: _seconds(lambda p=p: _read(place, "weekly meeting", p, [p])) for p in positions}
    _as_of("versions", took, rows, limits)


def hub(place: common.Place, size: int, rows: list[Row], limits: list[common.Limit]) -> None:
    """One object at which everybody points, and which points on."""
    first = 1_000_000
    _append(place, [entry(first - 1, "Hub Nine", "location", "Graz")])
    _filled(
        place, "hub", size, rows, limits, said=lambda n: (f"spoke {n}", "Hub Nine"), first=first
    )
    spoke = first + size // 2
    took = {p: _seconds(lambda p=p: _read(place, f"spoke {p - first}", p, [first - 1, p]))
            for p in (first, spoke, first + size - 1)}  # fmt: skip
    _as_of("hub", took, rows, limits)
    rows.append(
        (
            "hub",
            "read from the hub",
            _seconds(lambda: _read(place, "Hub Nine", None, [first - 1])),
            "s",
        )
    )


def clique(place: common.Place, _: int, rows: list[Row], limits: list[common.Limit]) -> None:
    """Everything points at everything."""
    first = 2_000_000
    names = [f"node {number}" for number in range(ENTITIES)]
    for number, name in enumerate(names):
        said = [(name, f"points {n}", other) for n, other in enumerate(names)]
        _append(place, [entries(first + number, said)])
    asked = ", ".join(names[:ANCHORS])
    place.memory.read(asked)  # plans, and fills caches
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for anchors, question in ((1, names[17]), (ANCHORS, asked)):
        worked = time.process_time()
        took = _seconds(lambda question=question: _whole(place, question))
        worked = (time.process_time() - worked) / (ROUNDS + 1)
        rows.append(("clique", f"{anchors} anchors, processor time here", worked, "s"))
        rows.append(("clique", f"{anchors} anchors, {ENTITIES**2} edges", took, "s"))
        limits.append(common.Limit(f"clique, {anchors} anchors (s)", took, CLIQUE))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rows.append(("clique", "memory of the client at most", peak / 1024, "MB"))
    rows.append(("clique", "of it since the first read", (peak - before) / 1024, "MB"))
    limits.append(common.Limit("clique, memory (MB)", peak / 1024, MEGABYTES))


Shape = Callable[[common.Place, int, list[Row], list[common.Limit]], None]
SHAPES: dict[str, Shape] = {"versions": versions, "hub": hub, "clique": clique}


def _filled(
    place: common.Place,
    shape: str,
    size: int,
    rows: list[Row],
    limits: list[common.Limit],
    *,
    said: Callable[[int], tuple[str, str]],
    first: int = 0,
) -> None:
    """Append all in order; compare appends and current reads with those a tenth of the way."""
    common.note(f"{shape}: {size:,} records in batches of {BATCH_SIZE}")
    times: list[float] = []
    reads: list[float] = []
    tenth = size // 10 // BATCH_SIZE
    for start in range(0, size, BATCH_SIZE):
        batch = [
            entry(first + n, said(n)[0], "is in", said(n)[1])
            for n in range(start, min(start + BATCH_SIZE, size))
        ]
        times.append(_timed(lambda batch=batch: _append(place, batch)))
        if len(times) in (tenth, size // BATCH_SIZE):
            subject, position = said(start)[0], batch[-1].record.position
            expected = [position] if shape == "versions" else [first - 1, first + start]
            reads.append(_seconds(lambda s=subject, e=expected: _read(place, s, None, e)))
    early = statistics.median(times[max(0, tenth - 10) : tenth + 10])
    late = statistics.median(times[-20:])
    for figure, one, other in (("append", early, late), ("current read", *reads)):
        rows.append((shape, f"{figure}, a tenth of the way", one * 1_000, "ms"))
        rows.append((shape, f"{figure}, at the end", other * 1_000, "ms"))
        # A read of a millisecond may take two for many reasons.
        ratio = other / max(one, 0.002)
        limits.append(common.Limit(f"{shape}, {figure}, end / tenth", ratio, GROWTH))


def _as_of(shape: str, took: dict[int, float], rows: list[Row], limits: list[common.Limit]) -> None:
    slowest = max(took.values())
    rows.append((shape, "read as of a position, median", statistics.median(took.values()), "s"))
    rows.append((shape, "read as of a position, slowest", slowest, "s"))
    limits.append(common.Limit(f"{shape}, read as of a position (s)", slowest, AS_OF))


def _read(place: common.Place, question: str, as_of: int | None, expected: Sequence[int]) -> None:
    found = place.memory.read(question, as_of=as_of)
    positions = sorted(edge.position for edge in found.edges)
    if positions != sorted(expected):
        sys.exit(f"a read of {question!r} as of {as_of} found {positions[:5]}, not {expected}")


def _whole(place: common.Place, question: str) -> None:
    found = place.memory.read(question)
    if len(found.edges) != ENTITIES**2 or len(found.text) > 60_000:
        sys.exit(f"{len(found.edges)} edges, {len(found.text)} characters")


def _append(place: common.Place, batch: Sequence[Entry]) -> None:
    place.store.append(place.history, Batch(tuple(batch)))


def _timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _seconds(action: Callable[[], object]) -> float:
    """The median of several runs, after one that plans the statement."""
    action()
    return statistics.median(_timed(action) for _ in range(ROUNDS))


def entry(position: int, subject: str, relation: str, obj: str) -> Entry:
    """A record that says one thing."""
    return entries(position, [(subject, relation, obj)])


def entries(position: int, said: Sequence[tuple[str, str, str]]) -> Entry:
    """A record that says all this."""
    text = f"{said[0][0]} {said[0][1]} {said[0][2]}"
    record = Record(text=text, position=position)
    return Entry(record, Status.FACTS, assertions=tuple(_assertions(said)))


def _assertions(said: Sequence[tuple[str, str, str]]) -> Iterator[Assertion]:
    for ordinal, (subject, relation, obj) in enumerate(said):
        yield Assertion(
            ordinal=ordinal,
            subject=key(subject),
            relation=relation,
            object=key(obj),
            subject_text=subject,
            object_text=obj,
            retracts=False,
            literal=True,
            frontend="benchmark",
        )


if __name__ == "__main__":
    main()
