"""What a source said: a record, and the triples it may bring with it.

Everything that comes from outside is checked here, once. This module must not know how a record
is parsed or stored.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cmc_graph import checks
from cmc_graph.errors import SourceError

#: Largest position a record may have: one below the largest 64-bit integer, so that the next
#: free position is always a number both stores can hold.
MAX_POSITION = 2**63 - 2

#: The longest source in UTF-8 bytes: stores find known lines by it, in an index.
MAX_SOURCE_BYTES = 4_096


class Status(StrEnum):
    """A frontend's verdict on one record."""

    FACTS = "facts"
    UNRESOLVED = "unresolved"
    NO_FACT = "no_fact"


#: Verdicts that go without triples.
_WITHOUT_TRIPLES = (Status.NO_FACT, Status.UNRESOLVED)
_STATUSES = {str(status): status for status in Status}


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement: subject, relation and object as the frontend gave them.

    Attributes:
        retracts: The statement says that the value holds no longer.
    """

    subject: str
    relation: str
    object: str
    retracts: bool = False


_TRIPLE_NAMES = {"subject", "relation", "object"}

#: What a record may bring as a triple.
TripleLike = Triple | Sequence[str] | Mapping[str, Any]


@dataclass(frozen=True, slots=True, init=False)
class Record:
    """What a source said, untouched, at one position of its history.

    Args:
        text: The statement itself, not blank.
        position: 0 to ``MAX_POSITION``; larger is newer. None: the store gives the next free one.
        source: Where it came from; with ``source_line`` it identifies a record without position.
        source_line: Line in the source, from 1.
        observed_at: ISO 8601 text, a date or a datetime; kept as text. Shown, never used to decide
            anything.
        speaker: Who said it.
        session: Which conversation it belongs to.
        triples: Statements another extractor found: ``Triple``, ``(subject, relation, object)`` or
            mappings. An empty list is a verdict too. None: the frontend decides.
        status: The verdict that goes with ``triples``; a record read back has its stored one.
        reason: Why the record is unresolved, when it is.

    Raises:
        SourceError: A field has the wrong type or is out of range, or verdict and triples
            contradict each other.
    """

    text: str
    position: int | None
    source: str | None
    source_line: int | None
    observed_at: str | None
    speaker: str | None
    session: str | None
    triples: tuple[Triple, ...] | None
    status: Status | None
    reason: str | None

    def __init__(  # noqa: PLR0913 - one argument for each field
        self,
        *,
        text: str,
        position: int | None = None,
        source: str | None = None,
        source_line: int | None = None,
        observed_at: str | dt.date | None = None,
        speaker: str | None = None,
        session: str | None = None,
        triples: Iterable[TripleLike] | None = None,
        status: Status | str | None = None,
        reason: str | None = None,
    ) -> None:
        checks.check_text(text)
        checks.check_number("position", position, least=0, most=MAX_POSITION)
        checks.check_number("source_line", source_line, least=1, most=MAX_POSITION)
        checks.check_optional_text("source", source, most=MAX_SOURCE_BYTES)
        checks.check_optional_text("speaker", speaker)
        checks.check_optional_text("session", session)
        checks.check_optional_text("reason", reason)
        when, brought, verdict = checks.iso_time(observed_at), _triples(triples), _status(status)
        if verdict in _WITHOUT_TRIPLES and brought:
            raise SourceError(f"a record with status {verdict} cannot bring triples")
        if verdict is Status.FACTS and brought == ():
            raise SourceError("a record with status facts needs at least one triple")
        row = (position, text, verdict, reason, source, source_line, when, speaker, session)
        _fill(self, row, brought)

    @classmethod
    def kept(cls, row: Sequence[Any]) -> "Record":
        """The record of a row that a store kept, so that nothing is checked again.

        Args:
            row: Position, text, status, reason, source, source line, observed at, speaker, session.
        """
        position, text, status, *rest = row
        record = object.__new__(cls)
        _fill(record, (position, text, _STATUSES[status], *rest), None)
        return record

    @property
    def has_verdict(self) -> bool:
        """True when the record brings its own interpretation, so that no frontend is asked."""
        without = self.status is not None and self.status in _WITHOUT_TRIPLES
        return without or self.triples is not None

    def placed(self, position: int) -> "Record":
        """The same record at this position."""
        record = object.__new__(Record)
        row = (position, self.text, self.status, self.reason, self.source, self.source_line)
        _fill(record, (*row, self.observed_at, self.speaker, self.session), self.triples)
        return record


#: The setters of the fields themselves, which a frozen class does not stand in the way of.
_put_position, _put_text, _put_status, _put_reason, _put_triples = (
    vars(Record)[name].__set__ for name in ("position", "text", "status", "reason", "triples")
)
_put_source, _put_source_line, _put_observed_at, _put_speaker, _put_session = (
    vars(Record)[name].__set__
    for name in ("source", "source_line", "observed_at", "speaker", "session")
)


def _fill(record: Record, row: Sequence[Any], triples: tuple[Triple, ...] | None) -> None:
    """Give a record that is being made its fields, which have been checked."""
    position, text, status, reason, source, source_line, observed_at, speaker, session = row
    _put_position(record, position)  # written out: every record that is read is made here
    _put_text(record, text)
    _put_status(record, status)
    _put_reason(record, reason)
    _put_source(record, source)
    _put_source_line(record, source_line)
    _put_observed_at(record, observed_at)
    _put_speaker(record, speaker)
    _put_session(record, session)
    _put_triples(record, triples)


def _status(value: object) -> Status | None:
    try:
        return None if value is None else Status(value)  # type: ignore[arg-type]  # checked here
    except ValueError as error:
        raise SourceError(
            f"status must be one of {', '.join(Status)}, not {checks.shown(value)}"
        ) from error


def _triples(value: object) -> tuple[Triple, ...] | None:
    if value is None:
        return None
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise SourceError("triples must be a list of [subject, relation, object]")
    return tuple(_triple(number, item) for number, item in enumerate(value, 1))


def _triple(number: int, item: object) -> Triple:
    if isinstance(item, Triple):
        triple = item
    elif isinstance(item, Mapping) and set(item) - {"retracts"} == _TRIPLE_NAMES:
        triple = Triple(**item)
    elif isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 3:
        triple = Triple(*item)
    else:
        raise SourceError(
            f"triple {number} must be [subject, relation, object] or an object with these names "
            f"and optionally retracts, not {checks.shown(item)}"
        )
    parts = (triple.subject, triple.relation, triple.object)
    if not all(isinstance(part, str) for part in parts) or not isinstance(triple.retracts, bool):
        raise SourceError(f"triple {number} must hold three texts, not {checks.shown(item)}")
    for part in parts:
        checks.check_encodable(f"triple {number}", part)
    return triple
