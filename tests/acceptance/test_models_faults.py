"""What models and endpoints answer wrongly, from the command line (field reports A7 to A9)."""

import time
from pathlib import Path

import pytest

from tests.acceptance.running import Workspace
from tests.support.endpoint import Answer, Endpoint, Request, annotator
from tests.support.endpoint.annotator import records_of
from tests.support.endpoint.faults import LENGTH, WRAPPED, WRONG, first, refusing
from tests.support.endpoint.sentences import sentences
from tests.support.endpoint.server import Script

TEXTS = sentences(20)
FRONTEND = ("--frontend", "direct")


@pytest.fixture(autouse=True)
def _own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What models answer in a test is kept in a file of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def at(endpoint: Endpoint) -> dict[str, str]:
    """The environment that leads to the endpoint."""
    return {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "k", "CMC_MODEL": "small"}


def notes(workspace: Workspace) -> str:
    """A file with twenty records in prose."""
    return workspace.file("".join(f"{text}\n" for text in TEXTS))


def asked(endpoint: Endpoint) -> list[list[str]]:
    """The records of each request that asks for some."""
    batches = ([text for _, text in records_of(each.request.user)] for each in endpoint.log)
    return [batch for batch in batches if batch]


@pytest.mark.parametrize("name", WRAPPED)
def test_a_decorated_answer_is_understood(sqlite: Workspace, name: str) -> None:
    """A7: a bare list, a code block, thinking before the JSON, another case: facts at once."""
    with Endpoint(WRAPPED[name]) as endpoint:
        report = sqlite.run("ingest", notes(sqlite), *FRONTEND, "--json", **at(endpoint)).json()
        assert asked(endpoint) == [TEXTS]
    assert (report["facts"], report["retries"]) == (20, 0)


@pytest.mark.parametrize("name", ["the schema", "prose", "broken JSON", "nothing"])
def test_no_answer_ends_with_a_summary(workspace: Workspace, name: str) -> None:
    """A7: what never becomes an answer is asked for a bounded number of times, then told."""
    with Endpoint(WRONG[name]) as endpoint:
        path = notes(workspace)
        workspace.run("ingest", path, *FRONTEND, **at(endpoint)).refused(4, "no usable answer")
        assert len(endpoint.log) < 100
    assert workspace.stats()["records"] == 0


def test_nineteen_of_twenty(workspace: Workspace) -> None:
    """A8: one is left out, one comes twice, one nobody asked for: only the first is re-asked."""
    with Endpoint(first(1, WRONG["19 of 20"])) as endpoint:
        path = notes(workspace)
        report = workspace.run("ingest", path, *FRONTEND, "--json", **at(endpoint)).json()
        assert asked(endpoint) == [TEXTS, [TEXTS[10]]]
    assert (report["records"], report["facts"], report["unresolved"]) == (20, 20, 0)
    assert workspace.stats()["records"] == 20


def test_a_length_stop_splits_the_batch(workspace: Workspace) -> None:
    """A8: an answer that is cut off is asked for in halves; records in are records out."""

    def script(request: Request) -> Answer:
        return (LENGTH if len(records_of(request.user)) > 6 else annotator)(request)

    with Endpoint(script) as endpoint:
        path = notes(workspace)
        report = workspace.run("ingest", path, *FRONTEND, "--json", **at(endpoint)).json()
        assert [len(batch) for batch in asked(endpoint)] == [20, 10, 5, 5, 10, 5, 5]
    assert report["facts"] + report["unresolved"] + report["no_fact"] == report["records"] == 20


def busy(seconds: str) -> Script:
    """An endpoint that says when to come again."""
    return refusing(429, "rate_limit_exceeded", **{"Retry-After": seconds})


def test_a_busy_endpoint_is_waited_for(workspace: Workspace) -> None:
    """A9: after 429 with Retry-After the run waits, says so, and ends well."""
    with Endpoint(first(2, busy("0.4"))) as endpoint:
        started = time.monotonic()
        ran = workspace.run("ingest", notes(workspace), *FRONTEND, **at(endpoint))
        assert endpoint.calls >= 3
    assert ran.code == 0, ran.err
    assert time.monotonic() - started > 0.8
    assert "is busy; waiting 0.4" in ran.err
    assert workspace.stats()["facts"] == 20


@pytest.mark.parametrize(
    ("script", "words"),
    [(busy("3600"), "too busy"), (refusing(429, "insufficient_quota"), "quota is used up")],
    ids=["for ever", "quota"],
)
def test_an_endpoint_that_stays_busy(workspace: Workspace, script: Script, words: str) -> None:
    """A9: a wait beyond all patience is not begun, a used-up quota not tried again: 5."""
    with Endpoint(script) as endpoint:
        path = notes(workspace)
        workspace.run("ingest", path, *FRONTEND, **at(endpoint)).refused(5, words)
        assert endpoint.calls == 1
    assert workspace.stats()["records"] == 0
    with Endpoint(annotator) as endpoint:
        report = workspace.run("ingest", path, *FRONTEND, "--json", **at(endpoint)).json()
    assert report["facts"] == 20
