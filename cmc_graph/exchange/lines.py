"""The export format: a history as JSON Lines, one thing a line, and back.

First comes the line that names the format, then relations by name, patterns in their order, records
ascending by position with what they assert, and last a line that counts them: a text without it is
no whole export. Only what was said is in it; keys, slots, ends and names follow from that, and
version and name of the history are those of a place. So the same history is the same bytes, in
whatever store it is. Pure. This module must not know a store.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cmc_graph.compile import entry as interpreted
from cmc_graph.compile import oversize
from cmc_graph.errors import SourceError
from cmc_graph.model import Interpretation, Pattern, Record, Relation, SetBy, Status, Triple, Values
from cmc_graph.stores.base import Entry, Kept, Version
from cmc_graph.text import count, shorten
from loaders.documents import explain

#: The version of the format; another one is refused.
VERSION = 1

_dump = partial(json.dumps, ensure_ascii=False)
#: What some readers take for line ends, and JSON does not escape by itself.
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}


@dataclass(slots=True)
class Contents:
    """What an export holds.

    Attributes:
        relations: Each with what is said of it; how many slots it has is not part of an export.
        entries: Records, ascending by position, with their verdicts and what they assert.
    """

    relations: list[Relation] = field(default_factory=list)
    patterns: list[Pattern] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


class _Line(BaseModel):
    # built when the first line is read: most programs that import this never load an export
    model_config = ConfigDict(extra="forbid", defer_build=True)


class _Format(_Line):
    kind: Literal["cmc-graph history"]
    format: int


class _Relation(_Line):
    kind: Literal["relation"]
    name: str = Field(min_length=1)
    values: Values
    set_by: SetBy
    merged_into: str | None = None


class _Pattern(_Line):
    kind: Literal["pattern"]
    template: str
    relation: str
    support: int
    answers: int


class _Assertion(_Line):
    subject: str
    relation: str
    object: str
    retracts: bool = False
    literal: bool = True
    frontend: str


class _Record(_Line):
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
    assertions: list[_Assertion] = []


class _End(_Line):
    kind: Literal["end"]
    relations: int
    patterns: int
    records: int
    assertions: int


_AnyLine: TypeAdapter[_Format | _Relation | _Pattern | _Record | _End] = TypeAdapter(
    Annotated[
        _Format | _Relation | _Pattern | _Record | _End,
        Field(discriminator="kind"),
    ],
    config=ConfigDict(defer_build=True),
)
#: The order in which kinds of lines come.
_ORDER = (_Format, _Relation, _Pattern, _Record, _End)


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


def record_line(record: Record, assertions: Iterable[Version | Any]) -> str:
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


def parse(lines: Iterable[str]) -> Contents:
    """What the lines of an export hold, all of it checked.

    Args:
        lines: With or without line ends; blank ones are passed over.

    Raises:
        SourceError: This is no whole export, or a line says what a history cannot hold; names the
            line.
    """
    found = Contents()
    stage, number, names = -1, 0, dict[str, Relation]()
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = _read(text)
            stage = _next(stage, line)
            _take(found, names, line)
        except SourceError as error:
            raise SourceError(f"line {number} of the export: {error}") from error.__cause__
    if stage < 0 or _ORDER[stage] is not _End:
        raise SourceError(
            f"the export breaks off after line {number}: its last line, which counts the others, "
            "is missing; export again"
        )
    return found


def _line(kind: str, **values: object) -> str:
    given = {name: value for name, value in values.items() if value is not None}
    return _dump({"kind": kind, **given}).translate(_LINE_ENDS) + "\n"


def _read(text: str) -> _Format | _Relation | _Pattern | _Record | _End:
    try:
        return _AnyLine.validate_json(text)
    except ValidationError as error:
        raise SourceError(explain(error)) from error
    except UnicodeEncodeError as error:
        raise SourceError("holds a lone surrogate, which no store can encode") from error


def _next(stage: int, line: _Line) -> int:
    """The place of the line in the order of kinds, if it may come now."""
    place = _ORDER.index(type(line))
    if stage < 0 and place:
        raise SourceError("is not the first one of an export, which names the format")
    if place < stage or (place == stage and _ORDER[place] in (_Format, _End)):
        raise SourceError(f"{shorten(str(getattr(line, 'kind', '')))!r} cannot come here")
    return place


def _take(found: Contents, names: dict[str, Relation], line: _Line) -> None:
    match line:
        case _Format():
            if line.format != VERSION:
                raise SourceError(
                    f"is of format {line.format}, this cmc-graph reads {VERSION}: use the release "
                    "that wrote it"
                )
        case _Relation():
            _take_relation(found, names, line)
        case _Pattern():
            found.patterns.append(Pattern(line.template, line.relation, line.support, line.answers))
        case _Record():
            if not found.entries:
                _check_merges(names)
            _take_record(found, names, line)
        case _End():
            _check_merges(names)
            _check_counts(found, line)


def _take_relation(found: Contents, names: dict[str, Relation], line: _Relation) -> None:
    if line.name in names:
        raise SourceError(f"the relation {shorten(line.name)!r} came before")
    relation = Relation(
        name=line.name,
        values=line.values,
        set_by=line.set_by,
        slots=0,
        merged_into=line.merged_into,
    )
    if problem := oversize("", line.name, ""):
        raise SourceError(problem)
    names[line.name] = relation
    found.relations.append(relation)


def _take_record(found: Contents, names: Mapping[str, Relation], line: _Record) -> None:
    before = found.entries[-1].record.position if found.entries else None
    if before is not None and line.position <= before:
        raise SourceError(f"position {line.position} does not come after {before}")
    found.entries.append(_entry(line, names))


def _check_merges(names: Mapping[str, Relation]) -> None:
    """Every merged relation counts as one that is there and counts itself."""
    for relation in names.values():
        root = relation.merged_into
        if root is not None and (root not in names or names[root].merged_into is not None):
            raise SourceError(
                f"the relation {shorten(relation.name)!r} is merged into {shorten(root)!r}, which "
                "is none that counts"
            )


def _entry(line: _Record, names: Mapping[str, Relation]) -> Entry:
    record = Record(**line.model_dump(exclude={"kind", "assertions"}))
    said = line.assertions
    if (line.status is Status.FACTS) != bool(said):
        raise SourceError(f"has status {line.status} with {count(len(said), 'assertion')}")
    for each in said:
        relation = names.get(each.relation)
        if relation is None or relation.merged_into is not None:
            raise SourceError(f"the relation {shorten(each.relation)!r} is none that counts")
        if not each.subject.strip() or not each.object.strip():
            raise SourceError("an assertion needs a subject and an object that are not blank")
    triples = tuple(Triple(e.subject, e.relation, e.object, e.retracts) for e in said)
    loose = frozenset(number for number, each in enumerate(said) if not each.literal)
    made = interpreted(record, Interpretation(line.status, triples, line.reason, "", loose))
    if made.status is not line.status:
        raise SourceError(made.reason or "cannot be stored")
    assertions = (
        one._replace(frontend=each.frontend, relation=each.relation)
        for one, each in zip(made.assertions, said, strict=True)
    )
    return made._replace(assertions=tuple(assertions))


def _check_counts(found: Contents, line: _End) -> None:
    counted = {
        "relations": len(found.relations),
        "patterns": len(found.patterns),
        "records": len(found.entries),
        "assertions": sum(len(each.assertions) for each in found.entries),
    }
    for name, number in counted.items():
        if number != getattr(line, name):
            raise SourceError(
                f"counts {getattr(line, name)} {name}, but there are {number}: lines were lost or "
                "added; export again"
            )
