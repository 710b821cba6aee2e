"""The file of answers: what is paid for once stays, for every process."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cmc_graph.errors import StoreError
from cmc_graph.interpretations import Interpretations, digest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers" / "interpretations.db"


def test_what_was_put_is_there(path: Path) -> None:
    """A value is found under its scope and name, in this process and the next."""
    with Interpretations(path) as kept:
        kept.put("one", {"a": "1", "b": "ü"})
        kept.put("one", {"b": "2"})
        assert kept.get("one", ["b", "c", "a"]) == {"b": "2", "a": "1"}
        assert kept.get("two", ["a"]) == {}
    with Interpretations(path) as kept:
        assert kept.get("one", ["a"]) == {"a": "1"}


def test_scope_and_name_do_not_run_into_each_other(path: Path) -> None:
    """Where the scope ends and the name begins is part of the key."""
    with Interpretations(path) as kept:
        kept.put("ab", {"c": "1"})
        assert kept.get("a", ["bc"]) == {}


def test_what_is_forgotten_is_gone_everywhere(path: Path) -> None:
    """No value of the text is left in any scope, nor one that quotes it; others stay."""
    text = 'Ana said "no".'
    quoting = json.dumps([{"x": "x"}, {"x": [text, "Ana", "no"]}], ensure_ascii=False)
    with Interpretations(path) as kept:
        kept.put("one", {text: "1", "other": "2"})
        kept.put("two", {text: "3", "all": quoting})
        assert kept.forget({digest(text), digest("never kept")}) == 3
        assert kept.get("one", [text, "other"]) == {"other": "2"}
        assert kept.get("two", [text, "all"]) == {}


def test_nothing_forgotten_is_left_in_the_file(path: Path) -> None:
    """What a forgotten value said is overwritten, in the file and in its log."""
    with Interpretations(path) as kept:
        kept.put("s", {f"text {n}": json.dumps(f"secret {n}") for n in range(500)})
        kept.forget({digest(f"text {n}") for n in range(500)})
        left = [file.name for file in path.parent.iterdir() if b"secret" in file.read_bytes()]
    assert left == []


def test_forgetting_looks_through_the_file_once(path: Path) -> None:
    """However many texts are forgotten, each value is looked at once."""
    with Interpretations(path) as kept:
        kept.put("s", {f"text {n}": json.dumps([f"text {n}"]) for n in range(2_000)})
        started = time.perf_counter()
        assert kept.forget({digest(f"text {n}") for n in range(0, 2_000, 2)}) == 1_000
        assert time.perf_counter() - started < 1.0
        assert len(kept.get("s", [f"text {n}" for n in range(2_000)])) == 1_000


def test_only_the_owner_can_read_it(path: Path) -> None:
    """Answers hold what records say."""
    with Interpretations(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_usual_place_is_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a path the file is shared by all stores and histories of a user."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Interpretations():
        assert (tmp_path / "cmc-graph" / "interpretations.db").exists()


def test_a_killed_process_loses_no_answer(path: Path) -> None:
    """What ``put`` returned from is there after SIGKILL."""
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from cmc_graph.interpretations import Interpretations\n"
        "Interpretations(Path(sys.argv[1])).put('s', {'a': '1'})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode < 0
    with Interpretations(path) as kept:
        assert kept.get("s", ["a"]) == {"a": "1"}


def test_threads_and_other_connections_share_it(path: Path) -> None:
    """Two runs at once may both keep their answers."""
    with Interpretations(path) as one, Interpretations(path) as other:

        def put(kept: Interpretations, name: str) -> None:
            for number in range(50):
                kept.put("s", {f"{name}{number}": name})

        threads = [threading.Thread(target=put, args=pair) for pair in ((one, "a"), (other, "b"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(one.get("s", [f"{n}{i}" for n in "ab" for i in range(50)])) == 100


def test_a_batch_is_kept_whole_or_not_at_all(path: Path) -> None:
    """An error within a batch leaves nothing of it."""
    with Interpretations(path) as kept:
        with pytest.raises(StoreError, match="cannot be used"):
            kept.put("s", {"a": "1", "b": None})  # type: ignore[dict-item]  # the table refuses it
        assert kept.get("s", ["a"]) == {}
        kept.put("s", {"a": "2"})


@pytest.mark.parametrize("content", [b"no database, but long enough to look at" * 40, None])
def test_another_file_is_refused_and_left_alone(path: Path, content: bytes | None) -> None:
    """A file that is not ours, or of another version, is an error that names it."""
    path.parent.mkdir()
    if content is None:
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE precious (a)")
        database.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"interpretations\.db"):
        Interpretations(path)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """The message names the file."""
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be used"):
        Interpretations(tmp_path / "sub" / "interpretations.db")
