"""The one error tree of cmc-graph, with the exit code each class ends a command with.

::

    CmcError                      1
    ├── UsageError                2   an argument, a question or a name that cannot be used
    │   └── ConfigurationError    2   settings that do not fit together, a missing extra
    ├── SourceError               3   a source that cannot be read; names file, line and byte
    │   └── PositionConflict      3   a position, or a line of a known source, with another text
    ├── ExtractionError           4   the accounting of an ingest does not add up
    ├── EndpointError             5   the model: unreachable, refused, out of quota or budget
    ├── EvaluationError           7   cases and predictions do not belong together
    └── StoreError                6   the store failed; the driver's own error is the cause
        ├── StoreUnreachable      6   no answer: name, connection, TLS or routing
        ├── StoreRefused          6   credentials or permissions
        ├── DatabaseMissing       6   the server has no database of that name
        ├── SchemaMismatch        6   written by another version, or not one of our stores
        ├── StoreBusy             6   another writer holds the history
        └── ServerError           6   the local Neo4j server could not be started or stopped

Every message is one line that says what failed, where, and what to do. Errors of other libraries
are translated at the seam that calls them and kept as ``__cause__``. This module must not know any
of those libraries.
"""

from collections.abc import Sequence
from typing import ClassVar


class CmcError(Exception):
    """Anything cmc-graph refuses or fails to do; catch this to catch all of them."""

    exit_code: ClassVar[int] = 1


class UsageError(CmcError):
    """An argument, a question or a name that cannot be used."""

    exit_code = 2


class ConfigurationError(UsageError):
    """Settings that do not fit together, or an optional package that is not installed."""


class SourceError(CmcError):
    """A source that cannot be read as records."""

    exit_code = 3


class PositionConflict(SourceError):
    """A position, or a line of a known source, that already holds another text.

    Attributes:
        positions: The first few conflicting positions, ascending.
    """

    def __init__(self, message: str, positions: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.positions = tuple(positions)


class ExtractionError(CmcError):
    """Records read do not equal facts + unresolved + no_fact + skipped."""

    exit_code = 4


class EndpointError(CmcError):
    """The model's endpoint cannot be reached, refuses, or the quota or budget is used up."""

    exit_code = 5


class EvaluationError(CmcError):
    """Cases, predictions and the run they came from do not belong together."""

    exit_code = 7


class StoreError(CmcError):
    """The store failed to do what it was asked."""

    exit_code = 6


class StoreUnreachable(StoreError):
    """The store gave no answer: host name, connection, TLS or routing."""


class StoreRefused(StoreError):
    """The store refused the credentials or the operation."""


class DatabaseMissing(StoreError):
    """The server has no database of the configured name."""


class SchemaMismatch(StoreError):
    """The store was written by another schema version, or is not one of ours."""


class StoreBusy(StoreError):
    """Another writer held the history for longer than the store waits."""


class ServerError(StoreError):
    """The local Neo4j server could not be resolved, started or stopped."""
