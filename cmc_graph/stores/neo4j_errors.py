"""What went wrong in words of ours: errors of the Neo4j driver and server, translated at the seam.

Every class of ``neo4j.exceptions`` has its place in ``translate``; a test proves it. This module must
not know a statement, nor a password.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from neo4j.exceptions import (
    AuthError,
    ConnectionPoolError,
    DriverError,
    Forbidden,
    ForbiddenOnReadOnlyDatabase,
    IncompleteCommit,
    Neo4jError,
    NotALeader,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)
from neo4j.exceptions import ConfigurationError as DriverConfigurationError

from cmc_graph.errors import (
    CmcError,
    ConfigurationError,
    DatabaseMissing,
    StoreBusy,
    StoreError,
    StoreRefused,
    StoreUnreachable,
    UsageError,
)
from cmc_graph.text import shorten

_SECURITY = "Neo.ClientError.Security."
_DATABASE_MISSING = "Neo.ClientError.Database.DatabaseNotFound"
_TOO_MANY_ATTEMPTS = f"{_SECURITY}AuthenticationRateLimit"
#: A transaction that waited longer for a lock, or ran longer, than it was given.
_OUT_OF_TIME = frozenset(
    f"Neo.ClientError.Transaction.{name}"
    for name in (
        "LockClientStopped",
        "TransactionTimedOut",
        "TransactionTimedOutClientConfiguration",
    )
)

#: Words of the driver's messages, from the most to the least telling, and what they mean.
_CAUSES = (
    ("dns resolve", "the host name cannot be resolved; check its spelling"),
    ("ssl", "TLS failed; drop +s from the scheme, or use +ssc for a certificate of your own"),
    ("certificate", "TLS failed; use +ssc in the scheme for a certificate of your own"),
    ("http", "another kind of server listens there; give the Bolt port, usually 7687"),
    ("refused", "nothing listens there; start the server, or check host and port"),
    ("timed out", "it did not answer in time; check host, port and network"),
)
_ROUTED = "for a single server, or through a port mapping, use bolt:// instead of neo4j://"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the store is, for messages: never with a password.

    Attributes:
        url: Scheme, host and port.
        username: Empty without authentication.
        database: None for the user's home database.
    """

    url: str
    username: str
    database: str | None

    @property
    def is_routed(self) -> bool:
        """The server is asked for a routing table before anything else."""
        return self.url.startswith("neo4j")


@contextmanager
def translated(place: Place) -> Iterator[None]:
    """Turns errors of the driver within the block into ours.

    Raises:
        StoreError: The database failed.
        UsageError: A text cannot be encoded.
    """
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise translate(error, place) from error
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{shorten(ascii(error.object), 40)} holds a lone surrogate, which no store can encode"
        ) from error


def translate(error: Neo4jError | DriverError, place: Place) -> CmcError:
    """Our error for one of the driver's, in one line: what failed, where, what to do."""
    if isinstance(error, Neo4jError):
        return _of_server(error, place)
    if isinstance(error, IncompleteCommit):
        return StoreUnreachable(
            f"the connection to {place.url} was lost during a commit, and whether the batch was "
            "written is not known; run the same command again: what is there is recognised"
        )
    if isinstance(error, ServiceUnavailable | SessionExpired | ConnectionPoolError):
        return StoreUnreachable(f"no answer from Neo4j at {place.url}: {_cause(error, place)}")
    if isinstance(error, DriverConfigurationError):
        return ConfigurationError(f"the store url {place.url} cannot be used: {_words(error)}")
    return StoreError(f"the Neo4j driver failed at {place.url}: {_words(error)}")


def _of_server(error: Neo4jError, place: Place) -> StoreError:
    code = error.code or ""
    if code == _DATABASE_MISSING:
        return DatabaseMissing(
            f"the server at {place.url} has no database {place.database or 'for this user'!r}; "
            "check NEO4J_DATABASE"
        )
    if code == _TOO_MANY_ATTEMPTS:
        return StoreRefused(
            f"{place.url} refuses user {place.username!r} for a while after too many wrong "
            "passwords; wait some seconds, then try the right NEO4J_PASSWORD"
        )
    if isinstance(error, AuthError):
        return StoreRefused(
            f"{place.url} refused user {place.username!r}: check NEO4J_USERNAME and "
            "NEO4J_PASSWORD; a password given to a server's environment counts only on the first "
            "start of its data"
        )
    if isinstance(error, Forbidden | ForbiddenOnReadOnlyDatabase) or code.startswith(_SECURITY):
        return StoreRefused(
            f"{place.url} does not allow user {place.username!r} to do this: {_words(error)}"
        )
    if code in _OUT_OF_TIME:
        return StoreBusy(
            f"{place.url} stopped a transaction that waited or ran too long; another writer may "
            "hold the history: try again when it is done"
        )
    if isinstance(error, NotALeader):
        return StoreUnreachable(
            f"{place.url} is not the server that writes; use neo4j:// for a cluster"
        )
    if isinstance(error, TransientError):
        return StoreBusy(f"{place.url} was too busy, also after several attempts: {_words(error)}")
    return StoreError(
        f"Neo4j at {place.url} failed: {code or type(error).__name__}: {_words(error)}"
    )


def _cause(error: DriverError, place: Place) -> str:
    said = " ".join(_messages(error)).lower()
    found = (meaning for word, meaning in _CAUSES if word in said)
    cause = next(found, "the connection failed; check that a Neo4j server listens there")
    return f"{cause}; {_ROUTED}" if place.is_routed else cause


def _messages(error: BaseException | None) -> Iterator[str]:
    """What the error says, and the errors it comes from: routing gathers one per server."""
    while error is not None:
        yield str(error)
        if isinstance(error, BaseExceptionGroup):
            for each in error.exceptions:
                yield from _messages(each)
        error = error.__cause__


def _words(error: Neo4jError | DriverError) -> str:
    message = error.message if isinstance(error, Neo4jError) else str(error)
    return shorten(message or type(error).__name__, 200)
