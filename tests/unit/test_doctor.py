"""What doctor makes of findings: codes, sentences, commands; without a database."""

import shlex

import pytest

from cmc_graph.doctor import problems, server
from cmc_graph.doctor.commands import Commands
from cmc_graph.errors import (
    DatabaseMissing,
    SchemaMismatch,
    StoreBusy,
    StoreError,
    StoreRefused,
    StoreUnreachable,
)
from cmc_graph.model import Drift, Finding, Stats
from cmc_graph.stores.inspection import Damage, Inspection

COMMANDS = Commands("bolt://localhost:7687", "my notes")
PLACE = "--store bolt://localhost:7687 --history 'my notes'"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0s", 0),
        ("2m", 120),
        ("1m30s", 90),
        ("500ms", 0.5),
        ("0B", 0),
        ("1.50GiB", 1.5 * 2**30),
        ("9", 9),
    ],
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
    assert all(f"{name}=" in each.command for each in found)


def test_old_servers() -> None:
    """A server that cannot read the statements is named; SQLite is none."""
    (problem,) = server.problems(Inspection(server="Neo4j 5.9.0 community"))
    assert problem.code == "old-server"
    assert not list(server.problems(Inspection(server="SQLite 3.40.1")))
    assert not list(server.problems(Inspection(server="Neo4j 5.26.0 enterprise")))


@pytest.mark.parametrize(
    ("error", "code", "command"),
    [
        (DatabaseMissing("x"), "no-database", "cmc-graph config show"),
        (SchemaMismatch("x"), "other-schema", "cmc-graph config show"),
        (StoreRefused("x"), "refused", "cmc-graph config show"),
        (StoreUnreachable("x"), "unreachable", "cmc-graph server start"),
        (StoreBusy("x"), "busy", f"cmc-graph doctor {PLACE}"),
        (StoreError("x"), "failed", f"cmc-graph doctor --verbose {PLACE}"),
    ],
)
def test_errors_have_codes(error: StoreError, code: str, command: str) -> None:
    """What keeps doctor from looking is a problem of its own."""
    problem = problems.of_error(error, COMMANDS)
    assert (problem.code, problem.command) == (code, command)


def test_commands_are_quoted() -> None:
    """Whatever an address or a history is named, the command is one command."""
    odd = Commands("sqlite:///it's.db", "$(rm -r x)")
    words = ["cmc-graph", "forget", "--position", "7"]
    place = ["--store", "sqlite:///it's.db", "--history", "$(rm -r x)"]
    assert shlex.split(odd.forget(7)) == words + place


def test_sums() -> None:
    """Accounting identities that do not hold are problems; sound ones are none."""
    sound = Stats(records=2, facts=1, unresolved=1, assertions=3, current=1, ended=1, superseded=1)
    assert not list(problems.of_accounting(sound, COMMANDS))
    wrong = Stats(records=3, facts=1, unresolved=1, assertions=1, current=2, superseded=-1)
    assert [each.code for each in problems.of_accounting(wrong, COMMANDS)] == ["accounting"] * 2


def test_each_damage_has_its_command() -> None:
    """What is derived is repaired, what has a position forgotten, the rest is done by hand."""
    derived = Damage("edge", "ana / city", "member", is_derived=True)
    placed = Damage("record", "[5]", "text", 5)
    by_hand = Damage("pattern", "x", "support", by_hand="DELETE it", hint="deletes it")
    found = list(problems.of_damages([derived, placed, by_hand], COMMANDS))
    assert [each.command for each in found] == [
        f"cmc-graph doctor --repair {PLACE}",
        f"cmc-graph forget --position 5 {PLACE}",
        "DELETE it",
    ]
    assert [each.run_in for each in found] == ["shell", "shell", "Neo4j Browser"]
    assert "ingest its source again" in found[1].sentence
    assert "deletes it" in found[2].sentence


def test_commands_come_in_an_order_that_works() -> None:
    """What is restored comes before repairs, what is given up last; each command stands once."""
    damages = [
        Damage("edge", "ana / city", "member", is_derived=True),
        Damage("record", "[-5]", "position", by_hand="DELETE it", gives_up=True),
        Damage("assertion", "[7].0", "retracts", 7),
        Damage("relation", "pet", "node", by_hand="CREATE it"),
        Damage("entity", "ana", "key", is_derived=True),
        Damage("assertion", "[7].1", "retracts", 7),
    ]
    found = problems.in_order(problems.of_damages(damages, COMMANDS))
    assert [each.command.split(" --store")[0] for each in found] == [
        "CREATE it",
        *["cmc-graph forget --position 7"] * 2,
        *["cmc-graph doctor --repair"] * 2,
        "DELETE it",
    ]


def test_only_some_differences_are_shown() -> None:
    """Differences beyond those listed are counted; a lost record is told elsewhere."""
    listed = Finding(kind="superseded_at", where="a / b [1].0", expected="2", found="3")
    lost = Finding(kind="record", where="a / b [1].0", expected="a record", found="no record")
    drift = Drift(differences=10, findings=(listed, lost))
    found = list(problems.of_drift(drift, (), COMMANDS))
    assert [each.code for each in found] == ["projection-superseded-at", "projection-more"]
    assert "8 more" in found[1].sentence
