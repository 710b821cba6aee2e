"""From files to questions and histories."""

import json
from pathlib import Path

import pytest

from cmc_graph.errors import SourceError
from cmc_graph.evaluation.cases import open_dataset

ROOT = Path(__file__).parents[3]
LINES = "0. Ana lives in Graz.\n1. Ana lives in Porto.\n"


def case(name: str, history: str = "notes.txt", **fields: object) -> str:
    """A line of ``cases.jsonl``."""
    known = {"id": name, "question": "Where?", "references": ["Porto"], "history": history}
    return json.dumps({**known, **fields}) + "\n"


def test_a_cell_brings_questions_and_history() -> None:
    """A FactConsolidation cell is named after its file."""
    dataset = open_dataset([ROOT / "tests" / "data" / "loaders" / "cell.json"])
    assert {case.cell for case in dataset.cases} == {"cell"}
    assert {case.history for case in dataset.cases} == {"cell"}
    with dataset.histories["cell"].open() as records:
        assert records.count > 0


def test_cells_with_the_same_records_share_their_history(tmp_path: Path) -> None:
    """Single-hop and multi-hop cells of one length have one history, which is read once."""
    for name in ("sh_1k", "mh_1k"):
        cell = {
            "source": name,
            "context": "Here is a list of facts:\n" + LINES,
            "questions": ["Where does Ana live?"],
            "answers": [["Porto"]],
            "qa_pair_ids": [name],
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(cell), encoding="utf-8")
    dataset = open_dataset([tmp_path / "sh_1k.json", tmp_path / "mh_1k.json"])
    assert [(case.id, case.cell, case.history) for case in dataset.cases] == [
        ("sh_1k", "sh_1k", "sh_1k"),
        ("mh_1k", "mh_1k", "sh_1k"),
    ]


def test_own_questions_name_their_history(tmp_path: Path) -> None:
    """``cases.jsonl`` names files beside it; files of one name in two folders stay apart."""
    for folder, text in (("one", "0. Ana lives in Graz.\n"), ("two", "0. Ana lives in Porto.\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.txt").write_text(text, encoding="utf-8")
    cases = tmp_path / "cases.jsonl"
    cases.write_text(case("a", "one/notes.txt") + case("b", "two/notes.txt", hops=2), "utf-8")
    dataset = open_dataset([cases])
    assert [case.history for case in dataset.cases] == ["notes", "notes-2"]
    assert dataset.histories["notes-2"].path == tmp_path / "two" / "notes.txt"
    assert dataset.cases[1].hops == 2


def test_two_cases_of_one_id(tmp_path: Path) -> None:
    """Predictions could not be told apart."""
    (tmp_path / "notes.txt").write_text(LINES, encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text(case("a") + case("a"), encoding="utf-8")
    with pytest.raises(SourceError, match="two cases have the id 'a'"):
        open_dataset([tmp_path / "cases.jsonl"])


def test_a_history_that_is_not_there(tmp_path: Path) -> None:
    """The message names the file that was looked for."""
    (tmp_path / "cases.jsonl").write_text(case("a", "gone.txt"), encoding="utf-8")
    with pytest.raises(SourceError, match=r"gone\.txt: no such file"):
        open_dataset([tmp_path / "cases.jsonl"])


def test_no_questions(tmp_path: Path) -> None:
    """An empty file is no evaluation."""
    (tmp_path / "cases.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(SourceError, match="no questions"):
        open_dataset([tmp_path / "cases.jsonl"])


def test_questions_with_haystacks_of_their_own_are_refused() -> None:
    """A format whose questions are each about other records is not one history."""
    sessions = ROOT / "tests" / "data" / "loaders" / "sessions.json"
    with pytest.raises(SourceError, match=r"records of its own"):
        open_dataset([sessions])
