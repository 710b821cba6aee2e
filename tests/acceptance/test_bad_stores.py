"""A SQLite file that is no store of ours, or that cannot be used: one line, 6, untouched."""

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acceptance.running import Workspace, numbered
from tests.acceptance.test_bad_input import GOOD, JPEG

COMMANDS = {
    "ingest": ("ingest", "good.txt"),
    "read": ("read", "Where does Ana live?"),
    "stats": ("stats",),
    "histories": ("histories",),
    "relations": ("relations",),
    "rebuild": ("rebuild",),
    "forget": ("forget", "--position", "1"),
}
every_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with what is in it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def foreign(sqlite: Workspace) -> Workspace:
    """A place for a file of somebody else, and notes to ingest."""
    sqlite.file(GOOD, "good.txt")
    return sqlite


def database(workspace: Workspace) -> Path:
    """The path of the SQLite file."""
    return Path(workspace.url.removeprefix("sqlite:///"))


def another_program(path: Path) -> None:
    """Write a database of another program."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE record (id INTEGER PRIMARY KEY, note TEXT)")
        connection.execute("INSERT INTO record (note) VALUES ('mine')")
    connection.close()


def newer_version(path: Path) -> None:
    """Write a store of ours, then mark it as one of a later version."""
    Workspace(kind="sqlite", url=f"sqlite:///{path}", history="h", folder=path.parent).ingest(GOOD)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def with_user_version(path: Path) -> None:
    """Write a database of another program that uses the version number we use."""
    another_program(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def cut_off(path: Path) -> None:
    """Write a store of which only the beginning is there."""
    newer_version(path)
    path.write_bytes(path.read_bytes()[:5_000])


FOREIGN: dict[str, Callable[[Path], object]] = {
    "jpeg": lambda path: path.write_bytes(JPEG),
    "short": lambda path: path.write_bytes(b"SQLi"),
    "text": lambda path: path.write_text("Ana lives in Graz.\n" * 500),
    "another-program": another_program,
    "newer-version": newer_version,
    "same-number": with_user_version,
    "cut-off": cut_off,
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("write", FOREIGN.values(), ids=FOREIGN.keys())
@every_command
def test_a_file_that_is_not_ours_is_refused_untouched(
    foreign: Workspace, command: tuple[str, ...], write: Callable[[Path], object]
) -> None:
    """A file that another program wrote is named, and not one byte in its folder changes."""
    write(database(foreign))
    before = bytes_of(foreign.folder)
    foreign.run(*command).refused(6, "memory.db")
    assert bytes_of(foreign.folder) == before


@pytest.mark.parametrize("folder", ["/no/such/folder", "/dev/null"])
@every_command
def test_a_place_where_no_file_can_be(
    foreign: Workspace, command: tuple[str, ...], folder: str
) -> None:
    """A file that cannot be made: 6, and where."""
    replace(foreign, url=f"sqlite:///{folder}/memory.db").run(*command).refused(6, folder)


def test_a_file_that_fails_when_it_is_made(foreign: Workspace) -> None:
    """A folder that lets nobody make files: 6, and where; nothing to read is no error."""
    nowhere = replace(foreign, url="sqlite:////proc/memory.db")
    nowhere.run("ingest", foreign.file(numbered("Ana lives in Graz."))).refused(6, "/proc")
    assert nowhere.stats()["records"] == 0


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
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A history with three records in a file, and a folder, that may only be read."""
    folder = Path(tempfile.mkdtemp(prefix="cmc-graph-read-only-"))
    monkeypatch.chdir(folder)
    path = folder / "memory.db"
    workspace = Workspace(kind="sqlite", url=f"sqlite:///{path}", history="h", folder=folder)
    workspace.ingest(GOOD)
    more = workspace.file(numbered("Ana lives in Bern.", first=9), "more.txt")
    for each in (path, Path(more)):
        each.chmod(0o444)
    folder.chmod(0o555)
    yield workspace
    folder.chmod(0o755)
    monkeypatch.undo()
    shutil.rmtree(folder)


def test_a_read_only_file_is_not_written(read_only: Workspace, tmp_path: Path) -> None:
    """A file that may not be written: 6 and its path, for every command that writes."""
    other = replace(read_only, url=f"sqlite:///{tmp_path / 'other.db'}")
    before = read_only.state()
    files = bytes_of(read_only.folder)
    for command in (
        ("ingest", str(read_only.folder / "more.txt")),
        ("rebuild",),
        ("forget", "--position", "1"),
    ):
        other.run(*command)  # reads what it needs of the project, which may need privileges
        with without_privileges():
            ran = read_only.run(*command)
        ran.refused(6, "memory.db")
    assert bytes_of(read_only.folder) == files
    assert read_only.state() == before


def test_a_read_only_file_can_be_read_or_says_why_not(read_only: Workspace) -> None:
    """Reading a file that may only be read gives the evidence, or one line."""
    expected = read_only.run("read", "Where does Ana live?")
    with without_privileges():
        ran = read_only.run("read", "Where does Ana live?")
    if ran.code:
        ran.refused(6, "memory.db")
    else:
        assert ran == expected


def test_a_writer_waits_for_another_one(sqlite: Workspace) -> None:
    """While another process writes to the file readers read on, and a writer waits for its turn."""
    sqlite.ingest(GOOD)
    other = sqlite3.connect(database(sqlite), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(1.0, other.execute, ["ROLLBACK"])
    release.start()
    try:
        assert sqlite.shown("Where does Ana live?") == [2, 3]
        assert release.is_alive()
        assert sqlite.ingest(numbered("Ana is.", first=9), name="m.txt")["records"] == 1
    finally:
        release.join()
        other.close()
