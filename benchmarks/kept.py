"""Stores that are built once and kept: one history, one many times as long, and many histories.

All hold the same facts, the long history with its entities renamed in each copy. Building goes on
where it was interrupted. A folder holds the SQLite files and the homes of the Neo4j servers; on
each home runs a server of a benchmark's own while it is used.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import common
from copies import Copies
from servers import Program, running

from cmc_graph.memory import Memory
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Store

ENGINES = ("sqlite", "neo4j")
ONE, LONG, MANY = "one history", "one long history", "many histories"
SHAPES = (ONE, LONG, MANY)

#: What each server may use; three of them run side by side.
HEAP = PAGE_CACHE = "2g"


@dataclass(frozen=True, slots=True)
class Kept:
    """A store that was built.

    Attributes:
        memories: One for each history, in the order of their numbers.
        files: The SQLite file, or the home of the server.
    """

    url: str
    store: Store
    memories: Sequence[Memory]
    side: common.Side
    files: Path


@contextmanager
def kept(
    engine: str, folder: Path, shape: str, copies: Copies, count: int, program: Program | None
) -> Iterator[Kept]:
    """The store of a shape, built as far as it is not there yet.

    Args:
        engine: One of ``ENGINES``.
        folder: Where all are kept.
        shape: One of ``SHAPES``.
        copies: Of the history.
        count: How many copies the larger shapes have.
        program: Of the servers; None for SQLite.
    """
    files = folder / engine / shape.replace(" ", "-")
    files.parent.mkdir(parents=True, exist_ok=True)
    if program is None:
        files = files.with_suffix(".db")
        with _built(f"{common.SQLITE}{files}", files, shape, copies, count) as found:
            yield found
        return
    with (
        running(files, program, heap=HEAP, page_cache=PAGE_CACHE) as url,
        _built(url, files, shape, copies, count) as found,
    ):
        yield found


@contextmanager
def _built(url: str, files: Path, shape: str, copies: Copies, count: int) -> Iterator[Kept]:
    names = [f"history {number}" for number in range(count if shape == MANY else 1)]
    store = open_store(url)
    found = Kept(url, store, [Memory(store, name) for name in names], common.side(store), files)
    try:
        there = {history.name: history.records for history in store.histories()}
        if shape == LONG:
            done = there.get(names[0], 0) // copies.size
            _write(found.memories[0], copies, range(done, count), shape)
        else:
            for memory, name in zip(found.memories, names, strict=True):
                if there.get(name, 0) < copies.size:
                    _write(memory, copies, range(1), f"{shape}, {name}")
        yield found
    finally:
        store.close()


def _write(memory: Memory, copies: Copies, numbers: Sequence[int], what: str) -> None:
    for number in numbers:
        records = copies.records(number)
        started = time.perf_counter()
        memory.ingest(records, grammar=())
        rate = len(records) / (time.perf_counter() - started)
        common.note(f"building {what}: copy {number}, {rate:,.0f} records/s")
