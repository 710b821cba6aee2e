"""What doctor makes of findings: codes, sentences, commands; without a database."""

import pytest

from cmc_graph.doctor import problems, server
from cmc_graph.errors import DatabaseMissing, SchemaMismatch, StoreError, StoreRefused
from cmc_graph.model import Drift, Finding, Stats, Status
from cmc_graph.stores.base import Kept
from cmc_graph.stores.inspection import Inspection
from tests.support.builders import residual


@pytest.mark.parametrize(
    ("text", "number"),
    [("0s", 0), ("2m", 120), ("1m30s", 90), ("500ms", 0.5), ("0B", 0), ("1.50GiB", 1.5 * 2**30)],
)
def test_amounts(text: str, number: float) -> None:
    """Durations count seconds, sizes bytes."""
    assert server.amount(text) == number


@pytest.mark.parametrize(
    ("name", "value", "hurts"),
    [
        ("db.transaction.timeout", "0s", False),
        ("db.transaction.timeout", "10s", True),
        ("db.transaction.timeout", "5m", False),
        ("db.memory.transaction.max", "16.00MiB", True),
        ("db.memory.transaction.max", "0B", False),
        ("server.databases.default_to_read_only", "true", True),
    ],
)
def test_settings_that_hurt(name: str, value: str, hurts: bool) -> None:  # noqa: FBT001 - a column
    """Zero stands for no limit; a problem names the line to write."""
    found = list(server.problems(Inspection(server="Neo4j 5.26.29", settings={name: value})))
    assert [each.code for each in found] == ["setting"] * hurts
    assert all(name in each.command for each in found)


def test_old_servers() -> None:
    """A server that cannot read the statements is named; SQLite is none."""
    (problem,) = server.problems(Inspection(server="Neo4j 5.9.0 community"))
    assert problem.code == "old-server"
    assert not list(server.problems(Inspection(server="SQLite 3.40.1")))
    assert not list(server.problems(Inspection(server="Neo4j 5.26.0 enterprise")))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DatabaseMissing("x"), "no-database"),
        (SchemaMismatch("x"), "other-schema"),
        (StoreRefused("x"), "refused"),
        (StoreError("x"), "failed"),
    ],
)
def test_errors_have_codes(error: StoreError, code: str) -> None:
    """What keeps doctor from looking is a problem of its own."""
    assert problems.of_error(error).code == code


def test_sums_and_verdicts() -> None:
    """Accounting identities and verdicts that do not fit are problems; sound ones are none."""
    sound = Stats(records=2, facts=1, unresolved=1, assertions=3, current=1, ended=1, superseded=1)
    assert not list(problems.of_accounting(sound))
    wrong = Stats(records=3, facts=1, unresolved=1, assertions=1, current=2, superseded=-1)
    assert [each.code for each in problems.of_accounting(wrong)] == ["accounting"] * 2
    record = residual(4).record
    bad = Kept(type(record)(text="x", position=5, status=Status.FACTS))
    found = list(problems.of_records([Kept(record), bad, bad]))
    assert [each.code for each in found] == ["verdict", "position"]
    assert "--position 5" in found[0].command


def test_only_some_differences_are_shown() -> None:
    """Differences beyond those listed are counted."""
    listed = Finding(kind="superseded_at", where="a / b [1].0", expected="2", found="3")
    found = list(problems.of_drift(Drift(differences=9, findings=(listed,))))
    assert [each.code for each in found] == ["projection-superseded-at", "projection-more"]
    assert "8 more" in found[1].sentence
