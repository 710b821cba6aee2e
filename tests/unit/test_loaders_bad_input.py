"""Files that are almost of a format: one line that says what is wrong, and where."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmc_graph.errors import SourceError
from cmc_graph.model import MAX_POSITION
from loaders import factconsolidation, jsonl, longmemeval, mquake, text

Read = Callable[[Path], object]


def refusal(path: Path, read: Read, content: str) -> str:
    """What the reader says of a file with this content, without the file's name."""
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        list(read(path))  # type: ignore[call-overload]  # every reader is an iterator
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[-1] x", f", line 2: position must be from 0 to {MAX_POSITION}, not -1"),
        ("99999999999999999999. x", f", line 2: position must be from 0 to {MAX_POSITION}"),
        ("9" * 5_000 + ". x", ", line 2: a position of 5000 digits is too large"),
    ],
)
def test_number_that_is_no_position(tmp_path: Path, line: str, message: str) -> None:
    """A numbered file whose number cannot be a position is refused, not taken as unnumbered."""
    assert refusal(tmp_path / "a.txt", text.records, f"1. x\n{line}\n").startswith(message)


GOOD = '{"text": "The pier is open."}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "x"', "Invalid JSON: EOF while parsing an object at column 12"),
        ("The pier is open.", "Invalid JSON: expected value at column 1"),
        ("[" * 5_000, "Invalid JSON: recursion limit exceeded"),
        ('{"text": "\\ud800"}', "Invalid JSON"),
        ('["x"]', "Input should be an object"),
        ('{"position": 1}', "field 'text' is missing"),
        ('{"text": "x", "postion": 1}', "unknown field 'postion'"),
        ('{"text": "x", "a\\nb": 1}', "unknown field 'a b'"),
        ('{"text": 5}', "text: Input should be a valid string"),
        ('{"text": "  "}', "a record needs a text that is not blank"),
        ('{"text": "x", "position": "1"}', "position: Input should be a valid integer"),
        ('{"text": "x", "position": 1.0}', "position: Input should be a valid integer"),
        ('{"text": "x", "position": true}', "position: Input should be a valid integer"),
        ('{"text": "x", "position": -1}', "position must be from 0 to"),
        (f'{{"text": "x", "position": {10**30}}}', "position must be from 0 to"),
        ('{"text": "x", "observed_at": "yesterday"}', "observed_at must be an ISO 8601 time"),
        ('{"text": "x", "triples": "a"}', "triples: Input should be a valid array"),
        ('{"text": "x", "triples": [["a", "b"]]}', "triple 1 must be [subject, relation, object]"),
        ('{"text": "x", "triples": [["a", "b", 3]]}', "triple 1 must hold three texts"),
        ('{"text": "x", "triples": [{"subject": "a"}]}', "triple 1 must be [subject, relation"),
        ('{"text": "x", "status": "maybe"}', "status must be one of"),
        (
            '{"text": "x", "status": "no_fact", "triples": [["x", "r", "x"]]}',
            "a record with status",
        ),
        ('{"text": "x", "source_line": 3}', "source_line says nothing without a source"),
    ],
)
def test_json_line_that_is_no_record(tmp_path: Path, line: str, message: str) -> None:
    """The third line is at fault: file, line and what is wrong, nothing of it taken."""
    said = refusal(tmp_path / "a.jsonl", jsonl.records, f"{GOOD}\n\n{line}\n{GOOD}\n")
    assert said.startswith(f", line 3: {message}")


def test_json_line_of_any_size_is_read(tmp_path: Path) -> None:
    """A line may hold as many triples as a source likes; its size is nobody's concern here."""
    triples = [["pier", "state", f"open {number}"] for number in range(100_000)]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "pier", "triples": triples}), encoding="utf-8")
    [record] = jsonl.records(path)
    assert len(record.triples or ()) == 100_000


HISTORY = {"source": "tiny", "context": "Facts:\n0. a is b."}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"context": 3}, ": context: Input should be a valid string"),
        ({"source": None}, ": source: Input should be a valid string"),
        ({"context": "Facts:\n0. a is b.\n\nc is d."}, ", line 4: no serial before 'c is d.'"),
        ({"context": "Facts:\n-3. a is b."}, ", line 2: position must be from 0 to"),
    ],
)
def test_history_with_a_fault(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """A history file is refused with the field, or the line of its context."""
    content = json.dumps(HISTORY | change)
    assert refusal(tmp_path / "a.json", factconsolidation.records, content).startswith(message)


def test_cell_whose_lists_differ_in_length(tmp_path: Path) -> None:
    """Questions and answers that do not belong together are no cases."""
    content = json.dumps(HISTORY | {"questions": ["What is a?", "And b?"], "answers": [["b"]]})
    assert "2 questions, 1 answers and 2 ids" in refusal(
        tmp_path / "a.json", factconsolidation.cases, content
    )


ITEM: dict[str, Any] = {
    "question_id": "q",
    "question": "Where?",
    "answer": "Here",
    "haystack_dates": ["2023/05/25 (Thu) 20:21"],
    "haystack_session_ids": ["s"],
    "haystack_sessions": [[{"role": "user", "content": "I am here."}]],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"haystack_dates": ["25 May"]}, ", question 'q': '25 May' is no date like"),
        (
            {"haystack_dates": ["2023/02/30 (Thu) 20:21"]},
            ", question 'q': '2023/02/30 (Thu) 20:21'",
        ),
        ({"haystack_dates": []}, ", question 'q': 1 sessions, 0 dates and 1 ids"),
        (
            {"haystack_sessions": [[{"role": "user"}]]},
            ": field '0.haystack_sessions.0.0.content' is",
        ),
    ],
)
def test_haystack_with_a_fault(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """A haystack is refused with its question and what does not fit."""
    content = json.dumps([ITEM | change])
    assert refusal(tmp_path / "a.json", longmemeval.records, content).startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": the file is empty"),
        ("[{", ": Invalid JSON: EOF while parsing"),
        ("[1]", ": 0: Input should be an object"),
        ('[{"case_id": "1"}]', ": 0.case_id: Input should be a valid integer"),
    ],
)
def test_cases_with_a_fault(tmp_path: Path, content: str, message: str) -> None:
    """A document that is no list of cases is refused with the place."""
    assert refusal(tmp_path / "a.json", mquake.records, content).startswith(message)
    assert refusal(tmp_path / "a.json", mquake.cases, content).startswith(message)
