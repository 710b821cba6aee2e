"""The released measures, against tables computed by hand."""

import pytest

from cmc_graph.evaluation.scoring import metrics
from cmc_graph.evaluation.scoring.coverage import has_object, has_string
from cmc_graph.evaluation.scoring.metrics import NOTHING, Marks, mark, normalised, parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Hague", "hague"),
        ("rock-pop", "rockpop"),
        ("Washington, D.C.", "washington dc"),
        ("  an  old\tcastle\n", "old castle"),
        ("Theatre of a Nation", "theatre of nation"),
        ("Beyoncé’s", "beyoncé’s"),
        ("2016–17", "2016–17"),
        ("a.n. other", "other"),  # punctuation goes first, then the article
        ("the", ""),
        ("", ""),
    ],
)
def test_normalisation(text: str, expected: str) -> None:
    """Lower case, ASCII punctuation deleted, articles out, white space collapsed; in this order."""
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Answer: Graz", "Graz"),
        ("Well.\nANSWER:  Graz \nBecause", "Graz"),
        ("answer: Answer: Graz", "Graz"),
        ("answer: Answer: Answer: Graz", "Answer: Graz"),
        ("Graz\nin Austria", "Graz"),
        ("Answer:\nGraz", ""),
        ("", ""),
    ],
)
def test_the_parsed_answer(output: str, expected: str) -> None:
    """The answer is what follows the first "Answer:" on its line, or else the first line."""
    assert parsed(output) == expected


@pytest.mark.parametrize(
    ("prediction", "reference", "substring", "exact", "f1"),
    [
        ("Rome", "Rome", True, True, 1.0),
        ("It is Rome.", "Rome", True, False, 0.5),  # 1 word in common of 3 and of 1
        ("Jerome", "Rome", True, False, 0.0),  # characters, not words
        ("Rome", "Jerome", False, False, 0.0),
        ("rock pop", "rock-pop", False, False, 0.0),
        ("Washington DC", "Washington, D.C.", True, True, 1.0),
        ("Park Central", "Central Park", False, False, 1.0),
        ("new new york", "New York", True, False, 0.8),  # 2 in common of 3 and of 2
        ("yes", "yes", True, True, 1.0),
        ("yes indeed", "yes", True, False, 0.0),
        ("no", "noanswer", False, False, 0.0),
        ("anything", "The", True, False, 0.0),  # nothing is left of the reference
        ("", "Rome", False, False, 0.0),
    ],
)
def test_each_measure(
    prediction: str,
    reference: str,
    substring: bool,  # noqa: FBT001 - a column of the table
    exact: bool,  # noqa: FBT001 - same
    f1: float,
) -> None:
    """Substring, exact match and F1 of one prediction and one reference."""
    assert metrics.substring_exact_match(prediction, reference) is substring
    assert metrics.exact_match(prediction, reference) is exact
    assert metrics.f1(prediction, reference) == pytest.approx(f1)


def test_the_better_of_output_and_answer() -> None:
    """Substring and F1 may take the whole output; the strict match takes the parsed answer."""
    found = mark("He lives in Graz, Austria.\nAnswer: Graz", ["Austria"])
    assert found == Marks(substring=True, strict=False, f1=0.25)  # 1 word of 7 and of 1
    assert mark("So:\nAnswer: The Graz.", ["Graz"]) == Marks(substring=True, strict=True, f1=1.0)


def test_the_best_reference_counts() -> None:
    """Against several references each measure takes the best one."""
    assert mark("USA", ["United States", "U.S.A."]).strict
    assert mark("United Kingdom", ["Wales", "United States"]).f1 == 0.5


def test_no_answer_is_wrong() -> None:
    """A failure, an abstention and a question without references get nothing."""
    assert mark(None, ["Graz"]) == NOTHING
    assert mark("Graz", []) == NOTHING


def test_coverage() -> None:
    """Objects are compared as entity keys, the text as released."""
    assert has_object(["the weekly meeting"], ["Weekly meeting"])
    assert not has_object(["Rome"], ["Jerome", "Romeo"])
    assert not has_object(["Rome"], [])
    assert has_string(["Rome"], ["bo", "jerome was born in graz"])
    assert not has_string(["Rome"], ["ro", "me"])
