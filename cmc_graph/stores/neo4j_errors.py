"""What went wrong in words of ours: errors of the Neo4j driver and server, translated at the seam.

Every class of ``neo4j.exceptions`` has its place here; a test proves it. This module must not know
a statement, nor a password.
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
_TRANSACTION = "Neo.ClientError.Transaction."
_BROKEN = "Neo.DatabaseError.Transaction."

#: What the server says of an index entry beyond about 8,000 bytes; it has no code of its own.
_TOO_LONG = "too large to index"

#: By the server's code, or else by the class of the error: ours, and what it says. The first entry
#: that fits counts.
_BY_CODE: dict[str, tuple[type[StoreError], str]] = {
    "Neo.ClientError.Database.DatabaseNotFound": (
        DatabaseMissing,
        "the server at {url} has no database {database}; check NEO4J_DATABASE",
    ),
    f"{_SECURITY}AuthenticationRateLimit": (
        StoreRefused,
        "{url} refuses user {username} for a while after too many wrong passwords; wait some "
        "seconds, then give the right NEO4J_PASSWORD",
    ),
    **dict.fromkeys(
        (
            f"{_TRANSACTION}LockClientStopped",
            f"{_TRANSACTION}TransactionTimedOut",
            f"{_TRANSACTION}TransactionTimedOutClientConfiguration",
        ),
        (
            StoreBusy,
            "{url} stopped a transaction that waited or ran too long; another writer may hold the "
            "history: try again when it is done",
        ),
    ),
    **dict.fromkeys(
        (
            f"{_BROKEN}TransactionCommitFailed",
            f"{_BROKEN}TransactionLogError",
            f"{_BROKEN}TransactionStartFailed",
        ),
        (
            StoreError,
            "the database at {url} has stopped, as it does when its disk is full: make room, start "
            "the server again and run the same command, which goes on ({said})",
        ),
    ),
}
_BY_CLASS: tuple[tuple[type[Neo4jError | DriverError], type[CmcError], str], ...] = (
    (
        AuthError,
        StoreRefused,
        "{url} refused user {username}: check NEO4J_USERNAME and NEO4J_PASSWORD; a password in the "
        "environment of a server counts only on the first start of its data",
    ),
    (
        ForbiddenOnReadOnlyDatabase,
        StoreRefused,
        "the database at {url} can only be read: {said}",
    ),
    (Forbidden, StoreRefused, "{url} does not allow user {username} to do this: {said}"),
    (NotALeader, StoreUnreachable, "{url} is not the member that writes; use neo4j://"),
    (TransientError, StoreBusy, "{url} was too busy, after several attempts: {said}"),
    (Neo4jError, StoreError, "Neo4j at {url} failed: {said}"),
    (
        IncompleteCommit,
        StoreUnreachable,
        "the connection to {url} was lost during a commit, so whether it was written is not known: "
        "run the same command again, what is there is recognised",
    ),
    *(
        (unreachable, StoreUnreachable, "no answer from Neo4j at {url}: {cause}")
        for unreachable in (ServiceUnavailable, SessionExpired, ConnectionPoolError)
    ),
    (DriverConfigurationError, ConfigurationError, "{url} cannot be used as a store: {said}"),
    (DriverError, StoreError, "the Neo4j driver failed at {url}: {said}"),
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
    kind, text = _meaning(error)
    return kind(
        text.format(
            url=place.url,
            username=repr(place.username),
            database=repr(place.database) if place.database else "for this user",
            said=_said(error),
            cause=_cause(error, place),
        )
    )


def _meaning(error: Neo4jError | DriverError) -> tuple[type[CmcError], str]:
    code = (error.code or "") if isinstance(error, Neo4jError) else ""
    if code in _BY_CODE:
        return _BY_CODE[code]
    if isinstance(error, Neo4jError) and _TOO_LONG in (error.message or ""):
        return StoreError, "{url} cannot index a text that long; shorten the name or the source"
    is_refused = code.startswith(_SECURITY) and not isinstance(error, AuthError)
    found = Forbidden if is_refused else type(error)
    return next((kind, text) for known, kind, text in _BY_CLASS if issubclass(found, known))


def _cause(error: BaseException, place: Place) -> str:
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


def _said(error: Neo4jError | DriverError) -> str:
    if isinstance(error, Neo4jError):
        return shorten(f"{error.code or type(error).__name__}: {error.message or ''}", 200)
    return shorten(str(error) or type(error).__name__, 200)
