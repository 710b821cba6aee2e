"""The link to a Neo4j server: one driver, sessions on one database, bounded retries.

Statements are run by name. Every error leaves as one of ours. This module must not know what a
statement means.
"""

import logging
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j.exceptions import DriverError, IncompleteCommit, Neo4jError
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

import cmc_graph
from cmc_graph.errors import ConfigurationError, StoreError
from cmc_graph.queries import Statement
from cmc_graph.stores.neo4j_errors import Place, translated

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")

#: Seconds: to connect; to get a connection from the pool; what a read and a write may take; how long
#: the driver repeats a write that failed for a passing reason.
CONNECT, ACQUIRE, READ, WRITE, REPEAT = 5.0, 30.0, 60.0, 120.0, 30.0

#: A statement that met a relationship or node which another transaction was just deleting.
_VANISHED = "Neo.ClientError.Statement.EntityNotFound"

Row = neo4j.Record
_Result = TypeVar("_Result")


class Transaction:
    """One write transaction, to run named statements in."""

    def __init__(self, inner: neo4j.ManagedTransaction) -> None:
        self._inner = inner

    def run(
        self, statement: Statement, **parameters: Any
    ) -> tuple[list[Row], neo4j.SummaryCounters]:
        """The rows of a statement, and what it wrote by the server's own count."""
        statement.check(parameters)
        result = self._inner.run(statement.text, parameters)
        rows = list(result)
        return rows, result.consume().counters


class Link:
    """A driver for one server and one database; connects when it is first used.

    May be used by several threads. Closes its driver when it is no longer referenced.

    Args:
        url: Scheme, host and port; nothing else.
        username: Only used with a password.
        password: None or empty: the server asks for none.
        database: None: the user's home database.

    Raises:
        ConfigurationError: The url, or a value in it, cannot be used.
    """

    def __init__(
        self, url: str, username: str | None, password: str | None, database: str | None
    ) -> None:
        check_url(url)
        self.place = Place(url, username or "", database or None)
        # Without a handler, Python prints the driver's log of errors that are reported anyway.
        logging.getLogger("neo4j").addHandler(logging.NullHandler())
        with translated(self.place):
            self._driver = neo4j.GraphDatabase.driver(
                url,
                auth=(self.place.username, password) if password else None,
                connection_timeout=CONNECT,
                connection_acquisition_timeout=ACQUIRE,
                max_transaction_retry_time=REPEAT,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent=f"cmc-graph/{cmc_graph.__version__}",
            )
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        self._finalizer = weakref.finalize(self, self._driver.close)

    def read(self, statement: Statement, **parameters: Any) -> list[Row]:
        """All rows of a reading statement, in one round trip; repeated when it fails in passing."""
        statement.check(parameters)
        query = neo4j.Query(statement.text, timeout=READ)
        with self._session(neo4j.READ_ACCESS) as session:
            for attempt in _attempts():
                with attempt:
                    return list(session.run(query, parameters))
        raise AssertionError("an attempt returns or raises")

    def stream(self, statement: Statement, **parameters: Any) -> Iterator[Row]:
        """The rows of a reading statement, fetched as they are consumed."""
        statement.check(parameters)
        with self._session(neo4j.READ_ACCESS) as session:
            yield from session.run(statement.text, parameters)

    def write(self, work: Callable[[Transaction], _Result]) -> _Result:
        """What the work returns, done in one transaction.

        The work runs again when the transaction failed for a passing reason, and also when the
        answer to its commit was lost: it has to recognise what it wrote already.
        """

        @neo4j.unit_of_work(timeout=WRITE)
        def unit(transaction: neo4j.ManagedTransaction) -> _Result:
            return work(Transaction(transaction))

        with self._session(neo4j.WRITE_ACCESS) as session:
            for attempt in _attempts():
                with attempt:
                    return session.execute_write(unit)
        raise AssertionError("an attempt returns or raises")

    def run(self, statement: Statement, **parameters: Any) -> None:
        """Run a statement that needs a transaction of its own: schema commands."""
        statement.check(parameters)
        with self._session(neo4j.WRITE_ACCESS) as session:
            session.run(statement.text, parameters).consume()

    def close(self) -> None:
        """Close the driver; closing again does nothing."""
        self._finalizer()

    @contextmanager
    def _session(self, access: str) -> Iterator[neo4j.Session]:
        if not self._finalizer.alive:
            raise StoreError(f"the store at {self.place.url} is closed; open it again")
        with (
            translated(self.place),
            self._driver.session(
                database=self.place.database,
                default_access_mode=access,
                bookmark_manager=self._bookmarks,
            ) as session,
        ):
            yield session


def check_url(url: str) -> None:
    """Refuse a url that does not consist of a known scheme, a host and perhaps a port.

    Raises:
        ConfigurationError: What is wrong with it; the url itself is shown only when it can hold no
            password.
    """
    if "@" in url:
        raise ConfigurationError(
            "the store url must not hold a user or password: give them as NEO4J_USERNAME and "
            "NEO4J_PASSWORD, and keep bolt://host:port"
        )
    if url != "".join(url.split()):
        raise ConfigurationError(f"the store url {url!r} holds white space; take it out")
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        valid = bool(host) and parts.scheme in SCHEMES and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise ConfigurationError(
            f"the store url {url!r} has no valid host and port; give bolt://host:port"
        ) from error
    if not valid:
        raise ConfigurationError(
            f"the store url {url!r} needs a scheme ({', '.join(SCHEMES)}), a host and a port: "
            "bolt://host:port"
        )
    if parts.path.strip("/"):
        raise ConfigurationError(
            f"the store url {url!r} must end after the port; name the database as NEO4J_DATABASE"
        )


def _attempts() -> Retrying:
    return Retrying(
        retry=retry_if_exception(_is_passing),
        stop=stop_after_attempt(4),
        wait=wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    )


def _is_passing(error: BaseException) -> bool:
    if isinstance(error, Neo4jError):
        return error.is_retryable() or error.code == _VANISHED
    return isinstance(error, IncompleteCommit) or (
        isinstance(error, DriverError) and error.is_retryable()
    )
