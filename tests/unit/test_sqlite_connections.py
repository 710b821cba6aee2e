"""Connections of the SQLite store: threads, forks, locks, closing."""

import gc
import sqlite3
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from cmc_graph.errors import SchemaMismatch, StoreBusy, StoreError, UsageError
from cmc_graph.model import Values
from cmc_graph.stores import sqlite_connections
from cmc_graph.stores.sqlite import SqliteStore
from tests.support.builders import batch, entry

ROOT = Path(__file__).parents[2]


def opened(path: str | Path, busy_seconds: float = 10.0) -> SqliteStore:
    store = SqliteStore(path, busy_seconds=busy_seconds)
    store.setup()
    return store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store with the records 1 and 2."""
    with closing(opened(path)) as made:
        made.append("h", batch(entry(1, ("Ana", "home", "Graz")), entry(2, ("Ana", "job", "cook"))))
        yield made


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """All connections that are opened from now on."""
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remembering(*args: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*args, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", remembering)
    return made


def is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


VERBS: dict[str, Callable[[SqliteStore], object]] = {
    "setup": lambda store: store.setup(),
    "known": lambda store: store.known("h", [entry(1).record]),
    "append": lambda store: store.append("h", batch(entry(3))),
    "select": lambda store: store.select("h", ("ana",), 5),
    "unresolved": lambda store: store.unresolved("h", 100),
    "newest": lambda store: store.newest("h", 100),
    "latest_state": lambda store: store.latest_state("h", 100),
    "versions": lambda store: store.versions("h", "ana"),
    "changes": lambda store: store.changes("h", 0, 1),
    "records": lambda store: store.records("h", [1]),
    "relations": lambda store: store.relations("h"),
    "set_relation": lambda store: store.set_relation("h", "home", Values.MANY),
    "scan": lambda store: list(store.scan("h")),
    "rebuild": lambda store: store.rebuild("h"),
    "verify": lambda store: store.verify("h"),
    "forget": lambda store: store.forget("h", [1]),
    "stats": lambda store: store.stats("h"),
    "histories": lambda store: store.histories(),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
@pytest.mark.parametrize("kind", ["file", "memory"])
def test_a_closed_store_says_so(
    path: Path, kind: str, verb: Callable[[SqliteStore], object]
) -> None:
    """After closing every verb is a StoreError; closing again does nothing."""
    store = opened(path if kind == "file" else ":memory:")
    store.append("h", batch(entry(1, ("Ana", "home", "Graz"))))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        verb(store)


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_no_verb_leaves_a_connection_open(
    store: SqliteStore, connections: list[sqlite3.Connection], verb: Callable[[SqliteStore], object]
) -> None:
    """When the store is closed, all its connections are."""
    verb(store)
    store.close()
    assert [is_open(connection) for connection in connections] == [False] * len(connections)


@pytest.mark.parametrize("name", sorted(VERBS.keys() - {"append"}))
def test_a_file_comes_with_what_is_written_first(path: Path, name: str) -> None:
    """A mistyped path that is only read, or has nothing to change, leaves no file behind."""
    with closing(opened(path)) as missing:
        with suppress(UsageError):  # there is no relation yet
            VERBS[name](missing)
        assert not path.exists()
        missing.append("h", batch(entry(7, ("Ana", "home", "Graz"))))
        assert missing.select("h", ("ana",), 5).anchors == ("ana",)


def test_a_file_that_another_store_creates_is_read(path: Path) -> None:
    """Who found no file reads the one that comes later, and writes to it."""
    with closing(opened(path)) as early, closing(opened(path)) as other:
        assert early.stats("h").records == 0
        other.append("h", batch(entry(1, ("Ana", "home", "Graz"))))
        assert early.stats("h").records == 1
        assert early.append("h", batch(entry(2))).version == 2


def test_a_file_of_another_program_that_comes_later_is_refused(path: Path) -> None:
    """What was not there when a store was opened is looked at when it comes."""
    with closing(opened(path)) as early:
        path.write_text("something else", "utf-8")
        with pytest.raises(SchemaMismatch):
            early.stats("h")
        assert path.read_text("utf-8") == "something else"


def test_a_store_that_is_dropped_is_closed(
    path: Path, connections: list[sqlite3.Connection]
) -> None:
    """Without ``close``, a store closes its connections when nobody refers to it any more."""
    store = opened(path)
    store.append("h", batch(entry(1)))
    gone = weakref.ref(store)
    del store
    gc.collect()
    assert gone() is None
    assert connections
    assert not any(map(is_open, connections))


def test_a_file_that_is_refused_is_closed(
    path: Path, connections: list[sqlite3.Connection]
) -> None:
    """A file that turns out not to be ours is not kept open."""
    path.write_bytes(b"no database at all, but long enough to look like one" * 100)
    with pytest.raises(StoreError):
        opened(path)
    gc.collect()
    assert connections
    assert not any(map(is_open, connections))


def test_a_connection_in_use_closes_when_its_verb_ends(
    path: Path, connections: list[sqlite3.Connection]
) -> None:
    """A scan that is under way when the store is closed is read to its end, or given up."""
    store = opened(path)
    store.append("h", batch(entry(1), entry(2)))
    read, given_up = store.scan("h"), store.scan("h")
    positions = [next(read).record.position]
    next(given_up)
    store.close()
    positions += [kept.record.position for kept in read]
    assert positions == [1, 2]
    assert isinstance(given_up, Generator)
    given_up.close()
    assert not any(map(is_open, connections))


def test_a_scan_sees_one_version(store: SqliteStore) -> None:
    """Whoever reads is not disturbed by a writer, and does not keep him waiting."""
    kept = store.scan("h")
    positions = [next(kept).record.position]
    store.append("h", batch(entry(3, ("Ana", "home", "Bern"))))
    store.forget("h", [2])
    positions += [each.record.position for each in kept]
    assert positions == [1, 2]
    assert [each.record.position for each in store.scan("h")] == [1, 3]


def test_a_scan_of_a_store_in_memory_sees_one_version() -> None:
    """A store in memory has one connection, and still a scan does not lock it."""
    with closing(opened(":memory:")) as store:
        store.append("h", batch(entry(1), entry(2)))
        kept = store.scan("h")
        next(kept)
        store.append("h", batch(entry(3)))
        assert len(list(kept)) == 1
        assert store.stats("h").records == 3


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_threads_share_a_store(path: Path, kind: str) -> None:
    """Eight threads that write and read one store lose nothing and get in no one's way."""
    with closing(opened(path if kind == "file" else ":memory:")) as store:

        def work(worker: int) -> None:
            for n in range(20):
                store.append("h", batch(entry(n * 8 + worker, ("Ana", "home", f"o{n}"))))
                assert store.select("h", ("ana",), 5).edges

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert store.stats("h").records == 160
        assert not store.verify("h")


def test_all_statements_of_a_read_see_one_version(store: SqliteStore) -> None:
    """A commit between two statements of one read is not seen by the second."""
    with store._connections.reading() as connection:
        before = connection.execute("SELECT * FROM history").fetchall()
        store.append("h", batch(entry(3)))
        assert connection.execute("SELECT * FROM history").fetchall() == before


def test_readers_do_not_wait_for_a_writer(path: Path, store: SqliteStore) -> None:
    """While another process holds the write lock, reads answer."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        assert store.select("h", ("ana",), 5).edges
        assert time.monotonic() - started < 5


def test_a_writer_does_not_wait_for_ever(path: Path, store: SqliteStore) -> None:
    """A lock that is not given up ends in StoreBusy, and nothing was written."""
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        closing(opened(path, busy_seconds=0.2)) as waiting,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"memory\.db.*another writer"):
            waiting.append("h", batch(entry(3)))
        other.rollback()
        assert waiting.append("h", batch(entry(3))).version == 2
    assert store.stats("h").records == 3


def test_a_full_disk_loses_nothing(store: SqliteStore) -> None:
    """A batch that does not fit is one line, rolled back as a whole; the store stays usable."""
    with store._connections.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="the disk is full"):
        store.append("h", batch(*(entry(n, text="x" * 5000) for n in range(10, 50))))
    with store._connections.reading() as connection:
        connection.execute("PRAGMA max_page_count = 100000")
    assert store.stats("h").records == 2
    assert store.append("h", batch(entry(3))).version == 2
    assert not store.verify("h")


def test_a_verb_that_fails_gives_its_connection_back(store: SqliteStore) -> None:
    """An error in the middle of a transaction rolls it back."""

    def fail() -> None:
        with store._connections.writing() as connection:
            connection.execute("DELETE FROM slot")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert store.stats("h").current == 2
    assert len(store._connections._idle) == 1


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("foreign_keys", 1), ("synchronous", 2), ("secure_delete", 1), ("journal_mode", "wal")],
)
def test_every_connection_is_set_up(store: SqliteStore, pragma: str, value: object) -> None:
    """Checked references, commits on disk, overwritten remains, a log: for all connections."""
    with store._connections.reading() as one, store._connections.reading() as two:
        assert one is not two
        for connection in (one, two):
            assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_a_fork_loses_nothing(path: Path) -> None:
    """Parent and child go on, with the store they share and with another one on the same file,
    though the parent closes first.
    """
    script = (
        "import os, sys\n"
        "from cmc_graph.stores.sqlite import SqliteStore\n"
        "from tests.support.builders import batch, entry\n"
        "store = SqliteStore(sys.argv[1])\n"
        "store.setup()\n"
        "store.append('h', batch(entry(1, ('Ana', 'home', 'Graz'))))\n"
        "closed, close = os.pipe()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    own = SqliteStore(sys.argv[1])\n"
        "    own.setup()\n"
        "    own.stats('h'), store.stats('h')\n"
        "    os.read(closed, 1)\n"
        "    own.append('h', batch(entry(2, ('Ana', 'home', 'Bern'))))\n"
        "    store.append('h', batch(entry(3, ('Ana', 'home', 'Linz'))))\n"
        "    os._exit(0)\n"
        "store.append('h', batch(entry(4, ('Ana', 'home', 'Ulm'))))\n"
        "store.close()\n"
        "os.write(close, b'.')\n"
        "print(os.waitpid(child, 0)[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"0\n", b"")
    with closing(opened(path)) as store:
        assert [kept.record.position for kept in store.scan("h")] == [1, 2, 3, 4]
        assert not store.verify("h")


def test_a_child_never_closes_what_it_inherited(
    store: SqliteStore, connections: list[sqlite3.Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection in use during the fork is neither used again nor closed by the child."""
    kept = store.scan("h")
    next(kept)
    monkeypatch.setattr(sqlite_connections.os, "getpid", lambda: -1)
    monkeypatch.setattr(sqlite_connections, "_INHERITED", [])
    assert isinstance(kept, Generator)
    kept.close()
    assert [is_open(connection) for connection in sqlite_connections._INHERITED] == [True]
    store.stats("h")
    assert len(connections) == 1  # a new one
    sqlite_connections._INHERITED[0].close()


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables need a release of SQLite that has strict ones."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(StoreError, match=r"needs 3\.37"):
        opened(path)
    assert not path.exists()
