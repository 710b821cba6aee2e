"""Which Neo4j the tests run against: one given by ``NEO4J_URI``, the local server, a container.

Found once per run, before the environment is cleaned. A server that was asked for by name and does
not answer is not replaced by another one.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import neo4j  # noqa: TID251  # asks a server's version and cleans up after the tests
from neo4j.exceptions import DriverError, Neo4jError  # noqa: TID251  # same

#: What a container runs; the local server's version stands in its lock file.
IMAGE = "neo4j:5.26-community"

_WIPE = tuple(
    f"CYPHER 5 MATCH {node} WHERE n.{name} IN $histories "
    "CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS"
    for node, name in (
        ("(n:Record)", "history"),
        ("(n:Entity)", "history"),
        ("(n:Relation)", "history"),
        ("(n:History)", "name"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A Neo4j server that answers, and how to stop what was started for it.

    Attributes:
        options: Keyword arguments of ``open_store``, and with them of ``Memory.open``.
        origin: Why it is this server.
    """

    url: str
    options: Mapping[str, str]
    version: str
    origin: str
    stop: Callable[[], None] = field(default=lambda: None)

    def driver(self) -> neo4j.Driver:
        """A driver of its own for this server; the caller closes it."""
        return _driver(self.url, self.options)

    def wipe(self, histories: list[str]) -> None:
        """Remove every node of these histories with its relationships."""
        with self.driver() as driver, driver.session(database=self.options.get("database")) as session:
            for statement in _WIPE:
                session.run(statement, histories=histories).consume()


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Why there is no Neo4j server."""

    reason: str


def find(environ: Mapping[str, str]) -> Target | Unreachable:
    """The server to test against, or why there is none."""
    if url := environ.get("NEO4J_URI"):
        names = ("username", "password", "database")
        options = {name: environ.get(f"NEO4J_{name.upper()}", "") for name in names}
        return _check(url, {n: v for n, v in options.items() if v}, "NEO4J_URI")
    return _container()


def _check(url: str, options: Mapping[str, str], origin: str) -> Target | Unreachable:
    try:
        with _driver(url, options) as driver:
            agent = driver.get_server_info().agent
    except (DriverError, Neo4jError, OSError, ValueError) as error:
        return Unreachable(f"{origin}: {url} does not answer ({type(error).__name__})")
    return Target(url=url, options=options, version=agent.removeprefix("Neo4j/"), origin=origin)


def _driver(url: str, options: Mapping[str, str]) -> neo4j.Driver:
    password = options.get("password")
    auth = (options.get("username", "neo4j"), password) if password else None
    return neo4j.GraphDatabase.driver(url, auth=auth, connection_timeout=5)
