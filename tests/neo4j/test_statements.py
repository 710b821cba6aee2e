"""The statements in ``cypher/``: each says what it takes and returns, and holds the house rules."""

import re
from itertools import takewhile
from pathlib import Path
from typing import Any

import neo4j
import pytest

from cmc_graph.queries import Statement, names, statement
from cmc_graph.stores.base import Store
from cmc_graph.stores.neo4j_schema import rules

STORES = Path(__file__).parents[2] / "cmc_graph" / "stores"

#: Reading statements take no lock; the others are run under the history's lock or prepare.
WRITING = {
    *(
        "lock",
        "seal",
        "announce",
        "publish",
        "republish",
        "mark_schema",
        "latest_wins",
        "set_members",
    ),
    *("write_records", "write_entities", "write_assertions", "write_relations"),
    *("rename_entities", "delete_entities", "delete_assertions", "delete_records"),
    *("move_assertions", "merge_relation", "delete_relations", "decide_records"),
    *("write_patterns", "delete_patterns", "clear_assertions", "clear_edges", "write_edges"),
    *("clear_damaged_edges", "restore_head", "mend_words"),
    *("mend_entities", "mend_assertions", "mend_relations", "mend_keys"),
}
RUN = [name for name in names() if not name.startswith("schema_")]
COMMANDS = {"rules", "await_rules", "settings"}
EXPLAINED = [name for name in RUN if name not in COMMANDS]

#: Parameters that are no lists.
SINGLE: dict[str, Any] = {
    "history": "nobody's",
    **dict.fromkeys(("text", "subject", "relation", "root"), ""),
    **dict.fromkeys(("as_of", "width", "version", "seconds", "after", "upto"), 0),
    **dict.fromkeys(("records", "next_position", "longest_key"), 0),
    "many": True,
}


def head(named: Statement) -> str:
    """The comment before the statement."""
    lines = takewhile(lambda line: line.startswith("//"), named.text.splitlines())
    return "\n".join(line.removeprefix("//").strip() for line in lines)


def body(named: Statement) -> str:
    """The statement without comments."""
    return re.sub(r"//[^\n]*", "", named.text)


def arguments(named: Statement) -> dict[str, Any]:
    """Values for every parameter of a statement, good enough to plan it."""
    return {name: SINGLE.get(name, []) for name in named.parameters}


def test_there_are_statements() -> None:
    """The other tests look at real statements."""
    assert len(RUN) > 30


@pytest.mark.parametrize("name", names())
def test_the_head_says_what_it_is_for(name: str) -> None:
    """A file begins with a sentence, and the language version stands before the statement."""
    named = statement(name)
    assert head(named).splitlines()[0]
    assert body(named).strip().startswith("CYPHER 5\n")


@pytest.mark.parametrize("name", names())
def test_the_head_names_the_parameters(name: str) -> None:
    """The head comment names the parameters of the statement, and no others."""
    named = statement(name)
    assert set(re.findall(r"\$(\w+)", head(named))) == named.parameters


@pytest.mark.parametrize("name", EXPLAINED)
def test_the_head_names_the_columns(name: str, driver: neo4j.Driver, store: Store) -> None:
    """The head comment names the columns that come back, in order."""
    store.setup()
    named = statement(name)
    said = re.search(r"^returns\s+(.*)", head(named), re.M | re.S)
    assert said
    columns = re.sub(r"\([^)]*\)|\s", "", said[1])
    with driver.session() as session:
        found = session.run(f"EXPLAIN {named.text}", arguments(named)).keys()
    assert columns == (",".join(found) or "nothing")


@pytest.mark.parametrize("name", RUN)
def test_no_pattern_is_without_direction(name: str) -> None:
    """A4: no relationship is matched in both directions."""
    undirected = re.findall(r"\)-(?:\[[^\]]*\])?-\(", body(statement(name)))
    assert undirected == []


@pytest.mark.parametrize("name", [name for name in RUN if name not in WRITING])
def test_a_reading_statement_writes_nothing(name: str) -> None:
    """Only the statements known to write do."""
    assert not re.search(r"\b(CREATE|MERGE|SET|DELETE|REMOVE)\b", body(statement(name)))


def test_every_statement_is_used() -> None:
    """No file is left over: the store runs each statement."""
    code = "".join(path.read_text("utf-8") for path in STORES.glob("neo4j*.py"))
    assert [name for name in RUN if f'"{name}"' not in code] == []


def test_every_schema_statement_creates_one_rule() -> None:
    """The rules read from the statements are those of the graph model."""
    assert sorted(map(str, rules().values())) == [
        "index on ASSERTED(history, subject, relation, member, position)",
        "index on Record(history, source, source_line)",
        "index on Record(history, status, position)",
        "unique constraint on ASSERTED(history, position, ordinal)",
        "unique constraint on CURRENT(history, subject, relation, member)",
        "unique constraint on ENDED(history, subject, relation, member)",
        "unique constraint on Entity(history, key)",
        "unique constraint on History(name)",
        "unique constraint on Pattern(history, number)",
        "unique constraint on Published(history)",
        "unique constraint on Record(history, position)",
        "unique constraint on Relation(history, name)",
        "unique constraint on Schema(version)",
    ]


def test_every_statement_is_cypher_25_too(driver: neo4j.Driver) -> None:
    """A server that knows Cypher 25 plans every statement as such, word for word."""
    components = driver.execute_query("CALL dbms.components() YIELD versions").records
    if not any("25" in row["versions"] for row in components):
        pytest.skip("this server knows Cypher 5 alone")
    with driver.session() as session:
        for name in names():
            named = statement(name)
            text = body(named).replace("CYPHER 5", "CYPHER 25 EXPLAIN", 1)
            session.run(text, arguments(named)).consume()
