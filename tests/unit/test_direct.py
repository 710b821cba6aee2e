"""The direct frontend against a real endpoint: batches, repair, what is kept, and what it costs."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from cmc_graph.errors import EndpointError, ExtractionError
from cmc_graph.frontends.asking import BATCH_SIZES
from cmc_graph.frontends.estimate import estimate
from cmc_graph.frontends.extraction import Extraction
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.usage import Limits
from cmc_graph.model import Record, Status, Triple
from tests.support.endpoint import Answer, Endpoint, Request, Script, annotator
from tests.support.endpoint.annotator import records_of, right, understood, written
from tests.support.endpoint.extracting import as_records, extract, told
from tests.support.endpoint.faults import (
    FAILING,
    LENGTH,
    WRAPPED,
    WRONG,
    always_for,
    first,
    refusing,
    sometimes,
)
from tests.support.endpoint.sentences import sentences


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of answers of the test's own."""
    return tmp_path / "interpretations.db"


def extractions(endpoint: Endpoint) -> list[list[str]]:
    """The texts each extraction prompt asked for, in order of arrival."""
    log = sorted(endpoint.log, key=lambda logged: logged.request.number)
    asked = [[text for _, text in records_of(logged.request.user)] for logged in log]
    return [texts for texts in asked if texts]


def right_facts(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Subject and object of each text, as the annotator understands them."""
    found = map(understood, texts)
    return [(reading.subject, reading.object) for reading in found if reading]


def facts(extraction: Extraction, texts: Sequence[str]) -> list[tuple[str, str]]:
    """Subject and object of the one fact of each text; texts without one are left out."""
    return [(each[0][0], each[0][2]) for each in told(extraction, texts) if each]


def relations(extraction: Extraction, texts: Sequence[str]) -> set[str]:
    return {relation for each in told(extraction, texts) for _, relation, _ in each}


def reasons(extraction: Extraction, texts: Sequence[str]) -> list[str]:
    """Why records are unresolved, of those that are."""
    found = extraction.interpret(as_records(texts))
    return [verdict.reason or "" for verdict in found if verdict.status is Status.UNRESOLVED]


def test_every_record_gets_its_facts(kept: Path) -> None:
    """Subject and object are right, and each form is one relation whatever it was called."""
    texts = sentences(100)
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert facts(extraction, texts) == right_facts(texts)
    assert len(relations(extraction, texts)) == 6
    assert extraction.asked == 100
    assert extraction.usage.calls == endpoint.calls
    assert extraction.usage.input_tokens == endpoint.input_tokens
    assert extraction.usage.output_tokens == endpoint.output_tokens


def test_equal_texts_are_asked_for_once(kept: Path) -> None:
    """Repetitions, also with other white space, cost nothing and get the same verdict."""
    texts = ["The capital of A is B.", "The  capital of A\nis B.", "The capital of A is B."]
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert extractions(endpoint) == [["The capital of A is B."]]
    assert told(extraction, texts)[0] == told(extraction, texts)[1]


def test_records_with_a_verdict_are_left_alone(kept: Path) -> None:
    """What a record brings itself is not asked for."""
    brought = Record(text="The capital of A is B.", triples=(Triple("A", "capital", "B"),))
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, [brought, "The capital of C is D."])
        assert extractions(endpoint) == [["The capital of C is D."]]
    with pytest.raises(ExtractionError, match="not extracted"):
        list(extraction.interpret([brought]))


def test_a_wave_knows_the_names_of_those_before_it(kept: Path) -> None:
    """The first wave is one batch; all calls of a later one are told the same names."""
    texts = sentences(5 * BATCH_SIZES[0])
    with Endpoint(annotator) as endpoint:
        extract(endpoint, kept, texts)
    told_names = [
        logged.request.user.partition("\n")[0]
        for logged in sorted(endpoint.log, key=lambda logged: logged.request.number)
        if records_of(logged.request.user)
    ]
    assert told_names[0] == "Relations: (none yet)"
    assert len(set(told_names[1:])) == 1
    assert len(told_names[1].split(";")) == 6


def test_long_records_make_small_batches(kept: Path) -> None:
    """A call holds a bounded number of characters, a very long record alone."""
    long = [f"The capital of {'very ' * 700}far {n} is B." for n in range(5)]
    texts = ["The capital of A is B.", *long, f"The capital of {'x' * 20_000} is B."]
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, texts, workers=1)
        assert [len(batch) for batch in extractions(endpoint)] == [3, 2, 1, 1]
    assert facts(extraction, texts) == right_facts(texts)


@pytest.mark.parametrize("name", WRAPPED)
def test_usual_wrappings_are_understood_at_once(kept: Path, name: str) -> None:
    """A7: no call is repeated for a fence, thinking, a bare list or another key case."""
    texts = sentences(10)
    with Endpoint(WRAPPED[name]) as endpoint:
        extraction = extract(endpoint, kept, texts)
        assert len(extractions(endpoint)) == 1
    assert facts(extraction, texts) == right_facts(texts)


@pytest.mark.parametrize("name", [*WRONG, *FAILING])
def test_one_bad_answer_changes_nothing(kept: Path, name: str) -> None:
    """After any single fault the facts are those of a run without it."""
    texts = sentences(3 * BATCH_SIZES[0])
    fault = {**WRONG, **FAILING}[name]  # the first answer gives the names: the second is wrong

    def script(request: Request) -> Answer:
        is_second = f"{BATCH_SIZES[0] + 1}. " in request.user and request.occurrence == 0
        return (fault if is_second and "refused" not in request.user else annotator)(request)

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert facts(extraction, texts) == right_facts(texts)
    assert len(relations(extraction, texts)) == 6


def test_only_what_is_missing_is_asked_again(kept: Path) -> None:
    """A8: one of twenty left out, one twice, one never asked for: only the first is re-asked."""
    texts = sentences(20)
    with Endpoint(first(1, WRONG["19 of 20"])) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert extractions(endpoint) == [texts, [texts[10]]]
    assert facts(extraction, texts) == right_facts(texts)


def test_a_wrong_record_is_asked_again_with_the_reason(kept: Path) -> None:
    """The repair sees the same record and what was wrong with the answer, nothing else."""
    texts = sentences(3)

    def script(request: Request) -> Answer:
        key, rows = right(request)
        if request.number == 0:
            rows[1][3] = "Zorblax"
        return Answer(text=written({key: rows}))

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, kept, texts)
    repair = next(each.request.user for each in endpoint.log if "refused" in each.request.user)
    assert repair.partition("Records:")[2] == (
        f"\n2. {texts[1]}\n\nEarlier answers were refused:\n"
        "2. triple 1: the object 'Zorblax' is no span of the text"
    )
    assert facts(extraction, texts) == right_facts(texts)


def test_what_stays_wrong_is_unresolved_with_its_reason(kept: Path) -> None:
    """Repair is bounded: with a few others, then alone, then the record stays as it is."""
    texts = [*sentences(30), "The capital of Wrong is Rome."]

    def script(request: Request) -> Answer:
        key, rows = right(request)
        for row in rows:
            if "Wrong" in row[1:2]:
                row[3] = "Zorblax"
        return Answer(text=written({key: rows}))

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, kept, texts)
    asked = [batch for batch in extractions(endpoint) if texts[-1] in batch]
    assert [len(batch) for batch in asked] == [31, 1, 1]
    assert reasons(extraction, texts) == [
        "the model's reading is refused: triple 1: the object 'Zorblax' is no span of the text"
    ]
    with Endpoint(script) as endpoint:  # and that is what it stays, without more calls
        again = extract(endpoint, kept, texts)
    assert endpoint.calls == 0
    assert reasons(again, texts) == reasons(extraction, texts)


def test_an_answer_that_is_cut_off_splits_its_batch(kept: Path) -> None:
    """A8: a length stop halves the batch until the answers fit."""
    texts = sentences(20)

    def script(request: Request) -> Answer:
        return (LENGTH if len(records_of(request.user)) > 6 else annotator)(request)

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert [len(batch) for batch in extractions(endpoint)] == [20, 10, 5, 5, 10, 5, 5]
    assert facts(extraction, texts) == right_facts(texts)


def test_a_record_that_is_always_cut_off_is_unresolved(kept: Path) -> None:
    """One record alone that no answer holds stays visible, with the reason."""
    texts = ["The capital of A is B.", "The capital of Endless is B."]
    with Endpoint(always_for("Endless", LENGTH)) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert facts(extraction, texts) == [("A", "B")]
    assert reasons(extraction, texts) == ["the model's reading is refused: the answer was cut off"]


def test_one_record_that_the_model_refuses_does_not_spoil_the_others(kept: Path) -> None:
    """A batch without a usable answer is asked for in smaller ones, until the culprit is alone."""
    texts = [*sentences(39), "The capital of Taboo is B."]
    with Endpoint(always_for("Taboo", WRONG["refusal"])) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert facts(extraction, texts) == right_facts(texts[:-1])
    assert reasons(extraction, texts) == [
        "the model's reading is refused: the model refused: I'm sorry, I can't help with that."
    ]


@pytest.mark.parametrize("name", ["refusal", "nothing", "prose"])
def test_a_model_that_never_answers_usably_ends_the_run(kept: Path, name: str) -> None:
    """Exit code 4 after the first wave, and nothing of it is taken for an answer."""
    texts = sentences(400)
    with Endpoint(WRONG[name]) as endpoint:
        with pytest.raises(ExtractionError, match="no usable answer for 40 of 40") as caught:
            extract(endpoint, kept, texts)
        assert caught.value.exit_code == 4
        assert endpoint.calls == 1 + 4 + 40
    with Endpoint(annotator) as endpoint:
        assert facts(extract(endpoint, kept, texts), texts) == right_facts(texts)


def test_swapped_names_are_noticed_by_comparison(kept: Path) -> None:
    """A batch read backwards passes every check of single records, but not beside its like."""
    texts = sentences(3 * BATCH_SIZES[0])
    with Endpoint(always_for(f"{BATCH_SIZES[0] + 1}. ", first(2, WRONG["swapped"]))) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert facts(extraction, texts) == right_facts(texts)


def test_what_stays_contradictory_is_unresolved(kept: Path) -> None:
    """A record that is read backwards twice does not overwrite anything."""
    texts = sentences(30)

    def script(request: Request) -> Answer:
        key, rows = right(request)
        for row in rows:
            if row[0] == "7":
                row[1], row[3] = row[3], row[1]
        return Answer(text=written({key: rows}))

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert reasons(extraction, texts) == [
        "the model's reading is refused: records like this one are read in the other direction"
    ]
    assert facts(extraction, texts) == right_facts([*texts[:6], *texts[7:]])


def test_a_text_is_paid_for_once(kept: Path) -> None:
    """In whatever order, amount or history a text comes again, it costs no call."""
    texts = sentences(300)
    with Endpoint(annotator) as endpoint:
        one = extract(endpoint, kept, texts[:200])
        two = extract(endpoint, kept, texts[100:])
        assert two.asked == 100
        calls = endpoint.calls
        again = extract(endpoint, kept, list(reversed(texts)))
        assert endpoint.calls == calls
    assert again.asked == again.usage.calls == 0
    assert facts(again, texts) == right_facts(texts)
    assert told(again, texts[:200]) == told(one, texts[:200])
    assert sorted(text for batch in extractions(endpoint) for text in batch) == sorted(texts)


def test_another_model_is_asked_anew(kept: Path) -> None:
    """What one model read is not taken for what another would read."""
    with Endpoint(annotator) as endpoint:
        extract(endpoint, kept, sentences(5))
        assert extract(endpoint, kept, sentences(5), model="large").asked == 5


def test_the_outcome_does_not_depend_on_timing(tmp_path: Path) -> None:
    """One call at a time or eight, slow answers or quick ones: the same facts and names."""
    texts = sentences(400)

    def uneven(request: Request) -> Answer:
        answer = annotator(request)
        return Answer(text=answer.text, seconds=0.03 * (request.number % 3))

    outcomes = []
    for workers, script in ((1, annotator), (8, uneven), (5, uneven)):
        with Endpoint(script) as endpoint:
            extraction = extract(endpoint, tmp_path / f"{workers}.db", texts, workers=workers)
            prompts = sorted(logged.request.user for logged in endpoint.log)
        outcomes.append((told(extraction, texts), extraction.merged, prompts))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_a_budget_stops_the_run_and_the_next_one_goes_on(kept: Path) -> None:
    """``--max-calls`` ends with a hint; what was answered is kept and not asked for again."""
    texts = sentences(400)
    with Endpoint(annotator) as endpoint:
        with pytest.raises(EndpointError, match="budget of 4 calls is used up") as caught:
            extract(endpoint, kept, texts, limits=Limits(calls=4))
        assert endpoint.calls == 4
        done = len({text for batch in extractions(endpoint) for text in batch})
        assert f"{done} of 400 statements are read and kept" in str(caught.value)
        extraction = extract(endpoint, kept, texts)
    assert extraction.asked == 400 - done
    assert sum(map(len, extractions(endpoint))) == 400
    assert facts(extraction, texts) == right_facts(texts)


@pytest.mark.parametrize(
    "fault", [refusing(429, "insufficient_quota"), refusing(401, "invalid_api_key")]
)
def test_an_error_in_the_middle_keeps_what_was_answered(kept: Path, fault: Script) -> None:
    """A9: finished batches stay; the message says how many, and how to go on."""
    texts = sentences(600)

    def script(request: Request) -> Answer:
        return (fault if request.number > 6 else annotator)(request)

    kept_some = pytest.raises(EndpointError, match="of 600 statements are read and kept")
    with Endpoint(script, latency=0.02) as endpoint, kept_some:
        extract(endpoint, kept, texts)
    answered = sum(
        len(records_of(logged.request.user))
        for logged in endpoint.log
        if logged.delivered and logged.answer.status == 200
    )
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, kept, texts)
    assert extraction.asked == 600 - answered
    assert facts(extraction, texts) == right_facts(texts)


def test_a_fifth_of_all_answers_may_be_faulty(tmp_path: Path) -> None:
    """With all faults mixed the graph is the same, or a record is unresolved with its reason."""
    texts = sentences(1200)
    with Endpoint(annotator) as endpoint:
        clean = extract(endpoint, tmp_path / "clean.db", texts)
    faults = [*WRONG.values(), *(FAILING[name] for name in ("500", "429", "drop"))]
    with Endpoint(sometimes(0.2, faults)) as endpoint:
        extraction = extract(endpoint, tmp_path / "faulty.db", texts)
    pairs = list(zip(told(clean, texts), told(extraction, texts), strict=True))
    names = {(one[0][1], other[0][1]) for one, other in pairs if other}
    assert len(names) == len(relations(clean, texts)) == len(relations(extraction, texts))
    for one, other in pairs:
        assert not other or (one[0][0], one[0][2]) == (other[0][0], other[0][2])
    assert all(re.search("refused", reason) for reason in reasons(extraction, texts))
    assert len(reasons(extraction, texts)) == sum(not other for _, other in pairs) < 60


def test_an_estimate_is_near_what_it_costs(kept: Path) -> None:
    """``--dry-run`` says calls and tokens before they are spent, and nothing for what is known."""
    texts = sentences(400)
    with Interpretations(kept) as answers:
        before = estimate(answers, "small", as_records(texts))
    with Endpoint(annotator) as endpoint:
        usage = extract(endpoint, kept, texts).usage
    assert (before.statements, before.known) == (400, 0)
    assert 0.5 < before.calls / usage.calls < 2
    assert 0.5 < before.input_tokens / usage.input_tokens < 2
    assert 0.5 < before.output_tokens / usage.output_tokens < 2
    with Interpretations(kept) as answers:
        after = estimate(answers, "small", as_records(texts))
    assert (after.known, after.calls, after.input_tokens, after.output_tokens) == (400, 0, 0, 0)
