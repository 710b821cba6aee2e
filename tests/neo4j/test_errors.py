"""The seam to the driver: every error of its becomes one of ours, in one line, without secrets."""

import inspect
import logging
from contextlib import closing

import pytest
from neo4j import exceptions

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
from cmc_graph.stores.base import Store
from cmc_graph.stores.neo4j import Neo4jStore
from cmc_graph.stores.neo4j_errors import Place, translate, translated
from tests.support.builders import batch, entry

PLACE = Place("bolt://graph.example:7687", "lena", "memories")

#: Ours for each class of the driver. A class that is missing here fails the first test.
OURS: dict[str, type[CmcError]] = {
    "AuthConfigurationError": ConfigurationError,
    "AuthError": StoreRefused,
    "BrokenRecordError": StoreError,
    "CertificateConfigurationError": ConfigurationError,
    "ClientError": StoreError,
    "ConfigurationError": ConfigurationError,
    "ConnectionAcquisitionTimeoutError": StoreUnreachable,
    "ConnectionPoolError": StoreUnreachable,
    "ConstraintError": StoreError,
    "CypherSyntaxError": StoreError,
    "CypherTypeError": StoreError,
    "DatabaseError": StoreError,
    "DatabaseUnavailable": StoreBusy,
    "DriverError": StoreError,
    "Forbidden": StoreRefused,
    "ForbiddenOnReadOnlyDatabase": StoreRefused,
    "IncompleteCommit": StoreUnreachable,
    "Neo4jError": StoreError,
    "NotALeader": StoreUnreachable,
    "ReadServiceUnavailable": StoreUnreachable,
    "ResultConsumedError": StoreError,
    "ResultError": StoreError,
    "ResultFailedError": StoreError,
    "ResultNotSingleError": StoreError,
    "RoutingServiceUnavailable": StoreUnreachable,
    "ServiceUnavailable": StoreUnreachable,
    "SessionError": StoreError,
    "SessionExpired": StoreUnreachable,
    "TokenExpired": StoreRefused,
    "TransactionError": StoreError,
    "TransactionNestingError": StoreError,
    "TransientError": StoreBusy,
    "UnsupportedServerProduct": ConfigurationError,
    "WriteServiceUnavailable": StoreUnreachable,
}
CODES = {
    "Neo.ClientError.Database.DatabaseNotFound": DatabaseMissing,
    "Neo.ClientError.Security.AuthenticationRateLimit": StoreRefused,
    "Neo.ClientError.Security.AuthorizationExpired": StoreRefused,
    "Neo.ClientError.Security.CredentialsExpired": StoreRefused,
    "Neo.ClientError.Security.Forbidden": StoreRefused,
    "Neo.ClientError.Security.Unauthorized": StoreRefused,
    "Neo.ClientError.Transaction.LockClientStopped": StoreBusy,
    "Neo.ClientError.Transaction.TransactionTimedOut": StoreBusy,
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration": StoreBusy,
    "Neo.TransientError.Transaction.DeadlockDetected": StoreBusy,
    "Neo.TransientError.Transaction.LockAcquisitionTimeout": StoreBusy,
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": StoreBusy,
    "Neo.ClientError.Schema.ConstraintValidationFailed": StoreError,
    "Neo.DatabaseError.Statement.ExecutionFailed": StoreError,
}


def classes() -> dict[str, type[Exception]]:
    """The error classes of the driver that can be raised."""
    roots = (exceptions.Neo4jError, exceptions.DriverError)
    return {
        name: kind
        for name, kind in inspect.getmembers(exceptions, inspect.isclass)
        if issubclass(kind, roots)
    }


def made(kind: type[Exception]) -> exceptions.Neo4jError | exceptions.DriverError:
    """An error of that class; some take a transaction or a result before the message."""
    about = (exceptions.SessionError, exceptions.TransactionError, exceptions.ResultError)
    first = (None,) if issubclass(kind, about) else ()
    error = kind(*first, "broken\non two lines")
    assert isinstance(error, exceptions.Neo4jError | exceptions.DriverError)
    return error


def of_server(code: str) -> exceptions.Neo4jError:
    """The error the driver makes of a server's code."""
    return exceptions.Neo4jError._hydrate_neo4j(code=code, message="said the server")


def test_no_class_is_forgotten() -> None:
    """The table above names exactly the classes of the driver."""
    assert OURS.keys() == classes().keys()


@pytest.mark.parametrize(("name", "ours"), OURS.items())
def test_every_class_is_translated(name: str, ours: type[CmcError]) -> None:
    """Each class of the driver becomes the error that says what to do, with itself as cause."""
    error = made(classes()[name])
    with pytest.raises(CmcError) as raised, translated(PLACE):
        raise error
    assert type(raised.value) is ours
    assert raised.value.__cause__ is error
    assert "\n" not in str(raised.value)
    assert PLACE.url in str(raised.value)


@pytest.mark.parametrize(("code", "ours"), CODES.items())
def test_codes_of_the_server(code: str, ours: type[CmcError]) -> None:
    """The server's code decides where its class says too little."""
    assert type(translate(of_server(code), PLACE)) is ours


def test_messages_name_the_setting() -> None:
    """What can be set is named: the database, the password and when a server reads it."""
    missing = str(translate(of_server("Neo.ClientError.Database.DatabaseNotFound"), PLACE))
    assert "'memories'" in missing
    assert "NEO4J_DATABASE" in missing
    refused = str(translate(of_server("Neo.ClientError.Security.Unauthorized"), PLACE))
    assert "NEO4J_PASSWORD" in refused
    assert "first start" in refused


@pytest.mark.parametrize("what", ["TransactionCommitFailed", "TransactionStartFailed"])
def test_a_database_that_stopped_says_why_it_may_have(what: str) -> None:
    """What a server says whose disk is full names the disk, and that it has to start again."""
    stopped = str(translate(of_server(f"Neo.DatabaseError.Transaction.{what}"), PLACE))
    assert "disk is full" in stopped
    assert "start the server again" in stopped
    assert what in stopped


def test_a_text_too_long_to_index(store: Store, history: str) -> None:
    """A name beyond what an index holds is one line that says so; nothing is written."""
    with pytest.raises(StoreError, match="shorten"):
        store.append(history, batch(entry(1, ("s" * 9_000, "city", "Porto"))))
    assert store.stats(history).records == 0


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Failed to DNS resolve address graph.example:7687", "cannot be resolved"),
        ("[SSLEOFError] Connection Failed", "TLS"),
        ("certificate verify failed", "TLS"),
        ("Connection refused", "nothing listens"),
        ("looks like HTTP", "Bolt port"),
        ("timed out", "in time"),
        ("something new", "check that a Neo4j server listens"),
    ],
)
def test_the_cause_is_named(said: str, words: str) -> None:
    """A11: name, TLS, port, time: the line says which of them failed."""
    assert words in str(translate(exceptions.ServiceUnavailable(said), PLACE))


def test_routing_errors_name_the_other_scheme() -> None:
    """A11: without a routing table the line says to use bolt://, and what failed underneath."""
    error = exceptions.ServiceUnavailable("Unable to retrieve routing information")
    error.__cause__ = ExceptionGroup("all failed", [OSError("Connection refused")])
    said = str(translate(error, Place("neo4j://graph.example", "", None)))
    assert "bolt://" in said
    assert "nothing listens" in said
    assert "instead of neo4j" not in str(translate(error, PLACE))


def test_a_lone_surrogate_is_a_usage_error() -> None:
    """Text that cannot be encoded is the caller's, not the database's fault."""
    with pytest.raises(UsageError, match="surrogate"), translated(PLACE):
        "caf\udce9".encode()


@pytest.mark.parametrize(
    "url",
    [
        *("bolt://", "bolt:graph", "graph.example:7687", "http://graph.example", "sqlite:///x"),
        *("bolt://graph example", " bolt://graph", "bolt://graph\n", "bolt://[::1", "bolt://a..b"),
        *("bolt://graph:0", "bolt://graph:99999", "bolt://graph:port", f"bolt://{'a' * 64}"),
        *("bolt://graph/memories", "neo4j://graph:7687/memories", "bolt://graph?region=eu"),
    ],
)
def test_an_unusable_url_is_refused_before_connecting(url: str) -> None:
    """A11: one line says what is wrong with an address, and nothing is sent anywhere."""
    with pytest.raises(ConfigurationError) as raised:
        Neo4jStore(url)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("url", ["bolt://lena:s3cret@graph", "neo4j+s://:s3cret@graph:7687/x"])
def test_a_password_in_the_url_is_refused_unseen(url: str) -> None:
    """A12: credentials have settings of their own, and the line does not repeat them."""
    with pytest.raises(ConfigurationError, match="NEO4J_PASSWORD") as raised:
        Neo4jStore(url)
    assert "s3cret" not in str(raised.value)


def test_a_server_that_is_down(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing listens: unreachable at once, and the password is in no text."""
    caplog.set_level(logging.DEBUG)
    typed = "p@ss/:%#word"
    with closing(Neo4jStore("bolt://127.0.0.1:1", username="lena", password=typed)) as store:
        with pytest.raises(StoreUnreachable, match="nothing listens") as raised:
            store.setup()
        texts = [repr(store), str(raised.value), repr(raised.value), caplog.text]
    assert [text for text in texts if typed in text] == []


def test_a_closed_store_says_so() -> None:
    """After close every verb is a StoreError; closing again does nothing."""
    store = Neo4jStore("bolt://127.0.0.1:1")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.stats("history")
    with pytest.raises(StoreError, match="closed"):
        next(store.scan("history"))
