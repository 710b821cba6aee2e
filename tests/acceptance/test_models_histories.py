"""A model in the grammar's place on the four real histories: the same graph, at a known price."""

from pathlib import Path

import pytest

from tests.acceptance.real import HISTORIES, needs_data
from tests.support import model_runs
from tests.support.endpoint import Endpoint
from tests.support.endpoint.extracting import extract
from tests.support.endpoint.faults import FAILING, WRONG, sometimes
from tests.support.model_runs import GRAMMAR, Run, records, renaming, same_reads

pytestmark = needs_data


@pytest.fixture(scope="module")
def direct(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return model_runs.run("direct", tmp_path_factory.mktemp("direct"))


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return model_runs.run("hybrid", tmp_path_factory.mktemp("hybrid"))


@pytest.mark.parametrize("size", HISTORIES)
@pytest.mark.parametrize("name", ["direct", "hybrid"])
def test_every_fact_is_that_of_the_grammar(
    name: str, size: str, request: pytest.FixtureRequest
) -> None:
    """Every record is accounted for, and relations have other names, one for one."""
    found: Run = request.getfixturevalue(name)
    names = renaming(found.extractions[size], size)
    assert len(names) == (35 if size == "6k" else 37)


def test_the_price_of_reading_every_statement(direct: Run) -> None:
    """At most 0.03 calls, 50 input and 20 output tokens a statement, alignment included."""
    assert direct.asked == model_runs.statements() == 18_336
    assert direct.counts.calls <= 0.03 * direct.asked
    assert direct.counts.input_tokens <= 50 * direct.asked
    assert direct.counts.output_tokens <= 20 * direct.asked
    spent = [each.usage for each in direct.extractions.values()]
    assert sum(usage.calls for usage in spent) == direct.counts.calls
    assert sum(usage.input_tokens for usage in spent) == direct.counts.input_tokens
    assert sum(usage.output_tokens for usage in spent) == direct.counts.output_tokens


def test_the_price_of_reading_by_patterns(hybrid: Run) -> None:
    """At most 1,500 statements are asked for, in at most 100 calls."""
    assert hybrid.asked <= 1_500
    assert hybrid.counts.calls <= 100


@pytest.mark.parametrize("size", ["6k", "32k"])
@pytest.mark.parametrize("name", ["direct", "hybrid"])
def test_every_question_finds_the_same_records(
    name: str, size: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Slots and closures of the 400 questions are those of the grammar but for relation names."""
    found: Run = request.getfixturevalue(name)
    assert same_reads(found.extractions[size], size, tmp_path) == 200


@pytest.mark.parametrize("name", ["direct", "hybrid"])
def test_one_answer_in_twenty_may_be_faulty(name: str, tmp_path: Path) -> None:
    """With all faults mixed, a record has the grammar's fact or is unresolved with its reason."""
    faults = [*WRONG.values(), *FAILING.values()]
    said = records("32k")
    with Endpoint(sometimes(0.05, faults)) as endpoint:
        extraction = extract(endpoint, tmp_path / "answers.db", said, frontend=name)
    names: set[tuple[str, str]] = set()
    unresolved = 0
    for expected, found in zip(GRAMMAR.interpret(said), extraction.interpret(said), strict=True):
        if found.triples:
            [right], [triple] = expected.triples, found.triples
            assert (triple.subject, triple.object) == (right.subject, right.object)
            names.add((right.relation, triple.relation))
        else:
            assert found.reason
            unresolved += 1
    assert len(names) == len({one for one, _ in names}) == len({other for _, other in names}) == 37
    assert unresolved <= 25
