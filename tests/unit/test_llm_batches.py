"""The Batch API: submitted now, collected later, and the answers are those of other calls."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cmc_graph.errors import EndpointError, UsageError
from cmc_graph.frontends import deferred
from cmc_graph.frontends.deferred import Submitted
from cmc_graph.frontends.reading import Means
from cmc_graph.interpretations import Interpretations, digest
from cmc_graph.llm.client import ChatModel
from cmc_graph.llm.usage import Limits
from tests.support.endpoint import Answer, Endpoint, Request, annotator
from tests.support.endpoint.annotator import records_of
from tests.support.endpoint.extracting import as_records, extract, told
from tests.support.endpoint.faults import WRONG, refusing
from tests.support.endpoint.sentences import sentences

TEXTS = sentences(400)


class Client:
    """Submits to and collects from one endpoint, each time as a run of its own would."""

    def __init__(self, endpoint: Endpoint, path: Path) -> None:
        self.endpoint = endpoint
        self.path = path

    def submit(self, texts: list[str] = TEXTS, limits: Limits | None = None) -> Submitted:
        return self._run(
            lambda means, chat: deferred.submit(means, chat, as_records(texts)), limits
        )

    def collect(self, texts: list[str] = TEXTS) -> int:
        return self._run(lambda means, chat: deferred.collect(means, chat, as_records(texts)))

    def told(self) -> list[list[tuple[str, str, str]]]:
        """What an ordinary run makes of the texts afterwards."""
        return told(extract(self.endpoint, self.path, TEXTS), TEXTS)

    def _run(self, work: Callable, limits: Limits | None = None):  # type: ignore[type-arg, no-untyped-def]  # either result
        limits = limits or Limits(timeout=1, patience=2)
        chat = ChatModel("small", base_url=self.endpoint.url, limits=limits)
        with Interpretations(self.path) as kept:
            try:
                return work(Means(chat=chat, kept=kept), chat)
            finally:
                chat.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(annotator) as running:
        yield running


@pytest.fixture
def client(endpoint: Endpoint, tmp_path: Path) -> Client:
    return Client(endpoint, tmp_path / "answers.db")


def test_what_is_collected_is_what_calls_would_have_brought(client: Client, tmp_path: Path) -> None:
    """After one call at once and nine later ones, the facts are those of an ordinary run."""
    assert client.submit() == Submitted(batches=("batch_0",), calls=9, statements=360)
    assert client.endpoint.calls == 1
    assert client.collect() == 360
    asked = client.endpoint.calls
    facts = client.told()
    texts = [text for each in client.endpoint.log for _, text in records_of(each.request.user)]
    assert sorted(texts) == sorted(TEXTS)  # each was asked for once, in all
    assert client.endpoint.calls <= asked + 6  # what names mean the same
    with Endpoint(annotator) as another:
        online = told(extract(another, tmp_path / "online.db", TEXTS), TEXTS)
    assert [[(s, o) for s, _, o in row] for row in facts] == [
        [(s, o) for s, _, o in row] for row in online
    ]
    assert len({r for row in facts for _, r, _ in row}) == 6


def test_calls_of_a_batch_are_those_of_the_chat(client: Client) -> None:
    """The same messages, format and options, found out by the first call."""
    client.submit()
    [first] = client.endpoint.log
    for call in client.endpoint.batches.calls():
        assert call["url"] == "/v1/chat/completions"
        assert call["body"].keys() == first.request.body.keys()
        assert call["body"]["messages"][0] == first.request.body["messages"][0]
        assert call["body"]["response_format"] == first.request.body["response_format"]


def test_nothing_is_submitted_twice(client: Client) -> None:
    """The same command again says what waits; more records submit only what is new."""
    before = client.submit()
    assert client.submit() == before
    more = client.submit([*TEXTS, *sentences(500)[400:]])
    assert more == Submitted(batches=("batch_0", "batch_1"), calls=11, statements=420)
    assert client.endpoint.batches.count == 2
    asked = [records_of(each.request.user) for each in client.endpoint.log]
    assert [len(records) for records in asked if records] == [40, 40]


def test_a_batch_whose_name_was_lost_is_found_again(client: Client) -> None:
    """The endpoint made it, but the answer never arrived: no second one is made."""
    client.endpoint.batches.lose_replies = 1
    assert client.submit().batches == ("batch_0",)
    assert client.endpoint.batches.count == 1


def test_a_run_that_was_killed_while_submitting_goes_on(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was about to be submitted is, once, in the next run."""

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ChatModel, "submit", killed)
        with pytest.raises(KeyboardInterrupt):
            client.submit()
    assert client.submit() == Submitted(batches=("batch_0",), calls=9, statements=360)
    assert client.endpoint.calls == 1
    assert client.collect() == 360


def test_collecting_too_early_says_how_far_it_is(client: Client) -> None:
    """An unfinished batch is exit code 5, and it waits on."""
    client.submit()
    client.endpoint.batches.open = False
    with pytest.raises(EndpointError, match=r"batch_0 is in_progress, 0 of 9 calls"):
        client.collect()
    client.endpoint.batches.open = True
    assert client.collect() == 360


def test_what_an_expired_batch_has_is_kept(client: Client) -> None:
    """The rest can be submitted again."""
    client.submit()
    client.endpoint.batches.most = 4
    with pytest.raises(EndpointError, match=r"5 of 9 calls .*batch_0 got no answer .*expired"):
        client.collect()
    client.endpoint.batches.most = None
    assert client.submit().statements == 160  # the first of them are asked for at once
    assert client.collect() == 160
    assert all(client.told())


def test_a_batch_that_fails_as_a_whole_says_why(client: Client) -> None:
    """It waits no longer, so that it can be submitted again."""
    client.submit()
    client.endpoint.batches.invalid = "token limit exceeded"
    with pytest.raises(EndpointError, match=r"9 of 9 calls .*token limit exceeded"):
        client.collect()
    assert client.endpoint.calls == 1


def test_single_calls_may_fail_and_single_answers_may_be_wrong(tmp_path: Path) -> None:
    """Failed calls are named, wrong answers repaired by ordinary calls; no record is lost."""

    def script(request: Request) -> Answer:
        if request.number == 3:
            return refusing(500, "server_error")(request)
        if request.number in (4, 5):
            return WRONG["invented" if request.number == 4 else "prose"](request)
        return annotator(request)

    with Endpoint(script) as endpoint:
        client = Client(endpoint, tmp_path / "answers.db")
        client.submit()
        with pytest.raises(EndpointError, match=r"1 of 9 calls .*server_error"):
            client.collect()
        assert all(client.told())


def test_collecting_what_was_never_submitted_is_refused(client: Client) -> None:
    """It would ask for all of it at the full price."""
    with pytest.raises(UsageError, match=r"nothing waits .* 400 of 400 statements"):
        client.collect()
    client.told()
    assert client.collect() == 0


def test_a_budget_is_kept_before_anything_is_submitted(client: Client) -> None:
    """What would pass it is not posted."""
    with pytest.raises(EndpointError, match=r"budget of 5 calls .*--max-calls"):
        client.submit(limits=Limits(calls=5))
    assert client.endpoint.batches.count == 0


def test_an_endpoint_without_a_batch_api_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that says how to go on."""
    monkeypatch.setattr(
        client.endpoint.batches, "get", lambda _: (404, {"error": {"message": "no such path"}})
    )
    with pytest.raises(EndpointError, match="has no Batch API"):
        client.submit()


@pytest.mark.parametrize("answer", ["<html>welcome</html>", {"hello": "world"}])
def test_an_endpoint_that_answers_something_else_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    """No JSON, or other JSON than a batch's, is one line that names the endpoint."""
    client.submit()
    monkeypatch.setattr(client.endpoint.batches, "get", lambda _: (200, answer))
    with pytest.raises(EndpointError, match=r"http://127.* answer as a Batch API does"):
        client.collect()


def test_what_is_forgotten_waits_no_longer(client: Client) -> None:
    """A call that quotes it is gone from the file; the others are collected."""
    client.submit()
    with Interpretations(client.path) as kept:
        assert kept.forget({digest(TEXTS[100])}) == 1
    assert client.collect() == 320
