"""Rows and values: what statements return becomes values here, and values become columns.

The order of columns is that of the statements. This module must not run anything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cmc_graph.model import Edge, Pattern, Record, Status
from cmc_graph.stores.base import Entry, Version
from cmc_graph.stores.projection import Placed, Slot

#: Parameters of a statement: one list for each column.
Columns = dict[str, Any]
#: What a record's status may be.
_VERDICTS = frozenset(status.value for status in Status)

#: What the columns of a version are, without its end.
_VERSION_TYPES = (int, int, str, str, str, str, bool, str, str, bool, str)

#: For entity keys, the surface that names them and its position.
Names = Mapping[str, tuple[str, int]]


def edges(row: Mapping[str, Any]) -> Iterator[Edge]:
    """The edges of a row of ``select``; one that lacks a property is left out."""
    members, lost_members = _places(row["members"])
    ended, lost_ends = _places(row["ended"])
    lost = lost_members | lost_ends
    for subject, relation, obj, subject_key, object_key, position, ordinal in zip(
        *row["edges"], strict=True
    ):
        if not (subject and relation and obj and subject_key and object_key) or (
            position < 0 or ordinal < 0
        ):
            continue
        place = (position, ordinal)
        if place in lost:
            continue
        yield Edge(
            subject,
            relation,
            obj,
            subject_key,
            object_key,
            object_key if place in members else "",
            position,
            ordinal,
            place in ended,
        )


def _places(found: Iterable[Sequence[Any]]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The places of rows, and those of them where a property is missing."""
    places: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
    for position, ordinal, is_lost in found:
        places[is_lost].add((position, ordinal))
    return places


def records(found: Iterable[Sequence[Any]]) -> Iterator[Record]:
    """The records of rows; one that lacks its position, text or verdict is left out."""
    for row in found:
        if is_whole(row):
            yield Record.kept(row)


def is_whole(row: Sequence[Any]) -> bool:
    """The record of a row has its position, its text and a verdict."""
    position, text, status, *_ = row
    return isinstance(position, int) and isinstance(text, str) and status in _VERDICTS


def is_whole_version(row: Sequence[Any]) -> bool:
    """The assertion of a row has all that an assertion has, each of its type."""
    superseded_at = row[7]
    return (superseded_at is None or isinstance(superseded_at, int)) and all(
        isinstance(value, kind)
        for value, kind in zip((*row[:7], *row[8:]), _VERSION_TYPES, strict=True)
    )


def version(row: Sequence[Any]) -> Version:
    """The assertion of a row; its columns as ``versions`` and ``scan`` return them."""
    position, ordinal, subject, relation, obj, member, retracts, superseded_at, *said = row
    subject_text, object_text, literal, frontend = said
    return Version(
        position=position,
        ordinal=ordinal,
        subject=subject,
        relation=relation,
        object=obj,
        member=member,
        retracts=retracts,
        superseded_at=superseded_at,
        subject_text=subject_text,
        object_text=object_text,
        literal=literal,
        frontend=frontend,
    )


def slot(row: Mapping[str, Any]) -> Slot:
    """The slot that a row names."""
    return (row["subject"], row["relation"], row["member"])


def is_slot(found: Sequence[object]) -> bool:
    """A slot's subject, relation and member are all there."""
    return all(isinstance(each, str) for each in found)


def slot_columns(slots: Iterable[Slot]) -> Columns:
    """Slots as parameters."""
    subjects, relations, members = _columns(slots, 3)
    return {"subjects": subjects, "relations": relations, "members": members}


def record_columns(entries: Iterable[Entry]) -> Columns:
    """Records with their verdict as parameters of ``write_records``."""
    names = (
        *("positions", "texts", "statuses", "reasons"),
        *("sources", "source_lines", "observed_at", "speakers", "sessions"),
    )
    rows = (
        (
            r.position,
            r.text,
            entry.status.value,
            entry.reason,
            r.source,
            r.source_line,
            r.observed_at,
            r.speaker,
            r.session,
        )
        for entry in entries
        for r in [entry.record]
    )
    return dict(zip(names, _columns(rows, len(names)), strict=True))


def verdict_columns(entries: Iterable[Entry]) -> Columns:
    """Verdicts of records as parameters of ``decide_records``."""
    rows = ((e.record.position, e.status.value, e.reason) for e in entries)
    positions, statuses, reasons = _columns(rows, 3)
    return {"positions": positions, "statuses": statuses, "reasons": reasons}


def pattern_columns(patterns: Iterable[Pattern]) -> Columns:
    """Patterns as parameters of ``write_patterns``."""
    rows = ((p.template, p.relation, p.support, p.answers) for p in patterns)
    names = ("templates", "relations", "support", "answers")
    return dict(zip(names, _columns(rows, len(names)), strict=True))


def assertion_columns(placed: Iterable[Placed]) -> Columns:
    """Assertions as parameters of ``write_assertions``."""
    names = (
        *("positions", "members", "ends", "ordinals", "subjects", "relations", "objects"),
        *("retracts", "subject_texts", "object_texts", "literals", "frontends"),
    )
    values = (
        (
            position,
            member,
            end,
            a.ordinal,
            a.subject,
            a.relation,
            a.object,
            a.retracts,
            a.subject_text,
            a.object_text,
            a.literal,
            a.frontend,
        )
        for position, member, a, end in placed
    )
    return dict(zip(names, _columns(values, len(names)), strict=True))


def edge_columns(words: Iterable[tuple[Slot, Placed]]) -> Columns:
    """Last words of slots as parameters of ``write_edges``."""
    names = (
        *("subjects", "relations", "members"),
        *("positions", "ordinals", "objects", "retracts"),
    )
    values = (
        (*slot, word.position, word.said.ordinal, word.object, word.retracts)
        for slot, word in words
    )
    return dict(zip(names, _columns(values, len(names)), strict=True))


def entity_columns(names: Names) -> Columns:
    """Entities by key, each with name and the name's position, as parameters."""
    texts, positions = _columns(names.values(), 2)
    return {"keys": list(names), "names": texts, "positions": positions}


def used_relations(entries: Iterable[Entry]) -> list[str]:
    """The relations of the entries' assertions, each once."""
    return list(dict.fromkeys(said.relation for entry in entries for said in entry.assertions))


def _columns(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    columns = [list(column) for column in zip(*rows, strict=True)]
    return columns or [[] for _ in range(width)]
