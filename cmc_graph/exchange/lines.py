"""The export format: a history as JSON Lines, one thing a line; ``parsing`` reads it.

First comes the line that names the format, then relations by name, patterns in their order, records
ascending by position with what they assert, and last a line that counts them: a text without it is
no whole export. Only what was said is in it; keys, slots, ends and names follow from that, and
version and name of the history are those of a place. So the same history is the same bytes, in
whatever store it is. Pure. This module must not know a store.
"""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cmc_graph.errors import SourceError
from cmc_graph.model import Pattern, Record, Relation, SetBy, Status, Values
from cmc_graph.stores.base import Assertion, Kept, Version
from loaders.documents import explain

#: The version of the format; another one is refused.
VERSION = 1

_dump = partial(json.dumps, ensure_ascii=False)
#: What some readers take for line ends, and JSON does not escape by itself.
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}


class Line(BaseModel):
    """One line, or a part of one; unknown fields are refused."""

    # built when the first line is read: most programs that import this never load an export
    model_config = ConfigDict(extra="forbid", defer_build=True)


class FormatLine(Line):
    """The first line: which format this is."""

    kind: Literal["cmc-graph history"]
    format: int


class RelationLine(Line):
    """What is said of a relation."""

    kind: Literal["relation"]
    name: str = Field(min_length=1)
    values: Values
    set_by: SetBy
    merged_into: str | None = None


class PatternLine(Line):
    """A pattern that was found."""

    kind: Literal["pattern"]
    template: str
    relation: str
    support: int
    answers: int


class AssertionLine(Line):
    """What a record asserts, as its text says it."""

    subject: str
    relation: str
    object: str
    retracts: bool = False
    literal: bool = True
    frontend: str


class RecordLine(Line):
    """A record with its verdict."""

    kind: Literal["record"]
    position: int
    text: str
    status: Status
    reason: str | None = None
    source: str | None = None
    source_line: int | None = None
    observed_at: str | None = None
    speaker: str | None = None
    session: str | None = None
    assertions: list[AssertionLine] = []


class EndLine(Line):
    """The last line: how many there are of everything."""

    kind: Literal["end"]
    relations: int
    patterns: int
    records: int
    assertions: int


AnyLine = FormatLine | RelationLine | PatternLine | RecordLine | EndLine
_AnyLine: TypeAdapter[AnyLine] = TypeAdapter(
    Annotated[AnyLine, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def render(
    relations: Iterable[Relation], patterns: Iterable[Pattern], kept: Iterable[Kept]
) -> Iterator[str]:
    """The lines of an export, line ends included; each thing is read when its line is asked for.

    Args:
        relations: Of the history, by name.
        patterns: In their order.
        kept: Every record with its assertions, ascending by position.
    """
    counts = dict.fromkeys(("relations", "patterns", "records", "assertions"), 0)
    yield _line("cmc-graph history", format=VERSION)
    for relation in relations:
        counts["relations"] += 1
        yield relation_line(relation)
    for pattern in patterns:
        counts["patterns"] += 1
        yield _line(
            "pattern",
            template=pattern.template,
            relation=pattern.relation,
            support=pattern.support,
            answers=pattern.answers,
        )
    for each in kept:
        counts["records"] += 1
        counts["assertions"] += len(each.assertions)
        yield record_line(each.record, each.assertions)
    yield _line("end", **counts)


def relation_line(relation: Relation) -> str:
    """The line of a relation."""
    return _line(
        "relation",
        name=relation.name,
        values=relation.values,
        set_by=relation.set_by,
        merged_into=relation.merged_into,
    )


def record_line(record: Record, assertions: Iterable[Version | Assertion]) -> str:
    """The line of a record that is stored, with what it asserts in the order in which it counts."""
    said = [
        {
            "subject": each.subject_text,
            "relation": each.relation,
            "object": each.object_text,
            **({"retracts": True} if each.retracts else {}),
            **({} if each.literal else {"literal": False}),
            "frontend": each.frontend,
        }
        for each in assertions
    ]
    return _line(
        "record",
        position=record.position,
        text=record.text,
        status=record.status,
        reason=record.reason,
        source=record.source,
        source_line=record.source_line,
        observed_at=record.observed_at,
        speaker=record.speaker,
        session=record.session,
        assertions=said or None,
    )


def read(text: str) -> AnyLine:
    """What one line says.

    Raises:
        SourceError: It is no line of an export.
    """
    try:
        return _AnyLine.validate_json(text)
    except ValidationError as error:
        raise SourceError(explain(error)) from error
    except UnicodeEncodeError as error:
        raise SourceError("holds a lone surrogate, which no store can encode") from error


def _line(kind: str, **values: object) -> str:
    given = {name: value for name, value in values.items() if value is not None}
    return _dump({"kind": kind, **given}).translate(_LINE_ENDS) + "\n"
