"""The path reader abstains where the question does not support a step, or asks for more."""

from dataclasses import replace

import pytest

from cmc_graph.closure import MAX_HOPS, depths
from cmc_graph.readers.path import TRUSTED
from tests.support.builders import edge
from tests.unit.test_readers import ask, evidence

ANNA = evidence(
    ["anna"],
    edge("Anna", "manager", "Carl", 1),
    edge("Anna", "residence", "Bonn", 2),
    edge("Carl", "likes", "tea", 3, member="tea"),
    edge("Carl", "manager", "Dora", 4),
    edge("Dora", "employer", "Acme", 5),
    edge("Acme", "base", "Kiel", 6),
    edge("Kiel", "location", "Germany", 7),
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does Anna like?", None),
        ("What does Anna's manager like?", "tea"),
        ("Where does Anna work?", None),
        ("In which country does Anna work?", None),
    ],
)
def test_a_step_of_which_no_word_speaks_is_not_taken(question: str, text: str | None) -> None:
    """What a neighbour has is an answer only where the question speaks of the way there."""
    assert ask(question, ANNA).text == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who does Anna's manager report to?", "Dora"),
        ("Who is the boss of the manager of Anna?", "Dora"),
        ("Who is the boss or manager of Anna?", "Carl"),
        ("Who is Anna's boss?", "Carl"),
    ],
)
def test_two_words_for_one_relation_are_two_steps(question: str, text: str) -> None:
    """The boss of a manager is not that manager, though both words mean the same."""
    assert ask(question, ANNA).text == text


def test_a_wider_place_is_reached_by_way_of_where_a_thing_is() -> None:
    """A city and a country are asked of a company by way of its base, without a word for that."""
    dora = replace(ANNA, anchors=("dora",), edges=depths(["dora"], ANNA.edges, MAX_HOPS))
    assert ask("Where does Dora work?", dora).text == "Acme"
    assert ask("In which city does Dora work?", dora).text == "Kiel"
    assert ask("In which country is the employer of Dora?", dora).text == "Germany"


@pytest.mark.parametrize(
    "question",
    [
        "Who was Anna's first manager?",
        "Who was the manager of Anna before Carl?",
        "Where did Anna live in 2010?",
        "Where did Anna use to live?",
        "Why does Anna live there?",
        "Where does Anna live and who is her manager?",
        "Who are the manager and assistant of Anna?",
    ],
)
def test_what_a_closure_does_not_hold_is_not_answered(question: str) -> None:
    """The past, reasons, and two things at once have no text; the nearest path is given."""
    answer = ask(question, ANNA)
    assert answer.text is None
    assert answer.path
    assert answer.confidence is not None
    assert answer.confidence < TRUSTED


def test_a_beginning_is_in_the_past() -> None:
    """Relations that tell of a beginning, or are called so, are what words for the past ask for."""
    read = evidence(
        ["ana"], edge("Ana", "country of origin", "Norland", 1), edge("Ana", "first name", "Bo", 2)
    )
    assert ask("From which country did Ana come first?", read).text == "Norland"
    assert ask("What is the first name of Ana?", read).text == "Bo"


def test_what_the_question_names_is_no_answer_to_it() -> None:
    """A value the question itself names is not what it asks for, except for yes or no."""
    assert ask("Who is the manager of Anna beside Carl?", ANNA).text is None
    assert ask("Is Carl the manager of Anna?", ANNA).text == "Carl"
    assert ask("Is Dora the manager of Anna?", ANNA).text is None
