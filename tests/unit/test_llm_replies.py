"""Reading what a model answers: rows out of any wrapping, and a verdict out of each row."""

import json

import pytest

from cmc_graph.frontends.replies import Unreadable, rows
from cmc_graph.frontends.verdicts import Verdict, interpretation, verdicts
from cmc_graph.llm.chat import Reply
from cmc_graph.model import Interpretation, Status, Triple

ROWS = [["1", "Ana", "city", "Porto"], ["2", "no_fact"]]
OBJECT = json.dumps({"records": ROWS})


def read(text: str, finish: str = "stop") -> list[list[str]]:
    return rows(Reply(text=text, finish=finish, model="m"), "records")


@pytest.mark.parametrize(
    "text",
    [
        OBJECT,
        f"\n {OBJECT}\n",
        json.dumps(ROWS),
        f"```json\n{OBJECT}\n```",
        f"```\n{OBJECT}\n```\nI hope this helps.",
        f"Here are [2] records {{as asked}}:\n{OBJECT}",
        f'<think>Maybe {{"records": [["1", "x"]]}}?</think>{OBJECT}',
        f'Maybe [["1", "x"]].\n</thinking>\n{OBJECT}',
        json.dumps({"Records": ROWS}),
        json.dumps({"note": "two", "RECORDS": ROWS}),
        json.dumps({"records": [[1, "Ana", "city", "Porto"], [2, "no_fact"]]}),
    ],
)
def test_rows_are_found_in_every_usual_wrapping(text: str) -> None:
    """A7: fences, thinking, a bare list, another key case, numbers for texts."""
    assert read(text) == ROWS


@pytest.mark.parametrize(
    ("text", "finish", "words"),
    [
        ("", "stop", "said nothing"),
        ("<think>hm</think>  ", "stop", "said nothing"),
        ("I cannot help with that.", "refusal", "refused: I cannot"),
        ("I found two facts.", "stop", "not answer in rows: I found"),
        (OBJECT[:-3], "stop", "not answer in rows"),
        ('{"type": "object", "properties": {"records": {"type": "array"}}}', "stop", "rows"),
        ('{"records": {"1": ["Ana", "city", "Porto"]}}', "stop", "rows"),
        ('{"records": [{"id": 1}]}', "stop", "rows"),
        ("[" * 100_000, "stop", "rows"),
        ("{[" * 50_000, "stop", "rows"),
    ],
)
def test_anything_else_is_no_answer(text: str, finish: str, words: str) -> None:
    """Broken JSON is not mended, and the message says what was there instead."""
    with pytest.raises(Unreadable, match=words):
        read(text, finish)


def test_an_empty_list_is_an_answer_without_rows() -> None:
    """No rows are rows; that records are missing is found elsewhere."""
    assert read('{"records": []}') == []


TEXT = "Lena  Vogt works for Acme in Porto."


def verdict(*found: list[str], text: str = TEXT) -> Verdict:
    """The verdict on one record, number 7, that these rows give."""
    return verdicts(list(found), {"7": text})["7"]


def test_a_fact_is_three_texts() -> None:
    """Subject, relation and object follow the number, as often as there are facts."""
    found = verdict(["7", "Lena Vogt", "employer", "Acme", "Lena Vogt", "place  of_Work", "Porto"])
    assert found.status is Status.FACTS
    assert found.triples == (
        Triple("Lena Vogt", "employer", "Acme"),
        Triple("Lena Vogt", "place of work", "Porto"),
    )


def test_the_other_two_verdicts_have_no_facts() -> None:
    """``no_fact`` stands alone, ``unresolved`` may give its reason."""
    assert verdict(["7", "no_fact"]) == Verdict(status=Status.NO_FACT)
    assert verdict(["7", "Unresolved", "a pronoun"]).status is Status.UNRESOLVED
    assert verdict(["7", "unresolved", "a pronoun"]).reason == "the model leaves it open: a pronoun"
    assert verdict(["7", "unresolved"]).status is Status.UNRESOLVED


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([], "leaves it out"),
        ([["8", "Lena Vogt", "employer", "Acme"]], "leaves it out"),
        ([["7"]], "0 parts"),
        ([["7", "Lena Vogt", "employer"]], "2 parts"),
        ([["7", "Lena Vogt", "employer", "Acme", "x"]], "4 parts"),
        ([["7", "Lena Vogt", "employer", "Bolt"]], "object 'Bolt' is no span"),
        ([["7", "lena vogt", "employer", "Acme"]], "subject 'lena vogt' is no span"),
        ([["7", "", "employer", "Acme"]], "blank subject"),
        ([["7", "Lena Vogt", " _ ", "Acme"]], "blank relation"),
        ([["7", "Lena Vogt", "works " * 20, "Acme"]], "no short name"),
        (
            [["7", "Lena Vogt", "employer", "Acme"], ["7", "Lena Vogt", "employer", "Porto"]],
            "twice, differently",
        ),
    ],
)
def test_what_does_not_fit_its_record_is_refused(found: list[list[str]], words: str) -> None:
    """Ids, schema and literal spans are checked, and the reason says what is wrong."""
    refused = verdict(*found)
    assert refused.status is None
    assert words in (refused.reason or "")


def test_the_same_row_twice_counts_once() -> None:
    """A8: a repeated id with the same content is no contradiction."""
    row = ["7", "Lena Vogt", "employer", "Acme"]
    assert verdict(row, row) == verdict(row)
    assert len(verdict([*row, *row[1:]]).triples) == 1


@pytest.mark.parametrize(
    ("text", "subject", "status"),
    [
        ("She works for Acme.", "She", None),
        ("Later he works for Acme.", "he", None),
        ("It works for Acme.", "It", None),
        ("And I works for Acme.", "I", None),
        ("Cast of It works for Acme.", "It", Status.FACTS),
        ("Ito works for Acme.", "Ito", Status.FACTS),
    ],
)
def test_a_pronoun_names_nothing(text: str, subject: str, status: Status | None) -> None:
    """A pronoun as subject or object is refused; a title that looks like one is not."""
    assert verdict(["7", subject, "employer", "Acme"], text=text).status is status


@pytest.mark.parametrize(
    "found",
    [
        Verdict(status=Status.FACTS, triples=(Triple("a", "b", "ç"),), asked=2, answer="x"),
        Verdict(status=None, reason="why", asked=1, reviewed=True),
        Verdict(status=Status.UNRESOLVED, reason="why"),
        Verdict(status=Status.NO_FACT),
        Verdict(status=None, reason="why", usable=False),
        Verdict(status=None, asked=0),
    ],
)
def test_a_kept_verdict_comes_back_whole(found: Verdict) -> None:
    """``load`` undoes ``dump``."""
    assert Verdict.load(found.dump()) == found


def test_a_verdict_becomes_an_interpretation() -> None:
    """Relations count under their aligned name; a refused reading is unresolved, and says why."""
    fact = Verdict(status=Status.FACTS, triples=(Triple("a", "works for", "b"),))
    assert interpretation(fact, "direct", lambda _: "employer") == Interpretation(
        Status.FACTS, (Triple("a", "employer", "b"),), frontend="direct"
    )
    wrong = interpretation(Verdict(status=None, reason="no span"), "direct", str)
    assert wrong.status is Status.UNRESOLVED
    assert wrong.reason == "the model's reading is refused: no span"
