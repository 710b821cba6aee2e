"""The client of the endpoint, against a real HTTP server."""

import itertools
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from cmc_graph.errors import ConfigurationError, EndpointError
from cmc_graph.llm.chat import Reply, Schema
from cmc_graph.llm.client import ChatModel
from cmc_graph.llm.usage import Limits, Usage
from tests.support.endpoint import Answer, Endpoint, Request, Script
from tests.support.endpoint.faults import FAILING, first, refusing

KEY = "sk-very-secret-0123456789"
SCHEMA = Schema("rows", {"type": "object"})


def hello(_: Request) -> Answer:
    return Answer(text="hello")


NewModel = Callable[..., ChatModel]


@pytest.fixture
def connect() -> Iterator[NewModel]:
    """Gives models at an endpoint, and closes them."""
    models: list[ChatModel] = []

    def new(endpoint: Endpoint, limits: Limits | None = None, **options: Any) -> ChatModel:
        options = {"api_key": SecretStr(KEY), "base_url": endpoint.url, **options}
        limits = limits or Limits(timeout=1, patience=2)
        models.append(ChatModel("small", limits=limits, **options))
        return models[-1]

    yield new
    for model in models:
        model.close()


def ask(model: ChatModel, **options: Any) -> Reply:
    return model.chat("Be brief.", "Say hello.", **options)


def sent(endpoint: Endpoint) -> list[dict[str, Any]]:
    """The bodies of the requests, in order of arrival."""
    found = sorted(endpoint.log, key=lambda logged: logged.request.number)
    return [dict(logged.request.body) for logged in found]


def test_an_answer_says_what_it_cost_and_who_gave_it(connect: NewModel) -> None:
    """Tokens and the model's name are those the endpoint reports."""
    with Endpoint(hello) as endpoint:
        model = connect(endpoint)
        reply = ask(model, max_tokens=64)
        logged = endpoint.log[0]
    assert reply == Reply(
        text="hello",
        finish="stop",
        model="small-2026-01-01",
        input_tokens=logged.input_tokens,
        output_tokens=logged.output_tokens,
    )
    assert model.usage == Usage(
        calls=1, input_tokens=reply.input_tokens, output_tokens=reply.output_tokens
    )
    body = sent(endpoint)[0]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0, 64)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def picky(*refused: str) -> Script:
    """An endpoint that refuses requests with these words in them, naming the parameter."""

    def script(request: Request) -> Answer:
        for words in refused:
            if words in json.dumps(request.body):
                param = words.strip('"')
                error = {"message": f"Unsupported: '{param}'", "param": param, "code": None}
                return Answer(status=400, body={"error": error})
        return Answer(text="hello")

    return script


@pytest.mark.parametrize(
    ("refused", "kind"),
    [
        ([], "json_schema"),
        (["json_schema"], "json_object"),
        (["response_format"], None),
    ],
)
def test_auto_finds_the_richest_format_once(
    connect: NewModel, refused: list[str], kind: str | None
) -> None:
    """``auto`` tries JSON schema, JSON object, plain text, and remembers what went through."""
    with Endpoint(picky(*refused)) as endpoint:
        model = connect(endpoint)
        for _ in range(3):
            assert ask(model, schema=SCHEMA).text == "hello"
    kinds = [body.get("response_format", {}).get("type") for body in sent(endpoint)]
    tried = ["json_schema", "json_object", None]
    assert kinds == [*tried[: tried.index(kind)], *[kind] * 3]
    assert model.usage.calls == 3


def test_a_format_that_was_chosen_is_not_changed(connect: NewModel) -> None:
    """Who asks for JSON schema by name gets the endpoint's refusal, not something poorer."""
    with Endpoint(picky("json_schema")) as endpoint:
        model = connect(endpoint, response_format="json_schema")
        with pytest.raises(EndpointError, match="json_schema"):
            ask(model, schema=SCHEMA)
    assert endpoint.calls == 1


def test_a_model_without_temperature_and_max_tokens_is_asked_without(connect: NewModel) -> None:
    """Parameters that a model refuses are left out or renamed, and that is remembered."""
    with Endpoint(picky('"temperature"', '"max_tokens"')) as endpoint:
        model = connect(endpoint)
        for _ in range(2):
            assert ask(model, max_tokens=5).text == "hello"
    last = sent(endpoint)[-1]
    assert "temperature" not in last
    assert last["max_completion_tokens"] == 5
    assert endpoint.calls == 4


@pytest.mark.parametrize("name", FAILING)
def test_passing_failures_are_tried_again(connect: NewModel, name: str) -> None:
    """A 500, a 429, a hang and a broken connection are each followed by another attempt."""
    with Endpoint(first(1, FAILING[name], hello)) as endpoint:
        model = connect(endpoint)
        assert ask(model).text == "hello"
    assert model.usage.calls == 1
    assert model.usage.retries == 1


def test_it_waits_as_long_as_it_is_told(
    connect: NewModel, caplog: pytest.LogCaptureFixture
) -> None:
    """A9: after 429 with Retry-After the next attempt comes no earlier, and a person is told."""
    caplog.set_level(logging.INFO, "cmc_graph")
    busy = refusing(429, "rate_limit_exceeded", **{"Retry-After": "0.4"})
    with Endpoint(first(2, busy, hello)) as endpoint:
        model = connect(endpoint)
        assert ask(model).text == "hello"
        starts = sorted(logged.started for logged in endpoint.log)
    gaps = [later - earlier for earlier, later in itertools.pairwise(starts)]
    assert all(0.4 <= gap < 0.9 for gap in gaps), gaps
    assert "is busy; waiting 0.4" in caplog.text
    assert model.usage.retries == 2


def test_a_date_is_a_way_to_say_how_long(connect: NewModel) -> None:
    """Retry-After may be an HTTP date; one in the past means at once."""
    busy = refusing(429, "busy", **{"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    with Endpoint(first(1, busy, hello)) as endpoint:
        started = time.monotonic()
        assert ask(connect(endpoint)).text == "hello"
    assert time.monotonic() - started < 0.4


def test_endless_429_ends_within_its_patience(connect: NewModel) -> None:
    """A9: a call that is always told to wait gives up after the configured time."""
    busy = refusing(429, "rate_limit_exceeded", **{"Retry-After": "0.3"})
    with Endpoint(busy) as endpoint:
        model = connect(endpoint, Limits(patience=1))
        started = time.monotonic()
        with pytest.raises(EndpointError, match="too busy for 1 s"):
            ask(model)
    assert time.monotonic() - started < 1.5
    assert 3 <= endpoint.calls <= 4


def test_a_long_wait_is_not_begun(connect: NewModel) -> None:
    """A Retry-After beyond the patience ends the call at once."""
    with Endpoint(refusing(429, "busy", **{"Retry-After": "3600"})) as endpoint:
        started = time.monotonic()
        with pytest.raises(EndpointError, match="too busy"):
            ask(connect(endpoint))
    assert time.monotonic() - started < 1
    assert endpoint.calls == 1


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (refusing(401, "invalid_api_key"), "refuses the key .* OPENAI_API_KEY"),
        (refusing(403, "forbidden"), "refuses the key"),
        (refusing(404, "model_not_found"), "no model 'small'.* CMC_MODEL"),
        (refusing(429, "insufficient_quota"), "quota is used up"),
        (refusing(402, "payment_required"), "failed .*payment_required"),
        (refusing(400, "content_policy"), "failed .*content_policy"),
        (lambda _: Answer(body="<html>Welcome</html>"), "does not answer as a Chat"),
        (lambda _: Answer(body={"error": "none of that here"}), "does not answer as a Chat"),
    ],
    ids=["key", "permission", "model", "quota", "payment", "refused", "page", "no completion"],
)
def test_what_waiting_cannot_cure_is_tried_once(
    connect: NewModel, script: Script, words: str
) -> None:
    """A wrong key, an unknown model, an exhausted quota: one attempt, one line, exit code 5."""
    with Endpoint(script) as endpoint:
        model = connect(endpoint)
        for _ in range(2):  # the second call is not sent at all
            with pytest.raises(EndpointError, match=words) as caught:
                ask(model)
    assert endpoint.calls == 1
    assert caught.value.exit_code == 5
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None


def test_many_calls_at_once_try_a_wrong_key_once(connect: NewModel) -> None:
    """Calls go one by one until the first has succeeded, so that no key is tried eight times."""
    with Endpoint(refusing(401, "invalid_api_key"), latency=0.1) as endpoint:
        model = connect(endpoint)
        failures: list[EndpointError] = []

        def call() -> None:
            try:
                ask(model)
            except EndpointError as error:
                failures.append(error)

        threads = [threading.Thread(target=call) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert endpoint.calls == 1
    assert len(failures) == 8


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_the_key_appears_nowhere(
    connect: NewModel, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even when the endpoint quotes it: not in the message, its causes, the log or a repr."""
    caplog.set_level(logging.DEBUG, "cmc_graph")
    error = {"message": f"Incorrect API key provided: {KEY}", "code": KEY, "param": None}
    answer = Answer(status=status, body={"error": error}, headers={"Retry-After": "60"})
    with Endpoint(lambda _: answer) as endpoint:
        model = connect(endpoint)
        with pytest.raises(EndpointError) as caught:
            ask(model)
    seen: list[object] = [model, vars(model), caplog.text]
    link: BaseException | None = caught.value
    while link is not None:
        seen += [link, repr(link), vars(link)]
        link = link.__cause__ or link.__context__
    assert not [each for each in seen if KEY in str(each)]


def test_an_unreachable_endpoint_is_one_line(connect: NewModel) -> None:
    """Nobody listens: a few attempts, then what failed and what to check, without a password."""
    with Endpoint(hello) as endpoint:
        address = endpoint.url
    model = connect(endpoint, base_url=address.replace("//", "//user:s3cr3t@"))
    with pytest.raises(EndpointError, match=r"cannot be reached .*OPENAI_BASE_URL") as caught:
        ask(model)
    assert address in str(caught.value)
    assert "s3cr3t" not in str(caught.value)
    assert model.usage.calls == 0
    assert 1 <= model.usage.retries <= 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": ""}, "no model"),
        ({}, "OPENAI_API_KEY, or OPENAI_BASE_URL"),
        ({"base_url": "localhost:8080"}, "http://"),
        ({"base_url": "ftp://host/v1"}, "http://"),
        ({"base_url": "http://host:port/v1"}, "no address"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(options: dict[str, Any], words: str) -> None:
    """No model, no key, no address: a configuration error (2) before anything is sent."""
    with pytest.raises(ConfigurationError, match=words):
        ChatModel(**{"name": "small", **options})


def test_local_servers_need_no_key(connect: NewModel) -> None:
    """With an address the key may be missing."""
    with Endpoint(hello) as endpoint:
        assert ask(connect(endpoint, api_key=None)).text == "hello"


def test_a_budget_of_calls_is_kept(connect: NewModel) -> None:
    """The call beyond ``--max-calls`` is not sent, and retries do not count."""
    with Endpoint(first(1, FAILING["500"], hello)) as endpoint:
        model = connect(endpoint, Limits(calls=2))
        ask(model)
        ask(model)
        with pytest.raises(EndpointError, match=r"budget of 2 calls .*--max-calls"):
            ask(model)
    assert model.usage.calls == 2


def test_a_budget_of_tokens_is_not_passed_by_calls_under_way(connect: NewModel) -> None:
    """Calls at the same time do not share the same rest of ``--max-tokens``."""
    with Endpoint(hello, latency=0.1) as endpoint:
        model = connect(endpoint, Limits(tokens=100))
        ask(model, max_tokens=20)
        outcomes: list[bool] = []

        def call() -> None:
            try:
                outcomes.append(bool(ask(model, max_tokens=20)))
            except EndpointError:
                outcomes.append(False)

        threads = [threading.Thread(target=call) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert 0 < sum(outcomes) < 8
    assert model.usage.tokens <= 100


@pytest.mark.parametrize(
    ("answer", "text", "finish"),
    [
        (Answer(text=None, refusal="No."), "No.", "refusal"),
        (Answer(text="", finish="stop"), "", "stop"),
        (Answer(text='{"a', finish="length"), '{"a', "length"),
        (Answer(text=None), "", "stop"),
        (Answer(body={"choices": [], "model": "m"}), "", "stop"),
        (
            Answer(status=400, body={"error": {"code": "context_length_exceeded", "message": ""}}),
            "",
            "length",
        ),
    ],
    ids=["refusal", "empty", "cut off", "nothing", "no choices", "prompt too long"],
)
def test_answers_without_content_are_answers(
    connect: NewModel, answer: Answer, text: str, finish: str
) -> None:
    """A refusal, an empty answer and one that was cut off are told apart, and none is an error."""
    with Endpoint(lambda _: answer) as endpoint:
        reply = ask(connect(endpoint))
    assert (reply.text, reply.finish) == (text, finish)
