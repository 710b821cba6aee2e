"""A run with a model that is killed or interrupted: nothing is paid for twice."""

import random
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from tests.acceptance.running import Workspace, finish
from tests.support.endpoint import Answer, Endpoint, Request, annotator
from tests.support.endpoint.annotator import records_of
from tests.support.endpoint.faults import refusing
from tests.support.endpoint.sentences import sentences
from tests.support.endpoint.server import Logged

RECORDS = 2_400
LINES = "".join(f"{line}\n" for line in sentences(RECORDS))
#: Of each of the two frontends.
KILLS = 10
#: Seconds a process that is not starved needs to keep an answer it has got.
PROMPT = 0.3

FRONTENDS = pytest.mark.parametrize("frontend", ["direct", "hybrid"])


@pytest.fixture(autouse=True)
def notes(tmp_path: Path) -> Path:
    """The file that all runs ingest."""
    path = tmp_path / "notes.txt"
    path.write_text(LINES, "utf-8")
    return path


def begin(place: Workspace, endpoint: Endpoint, frontend: str) -> "subprocess.Popen[str]":
    """An ingest as a process of its own, whose answers are kept beside its store."""
    return place.start(
        *("ingest", str(Path.cwd() / "notes.txt"), "--frontend", frontend),
        *("--concurrency", "4", "--json"),
        env={
            "OPENAI_BASE_URL": endpoint.url,
            "CMC_MODEL": "small",
            "XDG_DATA_HOME": str(place.folder / "data"),
        },
    )


def facts(process: "subprocess.Popen[str]") -> int:
    """The facts there are after a run that was left alone, those of runs before it included."""
    report = finish(process).json()
    assert report["records"] == report["facts"] + report["skipped"]
    return int(report["facts"]) + int(report["skipped"])


def beside(place: Workspace, name: str) -> Workspace:
    """The same history in a store and a folder of its own."""
    folder = place.folder / name
    folder.mkdir()
    return replace(place, url=f"sqlite:///{folder / 'memory.db'}", folder=folder)


@FRONTENDS
def test_a_killed_run_pays_for_nothing_twice(frontend: str, sqlite: Workspace) -> None:
    """SIGKILL at random moments: every answer that arrived counts, and the graph is the same."""
    clean, killed = beside(sqlite, "clean"), beside(sqlite, "killed")
    with Endpoint(annotator) as endpoint:
        assert facts(begin(clean, endpoint, frontend)) == RECORDS
    moments = random.Random(7)  # noqa: S311 - the same moments in every run
    kills: list[float] = []
    with Endpoint(annotator, latency=0.15) as endpoint:
        for _ in range(KILLS):
            before = endpoint.calls
            process = begin(killed, endpoint, frontend)
            while endpoint.calls == before and process.poll() is None:
                time.sleep(0.005)  # until it has begun to ask
            time.sleep(moments.uniform(0, 0.4))
            process.kill()
            kills.append(time.monotonic())
            process.communicate()
        assert facts(begin(killed, endpoint, frontend)) == RECORDS
        log = endpoint.log
    assert killed.state() == clean.state()
    assert asked_twice(log, kills) == set()


def asked_twice(log: Sequence[Logged], kills: Sequence[float]) -> set[str]:
    """Texts that were asked for although an answer had arrived while the process lived."""
    arrived: dict[str, float] = {}
    twice: set[str] = set()
    for logged in sorted(log, key=lambda each: each.started):
        texts = [text for _, text in records_of(logged.request.user)]
        twice |= {text for text in texts if arrived.get(text, logged.started) < logged.started}
        killed = min((moment for moment in kills if moment > logged.started), default=inf)
        if logged.delivered and logged.ended + PROMPT < killed:
            arrived |= dict.fromkeys(texts, logged.ended)
    return twice


@FRONTENDS
def test_ctrl_c_while_waiting_ends_at_once(frontend: str, sqlite: Workspace) -> None:
    """A9: an interrupt during a long wait does not wait; the next run goes on from there."""
    busy = refusing(429, "rate_limit_exceeded", **{"Retry-After": "15"})

    def script(request: Request) -> Answer:
        return (annotator if request.number < 5 else busy)(request)

    with Endpoint(script) as endpoint:
        process = begin(sqlite, endpoint, frontend)
        while endpoint.calls <= 5:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(PROMPT)  # what was answered is kept by now
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        ran = finish(process)
        assert time.monotonic() - started < 5
        answered = sum(
            len(records_of(each.request.user)) for each in endpoint.log if each.answer.status == 200
        )
    assert (ran.code, ran.out) == (130, "")
    assert "is busy; waiting" in ran.err
    assert "interrupted" in ran.err
    assert "Traceback" not in ran.err
    assert sqlite.stats()["records"] == 0
    with Endpoint(annotator) as endpoint:
        assert facts(begin(sqlite, endpoint, frontend)) == RECORDS
        asked = sum(len(records_of(each.request.user)) for each in endpoint.log)
    if frontend == "direct":
        assert asked == RECORDS - answered


def test_a_run_killed_while_it_writes(sqlite: Workspace) -> None:
    """What the model said is known by then: the next run writes the rest and makes no call."""
    with Endpoint(annotator) as endpoint:
        process = begin(sqlite, endpoint, "direct")
        store = Path(sqlite.url.removeprefix("sqlite:///"))
        while not (store.exists() and sqlite.stats()["records"]):
            assert process.poll() is None
        process.kill()
        process.communicate()
        written = sqlite.stats()["records"]
        calls = endpoint.calls
        assert facts(begin(sqlite, endpoint, "direct")) == RECORDS
        assert endpoint.calls == calls
    assert 0 < written <= RECORDS
    assert not sqlite.drift()
