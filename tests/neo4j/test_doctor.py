"""Damage done by hand in Neo4j Browser: reads go on and say so, doctor finds and mends it."""

import shlex
from collections.abc import Iterator

import neo4j
import pytest

from cmc_graph import Memory, Record
from cmc_graph.doctor import Access, Diagnosis, examine, problems
from cmc_graph.errors import StoreError
from cmc_graph.stores.base import Store
from tests.support.builders import batch, entry, no, residual
from tests.support.database import NewHistory
from tests.support.neo4j_target import Target

#: What is done by hand, which codes doctor gives, and which are left after a repair.
DAMAGES = {
    "a property of an edge": (
        "MATCH ()-[c:CURRENT {history: $h, subject: 'ana'}]->() REMOVE c.member",
        {"damaged-edge", "projection-missing"},
        set(),
    ),
    "an edge deleted": (
        "MATCH ()-[c:CURRENT {history: $h, subject: 'ana'}]->() DELETE c",
        {"projection-missing"},
        set(),
    ),
    "a second current edge": (
        "MATCH (a:Entity {history: $h, key: 'ana'}), (b:Entity {history: $h, key: 'rex'}) "
        "CREATE (a)-[:CURRENT {history: $h, subject: 'ana', relation: 'city', position: 1, "
        "ordinal: 0}]->(b)",
        {"damaged-edge"},
        set(),
    ),
    "an edge of no history": (
        "MATCH (a:Entity {history: $h, key: 'ana'}) CREATE (a)-[:CURRENT {subject: 'ana'}]->(a)",
        {"damaged-edge"},
        set(),
    ),
    "an edge of another history": (
        "MATCH ()-[c:CURRENT {history: $h, subject: 'ana'}]->() SET c.history = $h + 'x'",
        {"damaged-edge", "projection-missing"},
        set(),
    ),
    "a record deleted": (
        "MATCH (r:Record {history: $h, position: 2}) DELETE r",
        {"no-record", "projection-counter"},
        {"no-record"},
    ),
    "the text of a record": (
        "MATCH (r:Record {history: $h, position: 2}) REMOVE r.text",
        {"damaged-record"},
        {"damaged-record"},
    ),
    "a number for a text": (
        "MATCH (r:Record {history: $h, position: 2}) SET r.text = 5",
        {"damaged-record"},
        {"damaged-record"},
    ),
    "the verdict of a record": (
        "MATCH (r:Record {history: $h, position: 2}) REMOVE r.status",
        {"damaged-record"},
        {"damaged-record"},
    ),
    "no such verdict": (
        "MATCH (r:Record {history: $h, position: 2}) SET r.status = 'maybe'",
        {"damaged-record"},
        {"damaged-record"},
    ),
    "a negative position": (
        "MATCH (r:Record {history: $h, position: 6}) SET r.position = -6",
        {"damaged-record", "projection-counter"},
        {"damaged-record"},
    ),
    "the text of an assertion": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() REMOVE a.object_text",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "whether an assertion retracts": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() REMOVE a.retracts",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "the subject of an assertion": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() SET a.subject = 'ben'",
        {"damaged-assertion"},
        set(),
    ),
    "the slot of an assertion": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() REMOVE a.member, a.subject",
        {"damaged-assertion"},
        set(),
    ),
    "the history of an assertion": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() REMOVE a.history",
        {"damaged-assertion", "verdict"},
        set(),
    ),
    "an assertion deleted": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() DELETE a",
        {"verdict"},
        {"verdict"},
    ),
    "the last of two assertions deleted": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 7, ordinal: 1}]->() DELETE a",
        {"no-assertion", "projection-unexpected", "projection-name"},
        {"no-assertion", "projection-unexpected", "projection-name"},
    ),
    "the name of an entity": (
        "MATCH (e:Entity {history: $h, key: 'ana'}) REMOVE e.name",
        {"damaged-entity", "projection-name"},
        set(),
    ),
    "the key of an entity": (
        "MATCH (e:Entity {history: $h, key: 'ana'}) REMOVE e.key",
        {"damaged-entity"},
        set(),
    ),
    "the history of an entity": (
        "MATCH (e:Entity {history: $h, key: 'ana'}) REMOVE e.history",
        {"damaged-entity", "damaged-edge"},
        set(),
    ),
    "the values of a relation": (
        "MATCH (r:Relation {history: $h, name: 'city'}) REMOVE r.values",
        {"damaged-relation"},
        set(),
    ),
    "who said so of a relation": (
        "MATCH (r:Relation {history: $h, name: 'city'}) SET r.set_by = 'nobody'",
        {"damaged-relation"},
        set(),
    ),
    "a relation deleted": (
        "MATCH (r:Relation {history: $h, name: 'speaks'}) DELETE r",
        {"damaged-relation"},
        set(),
    ),
    "a relation merged into nothing": (
        "MATCH (r:Relation {history: $h, name: 'city'}) SET r.merged_into = 'nothing'",
        {"damaged-relation"},
        {"damaged-relation"},
    ),
    "a relation merged beside its own assertions": (
        "MATCH (r:Relation {history: $h, name: 'pet'}) SET r.merged_into = 'city'",
        {"damaged-relation"},
        {"damaged-relation"},
    ),
    "one value made many": (
        "MATCH (r:Relation {history: $h, name: 'city'}) SET r.values = 'many'",
        {"damaged-relation"},
        set(),
    ),
    "many values made one": (
        "MATCH (r:Relation {history: $h, name: 'speaks'}) SET r.values = 'one'",
        {"damaged-relation"},
        set(),
    ),
    "another key of a subject": (
        "MATCH (e:Entity {history: $h, key: 'ana'}) SET e.key = 'anna'",
        {"damaged-entity", "damaged-assertion"},
        set(),
    ),
    "another name and key of a subject": (
        "MATCH (e:Entity {history: $h, key: 'ana'}) SET e.key = 'eva', e.name = 'Eva'",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "another key of an object": (
        "MATCH (e:Entity {history: $h, key: 'graz'}) SET e.key = 'graaz'",
        {"damaged-entity"},
        set(),
    ),
    "the object of an assertion": (
        "MATCH (s)-[a:ASSERTED {history: $h, position: 2}]->() "
        "MATCH (o:Entity {history: $h, key: 'rex'}) WITH s, a, o, properties(a) AS was "
        "DELETE a CREATE (s)-[n:ASSERTED]->(o) SET n = was",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "another text of an object": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() SET a.object_text = 'Oslo'",
        {"damaged-assertion"},
        {"damaged-assertion"},
    ),
    "two slots at odds": (
        "MATCH (s)-[a:ASSERTED {history: $h, position: 1}]->(o) CREATE (s)-[:CURRENT {history: $h, "
        "subject: 'ana', relation: 'city', member: 'porto', position: 1, ordinal: 0}]->(o)",
        {"projection-unexpected"},
        set(),
    ),
    "a pattern": (
        "CREATE (:Pattern {history: $h, number: 0, template: 5, relation: 'x', support: 1})",
        {"damaged-pattern"},
        {"damaged-pattern"},
    ),
    "the end of a version": (
        "MATCH ()-[a:ASSERTED {history: $h, position: 1}]->() REMOVE a.superseded_at",
        {"projection-superseded-at"},
        set(),
    ),
}

#: What is done to the history's own node, and to the mark readers go by.
HEADS = {
    "version and counters": "MATCH (h:History {name: $h}) REMOVE h.version, h.records, h.batches",
    "node": "MATCH (h:History {name: $h}) DELETE h",
    "published version": "MATCH (p:Published {history: $h}) SET p.version = 99",
    "mark": "MATCH (p:Published {history: $h}) DELETE p",
}


ENTRIES = {
    each.record.position: each
    for each in (
        entry(1, ("Ana", "city", "Porto")),
        entry(2, ("Ana", "city", "Graz")),
        entry(3, ("Ben", "pet", "Rex")),
        entry(4, ("Ben", "car", "Beetle")),
        entry(5, no("Ben", "car", "Beetle")),
        residual(6),
        entry(7, ("Ben", "speaks", "Basque"), ("Ben", "speaks", "Dutch")),
    )
}


@pytest.fixture
def written(store: Store, history: str) -> str:
    """A history with a value overwritten, one ended, one of another subject, and a residual."""
    store.append(history, batch(*ENTRIES.values(), many=["speaks"]))
    return history


@pytest.fixture
def memory(store: Store, written: str) -> Memory:
    """A client on that history."""
    return Memory(store, written)


def examined(target: Target, history: str, *, repair: bool = False) -> Diagnosis:
    return examine(Access(url=target.url, **target.options), history, repair=repair)


def is_whole(command: str, url: str, history: str) -> bool:
    """It can be run as it stands: on this store and history, or by the id of a piece."""
    if command.startswith("cmc-graph "):
        return shlex.split(command)[-4:] == ["--store", url, "--history", history]
    return "elementId(n)" in command


def run(
    diagnosis: Diagnosis, store: Store, memory: Memory, target: Target, driver: neo4j.Driver
) -> None:
    """Run the commands as they are listed; what is forgotten is ingested again."""
    for place, command in dict.fromkeys((p.run_in, p.command) for p in diagnosis.problems):
        words = shlex.split(command) if place == "shell" else []
        match words[1:2]:
            case []:
                driver.execute_query(command)
            case ["forget"]:
                memory.forget([int(words[3])])
                store.append(words[-1], batch(ENTRIES[int(words[3])], many=["speaks"]))
            case ["rebuild"]:
                memory.rebuild(accept_loss=True)
            case _:
                examined(target, words[-1], repair=True)


def codes(diagnosis: Diagnosis) -> set[str]:
    return {each.code for each in diagnosis.problems}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_mended(
    damage: str,
    store: Store,
    written: str,
    memory: Memory,
    neo4j_target: Target,
    driver: neo4j.Driver,
) -> None:
    """Doctor names the damage; reads go on; a repair leaves what no assertion proves."""
    assert not examined(neo4j_target, written)
    statement, found, left = DAMAGES[damage]
    before = list(store.scan(written))
    driver.execute_query(statement, h=written)
    assert memory.read("Ben?").records[-1].position == 7
    memory.read("Ana? Ben?")
    memory.read("nobody")
    diagnosis = examined(neo4j_target, written)
    assert codes(diagnosis) == found
    assert all(is_whole(each.command, neo4j_target.url, written) for each in diagnosis.problems)
    mended = examined(neo4j_target, written, repair=True)
    assert codes(mended) == left
    assert {each.code for each in mended.repaired} >= found - left
    if not left:
        assert list(store.scan(written)) == before
    driver.execute_query("MATCH ()-[c:CURRENT]->() WHERE c.history IS NULL DELETE c")


@pytest.mark.parametrize("damage", HEADS)
def test_the_node_of_a_history_is_given_back(
    damage: str,
    store: Store,
    written: str,
    memory: Memory,
    neo4j_target: Target,
    driver: neo4j.Driver,
) -> None:
    """Its counters follow from the records, and everything is read and written as before."""
    before = list(store.scan(written))
    driver.execute_query(HEADS[damage], h=written)
    assert codes(examined(neo4j_target, written)) == {"damaged-history"}
    assert not examined(neo4j_target, written, repair=True)
    assert list(store.scan(written)) == before
    store.append(written, batch(entry(8, ("Ana", "city", "Oslo"))))
    assert [record.position for record in memory.read("Ana?").records] == [6, 8]


@pytest.mark.parametrize("damage", ["node", "version and counters"])
def test_a_history_without_its_node_is_not_empty(
    damage: str, store: Store, written: str, memory: Memory, driver: neo4j.Driver
) -> None:
    """What reads or writes a history that lost its node says so, and writes over no record."""
    driver.execute_query(HEADS[damage], h=written)
    for verb in (
        lambda: memory.timeline("Ana"),
        lambda: memory.rebuild(accept_loss=True),
        lambda: memory.ingest([Record(text="Ana lives in Oslo.")]),
    ):
        with pytest.raises(StoreError, match=r"lost its node or its counters; .* --repair"):
            verb()


def test_a_read_goes_on_without_counters_but_not_without_the_node(
    written: str, memory: Memory, driver: neo4j.Driver
) -> None:
    """A question needs the node to find its history, and none of what it counts."""
    driver.execute_query(HEADS["version and counters"], h=written)
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Graz"]
    driver.execute_query(HEADS["node"], h=written)
    with pytest.raises(StoreError, match=r"lost its node or its counters; .* --repair"):
        memory.read("Ana?")


def test_a_history_without_its_mark_is_read(
    store: Store, written: str, memory: Memory, driver: neo4j.Driver
) -> None:
    """The mark that readers go by is set anew by the first of them."""
    driver.execute_query(HEADS["mark"], h=written)
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Graz"]


@pytest.mark.parametrize(
    ("damage", "word", "records"),
    [
        ("a record deleted", "record [2]", [6]),
        ("the text of a record", "record [2]", [6]),
        ("the text of an assertion", "lost or damaged", None),
        ("the end of a version", "several last words", [2, 6]),
        ("an edge deleted", "lost or damaged", [2, 6]),
        ("a second current edge", "lost or damaged", [2, 6]),
        ("the verdict of a record", "record [2]", [6]),
        ("whether an assertion retracts", "lost or damaged", None),
        ("the slot of an assertion", "lost or damaged", None),
    ],
)
def test_a_read_reports_what_is_damaged(
    damage: str,
    word: str,
    records: list[int] | None,
    memory: Memory,
    written: str,
    driver: neo4j.Driver,
) -> None:
    """The evidence says what it could not show, and shows the newest of several last words."""
    driver.execute_query(DAMAGES[damage][0], h=written)
    evidence = memory.read("Ana?")
    assert any(word in sentence for sentence in evidence.damage)
    if records is not None:
        assert [record.position for record in evidence.records] == records


def test_undamaged_reads_say_nothing(memory: Memory) -> None:
    """Values, retractions and several values at once are counted as the projection counts them."""
    for question in ("Ana?", "Ben?", "Ana Ben Rex Dutch?"):
        assert memory.read(question).damage == ()


@pytest.mark.parametrize("lost", ["object_text", "retracts", "frontend"])
def test_what_cannot_be_told_is_named(
    lost: str, store: Store, written: str, driver: neo4j.Driver
) -> None:
    """What needs every assertion says which one is damaged, and that doctor helps."""
    driver.execute_query(
        f"MATCH ()-[a:ASSERTED {{history: $h, position: 2}}]->() REMOVE a.{lost}", h=written
    )
    for ask in (
        lambda: store.versions(written, "ana"),
        lambda: store.changes(written, 0, 9),
        lambda: list(store.scan(written)),
    ):
        with pytest.raises(StoreError, match=r"\[2\]\.0 .*doctor"):
            ask()
    driver.execute_query("MATCH (r:Record {history: $h, position: 2}) SET r.status = 0", h=written)
    assert [record.position for record in store.records(written, [1, 2, 3])] == [1, 3]
    driver.execute_query(
        "MATCH (r:Relation {history: $h, name: 'pet'}) SET r.values = 0", h=written
    )
    with pytest.raises(StoreError, match=r"relation 'pet' is damaged.*doctor"):
        store.relations(written)


def test_what_others_have_is_left_alone(
    store: Store, written: str, history: str, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """Nodes and relationships of another application are neither reported nor deleted."""
    (made,) = driver.execute_query(
        "CREATE (u:User {of: $h})-[c:CURRENT {since: 1}]->(p:Plan {of: $h})-[:ENDED]->(u), "
        "(:Record {of: $h, title: 'Abbey Road'}), (:Entity {of: $h, name: 'x'})-[e:CURRENT]->"
        "(:Entity {of: $h, id: 7}) RETURN elementId(c) AS c, elementId(e) AS e",
        h=history,
    ).records
    driver.execute_query(DAMAGES["a property of an edge"][0], h=written)
    assert codes(examined(neo4j_target, written)) == {"damaged-edge", "projection-missing"}
    assert not examined(neo4j_target, written, repair=True)
    left = driver.execute_query(
        "MATCH ()-[r]->() WHERE elementId(r) IN $ids RETURN count(*) AS n", ids=made.values()
    )
    assert left.records[0]["n"] == 2
    driver.execute_query("MATCH (n {of: $h}) DETACH DELETE n", h=history)


MOVED = "Ana moved to Graz."


def lost(driver: neo4j.Driver, history: str, position: int, text: str) -> None:
    """A record with this text is of no history any more."""
    driver.execute_query(
        "MATCH (r:Record {history: $h, position: $p}) REMOVE r.history SET r.text = $t, r.of = $h",
        h=history,
        p=position,
        t=text,
    )


def of_no_history(target: Target, history: str) -> list[str]:
    found = examined(target, history).problems
    return [each.command for each in found if each.code == "no-history"]


def given_back(target: Target, history: str) -> str:
    """The command that gives a record to the history; beside it, records of others may be shown."""
    (command,) = (each for each in of_no_history(target, history) if " SET " in each)
    return command


@pytest.fixture
def tidy(history: str, driver: neo4j.Driver) -> Iterator[None]:
    """What is left without a history is deleted at the end: every history's doctor tells of it."""
    yield
    driver.execute_query(
        "MATCH (n) WHERE n.of STARTS WITH $h AND n.history IS NULL DETACH DELETE n", h=history
    )


@pytest.mark.usefixtures("tidy")
def test_a_record_of_no_history(
    store: Store, written: str, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """It is named by its id, and never deleted; the command gives it back to its history."""
    lost(driver, written, 2, MOVED)
    assert codes(examined(neo4j_target, written, repair=True)) == {"no-record", "no-history"}
    driver.execute_query(given_back(neo4j_target, written))
    assert codes(examined(neo4j_target, written, repair=True)) <= {"no-history"}  # of others


@pytest.mark.usefixtures("tidy")
def test_a_record_goes_to_the_history_whose_words_it_has(
    store: Store,
    written: str,
    new_history: NewHistory,
    neo4j_target: Target,
    driver: neo4j.Driver,
) -> None:
    """Of two histories that lack a record at one place, each gets the one with its words."""
    other = new_history("other")
    store.append(other, batch(entry(2, ("Eva", "city", "Oslo"))))
    lost(driver, other, 2, "Eva moved to Oslo.")
    lost(driver, written, 2, MOVED)
    for history, text in ((written, MOVED), (other, "Eva moved to Oslo.")):
        driver.execute_query(given_back(neo4j_target, history))
        assert [each.text for each in store.records(history, [2])] == [text]
        assert codes(examined(neo4j_target, history, repair=True)) <= {"no-history"}


@pytest.mark.usefixtures("tidy")
@pytest.mark.parametrize(
    ("text", "also"),
    [
        ("Somebody moved to Graz.", "MATCH (h:History {name: $h}) RETURN h"),  # not who
        (
            MOVED,  # a triple that is no words of its record proves nothing
            "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() SET a.literal = false",
        ),
        (
            MOVED,
            "CREATE (:Record {of: $h, position: 2, text: 'Ana left Graz', status: 'facts'})",
        ),
    ],
    ids=["other words", "not literal", "two records"],
)
def test_what_is_not_proven_is_not_proposed(
    text: str, also: str, written: str, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """A record that may be another history's is shown, not given away, and not deleted."""
    lost(driver, written, 2, text)
    driver.execute_query(also, h=written)
    for history in (written, "another one"):
        commands = of_no_history(neo4j_target, history)
        assert commands
        assert not any(word in each for each in commands for word in (" SET ", "DELETE"))


@pytest.mark.usefixtures("tidy")
def test_a_record_of_either_of_two_histories_is_given_to_none(
    store: Store,
    written: str,
    new_history: NewHistory,
    neo4j_target: Target,
    driver: neo4j.Driver,
) -> None:
    """Where another history lacks a record that says the same, nothing proves whose this one is."""
    other = new_history("copy")
    store.append(other, batch(ENTRIES[2]))
    driver.execute_query("MATCH (r:Record {history: $h}) DELETE r", h=other)
    lost(driver, written, 2, MOVED)
    for history in (written, other):
        assert not any(" SET " in each for each in of_no_history(neo4j_target, history))


def test_an_older_value_does_not_become_current(
    store: Store, written: str, memory: Memory, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """While an assertion lacks what nothing proves, no slot is resolved, and that is said."""
    driver.execute_query(DAMAGES["whether an assertion retracts"][0], h=written)
    driver.execute_query(DAMAGES["a property of an edge"][0], h=written)
    mended = examined(neo4j_target, written, repair=True)
    assert any("older value" in note for note in mended.notes)
    assert "Porto" not in [edge.object for edge in memory.read("Ana?").edges]
    driver.execute_query(
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() SET a.retracts = false", h=written
    )
    assert not examined(neo4j_target, written, repair=True)
    assert [edge.object for edge in memory.read("Ana?").edges] == ["Graz"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_commands_help(
    damage: str,
    store: Store,
    written: str,
    memory: Memory,
    neo4j_target: Target,
    driver: neo4j.Driver,
) -> None:
    """All is well again after the commands were run in their order, and those of a second look."""
    driver.execute_query(DAMAGES[damage][0], h=written)
    for _ in range(2):
        run(examined(neo4j_target, written), store, memory, neo4j_target, driver)
    assert not examined(neo4j_target, written)


def test_what_was_never_written_is_said(store: Store, neo4j_target: Target) -> None:
    """A typo of a history is not called healthy, and a repair writes nothing."""
    found = examined(neo4j_target, "never written", repair=True)
    assert (bool(found), found.checks[-1]) == (False, "schema and indexes")
    assert "history 'never written' is empty" in found.notes[0]


def test_what_is_lost_is_forgotten_and_comes_again(
    store: Store, written: str, memory: Memory, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """The command that doctor names for a lost record: forget its position, ingest it again."""
    driver.execute_query(DAMAGES["a record deleted"][0], h=written)
    (problem,) = examined(neo4j_target, written, repair=True).problems
    assert problem.command.startswith("cmc-graph forget --position 2 --store ")
    assert memory.forget([2]).assertions == 1
    store.append(written, batch(entry(2, ("Ana", "city", "Graz"))))
    assert not examined(neo4j_target, written)


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() REMOVE a.relation, a.member",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() REMOVE a.position",
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() SET a.retracts = 'no'",
        "MATCH (e:Entity {history: $h, key: 'graz'}) REMOVE e.key",
        "MATCH (r:Relation {history: $h, name: 'city'}) "
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() DELETE r SET a.member = 'graz'",
    ],
)
def test_the_commands_lead_out(
    statement: str,
    store: Store,
    written: str,
    memory: Memory,
    neo4j_target: Target,
    driver: neo4j.Driver,
) -> None:
    """Whoever runs the commands that are named, one after the other, has a sound history."""
    driver.execute_query(statement, h=written)
    for _ in range(4):
        found = examined(neo4j_target, written, repair=True)
        run(found, store, memory, neo4j_target, driver)
    assert not examined(neo4j_target, written)
    assert memory.read("Ana?").edges[-1].object == "Graz"


def test_a_subject_is_not_derived_from_a_wrong_start(
    store: Store, written: str, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """Where an entity was given another name and key, its assertions keep the subject they name."""
    driver.execute_query(
        "MATCH (e:Entity {history: $h, key: 'ana'}) SET e.key = 'eva', e.name = 'Eva'", h=written
    )
    examined(neo4j_target, written, repair=True)
    said = driver.execute_query(
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() RETURN a.subject AS s", h=written
    )
    assert [each["s"] for each in said.records] == ["ana"]


def test_a_damaged_record_is_in_no_export(
    memory: Memory, written: str, driver: neo4j.Driver
) -> None:
    """An export is complete, or an error that says what to do."""
    driver.execute_query(DAMAGES["the text of a record"][0], h=written)
    with pytest.raises(StoreError, match=r"record \[2\] .*doctor"):
        list(memory.export())


def test_what_is_lost_without_a_trace_is_not_overwritten(
    store: Store, written: str, neo4j_target: Target, driver: neo4j.Driver
) -> None:
    """A newest record that is gone with its assertion: no repair makes the older value current."""
    driver.execute_query(
        "MATCH (r:Record {history: $h, position: 2}) "
        "MATCH ()-[a:ASSERTED {history: $h, position: 2}]->() DELETE r, a",
        h=written,
    )
    before = examined(neo4j_target, written)
    assert problems.LOST in {each.code for each in before.problems}
    after = examined(neo4j_target, written, repair=True)
    assert after.problems == before.problems
    assert (after.repaired, "nothing is repaired" in after.notes[-1]) == ((), True)
