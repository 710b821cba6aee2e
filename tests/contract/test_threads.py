"""Several writers of one history: the result is that of one writer (A15)."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Barrier

import pytest

from cmc_graph.model import Stats, Status
from cmc_graph.stores.base import Applied, Entry, Selection, Store, Suffix
from tests.contract.comparison import ROOM, check
from tests.support.builders import batch, entry, no, residual
from tests.support.database import Database, NewHistory
from tests.support.oracle import Oracle

WORKERS = 8


def busy_history() -> list[Entry]:
    """400 records about the same five subjects, with retractions and unresolved ones."""
    entries: list[Entry] = []
    for n in range(400):
        subject, relation, obj = f"s{n % 5}", f"r{n % 3}", f"s{n % 7}"
        if n % 11 == 0:
            entries.append(residual(n))
        elif n % 4 == 0:
            entries.append(entry(n, no(subject, relation, obj)))
        else:
            entries.append(entry(n, (subject, relation, obj), (obj, relation, subject)))
    return entries


def edges(found: Selection) -> tuple[int, set[int]]:
    """The version of a selection, and the positions of its edges."""
    return found.version, {edge.position for edge in found.edges}


def records(found: Suffix) -> tuple[int, set[int]]:
    """The version of a suffix, and the positions of its records."""
    return found.version, {record.position or 0 for record in found.records}


def counts(found: Stats) -> tuple[int, Stats]:
    """The version of the counts, and the counts without it."""
    return found.version, replace(found, version=0)


def last_words(memory: Oracle) -> set[int]:
    """Where the last words of all slots stand."""
    return {word.place[0] for word in memory.words.values()}


def residuals(memory: Oracle) -> set[int]:
    """Where the unresolved records stand."""
    verdicts = {p: entry.status for p, entry in memory.entries.items()}
    return {p for p in verdicts if verdicts[p] is Status.UNRESOLVED}


def append_all(store: Store, history: str, parts: Sequence[list[Entry]]) -> list[Applied]:
    return [store.append(history, batch(*part)) for part in parts]


def interleaved(entries: Sequence[Entry]) -> list[list[list[Entry]]]:
    """For each worker its batches of ten; each worker has every eighth record."""
    hands = [entries[worker::WORKERS] for worker in range(WORKERS)]
    return [[list(hand[i : i + 10]) for i in range(0, len(hand), 10)] for hand in hands]


@pytest.mark.parametrize("shared", [False, True], ids=["a store each", "one store"])
def test_eight_writers_equal_one(
    database: Database, store: Store, history: str, *, shared: bool
) -> None:
    """No writer fails, every batch is one version, and the state is the serial one."""
    entries = busy_history()
    start = Barrier(WORKERS)

    def work(parts: list[list[Entry]]) -> list[Applied]:
        if shared:
            start.wait()
            return append_all(store, history, parts)
        with closing(database.open()) as own:
            start.wait()
            return append_all(own, history, parts)

    with ThreadPoolExecutor(WORKERS) as pool:
        applied = [one for done in pool.map(work, interleaved(entries)) for one in done]
    check(store, history, Oracle(entries))
    assert sorted(one.version for one in applied) == list(range(1, len(applied) + 1))
    assert store.stats(history).version == len(applied)


def test_writers_of_the_same_records(database: Database, store: Store, history: str) -> None:
    """When all bring the same records, each is written once and skipped by the others."""
    entries = busy_history()[:60]

    def work(_: int) -> list[Applied]:
        with closing(database.open()) as own:
            return append_all(own, history, [entries[:30], entries[30:]])

    with ThreadPoolExecutor(WORKERS) as pool:
        applied = [one for done in pool.map(work, range(WORKERS)) for one in done]
    check(store, history, Oracle(entries))
    assert sum(one.skipped for one in applied) == len(entries) * (WORKERS - 1)
    assert store.stats(history).version == 2


def test_listings_beside_a_writer_are_of_one_version(
    database: Database, store: Store, history: str
) -> None:
    """The relations and the versions of a slot are those after some batch, never of two."""
    entries = busy_history()[:200]
    batches = [entries[i : i + 10] for i in range(0, 200, 10)]
    memories = [Oracle(entries[: 10 * n]) for n in range(len(batches) + 1)]
    slots = [Counter(relation for _, relation, _ in memory.words) for memory in memories]
    said = [
        sum(a.subject == "s1" for e in m.entries.values() for a in e.assertions) for m in memories
    ]

    def write() -> None:
        with closing(database.open()) as own:
            append_all(own, history, batches)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(write)
        while not done.done():
            assert Counter({r.name: r.slots for r in store.relations(history)}) in slots
            assert len(store.versions(history, "s1")) in said
        done.result()


def test_writers_of_unnumbered_records(database: Database, store: Store, history: str) -> None:
    """Records without position get one each, though all writers number at the same time."""
    said = [entry(None, ("s", "r", f"o{n}"), text=f"t{n}").record for n in range(80)]

    def work(worker: int) -> None:
        with closing(database.open()) as own:
            for record in said[worker::WORKERS]:
                own.append(history, batch(Entry(record, Status.FACTS)))

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(work, range(WORKERS)))
    scanned = [kept.record for kept in store.scan(history)]
    assert [record.position for record in scanned] == list(range(80))
    assert {record.text for record in scanned} == {record.text for record in said}


def test_writers_of_several_histories(
    database: Database, store: Store, new_history: NewHistory
) -> None:
    """Writers of different histories do not disturb each other."""
    entries, histories = busy_history()[:80], [new_history() for _ in range(4)]

    def work(history: str) -> None:
        with closing(database.open()) as own:
            append_all(own, history, [entries[i : i + 8] for i in range(0, 80, 8)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, histories))
    for history in histories:
        check(store, history, Oracle(entries))


SUBJECTS = [f"s{n}" for n in range(7)]

#: Ways to read everything, and the positions that each shows of a memory.
Shown = tuple[int, object]
READS: dict[str, tuple[Callable[[Store, str], Shown], Callable[[Oracle], object]]] = {
    "select": (lambda store, name: edges(store.select(name, SUBJECTS, 1)), last_words),
    "select as of": (lambda store, name: edges(store.select(name, SUBJECTS, 1, 999)), last_words),
    "select by a long question": (
        lambda store, name: edges(store.select(name, SUBJECTS * 60, 1)),
        last_words,
    ),
    "newest": (lambda store, name: records(store.newest(name, ROOM)), lambda m: {*m.entries}),
    "unresolved": (lambda store, name: records(store.unresolved(name, ROOM)), residuals),
    "latest state": (
        lambda store, name: records(store.latest_state(name, ROOM)),
        lambda memory: last_words(memory) | residuals(memory),
    ),
    "stats": (lambda store, name: counts(store.stats(name)), lambda memory: memory.stats()),
}


@pytest.mark.parametrize("read", READS)
def test_readers_see_whole_batches(
    database: Database, store: Store, history: str, read: str
) -> None:
    """A reader beside a writer sees the state after some batch, never one in between."""
    entries = busy_history()[:200]
    batches = [entries[i : i + 10] for i in range(0, 200, 10)]
    memories = [Oracle(entries[: 10 * n]) for n in range(len(batches) + 1)]
    look, expected = READS[read]

    def write() -> None:
        with closing(database.open()) as own:
            append_all(own, history, batches)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(write)
        seen = 0
        while not done.done() or seen < len(batches):
            version, shown = look(store, history)
            assert shown == expected(memories[version])
            assert version >= seen
            seen = version
        done.result()
