"""The evaluation on the shared data: coverage and answers by arm, from command line to scores."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cmc_graph.evaluation.arms import ARMS
from cmc_graph.evaluation.formats import read_manifest, sealed_predictions
from tests.acceptance.real import CELLS, DATA, needs_data
from tests.acceptance.running import ROOT, Ran, Workspace, run
from tests.support.neo4j_target import Target

pytestmark = needs_data

FILES = [str(DATA / f"{cell}.json") for cell in CELLS]
READERS = ("path", "path-learned")

#: Questions of the single-hop and of the multi-hop cells whose gold string is an object of what an
#: arm shows; deterministic, as read-contract and templates count them.
COVERAGE = {
    "cmc": (198, 183),
    "hops_1": (198, 0),
    "hops_2": (198, 119),
    "hops_3": (198, 162),
    "hops_5": (198, 183),
    "prior_read_refresh": (198, 42),
    "stale_closure": (64, 45),
    "stale_closure_different": (64, 45),
    "latest_state_uncapped": (200, 194),
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A run of every model-free arm over the 400 questions, and its scores.

    Attributes:
        seconds: Processor time of the run; other processes may share the machine.
    """

    folder: Path
    ran: Ran
    seconds: float
    figures: Mapping[tuple[str, str, str], Mapping[str, Any]]

    def coverage(self, arm: str) -> tuple[int, int]:
        """Gold among the objects shown, single-hop and multi-hop."""
        sh, mh = (self.figures[arm, "path", group]["has_object"] for group in ("sh", "mh"))
        return sh, mh

    def right(self, arm: str, reader: str) -> tuple[int, int]:
        """Right answers, single-hop and multi-hop."""
        sh, mh = (self.figures[arm, reader, group]["right"] for group in ("sh", "mh"))
        return sh, mh


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("evaluation") / "run"
    started = time.process_time()
    ran = run("eval", "run", *FILES, "--out", str(folder), "--readers", ",".join(READERS))
    seconds = time.process_time() - started
    assert ran.code == 0, ran.err
    scored = run("eval", "score", str(folder), "--json").json()
    figures = {(f["arm"], f["reader"], f["population"]): f for f in scored["figures"]}
    return Evaluation(folder, ran, seconds, figures)


@pytest.mark.parametrize("arm", COVERAGE)
def test_coverage_by_arm(evaluation: Evaluation, arm: str) -> None:
    """How much an arm can ever give a reader, counted over the same 400 questions."""
    assert evaluation.coverage(arm) == COVERAGE[arm]


def test_coverage_of_rankings(evaluation: Evaluation) -> None:
    """BM25 over current facts finds many next hops in 100 facts, and few in the room of cmc."""
    assert evaluation.coverage("fact_bm25")[1] in range(110, 150)
    assert evaluation.coverage("matched_bm25")[1] in range(10, 26)
    assert evaluation.coverage("matched_bm25")[0] >= 195


def test_chance_finds_nothing(evaluation: Evaluation) -> None:
    """The disjoint control has as many records, about as long, and next to no answer."""
    cmc, chance = (evaluation.figures[a, "path", "all"] for a in ("cmc", "random_disjoint"))
    assert chance["tokens"] == pytest.approx(cmc["tokens"], abs=0.5)
    assert evaluation.coverage("random_disjoint")[1] <= 5


@pytest.mark.parametrize(("reader", "least"), [("path", (197, 173)), ("path-learned", (198, 180))])
def test_the_offline_readers_answer_from_cmc(
    evaluation: Evaluation, reader: str, least: tuple[int, int]
) -> None:
    """Without any model, what cmc selects is read nearly to its ceiling."""
    sh, mh = evaluation.right("cmc", reader)
    assert (sh >= least[0], mh >= least[1]) == (True, True), (sh, mh)


def test_selecting_after_updates_is_what_counts(evaluation: Evaluation) -> None:
    """The paper's order of arms on multi-hop questions, with the reader that follows paths."""
    arms = ("cmc", "prior_read_refresh", "matched_bm25", "stale_closure")
    right = [evaluation.right(arm, "path")[1] for arm in arms]
    assert right == sorted(right, reverse=True)
    assert right[0] - right[1] > 100


def test_everything_was_run_within_a_minute(evaluation: Evaluation) -> None:
    """Every model-free arm, both offline readers, 400 questions; progress named each arm."""
    assert {arm for arm, _, _ in evaluation.figures} == set(ARMS)
    assert evaluation.seconds < 60
    assert all(f": {arm} on " in evaluation.ran.err for arm in ARMS)


def test_every_request_can_be_made_anew(evaluation: Evaluation) -> None:
    """The manifest leads to the same evidence for every prediction."""
    ran = run("eval", "replay", str(evaluation.folder), "-q")
    assert ran == Ran(0, "12800 predictions: every request is the same\n", "")


def test_the_report_is_one_page(evaluation: Evaluation, tmp_path: Path) -> None:
    """The table on standard output, the page in one file that loads nothing."""
    page = tmp_path / "report.html"
    ran = run("eval", "report", str(evaluation.folder), "--out", str(page))
    assert ran.code == 0, ran.err
    assert "prior_read_refresh" in ran.out
    assert "not run" in ran.out
    assert "<svg" in page.read_text("utf-8")


@pytest.fixture
def emptied(workspace: Workspace, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    """A workspace that leaves no history of a run behind."""
    yield workspace
    if workspace.kind == "neo4j":
        target: Target = request.getfixturevalue("neo4j_target")
        with workspace.memory() as memory:
            names = [h.name for h in memory.histories() if f" {run_name(workspace)} " in h.name]
        assert names
        target.wipe(names)


def run_name(workspace: Workspace) -> str:
    """A folder's name that no other run has."""
    return "".join(c for c in workspace.history if c.isalnum())


def test_both_stores_give_the_same_interpretation(
    emptied: Workspace, evaluation: Evaluation
) -> None:
    """What the arms select from does not depend on the database, byte for byte."""
    folder = emptied.folder / run_name(emptied)
    arguments = ("--out", str(folder), "--arms", "cmc", "--store", emptied.url)
    ran = run("eval", "run", *FILES, *arguments, **emptied.environment)
    assert ran.code == 0, ran.err
    assert read_manifest(folder).interpretations == read_manifest(evaluation.folder).interpretations


def test_the_arm_shows_what_a_read_shows(sqlite: Workspace, evaluation: Evaluation) -> None:
    """``cmc`` is the product's own read: the same text for every question."""
    cells = {
        cell: json.loads(Path(file).read_text("utf-8"))
        for cell, file in zip(CELLS, FILES, strict=True)
    }
    positions = {
        found.case: list(found.positions)
        for found in sealed_predictions(evaluation.folder)
        if (found.arm, found.reader) == ("cmc", "path")
    }
    for size in ("6k", "32k"):
        there = sqlite.on(size)
        assert there.run("ingest", str(DATA / f"sh_{size}.json")).code == 0
        with there.memory() as memory:
            for cell in (cells[f"sh_{size}"], cells[f"mh_{size}"]):
                for name, question in zip(cell["qa_pair_ids"], cell["questions"], strict=True):
                    read = memory.read(question)
                    assert [r.position for r in read.records] == positions[name]


def test_a_run_is_described_by_a_file(tmp_path: Path) -> None:
    """One configuration file says what is run; options win over it."""
    (tmp_path / "one.toml").write_text(
        f'data = ["{DATA / "mh_6k.json"}"]\nout = "run"\narms = ["cmc"]\n', encoding="utf-8"
    )
    ran = run("eval", "run", str(tmp_path / "one.toml"), "--arms", "hops_1,hops_2", "--json", "-q")
    assert ran.json()["arms"] == ["hops_1", "hops_2"]
    assert (tmp_path / "run" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["run", FILES[0]], 2, ["--out"]),
        (["run", FILES[0], "--out", "x", "--arms", "magic"], 2, ["magic", "cmc"]),
        (["run", FILES[0], "--out", "x", "--frontends", "magic"], 2, ["frontends", "grammar"]),
        (["run", "nothing.json", "--out", "x"], 3, ["nothing.json"]),
        (["run", "nothing.toml"], 2, ["nothing.toml"]),
        (["score", "nowhere"], 3, ["nowhere"]),
        (["replay", "nowhere"], 3, ["nowhere"]),
    ],
)
def test_bad_input(arguments: list[str], code: int, words: list[str]) -> None:
    """One line that says what to do, the exit code of the table, nothing on standard output."""
    run("eval", *arguments, "-q").refused(code, *words)


def test_own_questions(tmp_path: Path) -> None:
    """A history and questions of one's own are compared with the same commands."""
    asked = json.loads((ROOT / "examples" / "team-questions.json").read_text("utf-8"))
    now = [question for question in asked if question["answers"] and "as_of" not in question]
    history = str(ROOT / "examples" / "team-history.txt")
    with (tmp_path / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number, question in enumerate(now):
            case = {"id": f"q{number}", "question": question["question"], "history": history}
            file.write(json.dumps({**case, "references": question["answers"]}) + "\n")
    cases, folder = str(tmp_path / "cases.jsonl"), str(tmp_path / "run")
    assert run("eval", "run", cases, "--out", folder, "--arms", "cmc", "-q").code == 0
    scored = run("eval", "score", folder, "--json", "-q").json()
    [whole] = [each for each in scored["figures"] if each["population"] == "all"]
    assert (whole["questions"], whole["right"]) == (len(now), len(now))
