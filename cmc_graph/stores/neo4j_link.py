"""The link to a Neo4j server: one driver, sessions on one database, bounded retries.

Statements are run by name. Every error leaves as one of ours. This module must not know what a
statement means.
"""

import ctypes
import logging
import os
import re
import sys
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, LiteralString, Protocol, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j.exceptions import DriverError, IncompleteCommit, Neo4jError
from tenacity import (
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_after_delay,
    wait_random_exponential,
)
from tenacity.stop import StopBaseT

from cmc_graph._version import __version__
from cmc_graph.errors import ConfigurationError, StoreError
from cmc_graph.queries import statement
from cmc_graph.stores.neo4j_errors import Place, translated

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")

#: Seconds: to connect; to get a connection that answers; what a read and a write may take.
CONNECT, ACQUIRE, READ, WRITE = 5.0, 15.0, 60.0, 120.0

#: Seconds to repeat what failed in passing: a client's first read, and later ones, when the server
#: may be starting anew; a write, which the driver repeats after pauses that double from one second
#: on, so that it gives up after 25 to 38 (with 30 here, it could be after 70).
REPEAT_FIRST, REPEAT_READ, REPEAT_WRITE = 10.0, 30.0, 20.0

#: A statement that met a relationship or node which another transaction was just deleting.
_VANISHED = "Neo.ClientError.Statement.EntityNotFound"

#: Comments and white space; no text in a statement holds more than one space.
_LAYOUT = re.compile(r"(?://[^\n]*|\s)+")

#: Without a handler, Python prints what the driver logs about errors that are reported anyway.
_SILENT = logging.NullHandler()

_EVERY: "weakref.WeakSet[Link]" = weakref.WeakSet()

Row = neo4j.Record
_Result = TypeVar("_Result")


class Reading(Protocol):
    """Runs reading statements: a link, or a transaction."""

    def take(
        self,
        consumer: Callable[[Iterator[Row]], _Result],
        name: str,
        hops: int | None = None,
        **parameters: Any,
    ) -> _Result:
        """What the consumer makes of the rows of a statement.

        Args:
            consumer: May leave rows that it does not need; those are not fetched.
            name: Of the statement.
            hops: The bound of its traversal, if it has one.
            parameters: Of the statement.
        """
        ...


class Transaction:
    """One write transaction, to run statements in by name."""

    def __init__(self, inner: neo4j.ManagedTransaction) -> None:
        self._inner = inner

    def run(self, name: str, **parameters: Any) -> tuple[list[Row], neo4j.SummaryCounters]:
        """The rows of a statement, and what it wrote by the server's own count."""
        result = self._inner.run(_text(name, parameters), parameters)
        rows = list(result)
        return rows, result.consume().counters

    def take(
        self,
        consumer: Callable[[Iterator[Row]], _Result],
        name: str,
        hops: int | None = None,
        **parameters: Any,
    ) -> _Result:
        """What the consumer makes of the rows of a statement."""
        return consumer(iter(self._inner.run(_text(name, parameters, hops), parameters)))


class Link:
    """A driver for one server and one database; connects when it is first used.

    May be used by several threads, and after a fork in both processes. Closes its driver when it is
    no longer referenced.

    Args:
        url: Scheme, host and port; nothing else.
        username: Only used with a password.
        password: None or empty: the server asks for none.
        database: None or empty: the user's home database.

    Raises:
        ConfigurationError: The url cannot be used.
    """

    def __init__(
        self, url: str, username: str | None, password: str | None, database: str | None
    ) -> None:
        self.place = place = Place(url, username or "", database or None)

        def opened() -> neo4j.Driver:  # shows no password, as an attribute would
            return open_driver(place, password)

        self._open_driver = opened
        self._open()
        _EVERY.add(self)
        self._answered = False

    def read(self, name: str, **parameters: Any) -> list[Row]:
        """All rows of a reading statement, in one round trip."""
        return self.take(list, name, **parameters)

    def take(
        self,
        consumer: Callable[[Iterator[Row]], _Result],
        name: str,
        hops: int | None = None,
        **parameters: Any,
    ) -> _Result:
        """What the consumer makes of the rows of a statement; repeated when it fails in passing."""
        query = neo4j.Query(_text(name, parameters, hops), timeout=READ)

        def once() -> _Result:
            with self._session(neo4j.READ_ACCESS) as session:
                return consumer(iter(session.run(query, parameters)))

        return self._repeated(once)

    def stream(self, name: str, **parameters: Any) -> Iterator[Row]:
        """The rows of a reading statement, fetched as they are consumed."""
        process = os.getpid()
        with translated(self.place):
            session = self._session(neo4j.READ_ACCESS)
            try:
                for row in session.run(_text(name, parameters), parameters):
                    yield row
                    if process != os.getpid():
                        raise StoreError("this listing began before a fork; begin it again")
            finally:
                if process == os.getpid():
                    session.close()
                else:
                    _leave_alone(session)

    def write(self, work: Callable[[Transaction], _Result]) -> _Result:
        """What the work returns, done in one transaction.

        The work runs again when the transaction failed in passing, and also when the answer to its
        commit was lost: it has to recognise what it wrote already.
        """

        @neo4j.unit_of_work(timeout=WRITE)
        def unit(transaction: neo4j.ManagedTransaction) -> _Result:
            return work(Transaction(transaction))

        def once() -> _Result:
            with self._session(neo4j.WRITE_ACCESS) as session:
                return session.execute_write(unit)

        with translated(self.place):
            return _COMMITS(once)

    def run(self, name: str, **parameters: Any) -> None:
        """Run a statement that changes nothing a second time, in a transaction of its own."""

        def once() -> None:
            with self._session(neo4j.WRITE_ACCESS) as session:
                session.run(_text(name, parameters), parameters).consume()

        self._repeated(once)

    def close(self) -> None:
        """Close the driver; closing again does nothing."""
        self._finalizer()

    def leave_inherited(self) -> None:
        """Go on with connections of one's own, in a process that was just forked."""
        if self._finalizer.detach() is not None:  # it is open
            _leave_alone(self._driver)
            self._open()

    def _open(self) -> None:
        self._driver = self._open_driver()
        # A cluster's members are apart in time: with bookmarks, a read sees the writes before it.
        routed = self.place.is_routed
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if routed else None
        self._finalizer = weakref.finalize(self, self._driver.close)

    def _repeated(self, once: Callable[[], _Result]) -> _Result:
        """What it returns, tried again when it fails in passing.

        A server that never answered is a wrong address more often than one that is about to start,
        and a person waits for the error.
        """
        patience = REPEAT_READ if self._answered else REPEAT_FIRST
        repeating = _READS if self._answered else _FIRST_READS
        started = time.monotonic()
        with translated(self.place):
            try:  # nearly always enough, and a read is worth the microseconds of repeating
                result = once()
            except (Neo4jError, DriverError) as error:
                if not _fails_in_passing(error) or time.monotonic() - started > patience:
                    raise
                result = repeating(once)
        self._answered = True
        return result

    def _session(self, access: str) -> neo4j.Session:
        if not self._finalizer.alive:
            raise StoreError(f"the store at {self.place.url} is closed; open it again")
        return self._driver.session(
            database=self.place.database,
            default_access_mode=access,
            bookmark_manager=self._bookmarks,
        )


def open_driver(place: Place, password: str | None) -> neo4j.Driver:
    """A driver for the server at a place; it connects when it is first used.

    Raises:
        ConfigurationError: The url cannot be used.
    """
    check_url(place.url)
    logging.getLogger("neo4j").addHandler(_SILENT)
    with translated(place):
        return neo4j.GraphDatabase.driver(
            place.url,
            auth=(place.username, password) if password else None,
            connection_timeout=CONNECT,
            connection_acquisition_timeout=ACQUIRE,
            max_transaction_retry_time=REPEAT_WRITE,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
            user_agent=f"cmc-graph/{__version__}",
        )


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


def _leave_alone(inherited: object) -> None:
    """Keep what is the parent's for ever: to close it here would say goodbye on its connections."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(inherited))


def _after_fork() -> None:
    for link in list(_EVERY):
        link.leave_inherited()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_after_fork)


@cache
def _compact(text: str) -> str:
    """The statement without comments, in one line: the server reads all that it is sent."""
    return _LAYOUT.sub(" ", text)


def _text(name: str, parameters: Mapping[str, Any], hops: int | None = None) -> LiteralString:
    named = statement(name, hops)
    named.check(parameters)
    return _compact(named.text)


def _fails_in_passing(error: BaseException) -> bool:
    if isinstance(error, Neo4jError):
        return error.is_retryable() or error.code == _VANISHED
    return isinstance(error, DriverError) and error.is_retryable()


def _lost_its_answer(error: BaseException) -> bool:
    """The driver repeats what is safe to repeat, but not a commit whose outcome is unknown."""
    return isinstance(error, IncompleteCommit)


def _repeating(when: Callable[[BaseException], bool], stop: StopBaseT) -> Retrying:
    return Retrying(
        retry=retry_if_exception(when),
        stop=stop,
        wait=wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    )


_READS = _repeating(_fails_in_passing, stop_after_delay(REPEAT_READ))
_FIRST_READS = _repeating(_fails_in_passing, stop_after_attempt(3) | stop_after_delay(REPEAT_FIRST))
_COMMITS = _repeating(_lost_its_answer, stop_after_attempt(4))
