"""The arms that ask a model: what they ask, what they make of the replies, what they cost."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from cmc_graph.errors import ConfigurationError, EndpointError
from cmc_graph.evaluation.arms import ANSWERING, PROMPTS, Answering, Tools, make
from cmc_graph.evaluation.arms.car import filled
from cmc_graph.evaluation.arms.g_walk import start_entity
from cmc_graph.evaluation.arms.mello import continued
from cmc_graph.evaluation.witness import Absent, Limited, Witness
from cmc_graph.llm.chat import Reply, Schema
from cmc_graph.llm.usage import Usage
from cmc_graph.prompts import prompt
from tests.support.bag_of_words import BagOfWords
from tests.support.builders import entry
from tests.support.endpoint import Request
from tests.support.student import Hop, Student
from tests.unit.evaluation.histories import MEETING, QUESTION, bench, frozen, shown

WAY = (Hop("weekly meeting", "location"), Hop("Room B", "floor"))


@dataclass
class Scripted:
    """A model whose replies a function writes; it keeps what it was asked."""

    script: Callable[[str, str], str]
    asked: list[tuple[str, str]] = field(default_factory=list)
    limits: list[int | None] = field(default_factory=list)
    name: str = "scripted"
    usage: Usage = field(default_factory=Usage)

    def chat(
        self, system: str, user: str, *, schema: Schema | None = None, max_tokens: int | None = None
    ) -> Reply:
        self.asked.append((system, user))
        self.limits.append(max_tokens)
        text = self.script(system, user)
        return Reply(text=text, finish="stop", model="m-1", input_tokens=10, output_tokens=2)


def student(ways: Sequence[Hop] = WAY) -> Scripted:
    """A model that knows the way of the weekly meeting's floor."""
    script = Student(frozen(*MEETING), {QUESTION: ways})

    def reply(system: str, user: str) -> str:
        messages = [{"content": system}, {"content": user}]
        return script(Request(0, 0, {"messages": messages}, {})).text or ""

    return Scripted(reply)


def arm(name: str, model: Scripted) -> Answering:
    """The arm on the weekly meeting with this model."""
    tools = Tools(chat=Witness(model), embedder=BagOfWords())
    made = make(name, replace(bench(*MEETING), tools=tools))
    assert isinstance(made, Answering)
    return made


@pytest.mark.parametrize(("name", "calls"), [("car", 3), ("mello", 3), ("g_walk", 6)])
def test_a_multi_hop_question_is_answered(name: str, calls: int) -> None:
    """Each pipeline finds the floor of the room where the meeting is now, at its known price."""
    model = student()
    answer = arm(name, model).answer(QUESTION)
    assert answer.text == "floor 5"
    assert {3, 4} <= set(shown(answer.evidence))
    assert answer.usage == Usage(calls=calls, input_tokens=10 * calls, output_tokens=2 * calls)
    assert len(model.asked) == calls


def test_sh_conflict_asks_once_and_takes_the_newest() -> None:
    """Both rooms are candidates; the larger serial wins, whatever the order of the reply."""
    model = student()
    answer = arm("sh_conflict", model).answer("What is the location of weekly meeting?")
    assert (answer.text, answer.usage.calls, model.limits) == ("Room B", 1, [4096])
    [(system, user)] = model.asked
    assert system == prompt("evaluation", "sh_conflict").text
    assert "1. The weekly meeting is in Room A.\n" in user


def test_sh_conflict_retrieves_ten_facts() -> None:
    """The model sees the ten facts that BM25 ranks first, with their serials."""
    model = Scripted(lambda *_: '{"candidates": []}')
    rooms = [entry(n, (f"Room {n}", "floor", "1"), text=f"Room {n} is high.") for n in range(9, 60)]
    tools = Tools(chat=Witness(model))
    made = make("sh_conflict", replace(bench(*MEETING, *rooms), tools=tools))
    assert isinstance(made, Answering)
    assert made.answer("Where is the weekly meeting?").text is None
    facts = model.asked[0][1].partition("Facts:\n")[2].splitlines()
    assert len(facts) == 10
    assert {fact.partition(".")[0] for fact in facts} >= {"1", "4"}


@pytest.mark.parametrize("reply", ["", "I do not know", "[]", '{"candidates": "none"}', "{"])
def test_a_reply_that_is_no_json_is_no_answer(reply: str) -> None:
    """No retry, no repair: what cannot be read counts as an empty list."""
    model = Scripted(lambda *_: reply)
    assert arm("sh_conflict", model).answer(QUESTION).text is None
    assert arm("car", model).answer(QUESTION).text is None
    assert len(model.asked) == 2


def test_car_skips_what_it_cannot_ask_and_goes_on() -> None:
    """A hop without the answer it needs costs nothing; the last answer of the chain counts."""
    hops = [
        {"id": 1, "query": "What is the location of weekly meeting?"},
        {"id": 2, "query": "What is the colour of {hop_1_answer}?"},
        {"id": 3, "query": "What is the price of {hop_2_answer}?"},
        {"id": 4, "query": "What is the floor of {hop_1_answer}?"},
    ]
    model = student()
    script = model.script
    decompose = prompt("evaluation", "car").text
    model.script = lambda system, user: (
        json.dumps({"hops": hops}) if system == decompose else script(system, user)
    )
    answer = arm("car", model).answer(QUESTION)
    assert (answer.text, answer.usage.calls) == ("floor 5", 4)


def test_placeholders() -> None:
    """A query is asked only when every earlier answer in it is there."""
    assert filled("Who is {hop_1_answer}, {hop_12_answer}?", {1: "a", 12: "b"}) == "Who is a, b?"
    assert filled("Who is {hop_2_answer}?", {1: "a"}) is None


def test_mello_takes_no_fact_that_the_model_made_up() -> None:
    """The transcript ends where a fact is to be retrieved, or where another question begins."""
    said = "so it is: x\nSubquestion: q?\nGenerated answer: a.\nRetrieved fact: b.\nFinal answer: c"
    assert continued(said) == ["so it is: x", "Subquestion: q?", "Generated answer: a."]
    assert continued("\nFinal answer: c\nQuestion: d?") == ["Final answer: c"]
    assert continued("Final answer: c\nAnd more.") == ["Final answer: c"]


@pytest.mark.parametrize(("reply", "calls"), [("Nonsense.", 1), ("Subquestion: q?\nGenerated", 4)])
def test_mello_gives_up(reply: str, calls: int) -> None:
    """Without a sub-question, or after four rounds without a final answer, there is none."""
    model = Scripted(lambda *_: reply)
    assert arm("mello", model).answer(QUESTION).text is None
    assert len(model.asked) == calls


def test_g_walk_goes_on_from_the_models_guess_where_the_bank_is_silent() -> None:
    """A relation that is near none of the bank takes the model's own answer, and asks it how."""
    model = student((Hop("weekly meeting", "location"), Hop("Room B", "owner")))
    answer = arm("g_walk", model).answer(QUESTION)
    assert answer.text == "Nothing"
    assert shown(answer.evidence) == [4]
    systems = [system for system, _ in model.asked]
    assert systems.count(prompt("evaluation", "g_walk_ask").text) == 2
    assert "Retrieved fact: The weekly meeting is in Room B.\n" in model.asked[-1][1]


def test_g_walk_stops_without_a_guess() -> None:
    """A reply without the expected form ends the walk without an answer."""
    model = student()
    script, guess = model.script, prompt("evaluation", "g_walk_guess").text
    model.script = lambda system, user: "Hm" if system == guess else script(system, user)
    assert arm("g_walk", model).answer(QUESTION).text is None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("[Room B]", "Room B"),
        ("[J. R", "J. R."),
        ("Ana's", "Ana"),
        ("[Who?]", "Who"),
        ("[Nobody]\nQuestion: more", "Nobody"),
        ("", ""),
    ],
)
def test_start_entities(said: str, name: str) -> None:
    """Initials are completed from the question; possessives and question marks are cut."""
    assert start_entity(said, "Who is J. R. Ewing and Ana's Room B?") == name


@pytest.mark.parametrize("name", ANSWERING)
def test_identities_name_model_and_prompts(name: str) -> None:
    """Another model or another prompt is another request."""
    one = arm(name, student()).identity
    model = student()
    model.name = "other"
    assert arm(name, model).identity != one
    assert all(prompt(*each).hash in one for each in PROMPTS[name])


@pytest.mark.parametrize("name", ANSWERING)
def test_arms_say_that_they_need_a_model(name: str) -> None:
    """Without one there is no figure, never a zero."""
    with pytest.raises(ConfigurationError, match=f"the arm {name} needs a model"):
        make(name, replace(bench(*MEETING), tools=Tools(embedder=BagOfWords())))


def test_a_witness_remembers() -> None:
    """Which models answered, each once, and whether the endpoint failed for good."""
    witness = Witness(Scripted(lambda *_: "x"))
    for _ in range(2):
        witness.chat("s", "u")
    assert (witness.models, witness.is_broken()) == (("m-1",), False)
    broken = Witness(Absent("gone"))
    with pytest.raises(EndpointError, match="gone"):
        broken.chat("s", "u")
    assert broken.is_broken()


@pytest.mark.parametrize(("asked", "given"), [(None, 32), (64, 32), (16, 16)])
def test_answers_are_limited(asked: int | None, given: int) -> None:
    """The run's cap holds whoever asks for more."""
    model = Scripted(lambda *_: "x")
    Limited(Witness(model), 32).chat("s", "u", max_tokens=asked)
    assert model.limits == [given]
