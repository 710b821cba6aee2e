"""Bytes to lines: what ends a line, what is refused, and where exactly it stands."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.errors import SourceError
from loaders import factconsolidation, jsonl, longmemeval, mquake, text
from loaders.lines import document, head, lines, numbered, source_of

Write = Callable[[bytes], Path]
Read = Callable[[Path], Iterator[object]]

READERS = [
    *(module.records for module in (text, jsonl, factconsolidation, mquake, longmemeval)),
    *(module.cases for module in (factconsolidation, mquake, longmemeval)),
]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes bytes to a file of the test's own."""

    def write(data: bytes) -> Path:
        path = tmp_path / "notes.txt"
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"a\nb", [(1, "a"), (2, "b")], id="no end on the last line"),
        pytest.param(b"a\r\nb\r\n", [(1, "a"), (2, "b")], id="CRLF"),
        pytest.param(b"a\r\r\n", [(1, "a\r")], id="one carriage return belongs to the end"),
        pytest.param(b"a\rb\n", [(1, "a\rb")], id="a carriage return inside"),
        pytest.param(b"\xef\xbb\xbfa\n", [(1, "a")], id="byte order mark"),
        pytest.param(b"a\n\xef\xbb\xbfb\n", [(1, "a"), (2, "\ufeffb")], id="mark in the middle"),
        pytest.param(b"\n \t\n\x0c\na\n\n", [(4, "a")], id="blank lines count"),
        pytest.param(b"\xef\xbb\xbf\n", [], id="nothing but a mark"),
        pytest.param(b"", [], id="nothing"),
        pytest.param(
            "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\n".encode(),
            [(1, "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg")],
            id="other line breaks",
        ),
    ],
)
def test_only_a_line_feed_ends_a_line(
    write: Write, data: bytes, expected: list[tuple[int, str]]
) -> None:
    """A line ends at a line feed, with one carriage return before it, and nowhere else."""
    assert list(lines(write(data))) == expected


@pytest.mark.parametrize(
    ("data", "place"),
    [
        pytest.param(b"caf\xe9\n", "line 1, byte 3: not UTF-8 (byte 0xe9)", id="latin-1"),
        pytest.param(b"ok\n\nab\xff\n", "line 3, byte 6: not UTF-8 (byte 0xff)", id="third line"),
        pytest.param(
            b"\xef\xbb\xbfa\xff", "line 1, byte 4: not UTF-8 (byte 0xff)", id="the mark counts"
        ),
        pytest.param(b"a\n\xed\xa0\x80", "line 2, byte 2: not UTF-8", id="a surrogate"),
        pytest.param(b"a\nb\0\n", "line 2, byte 3: looks binary (a NUL byte)", id="NUL"),
        pytest.param(
            b"\x89PNG\r\n\x1a\n\0\0", "line 3, byte 8: looks binary", id="a picture, not bad UTF-8"
        ),
        pytest.param(
            b"x" * 9_999 + b"\n" + b"y\0", "line 2, byte 10001: looks binary", id="a late NUL"
        ),
    ],
)
def test_undecodable_bytes_are_located(write: Write, data: bytes, place: str) -> None:
    """The error names file, line and byte, and is one line."""
    path = write(data)
    for read in (lambda: list(lines(path)), lambda: document(path)):
        with pytest.raises(SourceError) as caught:
            read()
        assert str(caught.value).startswith(f"{path}, {place}")
        assert "\n" not in str(caught.value)


def test_lines_before_a_bad_one_are_given_out(write: Write) -> None:
    """Reading is lazy: a line is there before the next one is looked at."""
    stream = lines(write(b"x" * 10_000 + b"\n\xff\n"))
    assert next(stream) == (1, "x" * 10_000)
    with pytest.raises(SourceError, match="line 2, byte 10001"):
        next(stream)


PACKED = gzip.compress(b"The pier is open.\n" * 500, mtime=0)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(PACKED[:12], id="cut in the data"),
        pytest.param(PACKED[:-4], id="cut at the end"),
        pytest.param(PACKED[:10] + b"\xff" * 20, id="no packed data"),
        pytest.param(PACKED[:-8] + b"\0" * 8, id="wrong checksum"),
        pytest.param(PACKED[:2] + b"\x01" + PACKED[3:], id="unknown method"),
    ],
)
def test_damaged_packed_file_is_refused(write: Write, data: bytes) -> None:
    """A packed file that is damaged is an error, not a short text."""
    path = write(data)
    with pytest.raises(SourceError, match=r"notes\.txt: cannot be unpacked"):
        list(lines(path))


def test_packed_file_reads_like_the_plain_one(write: Write) -> None:
    """Unpacking changes neither lines nor byte offsets."""
    path = write(gzip.compress(b"\xef\xbb\xbfa\r\n\r\nb\n"))
    assert list(lines(path)) == [(1, "a"), (3, "b")]
    assert head(path) == b"a\r\n\r\nb\n"
    path = write(gzip.compress(b"a\n\xff"))
    with pytest.raises(SourceError, match="line 2, byte 2"):
        list(lines(path))


def test_missing_file_says_why(tmp_path: Path) -> None:
    """What the system says about a file is part of the message."""
    with pytest.raises(SourceError, match=r"gone\.txt: cannot be read: No such file or directory"):
        list(lines(tmp_path / "gone.txt"))
    with pytest.raises(SourceError, match="cannot be read: Is a directory"):
        head(tmp_path)


def test_name_with_line_break_stays_on_one_line(tmp_path: Path) -> None:
    """A file's name cannot break an error into two lines."""
    with pytest.raises(SourceError) as caught:
        list(lines(tmp_path / "a\nb"))
    assert "\n" not in str(caught.value)


def test_source_is_the_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file has the same identity from any folder."""
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert source_of(Path("../notes.txt")) == source_of(tmp_path / "notes.txt")
    assert source_of(Path("../notes.txt")) == (tmp_path / "notes.txt").as_posix()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("12. text", ("12", "text")),
        ("[12] text", ("12", "text")),
        (" 7.\ttext ", ("7", "text ")),
        ("-1. text", ("-1", "text")),
        ("0. 1. text", ("0", "1. text")),
        ("12.5 litres", None),
        ("[a] text", None),
        ("١٢. text", None),
        ("12. ", None),
        ("12", None),
    ],
)
def test_number_before_a_text(line: str, expected: tuple[str, str] | None) -> None:
    """``12. text`` and ``[12] text`` carry a number, in ASCII digits, before a text."""
    assert numbered(line) == expected


LINE = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"])).filter(
    lambda line: line.strip() and not line.startswith("\ufeff")
)


@given(written=st.lists(LINE, min_size=1), end=st.sampled_from(["\n", "\r\n"]))
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_lines_round_trip(written: list[str], end: str, pack: Callable[[bytes], bytes]) -> None:
    """What is written line by line comes back line by line, whatever it consists of."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "notes.txt")
        path.write_bytes(pack(end.join(written).encode()))
        assert list(lines(path)) == list(enumerate(written, 1))


#: Bytes that reach far into the formats more often than random ones do.
FRAGMENTS = st.lists(
    st.one_of(
        st.binary(max_size=8),
        st.sampled_from([b"\xef\xbb\xbf", b"\r\n", b"\n", b"\0", b"\x1f\x8b\x08", b"[" * 2_000]),
        st.sampled_from([b"12. ", b"[3] ", b"-1", b"9" * 5_000, b"null", b'"\\ud800"', b'"a"']),
        st.sampled_from([b"{", b"}", b"[", b"]", b",", b":", b"[]"]),
        st.sampled_from([b'"text"', b'"position"', b'"context"', b'"source"']),
        st.sampled_from([b'{"text": "a", "triples": [["a", "b", "c"]]}', b'{"text": "a"}']),
        st.just(b'{"source": "s", "context": "1. a\\n2. b"}'),
    ),
    max_size=12,
).map(b"".join)


@given(data=FRAGMENTS)
@pytest.mark.parametrize("read", READERS)
def test_any_bytes_load_or_raise_source_error(read: Read, data: bytes) -> None:
    """Whatever a file holds, a loader gives records or a SourceError on one line."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "input")
        path.write_bytes(data)
        message = str(path)
        try:
            list(read(path))
        except SourceError as error:
            message = str(error)
        assert message.startswith(str(path))
        assert "\n" not in message


def test_a_file_that_is_numbered_but_for_a_heading(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where most lines have numbers that are not positions, that is said once; of few it is not."""
    caplog.set_level("INFO", "cmc_graph.loaders")
    mixed, plain = tmp_path / "mixed.txt", tmp_path / "plain.txt"
    mixed.write_text("Notes\n1. Ana lives in Graz.\n2. Bo lives in Ulm.\n", "utf-8")
    plain.write_text("Ana lives in Graz.\nBo lives in Ulm.\n3. is a number.\n", "utf-8")
    for path in (mixed, mixed, plain):
        assert [record.position for record in text.records(path)] == [None] * 3
    (said,) = caplog.messages
    assert said.startswith("mixed.txt: 2 of 3 lines begin with a number")
