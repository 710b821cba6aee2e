"""The files of an evaluation."""

from pathlib import Path

import pytest

from cmc_graph.errors import SourceError
from cmc_graph.evaluation.formats import (
    Case,
    Prediction,
    Step,
    hash_text,
    read_lines,
    to_lines,
    write_text,
)

CASE = Case(id="1", question="Who?", references=("Ana", "Anna"), history="h.txt", cell="mh_32k")
HASH = hash_text("x")
PREDICTION = Prediction(
    case="1",
    arm="cmc",
    reader="path",
    frontend="grammar",
    request=HASH,
    evidence_hash=HASH,
    positions=(3, 4),
    path=(Step(subject="a", relation="r", object="b", position=3),),
    confidence=0.5,
    seconds=0.25,
)


def test_values_survive_their_file(tmp_path: Path) -> None:
    """What is read is what was written."""
    write_text(tmp_path / "cases.jsonl", to_lines([CASE]))
    write_text(tmp_path / "predictions.jsonl", to_lines([PREDICTION]))
    assert list(read_lines(tmp_path / "cases.jsonl", Case)) == [CASE]
    assert list(read_lines(tmp_path / "predictions.jsonl", Prediction)) == [PREDICTION]


def test_a_cell_has_a_group_and_a_length() -> None:
    """``mh_32k`` is the 32k part of the multi-hop questions; a name without _ is a group."""
    assert (CASE.group, CASE.length) == ("mh", "32k")
    whole = CASE.model_copy(update={"cell": "all"})
    assert (whole.group, whole.length) == ("all", "")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "1", "question": "Who?", "references": [], "history": "h"}', "references"),
        ('{"id": "1", "question": "", "references": ["a"], "history": "h"}', "question"),
        ('{"id": 1, "question": "Who?", "references": ["a"], "history": "h"}', "id"),
        ('{"id": "1", "question": "Who?", "references": ["a"]}', "field 'history' is missing"),
        (
            '{"id": "1", "question": "Who?", "references": ["a"], "history": "h", "x": 1}',
            "unknown field 'x'",
        ),
        ("{", "Invalid JSON"),
    ],
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str, problem: str) -> None:
    """The message names file, line and field."""
    path = tmp_path / "cases.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(SourceError, match=rf"cases\.jsonl, line 2: {problem}"):
        list(read_lines(path, Case))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """The message names the file."""
    with pytest.raises(SourceError, match=r"none\.jsonl: cannot be read"):
        list(read_lines(tmp_path / "none.jsonl", Case))
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(SourceError, match=r"latin\.jsonl: cannot be read: not UTF-8"):
        list(read_lines(tmp_path / "latin.jsonl", Case))
