"""The values: what a record may be, and what is refused with one line."""

import datetime as dt
from typing import Any

import pytest

from cmc_graph.errors import SourceError
from cmc_graph.model import MAX_POSITION, Drift, Finding, Record, Status, Triple
from tests.support.builders import edge

SAID = (Triple("Ana", "city", "Porto"),)


@pytest.mark.parametrize(
    "triples",
    [
        pytest.param([("Ana", "city", "Porto")], id="tuple"),
        pytest.param([["Ana", "city", "Porto"]], id="list"),
        pytest.param([{"subject": "Ana", "relation": "city", "object": "Porto"}], id="mapping"),
        pytest.param(iter([Triple("Ana", "city", "Porto")]), id="generator of triples"),
    ],
)
def test_triples_in_every_form(triples: Any) -> None:
    """A record keeps its triples as values, however they were written down."""
    assert Record(text="t", triples=triples).triples == SAID


def test_a_mapping_may_retract() -> None:
    """Only a mapping can say in JSON that a value holds no longer."""
    said = {"subject": "Ana", "relation": "city", "object": "Porto", "retracts": True}
    record = Record(text="t", triples=[said])  # type: ignore[arg-type]  # JSON as users give it
    assert record.triples == (Triple("Ana", "city", "Porto", retracts=True),)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"text": ""}, "not blank", id="empty text"),
        pytest.param({"text": " \n\t"}, "not blank", id="blank text"),
        pytest.param({"text": 7}, "not blank", id="text of another type"),
        pytest.param({"text": "a\ud800"}, "surrogate at character 1", id="surrogate in text"),
        pytest.param({"source": "\udcff"}, "source holds a lone surrogate", id="in source"),
        pytest.param({"source": "ä" * 2049}, "longer than 4096 bytes", id="a source too long"),
        pytest.param({"speaker": 7}, "speaker must be text", id="speaker"),
        pytest.param({"position": -1}, "position must be from 0", id="negative"),
        pytest.param({"position": MAX_POSITION + 1}, "position must be from 0", id="too large"),
        pytest.param({"position": 10**400}, "position must be from 0", id="huge"),
        pytest.param({"position": -(10**5000)}, "position must be from 0", id="hugely negative"),
        pytest.param({"position": 1.0}, "whole number", id="float"),
        pytest.param({"position": True}, "whole number", id="bool"),
        pytest.param({"position": "1"}, "whole number", id="digits"),
        pytest.param({"source_line": 0}, "source_line must be from 1", id="line 0"),
        pytest.param({"source_line": -3}, "source_line must be from 1", id="negative line"),
        pytest.param({"observed_at": "yesterday"}, "ISO 8601", id="no time"),
        pytest.param({"observed_at": ""}, "ISO 8601", id="empty time"),
        pytest.param({"observed_at": 1700000000}, "ISO 8601", id="a number as time"),
        pytest.param({"observed_at": "2026-03-01\ud80009:00"}, "observed_at", id="in time"),
        pytest.param({"status": "done"}, "facts, unresolved, no_fact", id="unknown status"),
        pytest.param({"status": 10**5000}, "facts, unresolved, no_fact", id="huge status"),
        pytest.param({"triples": "abc"}, "triples must be a list", id="text"),
        pytest.param({"triples": 3}, "triples must be a list", id="number"),
        pytest.param({"triples": {"a": 1}}, "triples must be a list", id="one mapping"),
        pytest.param({"triples": ["abc"]}, "triple 1 must be", id="a text as triple"),
        pytest.param({"triples": [b"abc"]}, "triple 1 must", id="bytes"),
        pytest.param({"triples": [["a", "b"]]}, "triple 1 must be", id="two parts"),
        pytest.param({"triples": [SAID[0], ["a", "b", 3]]}, "triple 2 must", id="a number inside"),
        pytest.param({"triples": [["a", "b", 10**5000]]}, "triple 1 must", id="a huge number"),
        pytest.param({"triples": [["a", "b", "\ud800"]]}, "triple 1 holds", id="in triple"),
        pytest.param({"triples": [None]}, "triple 1 must be", id="nothing"),
        pytest.param(
            {"triples": [{"subject": "a", "relation": "b", "object": "c", "when": "d"}]},
            "triple 1 must be",
            id="unknown name",
        ),
        pytest.param(
            {"triples": [{"subject": "a", "relation": "b", "object": "c", "retracts": "no"}]},
            "triple 1 must",
            id="retracts as text",
        ),
        pytest.param({"triples": [], "status": "facts"}, "at least one triple", id="facts of none"),
        pytest.param({"triples": SAID, "status": "no_fact"}, "cannot bring", id="no_fact"),
        pytest.param({"triples": SAID, "status": "unresolved"}, "cannot bring", id="unresolved"),
    ],
)
def test_refused(fields: dict[str, Any], says: str) -> None:
    """Whatever a record cannot be is a SourceError of one short line that says what is wrong."""
    with pytest.raises(SourceError, match=says) as caught:
        Record(**{"text": "t", **fields})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("position", [0, 1, MAX_POSITION])
def test_positions(position: int) -> None:
    """A position is any whole number both stores can hold, with room for the next one."""
    assert Record(text="t", position=position).position == position


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00Z"),
        (dt.date(2026, 3, 1), "2026-03-01"),
        (dt.datetime(2026, 3, 1, 9, tzinfo=dt.UTC), "2026-03-01T09:00:00+00:00"),
    ],
)
def test_observed_at(given: Any, kept: str) -> None:
    """Times are kept as they were written; date and datetime objects in ISO 8601."""
    assert Record(text="t", observed_at=given).observed_at == kept


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({}, False),
        ({"status": "facts"}, False),
        ({"triples": SAID}, True),
        ({"triples": []}, True),
        ({"status": "no_fact"}, True),
        ({"triples": [], "status": "unresolved"}, True),
    ],
)
def test_a_verdict_needs_no_frontend(fields: dict[str, Any], *, verdict: bool) -> None:
    """Triples, an empty list of them, or a status without any decide; a bare record does not."""
    assert Record(text="t", **fields).has_verdict is verdict


def test_status_becomes_a_value() -> None:
    """A status given as text is the value afterwards."""
    assert Record(text="t", status="no_fact").status is Status.NO_FACT  # type: ignore[arg-type]  # JSON


def test_the_slot_of_an_edge() -> None:
    """An edge is the last word of one slot: subject key, relation, member."""
    assert edge("The Ana", "speaks", "Basque", 3, member="basque").slot == (
        "the ana",
        "speaks",
        "basque",
    )


def test_drift_is_falsy_when_clean() -> None:
    """``if store.verify(…)`` reads as "if something is wrong", also beyond the findings kept."""
    finding = Finding(kind="missing", where="slot", expected="edge", found="none")
    assert not Drift(slots=7)
    assert Drift(slots=7, differences=1, findings=(finding,))
    assert Drift(differences=1)
