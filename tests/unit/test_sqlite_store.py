"""How the SQLite store keeps a history: what is in the file, what it costs, what verify finds."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from cmc_graph.model import Record, Status, Triple, Values
from cmc_graph.stores.base import Entry
from cmc_graph.stores.sqlite import SqliteStore
from tests.support.builders import batch, entry, no, residual


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    with closing(SqliteStore(path)) as made:
        made.setup()
        yield made


def rows(store: SqliteStore, statement: str) -> list[tuple[object, ...]]:
    """The rows of a statement that no verb has."""
    with store._connections.reading() as connection:
        return connection.execute(statement).fetchall()


def names(store: SqliteStore) -> dict[object, tuple[object, ...]]:
    """Name and position of the name, by key."""
    found = rows(store, "SELECT key, name, name_position FROM entity")
    return {key: tuple(rest) for key, *rest in found}


def test_an_entity_is_named_by_its_first_surface(store: SqliteStore) -> None:
    """The smallest (position, ordinal) gives the name, whatever the order of arrival."""
    store.append("h", batch(entry(5, ("ANA", "home", "Graz"))))
    assert names(store)["ana"] == ("ANA", 5)
    store.append("h", batch(entry(9, ("ana", "home", "Bern"))))
    assert names(store)["ana"] == ("ANA", 5)
    store.append(
        "h",
        batch(
            entry(7, ("aNa", "job", "cook")), entry(2, ("Bo", "likes", "Ana"), ("AnA", "job", "x"))
        ),
    )
    assert names(store)["ana"] == ("Ana", 2)
    store.forget("h", [2])
    assert names(store)["ana"] == ("ANA", 5)
    assert not store.verify("h")


def test_the_subject_names_before_the_object(store: SqliteStore) -> None:
    """Of two surfaces in one assertion the subject's is the name."""
    store.append("h", batch(entry(1, ("Luxembourg", "capital", "LUXEMBOURG"))))
    assert names(store) == {"luxembourg": ("Luxembourg", 1)}
    assert not store.verify("h")


def test_names_of_sources_and_frontends_stand_once(store: SqliteStore) -> None:
    """What repeats on every row is stored once, for all histories."""
    for history in ("h", "other"):
        store.append(
            history,
            batch(
                *(
                    entry(n, ("Ana", "home", f"o{n}"), source="notes.txt", source_line=n + 1)
                    for n in range(50)
                )
            ),
        )
    assert rows(store, "SELECT name FROM source") == [("notes.txt",)]
    assert rows(store, "SELECT name FROM frontend") == [("test",)]
    assert [kept.record.source_line for kept in store.scan("h")] == list(range(1, 51))


def test_what_was_forgotten_is_not_in_the_file(path: Path, store: SqliteStore) -> None:
    """After closing, neither text nor names nor source of a forgotten record are left anywhere."""
    secret = entry(
        2, ("Zebulon", "password", "Xyzzy"), text="Zebulon has Xyzzy.", source="Private.txt"
    )
    store.append("h", batch(entry(1, ("Ana", "home", "Graz"), source="notes.txt"), secret))
    store.forget("h", [2])
    store.close()
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]
    content = path.read_bytes().lower()
    assert b"graz" in content
    assert b"notes.txt" in content
    for word in (b"zebulon", b"xyzzy", b"private"):
        assert word not in content


def test_a_source_of_another_history_stays(store: SqliteStore) -> None:
    """Forgetting in one history takes nothing from another."""
    for history in ("h", "other"):
        store.append(
            history, batch(entry(1, ("Ana", "home", "Graz"), source="notes.txt", source_line=1))
        )
    store.forget("h", [1])
    assert [kept.record.source for kept in store.scan("other")] == ["notes.txt"]
    assert not store.verify("other")


def test_the_file_is_sound(path: Path, store: SqliteStore) -> None:
    """After writes of every kind, SQLite finds no broken reference and no broken page."""
    said = [
        entry(n, (f"s{n % 4}", "r", f"o{n % 3}"), no(f"s{n % 3}", "m", f"o{n % 5}"))
        for n in range(60)
    ]
    store.append("h", batch(*said[::2]))
    store.append("h", batch(*said[1::2], residual(70), many=["m"]))
    store.set_relation("h", "r", Values.MANY)
    store.forget("h", range(0, 40, 3))
    store.rebuild("h")
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_texts_with_a_nul_stay_whole(store: SqliteStore) -> None:
    """No part of SQLite cuts a text at a NUL character, nor takes two such texts for one."""
    triples = (Triple("\0a", "r\0a", "!\0"), Triple("\0b", "r\0b", "!\0\0"))
    store.append("h", batch(entry(1, *triples, text="\0a b\0")))
    store.append("h", batch(entry(2, *triples, text="again")))
    assert [relation.name for relation in store.relations("h")] == ["r\0a", "r\0b"]
    kept = list(store.scan("h"))
    assert kept[0].record.text == "\0a b\0"
    assert [(said.subject_text, said.object_text) for said in kept[1].assertions] == [
        ("\0a", "!\0"),
        ("\0b", "!\0\0"),
    ]
    assert store.stats("h").current == 2
    assert not store.verify("h")


def test_of_two_records_of_one_line_the_older_is_known(store: SqliteStore) -> None:
    """A source line that numbered records brought twice stands for the smaller position."""
    for position in (7, 3, 9):
        store.append("h", batch(entry(position, source="a", source_line=1)))
    found = store.known("h", [Record(text="x", source="a", source_line=1)])
    assert dict(found.lines) == {("a", 1): (3, "record 3")}


DAMAGE = [
    pytest.param("DELETE FROM slot WHERE position = 3", "missing", id="no edge"),
    pytest.param("UPDATE slot SET position = 1 WHERE position = 3", "wrong", id="other edge"),
    pytest.param(
        "INSERT INTO slot SELECT object, relation, 0, 1, 0 FROM assertion LIMIT 1",
        "unexpected",
        id="edge too many",
    ),
    pytest.param(
        "INSERT INTO entity SELECT 99, history, 'nobody', 'Nobody', 1 FROM entity LIMIT 1",
        "name",
        id="entity too many",
    ),
    pytest.param("UPDATE assertion SET superseded_at = NULL", "superseded_at", id="no end"),
    pytest.param(
        "UPDATE assertion SET member = object WHERE position = 2", "wrong", id="wrong slot"
    ),
    pytest.param("UPDATE history SET records = 9", "counter", id="records"),
    pytest.param("UPDATE history SET next_position = 9", "counter", id="next position"),
    pytest.param("UPDATE history SET longest_key = 9", "counter", id="longest key"),
    pytest.param("UPDATE entity SET name = 'ana' WHERE key = 'ana'", "name", id="name"),
]


@pytest.mark.parametrize(("damage", "kind"), DAMAGE)
def test_damage_is_found_and_repaired(store: SqliteStore, damage: str, kind: str) -> None:
    """Verify names each kind of difference and writes nothing; rebuild takes it away."""
    store.append(
        "h",
        batch(
            entry(1, ("Ana", "home", "Graz")),
            entry(2, ("Bo", "home", "Ulm")),
            entry(3, ("Ana", "home", "Bern")),
        ),
    )
    with store._connections.writing() as connection:
        assert connection.execute(damage).rowcount > 0
    drift = store.verify("h")
    assert drift
    assert kind in {finding.kind for finding in drift.findings}
    assert store.verify("h") == drift
    version = store.stats("h").version
    assert store.rebuild("h") == 2
    assert not store.verify("h")
    assert store.stats("h").entities == 5
    assert store.stats("h").version > version


def test_rebuilding_what_is_right_changes_nothing(store: SqliteStore) -> None:
    """A rebuild without differences leaves the version alone."""
    store.append("h", batch(entry(1, ("Ana", "home", "Graz"))))
    assert store.rebuild("h") == 1
    assert store.stats("h").version == 1


def test_rebuild_goes_on_after_a_thousand_entities(store: SqliteStore) -> None:
    """A history larger than one transaction of a rebuild is rebuilt as a whole."""
    store.append("h", batch(*(entry(n, (f"s{n}", "r", "o")) for n in range(2_500))))
    with store._connections.writing() as connection:
        connection.execute("DELETE FROM slot")
    assert store.verify("h").differences == 2_500
    assert len(store.verify("h").findings) == 100
    assert store.rebuild("h") == 2_500
    assert not store.verify("h")


def steps(store: SqliteStore, action: Callable[[], object]) -> int:
    """How many hundred steps of SQLite's machine an action takes: a cost without a clock."""
    (connection,) = store._connections._idle
    counted = 0

    def count() -> int:
        nonlocal counted
        counted += 1
        return 0

    connection.set_progress_handler(count, 100)
    action()
    connection.set_progress_handler(None, 0)
    return counted


def appended(store: SqliteStore, entries: Sequence[Entry]) -> int:
    return steps(store, lambda: store.append("h", batch(*entries)))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(lambda n: [("Ana", "home", f"o{n % 5}")], id="overwritten"),
        pytest.param(
            lambda n: [no("Ana", "home", "Ulm") if n else ("Ana", "home", "Graz")],
            id="retractions without effect",
        ),
        pytest.param(lambda n: [("Ana", f"r{n}", "x")], id="subject of many slots"),
        pytest.param(lambda n: [(f"s{n}", "home", "hub")], id="object of many slots"),
    ],
)
def test_an_append_in_order_costs_the_same_at_any_length(
    store: SqliteStore, said: Callable[[int], list[tuple[str, str, str] | Triple]]
) -> None:
    """Neither the versions of a slot nor the degree of an entity make the next batch dearer."""
    said_in = [
        [entry(n, *said(n)) for n in range(start, start + 20)] for start in range(0, 3_000, 20)
    ]
    store.append("another", batch(entry(1)))  # there is a file from here on
    costs = [appended(store, entries) for entries in said_in]
    assert costs[-1] <= 1.2 * costs[4]


def test_a_read_of_the_past_does_not_go_through_all_versions(store: SqliteStore) -> None:
    """A slot with thousands of versions is read as of a position by seeking there."""
    few = [entry(n, ("Ana", "home", f"o{n}")) for n in range(10)]
    many = [entry(n, ("Bo", "home", f"o{n}")) for n in range(10, 3_000)]
    store.append("h", batch(*few, *many))
    short = steps(store, lambda: store.select("h", ("ana",), 5, 1_500))
    assert steps(store, lambda: store.select("h", ("bo",), 5, 1_500)) <= short + 3


def test_a_walk_leaves_every_entity_once(store: SqliteStore) -> None:
    """In a graph where all point at all, more hops cost nothing more."""
    pairs = [(i, j) for i in range(40) for j in range(40) if i != j]
    store.append(
        "h", batch(*(entry(n, (f"s{i}", f"r{j}", f"s{j}")) for n, (i, j) in enumerate(pairs)))
    )
    two = steps(store, lambda: store.select("h", ("s1",), 2))
    assert len(store.select("h", ("s1",), 2).edges) == len(pairs)
    assert steps(store, lambda: store.select("h", ("s1",), 10)) <= two + 3


def test_the_newest_records_are_read_lazily(store: SqliteStore) -> None:
    """A small budget reads a few records, not the history."""
    store.append("h", batch(*(residual(n) for n in range(3_000))))
    for verb in (store.unresolved, store.newest, store.latest_state):
        all_of_them, few = (
            steps(store, lambda chars=chars, verb=verb: verb("h", chars)) for chars in (10**6, 60)
        )
        assert few < all_of_them / 2
        assert verb("h", 60).omitted == 2_996


def test_a_long_question_is_linear(store: SqliteStore) -> None:
    """Ten times the question costs ten times the steps."""
    store.append("h", batch(entry(1, ("Ana Maria Lopez", "home", "Graz"))))
    words = [f"w{n}" for n in range(20_000)]
    short, long = (
        steps(store, lambda n=n: store.select("h", words[:n], 5)) for n in (2_000, 20_000)
    )
    assert 8 * short <= long <= 12 * short


def test_a_status_is_stored_as_its_word(store: SqliteStore) -> None:
    """Whoever opens the file with another tool reads the words of the documentation."""
    store.append("h", batch(entry(1, ("Ana", "home", "Graz")), residual(2)))
    assert rows(store, "SELECT status FROM record") == [(Status.FACTS,), (Status.UNRESOLVED,)]
    assert rows(store, 'SELECT name, "values", set_by FROM relation') == [
        ("home", "one", "frontend")
    ]
