"""The plain reader on ordinary text: small histories with questions, under the general pack."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cmc_graph import Memory, Record
from cmc_graph.readers import open_reader

ROOT = Path(__file__).parents[2]
HISTORIES = ROOT / "tests" / "data" / "readers" / "histories.json"
NEIGHBOURS = HISTORIES.with_name("neighbours.json")
TEAM = ROOT / "examples"


@cache
def histories(path: Path = HISTORIES) -> list[dict[str, Any]]:
    """Each with its ``name``, ``records`` from position 1 on, and ``questions``."""
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return found


def team() -> tuple[list[Record], list[dict[str, Any]]]:
    """The example history of a team, and its questions."""
    lines = (TEAM / "team-history.txt").read_text("utf-8").splitlines()
    split = [line.removeprefix("[").split("] ", 1) for line in lines if line.startswith("[")]
    records = [Record(position=int(number), text=text) for number, text in split]
    return records, json.loads((TEAM / "team-questions.json").read_text("utf-8"))


@pytest.fixture(params=histories(), ids=lambda item: item["name"])
def history(request: pytest.FixtureRequest) -> Iterator[tuple[Memory, list[dict[str, Any]]]]:
    """A memory of one history, and the questions about it."""
    item = request.param
    records = [Record(position=n, text=text) for n, text in enumerate(item["records"], 1)]
    with Memory.open("sqlite:///:memory:", item["name"]) as memory:
        memory.ingest(records)
        yield memory, item["questions"]


def answered(memory: Memory, case: dict[str, Any], reader: str = "path") -> list[str]:
    """The values of the answer, sorted; none when it has no text."""
    evidence = memory.read(case["question"], as_of=case.get("as_of"))
    answer = open_reader(reader).answer(case["question"], evidence)
    return sorted(answer.text.split(", ")) if answer.text else []


def test_there_are_enough_histories() -> None:
    """Thirty histories and more, some of whose questions they do not answer."""
    cases = [case for item in histories() for case in item["questions"]]
    assert len(histories()) >= 30
    assert sum(not case["answers"] for case in cases) >= 30
    assert sum(len(case["answers"]) > 1 for case in cases) >= 3
    assert any("as_of" in case for case in cases)


def test_ordinary_questions(history: tuple[Memory, list[dict[str, Any]]]) -> None:
    """The answer is exactly the values that hold, or nothing where the records do not say."""
    memory, cases = history
    wrong = [
        (case["question"], case["answers"], found)
        for case in cases
        if (found := answered(memory, case)) != sorted(case["answers"])
    ]
    assert wrong == []


@pytest.mark.parametrize(("reader", "wrong", "missed"), [("path", 0, 4), ("path-learned", 1, 4)])
def test_what_a_neighbour_has_is_no_answer(reader: str, wrong: int, missed: int) -> None:
    """No value of a neighbour, of the past or of half a question; what is stored is still found.

    At most so many of 95 questions without an answer have one, and of 84 with an answer none.
    """
    given: list[tuple[str, list[str]]] = []
    lost: list[str] = []
    for item in histories(NEIGHBOURS):
        records = [Record(position=n, text=text) for n, text in enumerate(item["records"], 1)]
        with Memory.open("sqlite:///:memory:", item["name"]) as memory:
            memory.ingest(records)
            for case in item["questions"]:
                found = answered(memory, case, reader)
                if found and found != sorted(case["answers"]):
                    given.append((case["question"], found))
                elif case["answers"] and not found:
                    lost.append(case["question"])
    assert len(given) <= wrong, given
    assert len(lost) <= missed, lost


def test_the_example_team() -> None:
    """All questions about the example history are answered, from the records they name."""
    records, cases = team()
    with Memory.open("sqlite:///:memory:") as memory:
        memory.ingest(records)
        assert [answered(memory, case) for case in cases] == [
            sorted(case["answers"]) for case in cases
        ]
