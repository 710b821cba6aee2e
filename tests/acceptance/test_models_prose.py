"""Sixty records of meetings, people and decisions, with pronouns, negations and hearsay."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from cmc_graph import Memory, Record
from cmc_graph.model import Edge, Status
from tests.acceptance.running import ROOT
from tests.support.endpoint import Answer, Endpoint, Request, Script
from tests.support.endpoint.annotator import records_of, written
from tests.support.endpoint.extracting import extract

Said = dict[str, list[str]]

FILE = ROOT / "tests" / "data" / "prose.jsonl"
LINES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
GOOD: Said = {line["text"]: line["good"] for line in LINES}
BAD: Said = {line["text"]: line["bad"] for line in LINES}
RECORDS = [Record(text=line["text"], position=n) for n, line in enumerate(LINES, start=1)]


def saying(said: Mapping[str, list[str]]) -> Script:
    """Answers every record as it is written in the file; every relation is one of its own."""

    def script(request: Request) -> Answer:
        if "New names:" in request.user:
            new = request.user.partition("New names:\n")[2].splitlines()
            names = [line for line in new if not line.startswith("  ")]
            return Answer(text=written({"same": [[name, name] for name in names]}))
        rows = [[number, *said[text]] for number, text in records_of(request.user)]
        return Answer(text=written({"records": rows}))

    return script


@contextmanager
def ingested(said: Said, folder: Path, frontend: str) -> Iterator[Memory]:
    """A memory of the sixty records, read by a model that says this."""
    with Endpoint(saying(said)) as endpoint:
        extraction = extract(endpoint, folder / "answers.db", RECORDS, frontend=frontend)
    with Memory.open(f"sqlite:///{folder / 'memory.db'}") as memory:
        report = memory.ingest(RECORDS, frontend=extraction)
        assert report.records == 60 == report.facts + report.unresolved + report.no_fact
        yield memory


def edges(memory: Memory) -> list[Edge]:
    """All current edges, found by naming everything the records say."""
    question = " ".join(record.text for record in RECORDS)
    return list(memory.read(question, hops=1).edges)


FRONTENDS = pytest.mark.parametrize("frontend", ["direct", "hybrid"])


def test_there_are_sixty_records_with_all_that_is_hard() -> None:
    """The data has facts, pronouns, negations, hearsay, conditions, and small talk."""
    assert len(GOOD) == 60
    reasons = " ".join(said[1] for said in GOOD.values() if said[0] == "unresolved")
    for kind in ("pronoun", "negation", "hearsay", "condition", "several values", "scope"):
        assert kind in reasons
    assert sum(said == ["no_fact"] for said in GOOD.values()) >= 4


@FRONTENDS
def test_good_answers_become_facts_and_the_rest_stays_visible(
    frontend: str, tmp_path: Path
) -> None:
    """Every fact is an edge as its record writes it; what is left open is in every read."""
    with ingested(GOOD, tmp_path, frontend) as memory:
        said = {(edge.subject, edge.relation, edge.object) for edge in edges(memory)}
        evidence = memory.read("Who is the captain of the blue ferry?")
        stats = memory.stats()
    facts = {tuple(row) for row in GOOD.values() if len(row) == 3}
    assert said == facts
    unresolved = [text for text, row in GOOD.items() if row[0] == "unresolved"]
    assert [record.text for record in evidence.unresolved] == unresolved
    assert "The captain of the blue ferry is Emre Gupta." in evidence.text
    assert stats.no_fact == sum(row == ["no_fact"] for row in GOOD.values())


@FRONTENDS
def test_bad_answers_bring_in_nothing(frontend: str, tmp_path: Path) -> None:
    """Invented, translated and paraphrased names, and pronouns, are refused, however often said."""
    with ingested(BAD, tmp_path, frontend) as memory:
        assert memory.stats().assertions == 0
        evidence = memory.read("Who is the captain of the blue ferry?", budget=100_000)
        shown = [record.text for record in evidence.records]
        reasons = [record.reason or "" for record in evidence.unresolved]
    assert shown == list(BAD)  # nothing is lost, and every read shows it
    assert len(reasons) == 60
    assert all(reason.startswith("the model's reading is refused") for reason in reasons)


@FRONTENDS
def test_one_bad_answer_for_each_is_repaired(frontend: str, tmp_path: Path) -> None:
    """A model that is wrong at first and right when told why ends as one that was right at once."""

    def script(request: Request) -> Answer:
        is_first = "refused" not in request.user
        return saying(BAD if is_first else GOOD)(request)

    with Endpoint(script) as endpoint:
        extraction = extract(endpoint, tmp_path / "answers.db", RECORDS, frontend=frontend)
    for record, verdict in zip(RECORDS, extraction.interpret(RECORDS), strict=True):
        row = GOOD[record.text]
        if len(row) == 3:
            triple = verdict.triples[0]
            assert [triple.subject, triple.relation, triple.object] == row
        else:
            assert verdict.status is Status(row[0])
