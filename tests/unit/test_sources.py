"""Paths to records: which files are read, by what, and that all of it is checked first."""

import gzip
import os
import socket
import tracemalloc
from pathlib import Path

import pytest

from cmc_graph.errors import PositionConflict, SourceError, UsageError
from cmc_graph.sources import open_sources

DATA = Path(__file__).parents[1] / "data" / "loaders"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(*paths: str, loader: str = "auto") -> list[str]:
    return [record.text for record in open_sources(paths, loader)]


# Which files


def test_files_come_in_the_order_they_are_named(folder: Path) -> None:
    """Order of the paths is source order, and a file counts once."""
    (folder / "b.txt").write_text("second\n")
    (folder / "a.txt").write_text("first\n")
    sources = open_sources(["b.txt", "a.txt", str(folder / "b.txt"), "./a.txt"])
    assert sources.files == ("b.txt", "a.txt")
    assert [record.text for record in sources] == ["second", "first"]
    assert sources.count == 2


def test_folder_is_read_by_path_without_hidden_files(folder: Path) -> None:
    """Every file below a folder that a loader recognises is read, hidden ones are not."""
    for name in ("b.txt", "a/z.md", "a/a.jsonl", ".hidden.txt", ".git/x.txt", "x.csv"):
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{{"text": "{name}"}}' if name.endswith(".jsonl") else name)
    (folder / "in" / "photo.bin").write_bytes(b"\xff\0")
    (folder / "in" / "config.json").write_text('{"a": 1}')
    (folder / "in" / "empty.txt").touch()
    (folder / "in" / "broken.txt").symlink_to("nowhere")
    sources = open_sources(["in"])
    assert sources.files == ("in/a/a.jsonl", "in/a/z.md", "in/b.txt", "in/empty.txt")
    assert [record.text for record in sources] == ["a/a.jsonl", "a/z.md", "b.txt"]


def test_glob_the_shell_left_alone_is_expanded(folder: Path) -> None:
    """A pattern stands for what it matches, sorted, at any depth; a literal name comes first."""
    for name in ("n2.txt", "n1.txt", "deep/er/n3.txt", "other.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    assert texts("n*.txt") == ["n1.txt", "n2.txt"]
    assert texts("**/n?.txt") == ["deep/er/n3.txt", "n1.txt", "n2.txt"]
    (folder / "n*.txt").write_text("literal")
    assert texts("n*.txt") == ["literal"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gone.txt", "gone.txt: no such file or folder"),
        ("gone/*.txt", "gone/*.txt: no such file or folder"),
        ("empty.txt", "empty.txt: holds no records"),
        ("blank.jsonl", "blank.jsonl: holds no records"),
        ("empty.json", "empty.json: holds no records"),
        ("hollow", "hollow: no file in it is of a known format"),
        ("only-empty", "only-empty/a.txt: no records there"),
        ("fifo", "fifo: is no regular file; pipe it in and read it as -"),
        ("/dev/null", "/dev/null: is no regular file; pipe it in and read it as -"),
        ("socket", "socket: is no regular file"),
        ("loop", "loop: cannot be read: Too many levels of symbolic links"),
        ("dangling", "dangling: no such file or folder"),
        ("empty.txt/below", "empty.txt/below: no such file or folder"),
        ("x" * 5_000, "x" * 5_000 + ": cannot be read: File name too long"),
        ("a\0b", "'a\\x00b': is no path: embedded null byte"),
        ("config.json", "config.json: looks like JSON, but no loader recognises it; name one"),
        ("photo.jpg", "photo.jpg, line 1, byte 2: looks binary (a NUL byte)"),
        ("latin.txt", "latin.txt, line 2, byte 10: not UTF-8 (byte 0xe9)"),
        ("cut.json.gz", "cut.json.gz: cannot be unpacked"),
        ("broken.jsonl", "broken.jsonl, line 3: Invalid JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_at_once(folder: Path, path: str, message: str) -> None:
    """Opening fails, in one line that names the path, before any record is given out."""
    (folder / "empty.txt").touch()
    (folder / "empty.json").touch()
    (folder / "blank.jsonl").write_text("\n \n")
    (folder / "hollow" / "deep").mkdir(parents=True)
    (folder / "hollow" / "deep" / "a.py").touch()
    (folder / "only-empty").mkdir()
    (folder / "only-empty" / "a.txt").touch()
    os.mkfifo(folder / "fifo")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "config.json").write_text('{"a": 1}')
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\0\x10JFIF")
    (folder / "latin.txt").write_bytes(b"fine\n  caf\xe9\n")
    (folder / "cut.json.gz").write_bytes(gzip.compress(b"{}")[:-9])
    (folder / "broken.jsonl").write_text('{"text": "a"}\n{"text": "b"}\n{"text": \n')
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        with pytest.raises(SourceError) as caught:
            open_sources([path])
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the root user")
@pytest.mark.parametrize("path", ["closed/a.txt", "closed", "locked.txt"])
def test_what_is_forbidden_is_refused(folder: Path, path: str) -> None:
    """A file or folder that may not be read fails, it is not skipped."""
    (folder / "closed").mkdir(mode=0)
    (folder / "locked.txt").touch(mode=0)
    with pytest.raises(SourceError, match="cannot be read: Permission denied"):
        open_sources([path])


@pytest.mark.parametrize("paths", [[], [""], ["a.txt", ""]])
def test_no_path_is_a_wrong_call(paths: list[str]) -> None:
    """An empty path never means the working folder."""
    with pytest.raises(UsageError, match="name a file"):
        open_sources(paths)


# Which loader


@pytest.mark.parametrize(
    ("name", "packs"),
    [
        ("plain.txt", ()),
        ("records.jsonl", ()),
        ("cell.json", ("factconsolidation",)),
        ("history.json.gz", ("factconsolidation",)),
        ("cases.json", ("factconsolidation",)),
        ("sessions.json", ()),
    ],
)
def test_sources_bring_the_packs_of_their_loaders(name: str, packs: tuple[str, ...]) -> None:
    """The loader found for a file decides which grammar packs come with it."""
    assert open_sources([str(DATA / name)]).packs == packs


def test_loader_that_is_named_is_not_doubted(folder: Path) -> None:
    """A named loader reads a named file whatever it looks like."""
    (folder / "odd.json").write_text('{"a": 1}\n')
    (folder / "odd.bin").write_text('{"text": "a"}\n')
    assert texts("odd.json", loader="text") == ['{"a": 1}']
    assert texts("odd.bin", loader="jsonl") == ["a"]
    with pytest.raises(SourceError, match="field 'text' is missing"):
        open_sources(["odd.json"], "jsonl")


def test_loader_that_is_named_takes_its_files_from_a_folder(folder: Path) -> None:
    """From a folder, a named loader reads only what it recognises."""
    (folder / "a.txt").write_text("text")
    (folder / "b.jsonl").write_text('{"text": "b"}')
    assert texts(".", loader="jsonl") == ["b"]
    assert texts(".") == ["text", "b"]


def test_file_of_any_name_is_text(folder: Path) -> None:
    """A file that a person names and nothing recognises is read as plain text."""
    (folder / "NOTES").write_text("The pier is open.\n")
    assert texts("NOTES") == ["The pier is open."]


def test_unknown_loader_names_the_known_ones() -> None:
    """A misspelt loader is a usage error that lists what there is."""
    with pytest.raises(UsageError) as caught:
        open_sources(["x"], "jsonlines")
    assert str(caught.value) == (
        "there is no loader 'jsonlines'; known are "
        "auto, factconsolidation, jsonl, longmemeval, mquake, text"
    )


def install(folder: Path, module: str, *entries: str) -> None:
    """Make a folder on the module path look like an installed package that brings loaders."""
    (folder / "notebook_loader.py").write_text(module)
    info = folder / "notebook_loader-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: notebook-loader\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(["[cmc_graph.loaders]", *entries]) + "\n")


NOTEBOOK = """
from cmc_graph.model import Record
PACKS = ("notebook", "factconsolidation")
def accepts(name, head):
    return head.startswith(b"%NB")
def records(path):
    for text in path.read_text().split("|")[1:]:
        yield Record(text=text)
"""


def test_other_packages_bring_loaders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loader of another package is found, asked first, and its records get an identity."""
    install(folder, NOTEBOOK, "notebook = notebook_loader", "hollow = os", "gone = no_such_module")
    monkeypatch.syspath_prepend(folder)
    (folder / "a.txt").write_text("%NB|one|two")
    sources = open_sources(["a.txt"], "notebook")
    assert [(r.text, r.source, r.source_line) for r in sources] == [
        ("one", f"{folder.as_posix()}/a.txt", 1),
        ("two", f"{folder.as_posix()}/a.txt", 2),
    ]
    assert sources.packs == ("notebook", "factconsolidation")
    with pytest.raises(UsageError, match=r"the loader 'gone' \(no_such_module\) cannot be"):
        open_sources(["a.txt"])
    with pytest.raises(UsageError, match=r"the loader 'hollow' \(os\) lacks accepts or records"):
        open_sources(["a.txt"], "hollow")


def test_two_loaders_that_recognise_a_file_are_not_chosen_between(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two special loaders recognise a file, the person decides; text never competes."""
    install(folder, NOTEBOOK, "notebook = notebook_loader")
    monkeypatch.syspath_prepend(folder)
    (folder / "a.jsonl").write_text("%NB|one")
    (folder / "a.txt").write_text("%NB|one")
    with pytest.raises(SourceError, match=r"a\.jsonl: .* all recognise it; name one with --loader"):
        open_sources(["a.jsonl"])
    assert texts("a.txt") == ["one"]


# What identifies a record


def test_file_keeps_its_identity_from_any_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Source and line of a record do not depend on how the file was named."""
    (folder / "notes").mkdir()
    (folder / "notes" / "a.txt").write_text("one\n\ntwo\n")
    first = list(open_sources(["notes"]))
    monkeypatch.chdir(folder / "notes")
    assert list(open_sources(["a.txt"])) == first
    assert [(r.source, r.source_line) for r in first] == [
        ((folder / "notes" / "a.txt").as_posix(), 1),
        ((folder / "notes" / "a.txt").as_posix(), 3),
    ]


def test_json_record_with_a_source_of_its_own_gets_a_line(folder: Path) -> None:
    """Without position and line, the record's number in the file makes it known again."""
    (folder / "a.jsonl").write_text(
        '{"text": "a", "source": "chat"}\n\n{"text": "b", "source": "chat"}\n'
        '{"text": "c", "source": "chat", "source_line": 70}\n'
        '{"text": "d", "source": "chat", "position": 5}\n'
    )
    assert [(r.text, r.source, r.source_line) for r in open_sources(["a.jsonl"])] == [
        ("a", "chat", 1),
        ("b", "chat", 2),
        ("c", "chat", 70),
        ("d", "chat", None),
    ]


# All of it is checked first


def test_last_file_is_checked_before_the_first_is_given_out(folder: Path) -> None:
    """A fault in the last file refuses the whole input."""
    (folder / "a.txt").write_text("fine\n")
    (folder / "b.txt").write_bytes(b"\xff\n")
    with pytest.raises(SourceError, match=r"b\.txt, line 1, byte 0"):
        open_sources(["a.txt", "b.txt"])


@pytest.mark.parametrize(
    ("first", "second", "position", "places"),
    [
        ("1. a\n2. b\n", "7. c\n2. x\n", 2, "a.txt, line 2 and b.txt, line 2"),
        ("3. a\n\n3. b\n", "9. c\n", 3, "a.txt, line 1 and a.txt, line 3"),
        ("5. a\n1. b\n", "1. c\n", 1, "a.txt, line 2 and b.txt, line 1"),
    ],
)
def test_one_position_with_two_texts_names_both_lines(
    folder: Path, first: str, second: str, position: int, places: str
) -> None:
    """Two records of one input that claim a position are found before anything is written."""
    (folder / "a.txt").write_text(first)
    (folder / "b.txt").write_text(second)
    with pytest.raises(PositionConflict) as caught:
        open_sources(["a.txt", "b.txt"])
    assert str(caught.value).startswith(f"{places} claim position {position} with different texts")
    assert caught.value.positions == (position,)


def test_one_line_of_a_named_source_with_two_texts(folder: Path) -> None:
    """Two files that speak for the same line of the same source are found too."""
    (folder / "a.jsonl").write_text('{"text": "a", "source": "chat"}\n')
    (folder / "b.jsonl").write_text('{"text": "b", "source": "chat"}\n')
    with pytest.raises(PositionConflict, match=r"a\.jsonl, record 1 and b\.jsonl, record 1 claim"):
        open_sources(["a.jsonl", "b.jsonl"])


def test_one_position_with_the_same_text_twice_is_no_conflict(folder: Path) -> None:
    """The same record may come twice; the store will skip it."""
    (folder / "a.txt").write_text("2. b\n1. a\n2. b\n")
    assert texts("a.txt") == ["b", "a", "b"]


def test_history_out_of_order_is_read_as_it_is(folder: Path) -> None:
    """Files may come in any order of their positions."""
    (folder / "late.txt").write_text("".join(f"{n}. t{n}\n" for n in range(100, 200)))
    (folder / "early.txt").write_text("".join(f"{n}. t{n}\n" for n in range(100)))
    sources = open_sources(["late.txt", "early.txt"])
    assert sources.count == 200
    assert next(iter(sources)).position == 100


@pytest.mark.parametrize(
    ("later", "message"),
    [
        (b"one\n\xff\n", "a.txt, line 2, byte 4: not UTF-8"),
        (b"one\n", "a.txt: changed from 2 to 1 records while being read"),
        (b"one\ntwo\nthree\n", "a.txt: changed from 2 to 3 records while being read"),
        (None, "a.txt: cannot be read: No such file or directory"),
    ],
)
def test_file_that_changes_after_the_check_is_noticed(
    folder: Path, later: bytes | None, message: str
) -> None:
    """The second reading fails where the file is no longer what was checked."""
    path = folder / "a.txt"
    path.write_bytes(b"one\ntwo\n")
    sources = open_sources(["a.txt"])
    path.unlink() if later is None else path.write_bytes(later)
    with pytest.raises(SourceError) as caught:
        list(sources)
    assert str(caught.value).startswith(message)


def test_memory_does_not_grow_with_an_ascending_input(folder: Path) -> None:
    """Checking and reading a file keeps no more than a few records at a time."""
    path = folder / "a.txt"
    with path.open("w") as file:
        file.writelines(f"{number}. {'x' * 200}\n" for number in range(5_000))
    tracemalloc.start()
    try:
        assert sum(1 for _ in open_sources(["a.txt"])) == 5_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000
