"""``doctor`` as a person meets it: what it finds, its exit codes, and what a repair does."""

import json
import shlex
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from cmc_graph import Memory
from tests.acceptance.conftest import Secured
from tests.acceptance.running import Workspace, numbered, run

NOTES = numbered("Ana lives in Porto.", "Ana lives in Graz.", "Ben lives in Oslo.")


def codes(place: Workspace, *arguments: str) -> list[str]:
    ran = place.run("doctor", "--json", *arguments)
    found = [each["code"] for each in json.loads(ran.out)["problems"]]
    assert ran.code == bool(found)
    return found


def test_a_healthy_history(workspace: Workspace) -> None:
    """Nothing is found where nothing is wrong, also of a history that was never written."""
    assert codes(workspace) == []
    workspace.ingest(NOTES)
    ran = workspace.run("doctor")
    assert (ran.code, ran.out) == (0, "0 problems found\n")
    assert "ledger against projection" in ran.err
    assert codes(workspace, "--repair") == []


def test_no_store_yet(tmp_path: Path) -> None:
    """Looking creates nothing, and says that there is nothing."""
    path = tmp_path / "new.db"
    ran = run("doctor", "--repair", "--store", f"sqlite:///{path}")
    assert (ran.code, "no store" in ran.err, "pieces" in ran.err) == (0, True, False)
    assert not path.exists()


def test_no_such_history(workspace: Workspace) -> None:
    """A history that was never written is called empty, not healthy."""
    workspace.ingest(NOTES)
    ran = replace(workspace, history="typo").run("doctor")
    assert (ran.code, "history 'typo' is empty" in ran.err) == (0, True)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("bolt://127.0.0.1:1", "unreachable"),
        ("sqlite:///no/folder/a.db", "unreachable"),
        ("sqlite:///other.db", "other-schema"),
    ],
)
def test_a_store_that_cannot_be_opened(
    url: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What keeps every other command from working is a finding here, with a command to try."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("other.db")) as connection:
        connection.execute("CREATE TABLE other (x)")
    ran = run("doctor", "--store", url)
    assert (ran.code, ran.out.startswith(f"{code}: ")) == (1, True)
    assert "    cmc-graph " in ran.out


def test_damage_in_a_file(sqlite: Workspace) -> None:
    """What was changed with another tool is found; a repair mends what the assertions prove."""
    sqlite.ingest(NOTES)
    whole = sqlite.run("export").out
    with closing(sqlite3.connect(sqlite.url.removeprefix("sqlite:///"))) as connection:
        connection.execute("DELETE FROM slot")
        connection.execute("UPDATE assertion SET superseded_at = NULL")
        connection.commit()
    assert set(codes(sqlite)) == {"projection-missing", "projection-superseded-at"}
    assert codes(sqlite, "--repair") == []
    assert sqlite.run("export").out == whole
    with closing(sqlite3.connect(sqlite.url.removeprefix("sqlite:///"))) as connection:
        connection.execute("DELETE FROM record WHERE position = 3")
        connection.commit()
    assert set(codes(sqlite)) == {"no-record", "projection-counter"}
    ran = sqlite.run("read", "Where does Ben live?")
    assert (ran.code, "record [3] is missing" in ran.err) == (0, True)
    assert sqlite.shown("Where does Ana live?") == [2]
    told = sqlite.run("doctor").out
    assert "\n  in a shell:\n    cmc-graph forget --position 3 " in told
    (found,) = json.loads(sqlite.run("doctor", "--repair", "--json").out)["problems"]
    program, *words = shlex.split(found["command"])
    assert (program, words[:3]) == ("cmc-graph", ["forget", "--position", "3"])
    assert run(*words, "--json").json()["assertions"] == 1
    sqlite.ingest("3. Ben lives in Oslo.\n", name="again.txt")
    assert codes(sqlite, "--repair") == []


def test_a_loss_is_accepted_by_word_only(sqlite: Workspace) -> None:
    """An older value becomes current only after somebody said that what is lost is given up."""
    sqlite.ingest(NOTES)
    with closing(sqlite3.connect(sqlite.url.removeprefix("sqlite:///"))) as connection:
        connection.execute("DELETE FROM assertion WHERE position = 2")
        connection.commit()
    for words in (["rebuild"], ["relations", "set", "residence", "--many"]):
        ran = sqlite.run(*words)
        assert (ran.code, "record [2]" in ran.err, "doctor" in ran.err) == (6, True, True)
        assert sqlite.shown("Where does Ana live?") != [1]
    assert "Porto  lost [2]" in sqlite.run("timeline", "Ana").out
    assert "lost or damaged" in sqlite.run("read", "Where does Ana live?").err
    assert sqlite.run("rebuild", "--accept-loss").code == 0
    assert sqlite.shown("Where does Ana live?") == [1]


def test_rules_that_somebody_dropped(secured: Secured, locked: Workspace) -> None:
    """A14: a missing rule fails doctor; two edges of one slot do not keep others from reading."""
    locked.ingest(NOTES)
    with secured.target.driver() as driver:
        driver.execute_query("DROP INDEX cmc_record_status")
        assert codes(locked) == ["no-rule"]
        assert codes(locked, "--repair") == []
        rows = driver.execute_query(
            "SHOW CONSTRAINTS YIELD name, labelsOrTypes WHERE labelsOrTypes = ['CURRENT'] "
            "RETURN name"
        ).records
        driver.execute_query(f"DROP CONSTRAINT {rows[0]['name']}")
        driver.execute_query(
            "MATCH (a:Entity {history: $h, key: 'ana'})-[c:CURRENT]->(), "
            "(o:Entity {history: $h, key: 'oslo'}) CREATE (a)-[n:CURRENT]->(o) SET n = c",
            h=locked.history,
        )
    assert sorted(codes(locked)) == ["damaged-slot", "no-rule"]
    ran = locked.run("read", "Where does Ana live?")
    assert (ran.code, "[2] Ana lives in Graz." in ran.out) == (0, True)
    assert codes(locked, "--repair") == []
    assert locked.shown("Where does Ana live?") == [2]


def test_from_python(sqlite: Workspace) -> None:
    """A diagnosis is falsy when all is well."""
    sqlite.ingest(NOTES)
    assert not Memory.doctor(sqlite.url, sqlite.history)
