"""Which Neo4j the tests run against: one given by ``NEO4J_URI``, the local server, a container.

Found once per run, before the environment is cleaned. A server that was asked for by name and does
not answer is not replaced by another one.
"""

import gc
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import docker  # type: ignore[import-untyped]  # ships no types
import neo4j  # asks a server for its version, and cleans up after the tests
from docker.errors import DockerException  # type: ignore[import-untyped]  # same
from neo4j.exceptions import DriverError, Neo4jError  # same
from testcontainers.community.neo4j import Neo4jContainer

from cmc_graph import server
from cmc_graph.errors import CmcError

#: What a container runs: the same release line as the local server.
IMAGE = "neo4j:5.26.29-community"

#: Removes everything of the given histories, in bounded transactions.
_WIPE = tuple(
    f"CYPHER 5 MATCH (n:{label}) WHERE n.{name} IN $histories "
    "CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 500 ROWS"
    for label, name in (
        ("Record", "history"),
        ("Entity", "history"),
        ("Relation", "history"),
        ("Pattern", "history"),
        ("Published", "history"),
        ("History", "name"),
    )
)


def _nothing() -> None:
    """What there is to stop of a server that was not started here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A Neo4j server that answers.

    Attributes:
        options: Keyword arguments of ``open_store`` beside the URL.
        version: As the server names it.
        origin: Why it is this server.
        stop: Stops what was started for the tests.
    """

    url: str
    options: Mapping[str, str]
    version: str
    origin: str
    stop: Callable[[], None] = _nothing

    def driver(self) -> neo4j.Driver:
        """A driver of its own for this server; the caller closes it."""
        return _driver(self.url, self.options)

    def wipe(self, histories: list[str]) -> None:
        """Remove every node of these histories with its relationships."""
        database = self.options.get("database")
        with self.driver() as driver, driver.session(database=database) as session:
            for statement in _WIPE:
                session.run(statement, histories=histories).consume()


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Why there is no Neo4j server to test against."""

    reason: str


def find(environ: Mapping[str, str]) -> Target | Unreachable:
    """The server to test against, or why there is none; the caller calls its ``stop``.

    Args:
        environ: The environment of the test run; ``NEO4J_URI`` in it is the only server asked for,
            ``JAVA_HOME`` the Java to try first for a local one.
    """
    if url := environ.get("NEO4J_URI"):
        names = ("username", "password", "database")
        given = {name: environ.get(f"NEO4J_{name.upper()}", "") for name in names}
        return check(url, {name: value for name, value in given.items() if value}, "NEO4J_URI")
    local = start_local(environ)
    if isinstance(local, Target):
        return local
    other = _container()
    if isinstance(other, Target):
        return other
    return Unreachable(f"{other.reason}; the local server: {local.reason}")


def start_local(environ: Mapping[str, str]) -> Target | Unreachable:
    """A local server without authentication in a home that ``stop`` removes, or why there is none.

    Args:
        environ: ``JAVA_HOME`` in it is the Java to try first.
    """
    home = Path(tempfile.mkdtemp(prefix="cmc-graph-neo4j-"))

    def stop() -> None:
        server.stop(home)
        shutil.rmtree(home)

    java_home = environ.get("JAVA_HOME")
    try:
        info = server.start(home, auth=False, java_home=Path(java_home) if java_home else None)
    except CmcError as error:
        shutil.rmtree(home)
        return Unreachable(str(error))
    return check(info.bolt, {}, "local server", stop)


def check(
    url: str, options: Mapping[str, str], origin: str, stop: Callable[[], None] = _nothing
) -> Target | Unreachable:
    """The server at this address, if it answers."""
    try:
        with _driver(url, options) as driver:
            version = driver.get_server_info().agent.removeprefix("Neo4j/")
    except (DriverError, Neo4jError, OSError, ValueError) as error:
        stop()
        return Unreachable(f"{origin}: {url} gives no answer ({type(error).__name__})")
    return Target(url=url, options=options, version=version, origin=origin, stop=stop)


def _container() -> Target | Unreachable:
    if not _docker_answers():
        return Unreachable("no NEO4J_URI, no Docker")
    password = secrets.token_hex(8)
    try:
        container = Neo4jContainer(IMAGE, username="neo4j", password=password).start()
    except (DockerException, OSError, TimeoutError) as error:
        return Unreachable(f"no container of {IMAGE} ({type(error).__name__})")
    options = {"username": "neo4j", "password": password}
    url = container.get_connection_url()
    return check(url, options, f"container {IMAGE}", container.stop)


def _docker_answers() -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ResourceWarning
        )  # a client nobody answers leaves its socket
        try:
            with closing(docker.from_env()) as client:
                return bool(client.ping())
        except (DockerException, OSError):
            return False
        finally:
            gc.collect()


def _driver(url: str, options: Mapping[str, str]) -> neo4j.Driver:
    password = options.get("password")
    auth = (options.get("username", "neo4j"), password) if password else None
    return neo4j.GraphDatabase.driver(url, auth=auth, connection_timeout=5)
