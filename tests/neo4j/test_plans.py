"""What the statements do, read from the server's own plans."""

import re

import neo4j
import pytest

from cmc_graph.closure import MAX_HOPS
from cmc_graph.queries import statement
from cmc_graph.stores.base import Store
from tests.neo4j.plans import explain, operators, profile, question, seeks
from tests.neo4j.test_statements import EXPLAINED, arguments
from tests.support.builders import batch, entry

#: What ``read`` runs; the others are for administration.
READ_PATH = [
    *("select", "select_as_of", "subjects", "newest", "unresolved", "latest_state"),
    *("versions", "changes", "records", "known_positions", "known_lines", "head"),
]
#: Small label scans: a handful of nodes, read when a store is opened or listed; and what looks for
#: damage, which no index holds.
SCANNING = {"prepared", "histories", "damaged", "clear_damaged_edges", "restore_head"}

JOINS = {"CartesianProduct", "ValueHashJoin", "NodeHashJoin"}


@pytest.mark.parametrize("name", EXPLAINED)
def test_nothing_is_scanned(name: str, store: Store, driver: neo4j.Driver) -> None:
    """Every statement finds what it needs in an index, the smallest ones apart."""
    store.setup()
    found = operators(explain(driver, name, arguments(statement(name))))
    if name not in SCANNING:
        assert [operator for operator in found if operator.endswith("Scan")] == []


@pytest.mark.parametrize("name", READ_PATH)
def test_the_read_path_multiplies_nothing(name: str, store: Store, driver: neo4j.Driver) -> None:
    """No cartesian product and no join of two lists: every seek follows from the row before."""
    store.setup()
    found = explain(driver, name, arguments(statement(name)))
    assert not operators(found) & JOINS
    assert seeks(found)


@pytest.mark.parametrize("hops", [3, 5, MAX_HOPS])  # fewer reach no node on two ways
@pytest.mark.parametrize("name", ["select", "select_as_of"])
def test_the_traversal_visits_once(
    name: str, hops: int, store: Store, driver: neo4j.Driver
) -> None:
    """A16: a pruning breadth-first expansion, bounded, along the direction of the edges."""
    store.setup()
    steps = explain(driver, name, arguments(statement(name)), hops)
    walks = [step for step in steps if "VarLength" in step.operator]
    assert [step.operator for step in walks] == ["VarLengthExpand(Pruning,BFS,All)"]
    edge = "CURRENT" if name == "select" else "ASSERTED"
    assert f":{edge}*0..{hops - 1}]->" in walks[0].details
    assert all("<-" not in step.details for step in steps if "Expand" in step.operator)


@pytest.mark.parametrize("name", ["select", "select_as_of"])
def test_the_read_seeks_unique_indexes(name: str, store: Store, driver: neo4j.Driver) -> None:
    """Anchors, assertions and records are found by their key, whatever the statistics are."""
    store.setup()
    steps = explain(driver, name, arguments(statement(name)))
    nodes = [step.details for step in steps if step.operator == "NodeUniqueIndexSeek"]
    labels = [re.search(r":(\w+)\(", details) for details in nodes]
    assert {label[1] for label in labels if label} == {"History", "Published", "Entity", "Record"}
    assert {step.operator for step in seeks(steps)} <= {
        "NodeUniqueIndexSeek",
        "DirectedRelationshipUniqueIndexSeek",
        "DirectedRelationshipIndexSeek",  # the versions of a slot
    }


def test_a_read_touches_what_it_returns(store: Store, history: str, driver: neo4j.Driver) -> None:
    """What a read costs depends on the closure, not on the history beside it."""
    entries = [entry(n, (f"S{n}", "r", f"S{n + 1}")) for n in range(300)]
    store.append(history, batch(*entries))
    steps = profile(driver, "select", {"history": history, **question("who", "s7")}, 3)
    assert max(step.rows for step in steps) <= 10
    assert sum(step.hits for step in steps) < 300


def test_the_fallback_stops_early(store: Store, history: str, driver: neo4j.Driver) -> None:
    """The newest records come in the order of the index: nothing is sorted."""
    store.append(history, batch(*(entry(n, ("Ana", "r", f"O{n}")) for n in range(50))))
    for name in ("newest", "unresolved", "latest_state"):
        steps = explain(driver, name, {"history": history, "as_of": 10})
        assert not operators(steps) & {"Sort", "Top", "PartialSort"}


def test_a_scan_keeps_nothing_back(store: Store, history: str, driver: neo4j.Driver) -> None:
    """Records come in the order of the index; only the assertions of one are sorted at a time."""
    store.append(history, batch(*(entry(n, ("Ana", "r", f"O{n}")) for n in range(50))))
    steps = profile(driver, "scan", {"history": history})
    assert [step.rows for step in steps if step.operator == "Sort"] == [50]
    assert "a.ordinal" in next(step.details for step in steps if step.operator == "Sort")


def test_an_append_reads_no_old_version(store: Store, history: str, driver: neo4j.Driver) -> None:
    """In-order, a slot is resolved from its edge on, and no entity is expanded."""
    store.append(history, batch(*(entry(n, ("Ana", "r", f"O{n % 7}")) for n in range(2_000))))
    touched = {"subjects": ["ana"], "relations": ["r"], "members": [""], "firsts": [2_000]}
    steps = profile(driver, "latest_wins", {"history": history, **touched})
    assert max(step.rows for step in steps) == 1
    assert sum(step.hits for step in steps) < 50
    assert not any("Expand" in operator for operator in operators(steps))


@pytest.mark.parametrize(
    "name",
    [
        *("lock", "head", "seal", "latest_wins", "known_positions", "known_lines"),
        *("write_entities", "write_assertions", "write_relations"),
        *("delete_assertions", "delete_records", "delete_entities", "rename_entities"),
    ],
)
def test_writing_seeks(name: str, store: Store, driver: neo4j.Driver) -> None:
    """What a batch writes next to is found in an index, and no entity is expanded."""
    store.setup()
    steps = explain(driver, name, arguments(statement(name)))
    assert seeks(steps)
    assert not any("Expand" in operator for operator in operators(steps))


def test_few_runs_of_words_are_sought(store: Store, history: str, driver: neo4j.Driver) -> None:
    """Only where a key begins with two words of the question are longer runs looked up."""
    store.append(history, batch(entry(1, ("one two three four five six", "r", "x"))))
    asked = question(
        *["zero", "one", "two", "thre", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
    steps = profile(driver, "select", {"history": history, **asked}, 3)
    runs = [step for step in steps if step.operator == "Unwind" and "range(start" in step.details]
    assert [step.rows for step in runs] == [11 + 5]  # the words, and from "one two" on up to six
