"""The reader that asks a model: one call, with evidence and question."""

import pytest

from cmc_graph.errors import EndpointError
from cmc_graph.llm.client import ChatModel
from cmc_graph.llm.usage import Limits
from cmc_graph.model import Evidence
from cmc_graph.readers import Answer
from cmc_graph.readers.openai import ModelReader
from cmc_graph.render import PREFIX
from tests.support.endpoint import Answer as Said
from tests.support.endpoint import Endpoint

QUESTION = "On which floor is the weekly meeting?"
EVIDENCE = Evidence(
    text=PREFIX + "[3] Room B is on floor 5.\n[4] The weekly meeting moved to Room B.\n",
    records=(),
    edges=(),
    anchors=("weekly meeting",),
    unresolved=(),
    fallback=None,
    omitted=0,
    version=1,
)


def ask(endpoint: Endpoint) -> Answer:
    model = ChatModel("small", base_url=endpoint.url, limits=Limits(timeout=1, patience=1))
    try:
        return ModelReader(model).answer(QUESTION, EVIDENCE)
    finally:
        model.close()


def test_one_call_has_evidence_question_and_rule() -> None:
    """Temperature 0, 64 tokens, no format; what it used is what the endpoint reports."""
    with Endpoint(lambda _: Said(text="floor 5")) as endpoint:
        answer = ask(endpoint)
        [logged] = endpoint.log
    assert (answer.text, answer.evidence, answer.path) == ("floor 5", EVIDENCE, ())
    assert (answer.usage.calls, answer.usage.input_tokens) == (1, logged.input_tokens)
    assert answer.usage.output_tokens == logged.output_tokens
    body = logged.request.body
    assert (body["temperature"], body["max_tokens"]) == (0, 64)
    assert "response_format" not in body
    assert "Larger serial numbers are newer" in logged.request.system
    assert EVIDENCE.text in logged.request.user
    assert logged.request.user.endswith(f"Question: {QUESTION}")


@pytest.mark.parametrize("text", ["not said", "Not said.", '"Not said"', "", " \n", None])
def test_what_the_evidence_does_not_say_has_no_text(text: str | None) -> None:
    """The model says so in the prompt's words, or says nothing."""
    with Endpoint(lambda _: Said(text=text)) as endpoint:
        answer = ask(endpoint)
    assert answer.text is None
    assert answer.usage.calls == 1


def test_thinking_and_line_breaks_are_no_part_of_an_answer() -> None:
    """What stands before the answer is left out, white space is folded."""
    with Endpoint(lambda _: Said(text="<think>Room B?</think>\n\nfloor\n5 ")) as endpoint:
        assert ask(endpoint).text == "floor 5"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Said(text=None, refusal="I can't help with that."), "refusal .*can't help"),
        (Said(text="", finish="content_filter"), "content_filter"),
        (Said(text="", finish="length"), "length"),
    ],
    ids=["refusal", "filter", "thinking without end"],
)
def test_no_answer_is_not_the_same_as_not_said(said: Said, words: str) -> None:
    """A model that refuses is an error of the endpoint, in one line."""
    with (
        Endpoint(lambda _: said) as endpoint,
        pytest.raises(EndpointError, match=f"small gave no answer: {words}") as caught,
    ):
        ask(endpoint)
    assert "\n" not in str(caught.value)
