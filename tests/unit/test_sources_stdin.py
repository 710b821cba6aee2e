"""Standard input as a source: read whole, told apart by content, never the same source twice."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cmc_graph.errors import SourceError
from cmc_graph.sources import open_sources

DATA = Path(__file__).parents[1] / "data" / "loaders"


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes on standard input."""

    def pipe(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return pipe


def test_piped_text_has_no_identity(pipe: Callable[[bytes], None]) -> None:
    """What is piped in twice is two things said: source stdin, no line."""
    pipe(b"The pier is open.\n\nThe pier is closed.\n")
    with open_sources(["-"]) as sources:
        assert sources.files == ("stdin",)
        assert [(r.text, r.position, r.source, r.source_line) for r in sources] == [
            ("The pier is open.", None, "stdin", None),
            ("The pier is closed.", None, "stdin", None),
        ]
        assert len(list(sources)) == sources.count == 2


def test_piped_numbers_and_json_are_recognised(pipe: Callable[[bytes], None]) -> None:
    """Standard input is told apart by its content; what a record says of itself is kept."""
    pipe(b"[4] The pier is open.\n[2] The pier is closed.\n")
    assert [(r.position, r.source) for r in open_sources(["-"])] == [(4, "stdin"), (2, "stdin")]
    pipe(
        b'{"text": "a"}\n{"text": "b", "source": "chat"}\n'
        b'{"source": "chat", "source_line": 3, "text": "c"}\n'
    )
    assert [(r.text, r.source, r.source_line) for r in open_sources(["-"])] == [
        ("a", "stdin", None),
        ("b", "chat", None),
        ("c", "chat", 3),
    ]


def test_piped_sessions_are_named_after_stdin(pipe: Callable[[bytes], None]) -> None:
    """A named loader reads standard input too; no temporary name is left in a record."""
    pipe((DATA / "sessions.json").read_bytes())
    sources = open_sources(["-"], "longmemeval")
    assert {record.source for record in sources} == {"stdin#q_move", "stdin#q_count"}
    assert {record.source_line for record in sources} == {None}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "stdin: holds no records"),
        (b"ok\n\xff", "stdin, line 2, byte 3: not UTF-8"),
        (b"\0", "stdin, line 1, byte 0: looks binary"),
        (b'{"text": "a"}\n{"text": 3}\n', "stdin, line 2: text: Input should be a valid string"),
        (b'{"name": "a"}\n', "stdin: looks like JSON, but no loader recognises it"),
        (b"1. a\n1. b\n", "stdin, record 1 and stdin, record 2 claim position 1"),
    ],
)
def test_bad_standard_input_is_named_so(
    pipe: Callable[[bytes], None], data: bytes, message: str
) -> None:
    """Errors speak of stdin, never of the file it was kept in."""
    pipe(data)
    with pytest.raises(SourceError) as caught:
        open_sources(["-"])
    assert str(caught.value).startswith(message)
    assert "cmc-graph-" not in str(caught.value)


@pytest.mark.parametrize("end", ["close", "forget", "refuse"])
def test_nothing_is_left_of_standard_input(
    pipe: Callable[[bytes], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """The temporary file goes when the sources are closed, dropped, or refused."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pipe(b"\xff" if end == "refuse" else b"The pier is open.\n")
    if end == "refuse":
        with pytest.raises(SourceError):
            open_sources(["-"])
    else:
        sources = open_sources(["-"])
        assert len(list(tmp_path.iterdir())) == 1
        if end == "close":
            sources.close()
            sources.close()
        else:
            del sources
    assert list(tmp_path.iterdir()) == []


def test_a_closed_standard_input_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process started without standard input is told so."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="stdin: is closed"):
        open_sources(["-"])
