"""The shipped examples are what their README says."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cmc_graph.anchors import longest_matches
from cmc_graph.compile import interpret
from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.model import Status, Values
from cmc_graph.text import tokens
from loaders import factconsolidation, text
from tests.support.oracle import Oracle

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
REAL = ROOT.parent / "shared" / "data" / "factconsolidation" / "sh_6k.json"

TEAM = {record.position: record.text for record in text.records(EXAMPLES / "team-history.txt")}
QUESTIONS: list[dict[str, Any]] = json.loads(
    (EXAMPLES / "team-questions.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def memory() -> Oracle:
    """The team history, read by the general grammar pack."""
    grammar = Grammar([load_pack("general")])
    entries = interpret(grammar, list(text.records(EXAMPLES / "team-history.txt")))
    many = [name for name, values in grammar.relations.items() if values is Values.MANY]
    return Oracle(entries, many)


def test_team_history_is_numbered_without_gaps() -> None:
    """The positions are the line numbers, so that the file reads like the evidence."""
    assert list(TEAM) == list(range(1, 208))
    assert TEAM[152] == "The weekly meeting moved to Room B."


def test_there_are_twenty_questions() -> None:
    """Twenty questions, told apart by what they ask and when."""
    assert len({(asked["question"], asked.get("as_of")) for asked in QUESTIONS}) == 20


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_answers_are_stated_by_the_records_they_need(asked: dict[str, Any]) -> None:
    """Every answer stands in a needed record, none of which is newer than the question's time."""
    needed = [TEAM[position] for position in asked["positions"]]
    assert all(any(answer in record for record in needed) for answer in asked["answers"])
    assert max(asked["positions"]) <= asked.get("as_of", 207)


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_evidence_holds_the_records_a_question_needs(memory: Oracle, asked: dict[str, Any]) -> None:
    """The closure of the question's entities has every needed record and every answer."""
    then = memory.as_of(asked.get("as_of", 207))
    anchors = longest_matches(tokens(asked["question"]), then.subjects())
    words = [then.words[slot] for slot in then.closure(anchors, 5)]
    assert {word.place[0] for word in words} >= set(asked["positions"])
    values = {word.said.object_text for word in words if not word.said.retracts}
    assert values >= set(asked["answers"])


def test_team_history_has_something_of_everything(memory: Oracle) -> None:
    """Updates, facts that hold side by side, ended facts, and lines that are no statement."""
    unread = {p for p, e in memory.entries.items() if e.status is Status.UNRESOLVED}
    assert unread == {35, 76, 102, 130, 139, 161, 177, 207}
    stats = memory.stats()
    assert (stats.facts, stats.current, stats.ended, stats.superseded) == (199, 135, 5, 59)
    assert stats.slots_overwritten == 47
    assert sum(bool(member) for _, _, member in memory.words) > 40


def test_longest_way_has_four_steps(memory: Oracle) -> None:
    """From the weekly meeting to a country, each step through a record the README names."""
    depths = {memory.words[s].place[0]: d for s, d in memory.closure(["weekly meeting"], 5).items()}
    assert [depths[position] for position in (152, 72, 190, 191)] == [1, 2, 3, 4]


def test_readme_numbers_point_at_what_it_describes() -> None:
    """A record that the README quotes has the number it gives, and the counts are right."""
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    quoted = re.findall(r"`([^`\[]+[.?])` \((\d+)\)", readme)
    assert len(quoted) == 3
    assert all(TEAM[int(number)] == sentence for sentence, number in quoted)
    assert f"{len(TEAM)} statements" in readme
    statuses = [TEAM[number] for number in (43, 106, 163)]
    assert statuses[0] == statuses[2] != statuses[1]


def test_factconsolidation_history_has_no_questions() -> None:
    """The shipped history is the context alone, of known bytes."""
    path = EXAMPLES / "factconsolidation-6k.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert set(content) == {"source", "context"}
    assert hashlib.sha256(content["context"].encode()).hexdigest().startswith("e46cb14b53eedd71")
    assert len(list(factconsolidation.records(path))) == 455
    assert list(factconsolidation.cases(path)) == []


@pytest.mark.skipif(not REAL.is_file(), reason=f"no benchmark data at {REAL}")
def test_factconsolidation_history_is_the_original() -> None:
    """The shipped context is that of the released cell, byte for byte."""
    shipped = json.loads((EXAMPLES / "factconsolidation-6k.json").read_text(encoding="utf-8"))
    released = json.loads(REAL.read_text(encoding="utf-8"))
    assert shipped["context"] == released["context"]
