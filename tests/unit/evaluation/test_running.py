"""Runs in their folders: complete, interrupted, changed, and made anew."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph.errors import EndpointError, EvaluationError, ExtractionError, UsageError
from cmc_graph.evaluation import session
from cmc_graph.evaluation.arms import ARMS
from cmc_graph.evaluation.configuration import Configuration
from cmc_graph.evaluation.folder import RunFolder
from cmc_graph.evaluation.formats import (
    PREDICTIONS,
    Manifest,
    Prediction,
    read_manifest,
    sealed_predictions,
)
from cmc_graph.evaluation.replaying import Replay
from cmc_graph.model import Evidence
from cmc_graph.readers import Answer
from cmc_graph.stores import open_store

NOTES = """\
1. The location of the weekly meeting is Room A.
2. The floor of Room A is floor 2.
3. The floor of Room B is floor 5.
4. The location of the weekly meeting is Room B.
"""
QUESTIONS = ("What is the floor of the weekly meeting's location?", "What is the floor of Room A?")
#: The weights that are shipped, as if a person had learned them.
WEIGHTS = Path(__file__).parents[3] / "cmc_graph" / "readers" / "mquake.json"
ARMS_RUN = ("cmc", "hops_5", "raw_history")


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    """Two questions about the weekly meeting, three arms, one reader."""
    (tmp_path / "notes.txt").write_text(NOTES, encoding="utf-8")
    with (tmp_path / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number, question in enumerate(QUESTIONS):
            case = {"id": f"q{number}", "question": question, "history": "notes.txt"}
            file.write(json.dumps({**case, "references": ["floor 5"]}) + "\n")
    return Configuration(
        data=(tmp_path / "cases.jsonl",), out=tmp_path / "run", arms=ARMS_RUN, readers=("path",)
    )


def run(configuration: Configuration, stop_after: int | None = None) -> Manifest:
    """The run; an interrupt after so many questions."""

    def progress(done: int, total: int, where: str) -> None:
        if done == stop_after:
            raise KeyboardInterrupt

    with closing(open_store("sqlite:///:memory:")) as store:
        around = session.Surroundings(store=store, tell=lambda _: None, progress=progress)
        return session.run(configuration, around)


def replay(configuration: Configuration) -> Replay:
    """The replay of the run."""
    folder = RunFolder(configuration.out)
    return session.replay_run(folder, lambda *_: None)


def without_time(predictions: list[Prediction]) -> list[Prediction]:
    """The predictions, but for how long they took."""
    return [prediction.model_copy(update={"seconds": 0.0}) for prediction in predictions]


def test_one_prediction_for_each_question_arm_and_reader(configuration: Configuration) -> None:
    """Arms in the order asked for, questions in the order of the file, all sealed."""
    manifest = run(configuration)
    found = sealed_predictions(configuration.out)
    assert [(p.arm, p.case) for p in found] == [(a, q) for a in ARMS_RUN for q in ("q0", "q1")]
    assert found[0].answer == "floor 5"
    assert [step.position for step in found[0].path] == [4, 3]
    assert manifest.seal == read_manifest(configuration.out).seal


def test_an_exact_request_is_made_once(configuration: Configuration) -> None:
    """``hops_5`` asks what ``cmc`` asked; its answers are reused, and counted as that."""
    run(configuration)
    found = sealed_predictions(configuration.out)
    assert [p.reused for p in found] == [False, False, True, True, False, False]
    assert [p.answer for p in found[2:4]] == [p.answer for p in found[:2]]


@pytest.mark.parametrize("stop_after", [1, 3, 5])
def test_an_interrupted_run_goes_on(configuration: Configuration, stop_after: int) -> None:
    """Nothing is asked twice, and the result is that of a run in one piece."""
    whole = configuration.model_copy(update={"out": configuration.out.with_name("whole")})
    run(whole)
    with pytest.raises(KeyboardInterrupt):
        run(configuration, stop_after)
    with pytest.raises(EvaluationError, match="not complete"):
        sealed_predictions(configuration.out)
    with (configuration.out / PREDICTIONS).open("a", encoding="utf-8") as file:
        file.write('{"case": "q0", "ar')  # a line that a killed process left
    before = RunFolder(configuration.out).predictions()
    assert len(before) == stop_after
    run(configuration)
    found = sealed_predictions(configuration.out)
    assert found[:stop_after] == before
    assert without_time(found) == without_time(sealed_predictions(whole.out))


def test_a_complete_run_is_left_alone(configuration: Configuration) -> None:
    """Running again changes not a byte."""
    run(configuration)
    before = (configuration.out / PREDICTIONS).read_bytes()
    run(configuration)
    assert (configuration.out / PREDICTIONS).read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [({"arms": ("cmc",)}, "arms"), ({"characters": 500}, "settings"), ({"seed": 1}, "settings")],
)
def test_a_folder_holds_one_run(
    configuration: Configuration, change: dict[str, object], said: str
) -> None:
    """Another run into the same folder is refused and named."""
    run(configuration)
    with pytest.raises(EvaluationError, match=f"other {said}"):
        run(configuration.model_copy(update=change))


def test_predictions_that_were_changed_are_not_scored(configuration: Configuration) -> None:
    """The seal is over every byte."""
    run(configuration)
    file = configuration.out / PREDICTIONS
    file.write_text(file.read_text("utf-8").replace("floor 5", "floor 6"), encoding="utf-8")
    with pytest.raises(EvaluationError, match="not the predictions that were sealed"):
        sealed_predictions(configuration.out)


@pytest.mark.parametrize("name", ["cases.jsonl", "interpretations/grammar/notes.jsonl"])
def test_files_that_were_changed_are_noticed(configuration: Configuration, name: str) -> None:
    """Cases and interpretations are hashed in the manifest."""
    run(configuration)
    file = configuration.out / name
    file.write_text(file.read_text("utf-8").replace("floor 5", "floor 6"), encoding="utf-8")
    with pytest.raises(EvaluationError, match="restore the file"):
        replay(configuration)


def test_a_replay_makes_every_request_anew(configuration: Configuration) -> None:
    """All requests of a run are those that its manifest leads to."""
    run(configuration)
    assert replay(configuration) == Replay(6, ())


def test_a_replay_finds_what_selects_otherwise(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An arm that has changed since the run is named with the questions it shows other things."""
    run(configuration)
    monkeypatch.setitem(ARMS, "cmc", ARMS["hops_1"])  # type: ignore[index]  # a dict, read-only by type
    assert replay(configuration).differences == ("grammar cmc path q0: other evidence",)


class Failing:
    """A reader that fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def answer(self, question: str, evidence: Evidence) -> Answer:
        raise self.error


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Makes every reader fail with an error."""

    def fail(error: Exception) -> None:
        monkeypatch.setattr(session, "open_reader", lambda _: Failing(error))

    return fail


def test_what_fails_stays(
    configuration: Configuration, failing: Callable[[Exception], None]
) -> None:
    """A failed answer is a prediction with its reason: it stays in the denominator."""
    failing(ExtractionError("no sense in it"))
    run(configuration)
    found = sealed_predictions(configuration.out)
    assert [(p.answer, p.error, p.reused) for p in found] == [(None, "no sense in it", False)] * 6
    assert replay(configuration).differences == ()


def test_a_question_the_model_gives_no_answer_to_stays(
    configuration: Configuration, failing: Callable[[Exception], None]
) -> None:
    """A refusal of one question does not end the run while the endpoint works."""
    failing(EndpointError("the model gave no answer: refusal"))
    run(configuration)
    assert {p.error for p in sealed_predictions(configuration.out)} == {
        "the model gave no answer: refusal"
    }


def test_no_such_arm_or_reader(configuration: Configuration) -> None:
    """Nothing is read or written for a matrix that cannot be run."""
    for change in ({"arms": ("magic",)}, {"readers": ("magic",)}):
        with pytest.raises(UsageError, match="'magic'"):
            run(configuration.model_copy(update=change))
    assert not configuration.out.exists()


def test_learned_weights_are_part_of_the_request(configuration: Configuration) -> None:
    """Other weights are another reader: their answers are never taken for each other's."""
    learned = configuration.model_copy(update={"readers": ("path-learned",)})
    run(learned)
    own = learned.model_copy(update={"weights": WEIGHTS, "out": configuration.out.with_name("own")})
    run(own)
    shipped, other = (sealed_predictions(each.out) for each in (learned, own))
    assert [p.answer for p in shipped] == [p.answer for p in other]
    assert not {p.request for p in shipped} & {p.request for p in other}
    assert replay(own).differences == ()
