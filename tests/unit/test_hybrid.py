"""The hybrid frontend against a real endpoint: few statements asked, the rest read by patterns."""

from collections import Counter
from pathlib import Path

import pytest

from cmc_graph.errors import EndpointError
from cmc_graph.frontends.extraction import Extraction
from cmc_graph.frontends.induce import Pattern, pack_text
from cmc_graph.frontends.packs import load_pack
from cmc_graph.llm.usage import Limits
from tests.support.endpoint import Answer, Endpoint, Request, annotator
from tests.support.endpoint.annotator import right, understood, written
from tests.support.endpoint.extracting import as_records, extract, told
from tests.support.endpoint.faults import WRONG, sometimes
from tests.support.endpoint.sentences import sentences

TEXTS = sentences(1500)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of answers of the test's own."""
    return tmp_path / "interpretations.db"


def frontends(extraction: Extraction, texts: list[str]) -> Counter[str]:
    """How many texts each frontend read."""
    return Counter(v.frontend.partition(":")[0] for v in extraction.interpret(as_records(texts)))


def wrong(extraction: Extraction, texts: list[str]) -> list[str]:
    """The texts with another fact than the annotator understands."""
    found = []
    for text, facts in zip(texts, told(extraction, texts), strict=True):
        reading = understood(text)
        assert reading is not None
        if [(s, o) for s, _, o in facts] != [(reading.subject, reading.object)]:
            found.append(text)
    return found


def relations(extraction: Extraction, texts: list[str]) -> int:
    return len({relation for each in told(extraction, texts) for _, relation, _ in each})


def test_patterns_read_most_and_read_it_rightly(kept: Path) -> None:
    """A small part is asked for; all facts are right, and each form is one relation."""
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, TEXTS, frontend="hybrid")
    assert wrong(extraction, TEXTS) == []
    assert relations(extraction, TEXTS) == 6
    assert extraction.asked == frontends(extraction, TEXTS)["direct"] < 250
    assert frontends(extraction, TEXTS).keys() == {"direct", "hybrid"}
    assert [pattern.template for pattern in extraction.patterns] == [
        "The author of {S} is {O}",
        "The capital of {S} is {O}",
        "{S} is a citizen of {O}",
        "{S} is employed by {O}",
        "{S} was founded in the city of {O}",
        "{S}'s child is {O}",
    ]


def test_another_history_uses_the_patterns(kept: Path) -> None:
    """What was found stays known: statements of the same forms cost no call at all."""
    with Endpoint(annotator) as endpoint:
        extract(endpoint, kept, TEXTS[:700], frontend="hybrid")
        calls = endpoint.calls
        other = extract(endpoint, kept, TEXTS[700:], frontend="hybrid")
        assert endpoint.calls == calls
    assert wrong(other, TEXTS[700:]) == []
    assert frontends(other, TEXTS[700:]) == {"hybrid": 800}


def test_the_patterns_of_a_history_are_used_where_nothing_is_kept(
    kept: Path, tmp_path: Path
) -> None:
    """A history that moved to another machine brings its patterns along."""
    with Endpoint(annotator) as endpoint:
        patterns = extract(endpoint, kept, TEXTS[:700], frontend="hybrid").patterns
        elsewhere = tmp_path / "elsewhere.db"
        other = extract(endpoint, elsewhere, TEXTS[700:], frontend="hybrid", known=patterns)
    assert other.asked == 0
    assert wrong(other, TEXTS[700:]) == []


def test_the_patterns_are_a_grammar_pack(kept: Path, tmp_path: Path) -> None:
    """What is printed is a file that ``--grammar`` takes."""
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, TEXTS, frontend="hybrid")
    path = tmp_path / "induced.toml"
    path.write_text(pack_text(extraction.patterns), "utf-8")
    assert len(load_pack(str(path)).patterns) == 6


def test_what_direct_paid_for_hybrid_does_not_pay_again(kept: Path) -> None:
    """Both ask the same questions, so that their answers are the same."""
    with Endpoint(annotator) as endpoint:
        extract(endpoint, kept, TEXTS, frontend="direct")
        extraction = extract(endpoint, kept, TEXTS, frontend="hybrid")
    assert extraction.asked == 0
    assert extraction.patterns
    assert wrong(extraction, TEXTS) == []


def test_a_pattern_that_turns_out_wrong_is_given_up(kept: Path) -> None:
    """An answer that contradicts a pattern ends its use, and what it read is asked for."""
    texts = [*TEXTS[:600], "Ana's friend is employed by Acme."]
    known = [Pattern("{S} is employed by {O}", "boss of", 50, 5)]  # no such relation

    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, texts, frontend="hybrid", known=known)
    employed = [text for text in texts if "employed" in text]
    assert {relation for each in told(extraction, employed) for _, relation, _ in each} == {
        "boss of"
    }
    assert wrong(extraction, texts) == []


def test_free_text_is_asked_for(kept: Path) -> None:
    """Where no two records have the same form, every record goes to the model."""
    texts = [f"And {'then ' * n}something happened." for n in range(1, 60)]
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, texts, frontend="hybrid")
    assert extraction.asked == len(texts)
    assert extraction.patterns == ()
    assert all(verdict.reason for verdict in extraction.interpret(as_records(texts)))


def test_a_whole_answer_read_backwards_makes_no_pattern(kept: Path) -> None:
    """The first answer swaps all names; what follows shows it, and it is asked for again."""

    def script(request: Request) -> Answer:
        key, rows = right(request)
        if "\nRecords:\n1. " in request.user and "refused" not in request.user:
            rows = [[number, obj, relation, subject] for number, subject, relation, obj in rows]
        return Answer(text=written({key: rows}))

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, kept, TEXTS, frontend="hybrid")
    assert wrong(extraction, TEXTS) == []
    assert relations(extraction, TEXTS) == 6


def test_faulty_answers_leave_the_facts_as_they_are(kept: Path) -> None:
    """A fifth of all answers faulty: no wrong fact, and no relation too many."""
    with Endpoint(sometimes(0.2, WRONG.values())) as endpoint:
        extraction = extract(endpoint, kept, TEXTS, frontend="hybrid")
    refused = [t for t, facts in zip(TEXTS, told(extraction, TEXTS), strict=True) if not facts]
    assert set(wrong(extraction, TEXTS)) == set(refused)
    assert len(refused) < 20
    assert relations(extraction, TEXTS) == 6


def test_a_stopped_run_goes_on_where_it_was(kept: Path, tmp_path: Path) -> None:
    """Wherever the budget ends it, the next run repeats no question and ends the same."""
    with Endpoint(annotator) as endpoint:
        whole = extract(endpoint, tmp_path / "whole.db", TEXTS, frontend="hybrid")
        calls = endpoint.calls
    with Endpoint(annotator) as endpoint:
        for _ in range((calls - 1) // 2):
            with pytest.raises(EndpointError, match="budget of 2 calls"):
                extract(endpoint, kept, TEXTS, frontend="hybrid", limits=Limits(calls=2), workers=2)
        extraction = extract(endpoint, kept, TEXTS, frontend="hybrid")
        assert endpoint.calls == calls
    assert told(extraction, TEXTS) == told(whole, TEXTS)
    assert extraction.patterns == whole.patterns
