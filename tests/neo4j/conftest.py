"""Fixtures of the tests that concern Neo4j alone."""

import os
from collections.abc import Iterator
from contextlib import closing

import neo4j
import pytest

from cmc_graph.stores.neo4j import Neo4jStore
from cmc_graph.stores.neo4j_link import Link
from tests.conftest import _REQUIRED as REQUIRED
from tests.support.database import Database
from tests.support.neo4j_target import Target, Unreachable, start_local


@pytest.fixture
def database(neo4j_target: Target) -> Database:
    """The Neo4j database of this run, instead of both stores in turn."""
    return Database("neo4j", neo4j_target.url, neo4j_target.options)


@pytest.fixture
def driver(neo4j_target: Target) -> Iterator[neo4j.Driver]:
    """A driver beside the store, to look at what it wrote and to damage it."""
    with neo4j_target.driver() as opened:
        yield opened


@pytest.fixture
def link(neo4j_target: Target) -> Iterator[Link]:
    """The store's own way to run statements."""
    with closing(open_link(neo4j_target)) as opened:
        yield opened


@pytest.fixture(scope="session")
def own_server(pytestconfig: pytest.Config) -> Iterator[Target]:
    """A server of these tests' own, whose schema may be taken away."""
    started = start_local(os.environ)
    if isinstance(started, Unreachable):
        if pytestconfig.stash[REQUIRED]:
            pytest.fail(f"no second Neo4j: {started.reason}")
        pytest.skip(f"no second Neo4j: {started.reason}")
    yield started
    started.stop()


@pytest.fixture
def bare(own_server: Target) -> Target:
    """The own server with nothing in it: no node, no constraint, no index."""
    with own_server.driver() as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        for kind, names in (
            ("CONSTRAINT", "SHOW CONSTRAINTS YIELD name"),
            ("INDEX", "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'"),
        ):
            for record in driver.execute_query(names).records:
                driver.execute_query(f"DROP {kind} {record['name']} IF EXISTS")
    return own_server


def open_link(target: Target) -> Link:
    """A link to a server, closed by the caller."""
    options = target.options
    return Link(target.url, *(options.get(name) for name in ("username", "password", "database")))


def open_bare_store(target: Target) -> Neo4jStore:
    """A store on a server, not set up; closed by the caller."""
    return Neo4jStore(target.url, **target.options)
