"""Which files the SQLite store takes, makes, refuses and leaves alone."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cmc_graph.errors import SchemaMismatch, StoreError, StoreRefused, StoreUnreachable
from cmc_graph.model import History
from cmc_graph.stores import sqlite_files
from cmc_graph.stores.base import SCHEMA_VERSION
from cmc_graph.stores.sqlite import SqliteStore
from cmc_graph.stores.sqlite_statements import run_script
from tests.support.builders import batch, entry

ROOT = Path(__file__).parents[2]
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb") + bytes(range(256)) * 20


def opened(path: str | Path) -> SqliteStore:
    store = SqliteStore(path)
    store.setup()
    return store


def write_store(path: Path) -> None:
    """A store with a history ``h`` of one record."""
    with closing(opened(path)) as store:
        store.append("h", batch(entry(1, ("Ana", "home", "Graz"))))


def raw(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """The rows of the last statement, run past the store."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return [connection.execute(statement).fetchall() for statement in statements][-1]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@contextmanager
def without_privileges() -> Iterator[None]:
    """File permissions hold within the block, for root too."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may enter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
        folder.chmod(0o777)


@pytest.mark.parametrize("exists", [False, True], ids=["missing", "empty"])
def test_a_missing_or_empty_file_becomes_a_store(tmp_path: Path, *, exists: bool) -> None:
    """A new file has our mark, the schema's version and a write-ahead log."""
    path = tmp_path / "memory.db"
    if exists:
        path.touch()
    write_store(path)
    assert raw(path, "PRAGMA application_id") == [(sqlite_files.APPLICATION_ID,)]
    assert raw(path, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    assert raw(path, "PRAGMA journal_mode") == [("wal",)]


def test_setting_up_again_changes_nothing(tmp_path: Path) -> None:
    """Opening a store that is there writes nothing."""
    write_store(tmp_path / "memory.db")
    before = bytes_of(tmp_path)
    with closing(opened(tmp_path / "memory.db")) as store:
        store.setup()
        assert store.histories() == [History(name="h", version=1, records=1)]
    assert bytes_of(tmp_path) == before


def test_a_store_that_is_not_set_up_makes_no_file(tmp_path: Path) -> None:
    """Only what is written creates a file; there is nothing to read before."""
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        assert store.histories() == []
    assert bytes_of(tmp_path) == {}


def test_a_store_whose_maker_was_killed_is_finished(tmp_path: Path) -> None:
    """Killed after the tables and before the log, a creation is completed by the next setup."""
    path = tmp_path / "memory.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        sqlite_files.create_schema(connection)
    assert raw(path, "PRAGMA journal_mode") == [("delete",)]
    write_store(path)
    assert raw(path, "PRAGMA journal_mode") == [("wal",)]


def test_a_creation_that_fails_leaves_an_empty_file(tmp_path: Path) -> None:
    """The tables come in one transaction: all or none."""
    path = tmp_path / "memory.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        run_script(connection, "schema")
        connection.rollback()
    write_store(path)


def other_program(path: Path) -> None:
    raw(path, "CREATE TABLE record (note TEXT)", "INSERT INTO record VALUES ('mine')")


def other_program_with_log(path: Path) -> None:
    """Another program's database whose last write is still in its log."""
    script = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('PRAGMA journal_mode = WAL')\n"
        "connection.execute('CREATE TABLE record (note TEXT)')\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    assert path.with_name("memory.db-wal").stat().st_size


def other_program_same_number(path: Path) -> None:
    other_program(path)
    raw(path, f"PRAGMA user_version = {SCHEMA_VERSION}")


def later_version(path: Path) -> None:
    write_store(path)
    raw(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def without_tables(path: Path) -> None:
    raw(path, "PRAGMA user_version = 0", "VACUUM")


FOREIGN: list[Callable[[Path], object]] = [
    other_program,
    other_program_with_log,
    other_program_same_number,
    later_version,
    without_tables,
]


@pytest.mark.parametrize("write", FOREIGN, ids=lambda write: write.__name__)
def test_a_database_that_is_not_ours_is_left_alone(
    tmp_path: Path, write: Callable[[Path], object]
) -> None:
    """Refused in one line that names the file; not a byte changes, and no file appears beside."""
    path = tmp_path / "memory.db"
    write(path)
    before = bytes_of(tmp_path)
    with pytest.raises(SchemaMismatch, match=r"memory\.db.*[^\n]$"):
        opened(path)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    "content",
    [JPEG, b"SQLi", b"\0" * 4096, b"SQLite format 3\0", b"Ana lives in Graz.\n" * 500],
    ids=["jpeg", "short", "zeros", "magic", "text"],
)
def test_what_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """A file of any other kind is refused, untouched."""
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    with pytest.raises(SchemaMismatch, match=r"memory\.db"):
        opened(path)
    assert bytes_of(tmp_path) == {"memory.db": content}


def test_a_store_that_was_cut_off_is_left_alone(tmp_path: Path) -> None:
    """Of a damaged store nothing is made worse."""
    path = tmp_path / "memory.db"
    write_store(path)
    path.write_bytes(path.read_bytes()[:5000])
    before = bytes_of(tmp_path)
    with pytest.raises(StoreError, match="damaged"):
        opened(path)
    assert bytes_of(tmp_path) == before


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """No folder is created; the line says which one is missing."""
    with pytest.raises(StoreUnreachable, match=r"no folder .*nowhere"):
        opened(tmp_path / "nowhere" / "memory.db")
    assert bytes_of(tmp_path) == {}


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A folder or a pipe is refused at once; nobody waits for its other end."""
    make(tmp_path / "memory.db")
    with pytest.raises(StoreUnreachable, match="not a file"):
        opened(tmp_path / "memory.db")


def test_a_folder_that_may_not_be_written(public: Path) -> None:
    """A new store cannot be made there, and the line says so."""
    public.chmod(0o555)
    with without_privileges(), pytest.raises(StoreRefused, match=r"folder .* may not be written"):
        opened(public / "memory.db")


def test_a_file_that_may_not_be_read(public: Path) -> None:
    """A store of somebody else is refused, and the line says why."""
    write_store(public / "memory.db")
    (public / "memory.db").chmod(0o600 if os.geteuid() == 0 else 0)
    with without_privileges(), pytest.raises(StoreRefused, match="may not be read"):
        opened(public / "memory.db")


@pytest.mark.parametrize("mode", [0o777, 0o555], ids=["folder writable", "folder read-only"])
def test_a_file_that_may_only_be_read(public: Path, mode: int) -> None:
    """It can be read, and a write is refused and changes nothing."""
    path = public / "memory.db"
    write_store(path)
    path.chmod(0o444)
    public.chmod(mode)
    content = path.read_bytes()
    with without_privileges(), closing(opened(path)) as store:
        assert [record.position for record in store.select("h", ("ana",), 5).records] == [1]
        with pytest.raises(StoreRefused, match=r"memory\.db"):
            store.append("h", batch(entry(2, ("Ana", "home", "Bern"))))
        assert store.stats("h").records == 1
    assert path.read_bytes() == content


def test_what_others_write_into_a_file_that_may_only_be_read_is_seen(public: Path) -> None:
    """A store that is open for reading shows what its owner appended meanwhile."""
    path = public / "memory.db"
    write_store(path)
    path.chmod(0o444)
    public.chmod(0o555)
    with without_privileges():
        store = opened(path)
        assert store.stats("h").records == 1
    public.chmod(0o777)
    path.chmod(0o666)
    with closing(opened(path)) as owner:
        owner.append("h", batch(*(entry(n, ("Ana", "home", f"o{n}")) for n in range(2, 500))))
    with closing(store):
        assert store.stats("h").records == 499
        assert len(list(store.scan("h"))) == 499


@pytest.mark.parametrize("name", ["a b.db", "50%20.db", "what?.db", "n#1.db", "Büro.db", "memory"])
def test_any_file_name_is_meant_literally(tmp_path: Path, name: str) -> None:
    """No character of a path has a meaning of its own."""
    write_store(tmp_path / name)
    assert list(bytes_of(tmp_path)) == [name]


def test_a_relative_path_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store stays on its file when the process goes to another folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with closing(opened("memory.db")) as store:
        store.append("h", batch(entry(1, ("Ana", "home", "Graz"))))
        monkeypatch.chdir(tmp_path / "elsewhere")
        kept = store.scan("h")
        next(kept)  # keeps the first connection, so that the next verb needs another one
        assert store.stats("h").records == 1
        kept.close()


def test_a_process_that_ends_without_closing_loses_nothing(tmp_path: Path) -> None:
    """What was committed is there though the process was gone the moment after."""
    path = tmp_path / "memory.db"
    script = (
        "import os, sys\n"
        "from tests.unit.test_sqlite_files import batch, entry, opened\n"
        "opened(sys.argv[1]).append('h', batch(entry(1, ('Ana', 'home', 'Graz'))))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT, check=False)
    with closing(opened(path)) as store:
        assert store.stats("h").current == 1


def test_processes_that_start_at_once(tmp_path: Path) -> None:
    """Four processes make the same new store; each of them then writes to it."""
    script = (
        "import sys\n"
        "from tests.unit.test_sqlite_files import batch, entry, opened\n"
        "sys.stdin.read()\n"
        "number = int(sys.argv[2])\n"
        "opened(sys.argv[1]).append('h', batch(entry(number, ('Ana', 'home', f'{number}'))))\n"
    )
    path = tmp_path / "memory.db"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path), str(number)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    assert [process.communicate()[1] for process in processes] == [b""] * 4
    with closing(opened(path)) as store:
        assert store.stats("h").records == 4
        assert not store.verify("h")
