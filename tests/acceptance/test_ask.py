"""`ask`: what is printed, how it ends, and how well the offline readers do on the benchmark."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from cmc_graph import Memory
from cmc_graph.readers import open_reader
from loaders import factconsolidation
from tests.acceptance import real
from tests.acceptance.running import ROOT, Workspace, numbered, run

NOTES = numbered(
    "The weekly meeting is in Room A.",
    "Room A is on floor 2.",
    "Room B is on floor 5.",
    "The weekly meeting moved to Room B.",
    "Bo lives in Lund.",
    "Bo no longer lives in Lund.",
)
QUESTION = "On which floor is the weekly meeting?"


@pytest.fixture
def notes(workspace: Workspace) -> Workspace:
    """A history with an update on the way to the answer, and a value that ended."""
    workspace.ingest(NOTES)
    return workspace


def test_the_answer_and_its_records(notes: Workspace) -> None:
    """Standard output has the answer, then the positions it rests on; nothing else is said."""
    ran = notes.run("ask", QUESTION)
    assert (ran.code, ran.out, ran.err) == (0, "5\nrecords: 3, 4\n", "")
    before = notes.run("ask", QUESTION, "--as-of", "3")
    assert before.out == "2\nrecords: 1, 2\n"


def test_the_evidence_does_not_say(notes: Workspace) -> None:
    """Without an answer, only the nearest records are printed, and standard error says so."""
    ran = notes.run("ask", "Who leads the weekly meeting?")
    assert (ran.code, ran.out) == (0, "records: 4\n")
    assert "the evidence does not say" in ran.err
    ended = notes.run("ask", "Where does Bo live?")
    assert (ended.code, ended.out) == (0, "records: 6\n")
    assert "holds no longer" in ended.err
    nobody = notes.run("ask", "Where does Zorro live?")
    assert (nobody.code, nobody.out) == (0, "records:\n")


def test_an_answer_as_json(notes: Workspace) -> None:
    """--json prints one document with answer, records, path, confidence, usage and evidence."""
    answer = notes.run("ask", QUESTION, "--json").json()
    assert answer.keys() == {"text", "records", "evidence", "path", "confidence", "usage"}
    assert (answer["text"], answer["records"]) == ("5", [3, 4])
    assert [edge["position"] for edge in answer["path"]] == [4, 3]
    assert 0 < answer["confidence"] <= 1
    assert answer["usage"]["calls"] == 0
    assert answer["evidence"]["anchors"] == ["weekly meeting"]
    assert notes.run("ask", "Where does Bo live?", "--json").json()["text"] is None


def test_python_says_the_same(notes: Workspace) -> None:
    """`Memory.ask` gives what the command prints, with either reader or one of your own."""
    with notes.memory() as memory:
        answer = memory.ask(QUESTION)
        assert (answer.text, answer.records) == ("5", (3, 4))
        assert memory.ask(QUESTION, reader="path-learned").text == "5"
        assert memory.ask(QUESTION, reader=open_reader("path"), as_of=3).text == "2"
        assert memory.ask(QUESTION, hops=1).text is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--reader", "psychic"), ("psychic", "path-learned")),
        (("--weights", "w.json"), ("path", "weights")),
        (("--reader", "path-learned", "--weights", "nowhere.json"), ("nowhere.json",)),
        (("--hops", "0"), ("hops",)),
        (("--fallback", "guess"), ("fallback",)),
    ],
    ids=str,
)
def test_what_ask_refuses(
    sqlite: Workspace, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """What cannot be used is one line and ends with 2."""
    sqlite.run("ask", QUESTION, *arguments).refused(2, *words)
    assert run("ask").code == 2


def scores(reader: str, sizes: tuple[str, ...], tmp_path: Path) -> tuple[dict[str, int], float]:
    """Right answers by cell, and mean seconds per question beyond the read."""
    chosen = open_reader(reader)
    right: dict[str, int] = {}
    seconds: list[float] = []
    for size in sizes:
        with Memory.open(f"sqlite:///{tmp_path / size}.db", size) as memory:
            memory.ingest(factconsolidation.records(real.path(size)), grammar=["factconsolidation"])
            for cell in (f"sh_{size}", f"mh_{size}"):
                right[cell] = 0
                for question in real.questions(cell):
                    evidence = memory.read(question.text)
                    started = time.thread_time()
                    answer = chosen.answer(question.text, evidence)
                    seconds.append(time.thread_time() - started)
                    right[cell] += is_right(question.gold, answer.text)
    return right, sum(seconds) / len(seconds)


def is_right(gold: str, text: str | None) -> bool:
    """The released measure on these answers: the gold string is in the text, case aside."""
    return text is not None and gold.casefold() in text.casefold()


@real.needs_data
@pytest.mark.parametrize(
    ("reader", "single", "multi"), [("path", 197, 173), ("path-learned", 198, 180)]
)
def test_the_benchmark_without_a_model(
    reader: str, single: int, multi: int, tmp_path: Path
) -> None:
    """Each variant answers at least so many of 200 + 200 questions, in about a millisecond each."""
    right, seconds = scores(reader, ("6k", "32k"), tmp_path)
    assert right["sh_6k"] + right["sh_32k"] >= single, right
    assert right["mh_6k"] + right["mh_32k"] >= multi, right
    assert seconds < 0.002


def test_training_on_own_questions(sqlite: Workspace) -> None:
    """scripts/train_reader turns a history and its questions into weights that `ask` takes."""
    weights = sqlite.folder / "weights.json"
    examples = ROOT / "examples"
    trained = subprocess.run(
        [
            sys.executable,
            ROOT / "scripts" / "train_reader",
            examples / "team-history.txt",
            "--questions",
            examples / "team-questions.json",
            "--output",
            weights,
        ],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (trained.returncode, trained.stdout) == (0, ""), trained.stderr
    without = subprocess.run(
        [
            sys.executable,
            ROOT / "scripts" / "train_reader",
            examples / "team-history.txt",
            "-o",
            "w",
        ],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert without.returncode == 1
    assert without.stderr.splitlines()[-1].endswith("name a file of them with --questions")
    sqlite.ingest(NOTES)
    ran = sqlite.run("ask", QUESTION, "--reader", "path-learned", "--weights", str(weights))
    assert ran.out.startswith("5\n"), ran
