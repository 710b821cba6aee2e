"""Damage done by hand in a SQLite file: doctor finds and mends it, by the codes that Neo4j has."""

import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph import Memory, Record
from cmc_graph.doctor import Access, Diagnosis, examine, problems
from cmc_graph.errors import StoreError
from cmc_graph.stores.base import Entry
from cmc_graph.stores.sqlite import SqliteStore
from tests.support.builders import batch, entry, no, residual

#: What is done by hand, which codes doctor gives, and which are left after a repair.
DAMAGES = {
    "a record deleted": (
        "DELETE FROM record WHERE position = 2",
        {"no-record", "projection-counter"},
        {"no-record"},
    ),
    "an assertion deleted": (
        "DELETE FROM assertion WHERE position = 2",
        {"verdict"},
        {"verdict"},
    ),
    "one of two assertions deleted": (
        "DELETE FROM assertion WHERE position = 7 AND ordinal = 0",
        {"no-assertion"},
        {"no-assertion"},
    ),
    "the last of two assertions deleted": (
        "DELETE FROM assertion WHERE position = 7 AND ordinal = 1",
        {"no-assertion", "projection-unexpected", "projection-name"},
        {"no-assertion", "projection-unexpected", "projection-name"},
    ),
    "a negative position": (
        "UPDATE record SET position = -6 WHERE position = 6",
        {"damaged-record"},
        {"damaged-record"},
    ),
    "a negative position of an assertion": (
        "UPDATE assertion SET position = -2 WHERE position = 2",
        {"damaged-assertion", "verdict"},
        {"damaged-assertion", "verdict"},
    ),
    "a negative position of a record with facts": (
        "UPDATE record SET position = -2 WHERE position = 2",
        {"damaged-record", "no-record"},
        {"damaged-record", "no-record"},
    ),
    "an entity deleted": (
        "DELETE FROM entity WHERE key = 'ana'",
        {"damaged-assertion", "damaged-edge"},
        {"damaged-assertion", "damaged-edge"},
    ),
    "a relation deleted": (
        "DELETE FROM relation WHERE name = 'pet'",
        {"damaged-assertion", "damaged-edge"},
        {"damaged-assertion", "damaged-edge"},
    ),
    "a relation merged into nothing": (
        "UPDATE relation SET merged_into = 99 WHERE name = 'pet'",
        {"damaged-relation"},
        {"damaged-relation"},
    ),
    "a relation merged beside its own assertions": (
        "UPDATE relation SET merged_into = (SELECT id FROM relation WHERE name = 'city') "
        "WHERE name = 'pet'",
        {"damaged-relation"},
        {"damaged-relation"},
    ),
    "one value made many": (
        "UPDATE relation SET \"values\" = 'many' WHERE name = 'city'",
        {"damaged-relation"},
        set(),
    ),
    "many values made one": (
        "UPDATE relation SET \"values\" = 'one' WHERE name = 'speaks'",
        {"damaged-relation"},
        set(),
    ),
    "the key of a subject": (
        "UPDATE entity SET key = 'anna' WHERE key = 'ana'",
        {"damaged-entity"},
        set(),
    ),
    "the name and key of a subject": (
        "UPDATE entity SET key = 'eva', name = 'Eva' WHERE key = 'ana'",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "the key of an object": (
        "UPDATE entity SET key = 'graaz' WHERE key = 'graz'",
        {"damaged-entity"},
        set(),
    ),
    "the object of an assertion": (
        "UPDATE assertion SET object = (SELECT id FROM entity WHERE key = 'rex') "
        "WHERE position = 2",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "the text of an object": (
        "UPDATE assertion SET object_text = 'Oslo' WHERE position = 2",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "two slots at odds": (
        "INSERT INTO slot SELECT subject, relation, object, position, ordinal FROM assertion "
        "WHERE position = 1",
        {"projection-unexpected"},
        set(),
    ),
    "a frontend deleted": (
        "DELETE FROM frontend",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "the slots": ("DELETE FROM slot", {"projection-missing"}, set()),
    "a slot of nothing": (
        "INSERT INTO slot SELECT 99, relation, 0, 1, 0 FROM slot LIMIT 1",
        {"damaged-edge"},
        set(),
    ),
    "the ends": (
        "UPDATE assertion SET superseded_at = NULL",
        {"projection-superseded-at"},
        set(),
    ),
    "the members": (
        "UPDATE assertion SET member = 0 WHERE ordinal = 1",
        {"projection-wrong", "projection-missing", "projection-unexpected"},
        set(),
    ),
    "the counters": ("UPDATE history SET next_position = 3", {"projection-counter"}, set()),
    "an index": ("DROP INDEX record_unresolved", {"no-rule"}, set()),
    "another index": (
        "DROP INDEX record_unresolved; CREATE INDEX record_unresolved ON record (text)",
        {"no-rule"},
        set(),
    ),
    "a view": ("DROP VIEW counting", {"no-rule"}, set()),
    "the table of slots": ("DROP TABLE slot", {"no-rule"}, set()),
    "the name of the history": ("DELETE FROM history", {"no-history"}, {"no-history"}),
}


def entries() -> list[Entry]:
    return [
        entry(1, ("Ana", "city", "Porto")),
        entry(2, ("Ana", "city", "Graz")),
        entry(3, ("Ben", "pet", "Rex")),
        entry(4, ("Ben", "car", "Beetle")),
        entry(5, no("Ben", "car", "Beetle")),
        residual(6),
        entry(7, ("Ben", "speaks", "Basque"), ("Ben", "speaks", "Dutch")),
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with two histories, one of which is damaged."""
    path = tmp_path / "it's mine.db"
    with closing(SqliteStore(path)) as store:
        store.setup()
        store.append("h", batch(*entries(), many=["speaks"]))
    return path


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as store:
        yield store


def damage(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.executescript(script)


def examined(path: Path, history: str = "h", *, repair: bool = False) -> Diagnosis:
    return examine(Access(url=f"sqlite:///{path}"), history, repair=repair)


def codes(diagnosis: Diagnosis) -> set[str]:
    return {each.code for each in diagnosis.problems}


@pytest.mark.parametrize("which", DAMAGES)
def test_damage_is_found_and_mended(which: str, path: Path, store: SqliteStore) -> None:
    """Doctor names the damage; a repair leaves what no assertion proves."""
    script, found, left = DAMAGES[which]
    assert not examined(path)
    before = list(store.scan("h"))
    damage(path, script)
    diagnosis = examined(path)
    assert codes(diagnosis) == found
    assert all(str(path).replace("'", "'\"'\"'") in each.command for each in diagnosis.problems)
    mended = examined(path, repair=True)
    assert codes(mended) == left
    assert {each.code for each in mended.repaired} == found - left
    if not left:
        assert list(store.scan("h")) == before


@pytest.mark.parametrize(
    "which",
    [
        *("an entity deleted", "a relation deleted", "an assertion deleted", "a frontend deleted"),
        *("the last of two assertions deleted", "the object of an assertion"),
        "the text of an object",
    ],
)
def test_forgetting_helps(which: str, path: Path, store: SqliteStore) -> None:
    """What is forgotten as doctor says, ingested again and repaired, is as it was before."""
    before = list(store.scan("h"))
    damage(path, DAMAGES[which][0])
    commands = [each.command for each in examined(path).problems if " forget " in each.command]
    positions = {int(command.split()[3]) for command in commands}
    memory = Memory(store, "h")
    memory.forget(sorted(positions))
    again = [each for each in entries() if each.record.position in positions]
    store.append("h", batch(*again, many=["speaks"]))
    assert not examined(path, repair=True)
    assert list(store.scan("h")) == before


@pytest.mark.parametrize("which", DAMAGES)
def test_the_commands_help(which: str, path: Path, store: SqliteStore) -> None:
    """All is well again after the commands were run in their order, and those of a second look."""
    damage(path, DAMAGES[which][0])
    memory = Memory(store, "h")
    for _ in range(2):
        for command in dict.fromkeys(each.command for each in examined(path).problems):
            run(shlex.split(command), path, memory)
    assert not examined(path)
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Graz"]


def run(words: list[str], path: Path, memory: Memory) -> None:
    """Run a command of doctor's; what is forgotten is ingested again."""
    match words:
        case ["sqlite3", file, statement]:
            damage(Path(file), statement)
        case ["cmc-graph", "forget", _, position, *_]:
            memory.forget([int(position)])
            again = [each for each in entries() if each.record.position == int(position)]
            memory._store.append("h", batch(*again, many=["speaks"]))
        case ["cmc-graph", "rebuild", *_]:
            memory.rebuild(accept_loss=True)
        case _:
            examined(path, repair=True)


def test_an_older_value_does_not_become_current(path: Path, store: SqliteStore) -> None:
    """While an assertion is lost, no slot is resolved; other repairs are made."""
    damage(path, "DELETE FROM assertion WHERE position = 2; DROP VIEW ledger")
    mended = examined(path, repair=True)
    assert {each.code for each in mended.repaired} == {"no-rule"}
    assert any("older value" in note for note in mended.notes)
    assert "Porto" not in [edge.object for edge in Memory(store, "h").read("Ana?").edges]


def test_other_histories_are_not_spoken_of(path: Path, store: SqliteStore) -> None:
    """Damage of one history is none of another one."""
    store.append("other", batch(*entries()))
    damage(path, "DELETE FROM record WHERE position = 2 AND history = 1")
    assert codes(examined(path)) == {"no-record", "projection-counter"}
    assert not examined(path, "other")


def test_what_only_an_older_version_tells_of_is_not_overwritten(
    path: Path, store: SqliteStore
) -> None:
    """A record gone with its assertion and slot, and counted anew, is missed all the same."""
    damage(
        path,
        "DELETE FROM assertion WHERE position = 2; DELETE FROM record WHERE position = 2; "
        "DELETE FROM slot WHERE position = 2; UPDATE history SET records = 6",
    )
    after = examined(path, repair=True)
    lost = [each for each in after.problems if each.code == problems.LOST]
    assert [(each.step, each.command.split()[1:3]) for each in lost] == [
        ("give up", ["rebuild", "--accept-loss"])
    ]
    assert after.repaired == ()
    memory = Memory(store, "h")
    assert "Porto" not in [edge.object for edge in memory.read("Ana?").edges]
    store.append("h", batch(*entries()))
    assert not examined(path, repair=True)
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Graz"]


def test_a_lost_name_is_given_to_no_other(path: Path, store: SqliteStore) -> None:
    """Of two histories that lost their names, none is given the name that is asked for."""
    store.append("other", batch(entry(1, ("Eva", "city", "Oslo"))))
    damage(path, "DELETE FROM history")
    for name in ("h", "other"):
        commands = [each.command for each in examined(path, name).problems]
        assert ["recovered 1" in commands[0], "recovered 2" in commands[1]] == [True, True]


VERBS: dict[str, Callable[[Memory], object]] = {
    "read": lambda memory: memory.read("Ana?"),
    "timeline": lambda memory: memory.timeline("Ana"),
    "stats": lambda memory: memory.stats(),
    "relations": lambda memory: memory.relations(),
    "export": lambda memory: list(memory.export()),
    "ingest": lambda memory: memory.ingest([Record(text="Ana lives in Oslo.")]),
    "forget": lambda memory: memory.forget([2]),
    "rebuild": lambda memory: memory.rebuild(accept_loss=True),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_a_history_without_its_row_is_not_empty(
    path: Path, store: SqliteStore, verb: Callable[[Memory], object]
) -> None:
    """Every verb says that records lost the name of their history; a new one gets none of them."""
    damage(path, "DELETE FROM history")
    memory = Memory(store, "h")
    with pytest.raises(StoreError, match=r"history 'h', but records .* lost its name; .*doctor"):
        verb(memory)
    assert not any("is empty" in note for note in examined(path).notes)


@pytest.mark.parametrize("which", ["next_position = 0", "next_position = 3"])
def test_lost_positions_are_not_written_over(path: Path, store: SqliteStore, which: str) -> None:
    """Where the next position is lost, nothing is written until it is derived."""
    damage(path, f"UPDATE history SET {which}")  # noqa: S608 - a column
    memory = Memory(store, "h")
    with pytest.raises(StoreError, match="lost its counters; cmc-graph doctor --repair"):
        memory.ingest([Record(text="Ana lives in Oslo.")])
    assert not examined(path, repair=True)
    assert memory.ingest([Record(text="Ana lives in Oslo.")]).facts == 1


def test_a_read_does_not_miss_every_name(path: Path, store: SqliteStore) -> None:
    """Where the length of keys is lost, a read says so instead of finding nothing."""
    damage(path, "UPDATE history SET longest_key = 0")
    memory = Memory(store, "h")
    with pytest.raises(StoreError, match="lost its counters; cmc-graph doctor --repair"):
        memory.read("Ana?")
    assert not examined(path, repair=True)
    assert memory.read("Ana?").edges


def test_a_slot_of_another_subject_is_not_read(path: Path, store: SqliteStore) -> None:
    """Where a slot names what is said of something else, the read leaves it out and says so."""
    memory = Memory(store, "h")
    damage(path, "UPDATE slot SET position = 3 WHERE position = 2")
    evidence = memory.read("Ana?")
    assert (evidence.edges, len(evidence.damage)) == ((), 1)


@pytest.mark.parametrize("as_of", [None, 8, 600])
def test_a_lost_slot_beside_many_versions(
    path: Path, store: SqliteStore, as_of: int | None
) -> None:
    """However many versions a subject has, a slot that is lost is named; not what came later."""
    many = [entry(n, ("Ana", "city", f"C{n % 9}")) for n in range(8, 500)]
    store.append("h", batch(*many, entry(500, ("Ana", "pet", "Tom"))))
    memory = Memory(store, "h")
    assert not memory.read("Ana?").damage
    damage(path, "DELETE FROM slot WHERE position = 500")
    assert len(memory.read("Ana?", as_of=as_of).damage) == (as_of != 8)


def test_nothing_to_look_at_is_said(path: Path) -> None:
    """A typo of a path or a history is not called healthy, though nothing is wrong."""
    new = examined(path.with_name("typo.db"))
    assert (bool(new), new.checks[0], len(new.checks)) == (False, "connection", 2)
    assert "no store" in new.notes[0]
    assert not path.with_name("typo.db").exists()
    empty = examined(path, "typo", repair=True)
    assert not empty
    assert empty.checks[-1] == "schema and indexes"
    assert "history 'typo' is empty" in empty.notes[0]


def test_what_is_lost_without_a_trace_is_not_overwritten(path: Path, store: SqliteStore) -> None:
    """A newest record that is gone with its assertion: no repair makes the older value current."""
    gone = "DELETE FROM {} WHERE position = 2;"
    damage(path, gone.format("assertion") + gone.format("record"))
    before = examined(path)
    assert problems.LOST in codes(before)
    after = examined(path, repair=True)
    assert (codes(after), after.repaired) == (codes(before), ())
    assert "nothing is repaired" in after.notes[-1]
    store.append("h", batch(*entries()))
    store.rebuild("h")
    assert not examined(path)
