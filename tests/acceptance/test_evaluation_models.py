"""Readers and arms that ask a model, end to end against an endpoint: calls, tokens, failures."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph.evaluation import session
from cmc_graph.evaluation.arms import Bench
from cmc_graph.evaluation.arms.cmc import Cmc
from cmc_graph.evaluation.configuration import Configuration
from cmc_graph.evaluation.folder import RunFolder
from cmc_graph.evaluation.formats import Prediction, read_manifest, sealed_predictions
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.memory import Memory
from cmc_graph.readers import open_reader
from cmc_graph.stores import open_store
from loaders import factconsolidation
from tests.acceptance.real import needs_data, path, questions
from tests.acceptance.running import Ran, run, variables
from tests.support.bag_of_words import BagOfWords
from tests.support.endpoint import Answer, Endpoint, Request, annotator
from tests.support.student import Hop, Student

pytestmark = needs_data

SH, MH = (str(path("6k").with_name(f"{group}_6k.json")) for group in ("sh", "mh"))
MODEL = "small"
ASKED = 20  # questions of each cell where the whole of it says nothing more


@pytest.fixture(scope="module")
def history() -> Frozen:
    """The 6k history as the grammar reads it."""
    with closing(open_store("sqlite:///:memory:")) as store:
        memory = Memory(store, "h")
        memory.ingest(factconsolidation.records(path("6k")), grammar=["factconsolidation"])
        return Frozen(store.scan("h"))


@pytest.fixture(scope="module")
def student(history: Frozen) -> Student:
    """A model that knows the way of every question, as the offline reader finds it."""
    reader, arm = open_reader("path-learned"), Cmc(Bench(history=history))
    asked = [q.text for cell in ("sh_6k", "mh_6k") for q in questions(cell)]
    ways = {text: reader.answer(text, arm.evidence(text)).path for text in asked}
    return Student(
        history, {text: [Hop(e.subject, e.relation) for e in way] for text, way in ways.items()}
    )


def settings(endpoint: Endpoint, folder: Path) -> dict[str, str]:
    """The environment that leads to the endpoint and keeps answers in a folder of the test's."""
    return {
        "OPENAI_BASE_URL": endpoint.url,
        "CMC_MODEL": MODEL,
        "XDG_DATA_HOME": str(folder / "data"),
    }


def evaluated(endpoint: Endpoint, folder: Path, *arguments: str) -> Ran:
    """The run of these files and options into ``run`` in the folder."""
    return run(
        "eval", "run", *arguments, "--out", str(folder / "run"), **settings(endpoint, folder)
    )


def few(folder: Path, file: str, count: int = ASKED) -> str:
    """A file of the first questions of a cell."""
    cases = [
        {"id": each.id, "question": each.question, "references": each.answers, "history": file}
        for each in factconsolidation.cases(Path(file))
    ][:count]
    asked = folder / "cases.jsonl"
    asked.write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="utf-8")
    return str(asked)


def right(predictions: list[Prediction], file: str) -> int:
    """How many answers are the reference."""
    references = {each.id: each.answers[0] for each in factconsolidation.cases(Path(file))}
    return sum(found.answer == references[found.case] for found in predictions)


def test_car_calls_once_to_decompose_and_once_for_each_hop(
    student: Student, tmp_path: Path
) -> None:
    """The price the paper reports: about three and a quarter calls a question."""
    with Endpoint(student) as endpoint:
        ran = evaluated(endpoint, tmp_path, MH, "--arms", "cmc,car", "--readers", "openai")
        assert ran.code == 0, ran.err
        asked = endpoint.calls, endpoint.input_tokens, endpoint.output_tokens
    found = sealed_predictions(tmp_path / "run")
    car = [p for p in found if p.arm == "car"]
    assert {p.reader for p in car} == {"own"}
    hops = {text: len(student.way(text)) for text in (q.text for q in questions("mh_6k"))}
    texts = {each.id: each.question for each in factconsolidation.cases(Path(MH))}
    assert all(2 <= p.calls <= 1 + hops[texts[p.case]] for p in car)
    assert 3.0 <= sum(p.calls for p in car) / len(car) <= 3.8
    read = [p for p in found if p.arm == "cmc"]
    assert {(p.reader, p.calls) for p in read} == {("openai", 1)}
    assert asked == tuple(
        sum(getattr(p, name) for p in found) for name in ("calls", "input_tokens", "output_tokens")
    )
    assert right(read, MH) >= right(car, MH) > 90
    assert read_manifest(tmp_path / "run").models == {MODEL: (f"{MODEL}-2026-01-01",)}


def test_sh_conflict_calls_once_a_question(student: Student, tmp_path: Path) -> None:
    """Single-hop questions are answered from one extraction; the newest candidate is right."""
    with Endpoint(student) as endpoint:
        ran = evaluated(endpoint, tmp_path, SH, "--arms", "sh_conflict", "--workers", "4")
        assert ran.code == 0, ran.err
        assert endpoint.calls == 100
    assert right(sealed_predictions(tmp_path / "run"), SH) >= 97


@pytest.mark.parametrize("arm", ["mello", "g_walk"])
def test_ports_run_end_to_end(student: Student, tmp_path: Path, arm: str) -> None:
    """With any embedding model, and replayed without the endpoint."""
    configuration = Configuration(
        data=(Path(few(tmp_path, MH)),),
        out=tmp_path / "run",
        arms=(arm,),
        model=MODEL,
        workers=4,
        grammar=("factconsolidation",),
    )
    with (
        Endpoint(student) as endpoint,
        variables(settings(endpoint, tmp_path)),
        closing(open_store("sqlite:///:memory:")) as store,
    ):
        around = session.Surroundings(
            store=store,
            tell=lambda _: None,
            progress=lambda *_: None,
            embedder=BagOfWords(),
        )
        session.run(configuration, around)
    found = sealed_predictions(tmp_path / "run")
    assert right(found, MH) > ASKED / 2
    assert all(p.calls >= 3 for p in found)
    replayed = session.replay_run(RunFolder(tmp_path / "run"), lambda *_: None, BagOfWords())
    assert replayed == session.Replay(ASKED, ())


def test_an_endpoint_that_breaks_ends_the_run_and_the_next_goes_on(
    student: Student, tmp_path: Path
) -> None:
    """Exit 5 with one line; what was answered is kept and never asked again."""
    cases = few(tmp_path, MH)

    def refusing(request: Request) -> Answer:
        is_late = request.number >= ASKED // 2
        return Answer(status=401) if is_late else student(request)

    arguments = (cases, "--arms", "cmc", "--readers", "openai", "-q")
    with Endpoint(refusing) as endpoint:
        evaluated(endpoint, tmp_path, *arguments).refused(5, "refuses the key")
    with Endpoint(student) as endpoint:
        ran = evaluated(endpoint, tmp_path, *arguments)
        assert (ran.code, endpoint.calls) == (0, ASKED - ASKED // 2)
    assert len(sealed_predictions(tmp_path / "run")) == ASKED


def test_a_refused_question_stays_in_the_denominator(student: Student, tmp_path: Path) -> None:
    """One refusal is one failed prediction; the answers before and after it are there."""

    def shy(request: Request) -> Answer:
        return Answer(refusal="I would rather not.") if request.number == 3 else student(request)

    with Endpoint(shy) as endpoint:
        arguments = (few(tmp_path, MH), "--arms", "cmc", "--readers", "openai")
        assert evaluated(endpoint, tmp_path, *arguments).code == 0
        assert endpoint.calls == ASKED
    found = sealed_predictions(tmp_path / "run")
    failed = [p for p in found if p.error]
    assert [(p.answer, "refusal" in (p.error or "")) for p in failed] == [(None, True)]
    assert len(found) == ASKED


def test_a_replay_needs_no_model(student: Student, tmp_path: Path) -> None:
    """Every request of reader and arms is made anew without key or address."""
    arguments = (few(tmp_path, SH), "--arms", "cmc,sh_conflict", "--readers", "path,openai")
    with Endpoint(student) as endpoint:
        assert evaluated(endpoint, tmp_path, *arguments).code == 0
    ran = run("eval", "replay", str(tmp_path / "run"), "-q")
    assert ran == Ran(0, f"{3 * ASKED} predictions: every request is the same\n", "")


def test_frontends_and_readers_make_a_matrix(student: Student, tmp_path: Path) -> None:
    """A model's reading beside the grammar's: the same arms select the same records."""

    def both(request: Request) -> Answer:
        return student(request) if student.knows(request) else annotator(request)

    arguments = (few(tmp_path, MH), "--arms", "cmc,hops_1", "--readers", "path,path-learned")
    with Endpoint(both) as endpoint:
        ran = evaluated(endpoint, tmp_path, *arguments, "--frontends", "grammar,direct")
        assert ran.code == 0, ran.err
    found = sealed_predictions(tmp_path / "run")
    assert len(found) == ASKED * 2 * 2 * 2
    shown = {(p.frontend, p.arm, p.reader, p.case): p.positions for p in found}
    for (frontend, *place), positions in shown.items():
        assert shown[("grammar", *place)] == positions, (frontend, place)


def test_no_model_is_one_line(tmp_path: Path) -> None:
    """Who asks for a model without naming one is told how."""
    arguments = ("--out", str(tmp_path / "run"), "-q")
    run("eval", "run", SH, "--readers", "openai", *arguments).refused(2, "CMC_MODEL")
    run("eval", "run", SH, "--arms", "car", *arguments).refused(2, "CMC_MODEL")
    assert not (tmp_path / "run").exists()


def test_the_same_text_is_paid_for_once(student: Student, tmp_path: Path) -> None:
    """Arms that show the same records ask the same request; reuse is counted and costs nothing."""
    arguments = (
        few(tmp_path, MH),
        "--arms",
        "cmc,hops_5,prior_read_refresh",
        "--readers",
        "openai",
    )
    with Endpoint(student) as endpoint:
        assert evaluated(endpoint, tmp_path, *arguments).code == 0
        calls = endpoint.calls
    found = sealed_predictions(tmp_path / "run")
    texts = {(p.case, p.evidence_hash) for p in found}
    assert calls == len(texts) == sum(p.calls for p in found) < 2 * ASKED
    assert sum(p.reused for p in found) == 3 * ASKED - calls
    assert all(p.input_tokens for p in found)
