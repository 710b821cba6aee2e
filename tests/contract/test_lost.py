"""What was lost by hand on either store: nothing falls back past it, and nothing hides it."""

from collections.abc import Callable

import pytest

from cmc_graph import Memory
from cmc_graph.doctor import Access, Diagnosis, examine, problems
from cmc_graph.errors import StoreError
from cmc_graph.stores.base import Store
from tests.support.builders import batch, entry, residual
from tests.support.database import Damage, Database

ANA = ("Ana", "city")

#: What is done by hand, on SQLite and on Neo4j.
DAMAGES = {
    "the last assertion of two": (
        "DELETE FROM assertion WHERE position = 4 AND ordinal = 1",
        "MATCH ()-[a:ASSERTED {history: $h, position: 4, ordinal: 1}]->() DELETE a",
    ),
    "the last assertion of two, which was replaced later": (
        "DELETE FROM assertion WHERE position = 2 AND ordinal = 1",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2, ordinal: 1}]->() DELETE a",
    ),
    "a record and its assertions": (
        "DELETE FROM assertion WHERE position = 4; DELETE FROM record WHERE position = 4",
        "MATCH (r:Record {history: $h, position: 4}) "
        "MATCH ()-[a:ASSERTED {history: $h, position: 4}]->() DELETE r, a",
    ),
    "a record without facts": (
        "DELETE FROM record WHERE position = 3",
        "MATCH (r:Record {history: $h, position: 3}) DELETE r",
    ),
    "a text": (
        "UPDATE record SET text = '' WHERE position = 4",
        "MATCH (r:Record {history: $h, position: 4}) SET r.text = ''",
    ),
    "a date": (
        "UPDATE record SET observed_at = 'junk' WHERE position = 4",
        "MATCH (r:Record {history: $h, position: 4}) SET r.observed_at = 'junk'",
    ),
    "a line": (
        "UPDATE record SET source_line = -4 WHERE position = 4",
        "MATCH (r:Record {history: $h, position: 4}) SET r.source_line = -4",
    ),
    "the way to the last word": (
        "UPDATE slot SET position = 1, ordinal = 0 WHERE position = 4 AND ordinal = 1",
        "MATCH ()-[c:CURRENT {history: $h, position: 4, ordinal: 1}]->() "
        "SET c.position = 1, c.ordinal = 0",
    ),
}
#: Where assertions are lost, beside what may be damaged otherwise.
LOST = (
    "the last assertion of two",
    "the last assertion of two, which was replaced later",
    "a record and its assertions",
)
#: Where something of a record is no longer what the loaders let in.
FLAWS = ("a text", "a date", "a line")

Lose = Callable[[str], None]


@pytest.fixture
def memory(store: Store, history: str) -> Memory:
    store.append(
        history,
        batch(
            entry(1, (*ANA, "Graz")),
            entry(2, ("Bo", "city", "Ulm"), (*ANA, "Linz")),
            residual(3),
            entry(4, ("Bo", "city", "Bern"), (*ANA, "Rome")),
            entry(5, ("Cy", "city", "Oslo")),
        ),
    )
    return Memory(store, history)


@pytest.fixture
def lose(memory: Memory, history: str, damage: Damage) -> Lose:
    """Does one of the damages to the memory."""

    def done(name: str) -> None:
        assert not memory.verify()
        damage(history, *DAMAGES[name])

    return done


def examined(database: Database, history: str, *, repair: bool = False) -> Diagnosis:
    return examine(Access(url=database.url, **database.options), history, repair=repair)


def places(found: Diagnosis) -> set[tuple[str, str]]:
    return {(each.code, each.place) for each in found.problems}


@pytest.mark.parametrize("name", [*LOST, "a record without facts", *FLAWS])
def test_a_damaged_history_is_not_exported(memory: Memory, lose: Lose, name: str) -> None:
    """What a copy would lack, or not load, is named instead; nor is it read again."""
    lose(name)
    for verb in (lambda: list(memory.export()), memory.recompile, memory.rebuild):
        with pytest.raises(StoreError, match=r"doctor"):
            verb()


@pytest.mark.parametrize("name", [*LOST, "a record without facts"])
def test_no_repair_hides_a_loss(
    memory: Memory, lose: Lose, database: Database, history: str, name: str
) -> None:
    """Doctor names what is lost, and goes on to name it after a repair and an unrelated forget."""
    lose(name)
    before = {each for each in places(examined(database, history)) if "projection" not in each[0]}
    assert {code for code, _ in before} & {problems.LOST, problems.NO_ASSERTION}
    examined(database, history, repair=True)
    memory.forget([5])
    assert before <= places(examined(database, history))


@pytest.mark.parametrize("name", FLAWS)
def test_what_no_record_may_have_is_found(
    memory: Memory, lose: Lose, database: Database, history: str, name: str
) -> None:
    """A record that load would refuse is named, and what doctor says mends it."""
    lose(name)
    (problem,) = examined(database, history).problems
    assert (problem.code, problem.place) == ("damaged-record", "[4]")
    assert "forget --position 4" in problem.command
    memory.forget([4])
    assert not examined(database, history)


def test_forgetting_does_not_bring_back_what_was_replaced(memory: Memory, lose: Lose) -> None:
    """A slot that lost its last word is not resolved, unless what is lost is forgotten, too."""
    lose("a record and its assertions")
    with pytest.raises(StoreError, match=r"what record \[4\] said is lost"):
        memory.forget([2])
    memory.forget([2, 4])
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Graz"]


@pytest.mark.parametrize("versions", [0, 40])
def test_a_replaced_value_is_not_read_as_the_last_word(
    store: Store, history: str, memory: Memory, lose: Lose, versions: int
) -> None:
    """Where an edge points to an older version, the last word is shown, or the damage is named."""
    more = [entry(10 + n, ("Ana", "mood", f"m{n}")) for n in range(versions)]
    store.append(history, batch(*more))
    lose("the way to the last word")
    found = memory.read("Ana?")
    shown = [edge.object for edge in found.edges if edge.relation == "city"]
    assert shown == ["Rome"] or (shown == [] and found.damage)
