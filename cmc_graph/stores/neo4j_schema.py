"""Prepares a Neo4j database: constraints, indexes, and the mark of the schema version.

What there is to create stands in the statements ``schema_*``, and nowhere else. This module must
not know records or histories.
"""

import logging
import re
from typing import NamedTuple

from neo4j.exceptions import Neo4jError

from cmc_graph.errors import SchemaMismatch, StoreError
from cmc_graph.queries import names, statement
from cmc_graph.stores.base import SCHEMA_VERSION
from cmc_graph.stores.neo4j_link import Link
from cmc_graph.text import join_names

_log = logging.getLogger(__name__)

#: Seconds to wait for new indexes; only a large database of somebody else needs them.
_POPULATE = 300

#: What the server says when another client creates the same rule at this moment.
_RULE_EXISTS = frozenset(
    f"Neo.ClientError.Schema.{name}"
    for name in (
        "EquivalentSchemaRuleAlreadyExists",
        "ConstraintAlreadyExists",
        "IndexAlreadyExists",
    )
)

#: What it says when nodes or relationships are there that break the rule.
_BROKEN = frozenset(
    f"Neo.DatabaseError.Schema.{name}"
    for name in ("ConstraintCreationFailed", "ConstraintValidationFailed")
)

#: What is derived, so that a repair can clear it: reads need no rule of these.
_DERIVED = ("CURRENT", "ENDED")

_RULE = re.compile(
    r"^CREATE (?P<what>CONSTRAINT|INDEX).*?:(?P<kind>\w+).*?(?:REQUIRE|ON) (?P<on>[^\n]*)",
    re.M | re.S,
)
_PROPERTY = re.compile(r"\b[a-z]\.(\w+)")


class Rule(NamedTuple):
    """A constraint or an index: on which label or type, which properties, unique or not."""

    kind: str
    properties: tuple[str, ...]
    is_unique: bool

    def __str__(self) -> str:
        what = "unique constraint" if self.is_unique else "index"
        return f"{what} on {self.kind}({', '.join(self.properties)})"


def setup(link: Link) -> None:
    """Create what is missing; two round trips and no write where nothing is.

    Raises:
        SchemaMismatch: The database is of another version, or holds histories of unknown origin;
            then it is left as it is.
        StoreError: A rule is missing, also after it was created.
    """
    is_marked = check_version(link)
    lacking = missing(link)
    refused = [name for name in lacking if not _create(link, name)]
    if lacking:
        link.run("await_rules", seconds=_POPULATE)
        if still := [rule for name, rule in missing(link).items() if name not in refused]:
            raise StoreError(
                f"Neo4j at {link.place.url} lacks, after it was created: "
                f"{join_names(still)}; look at SHOW INDEXES and the server's log"
            )
    if not is_marked:
        link.run("mark_schema", version=SCHEMA_VERSION)


def rules() -> dict[str, Rule]:
    """The rules of the schema, by the name of the statement that creates each."""
    return {name: _rule(statement(name).text) for name in names() if name.startswith("schema_")}


def _rule(text: str) -> Rule:
    found = _RULE.search(text)
    if found is None:
        raise ValueError(f"no rule is created by {text!r}")
    properties = tuple(_PROPERTY.findall(found["on"]))
    return Rule(found["kind"], properties, found["what"] == "CONSTRAINT")


def check_version(link: Link) -> bool:
    """True when the database bears our mark, False when it is not prepared yet."""
    (row,) = link.read("prepared")
    versions = row["versions"]
    if versions == [SCHEMA_VERSION]:
        return True
    if versions:
        raise SchemaMismatch(
            f"the database at {link.place.url} has schema version {join_names(versions)}, this "
            f"cmc-graph reads {SCHEMA_VERSION}: use the matching release, or another database"
        )
    if row["has_histories"]:
        raise SchemaMismatch(
            f"the database at {link.place.url} holds :History nodes but no :Schema node, so they "
            "are not known to be ours: use another database"
        )
    return False


def missing(link: Link) -> dict[str, Rule]:
    """The rules that are not there or not ready, by the name of their statement."""
    ready = {
        Rule(row["kind"], tuple(row["properties"]), row["is_unique"])
        for row in link.read("rules")
        if row["state"] == "ONLINE"
    }
    return {name: rule for name, rule in rules().items() if rule not in ready}


def _create(link: Link, name: str) -> bool:
    """True when the rule is there, False when derived edges break it: reads go on without it."""
    try:
        link.run(name)
    except StoreError as error:
        cause = error.__cause__
        code = cause.code if isinstance(cause, Neo4jError) else None
        if code in _BROKEN and rules()[name].kind in _DERIVED:
            _log.warning(
                "the %s at %s cannot be created, since what is stored breaks it; "
                "cmc-graph doctor --repair mends it",
                rules()[name],
                link.place.url,
            )
            return False
        if code not in _RULE_EXISTS:
            raise
    return True
