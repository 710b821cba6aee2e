"""What the SQLite store reads: rows become values here, and only here.

All functions take a connection in a transaction. This module must not write.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import fields
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import Any, NamedTuple

from cmc_graph import render
from cmc_graph.anchors import LONG_QUESTION, longest_matches, spans
from cmc_graph.errors import StoreError
from cmc_graph.model import (
    MAX_POSITION,
    Edge,
    History,
    Pattern,
    Record,
    Relation,
    Stats,
)
from cmc_graph.stores.base import Declared, Kept, Known, Selection, Suffix, Version, damaged
from cmc_graph.stores.planning import fit, latest, sought
from cmc_graph.stores.sqlite_statements import execute

#: How many spans or tokens of a question are looked up at once; a usual question has fewer.
_WANTED_AT_ONCE = 5_000

#: How many assertions are looked at for each edge of a read, before slots are stepped through.
_VERSIONS_PER_EDGE = 4

#: What comes after the last group of assertions.
_NO_GROUP: tuple[int, Iterator[Version]] = (MAX_POSITION + 1, iter(()))

#: The columns of records and versions in the order in which all statements return them.
_VERSION = tuple(field.name for field in fields(Version))


class HistoryRow(NamedTuple):
    """One row of the table ``history``."""

    id: int
    version: int
    records: int
    next_position: int
    longest_key: int
    name: str


def find_history(connection: sqlite3.Connection, name: str) -> HistoryRow | None:
    """The history of that name, if its row is there."""
    row = execute(connection, "find_history", name=name).fetchone()
    return None if row is None else HistoryRow(*row)


def written_history(connection: sqlite3.Connection, name: str) -> HistoryRow | None:
    """The history of that name, if it was ever written.

    Raises:
        StoreError: It is not there, but there are records of a history that lost its row: they may
            be of this one, and a new one might be given their number.
    """
    row = find_history(connection, name)
    if row is None and execute(connection, "nameless").fetchone() is not None:
        raise StoreError(
            f"there is no history {name!r}, but records of one that lost its name; "
            "cmc-graph doctor says what to do"
        )
    return row


def lost_counters(history: HistoryRow) -> StoreError:
    """The error of what cannot be done without the counters of a history."""
    return StoreError(
        f"history {history.name!r} lost its counters; cmc-graph doctor --repair derives them"
    )


def histories(connection: sqlite3.Connection) -> list[History]:
    """All histories, by name."""
    rows = execute(connection, "list_histories")
    return [History(name=name, version=version, records=count) for name, version, count in rows]


def known(connection: sqlite3.Connection, history: HistoryRow, records: Sequence[Record]) -> Known:
    """What the history holds at the positions and source lines of these records.

    Raises:
        StoreError: It counts fewer positions than it has: a new record would be put on an old one.
    """
    (last,) = execute(connection, "last_position", history=history.id).fetchone()
    if last is not None and last >= history.next_position:
        raise lost_counters(history)
    positions, places = sought(records, history.next_position)
    texts: dict[int, str] = {}
    if positions:
        texts.update(
            execute(connection, "known_texts", history=history.id, positions=json.dumps(positions))
        )
    lines: dict[str, list[int]] = {}
    for source, line in places:
        lines.setdefault(source, []).append(line)
    return Known(
        texts,
        {
            (source, line): (position, text)
            for source, wanted in lines.items()
            for line, position, text in execute(
                connection,
                "known_lines",
                history=history.id,
                source=source,
                lines=json.dumps(wanted),
            )
        },
    )


def select(
    connection: sqlite3.Connection,
    history: HistoryRow,
    tokens: Sequence[str],
    hops: int,
    as_of: int | None,
) -> Selection:
    """The closure of the entities that the tokens name, with its records.

    Raises:
        StoreError: It has entities, but does not know that keys have words: none would be found.
    """
    if history.longest_key <= 0 and entities(connection, history, 0):
        raise lost_counters(history)
    subjects = _subjects(connection, history, tokens, latest(as_of))
    anchors = longest_matches(tokens, subjects)
    start = {subjects[key]: key for key in anchors}
    edges, left, damaged = _walk(connection, history.id, start, hops, as_of)
    return Selection(
        version=history.version,
        anchors=anchors,
        edges=tuple(edges),
        records=tuple(records(connection, history, (edge.position for edge in edges))),
        damaged=damaged + _lost_slots(connection, left, latest(as_of), len(edges)),
    )


def suffix(
    connection: sqlite3.Connection, history: HistoryRow, which: str, chars: int, as_of: int | None
) -> Suffix:
    """The newest records of a statement that fill the characters, read only as far as needed.

    Args:
        connection: In a transaction.
        history: Whose records.
        which: Name of the statement; its first column says how many there are in all.
        chars: Room for the lines of evidence.
        as_of: Position; None: now.
    """
    with closing(execute(connection, which, history=history.id, as_of=latest(as_of))) as rows:
        first = rows.fetchone()
        if first is None:
            return Suffix(version=history.version)
        newest_first = _sound(row[1:] for row in chain([first], rows))
        records, omitted = fit(newest_first, chars, render.line, total=first[0])
    return Suffix(records=records, omitted=omitted, version=history.version)


def versions(
    connection: sqlite3.Connection,
    history: HistoryRow,
    subjects: Sequence[str],
    relation: str | None,
) -> list[Version]:
    """The assertions about these subject keys, oldest first."""
    wanted = json.dumps(subjects)
    rows = execute(connection, "versions", history=history.id, subjects=wanted, relation=relation)
    return list(map(_version, rows))


def changes(
    connection: sqlite3.Connection, history: HistoryRow, after: int, upto: int
) -> list[Version]:
    """The assertions after one position up to another, and what held before in their slots."""
    rows = execute(connection, "changes", history=history.id, after=after, upto=upto)
    return list(map(_version, rows))


def records(
    connection: sqlite3.Connection, history: HistoryRow, positions: Iterable[int]
) -> list[Record]:
    """The records at these positions, ascending."""
    wanted = _numbers(sorted(set(positions)))
    rows = execute(connection, "records", history=history.id, positions=wanted)
    return list(_sound(rows))


def relations(connection: sqlite3.Connection, history: HistoryRow) -> list[Relation]:
    """The relations of a history, by name.

    Raises:
        StoreError: One of them is damaged.
    """
    rows = execute(connection, "list_relations", history=history.id)
    return [
        Relation(
            name=name,
            values=(said := Declared.kept(name, values, set_by)).values,
            set_by=said.set_by,
            slots=slots,
            merged_into=root,
        )
        for name, values, set_by, slots, root in rows
    ]


def patterns(connection: sqlite3.Connection, history: HistoryRow) -> list[Pattern]:
    """The patterns kept with a history, in their order."""
    return [Pattern(*row) for row in execute(connection, "patterns", history=history.id)]


def scan(connection: sqlite3.Connection, history: HistoryRow) -> Iterator[Kept]:
    """Every record with its assertions, ascending; two cursors side by side, nothing kept.

    Assertions of a record that is lost are passed over.
    """
    with (
        closing(execute(connection, "scan_records", history=history.id)) as records,
        closing(execute(connection, "scan_ledger", history=history.id)) as ledger,
    ):
        said = groupby(map(_version, ledger), key=attrgetter("position"))
        position, group = next(said, _NO_GROUP)
        for record in map(_kept, records):
            wanted = record.position or 0
            while position < wanted:
                position, group = next(said, _NO_GROUP)
            yield Kept(record, tuple(group) if position == wanted else ())


def entities(connection: sqlite3.Connection, history: HistoryRow, after: int) -> list[int]:
    """The numbers of the next entities of a history, at most a thousand."""
    rows = execute(connection, "next_entities", history=history.id, after=after)
    return [number for (number,) in rows]


def stats(connection: sqlite3.Connection, history: HistoryRow) -> Stats:
    """Counts of one history."""
    cursor = execute(connection, "stats", history=history.id)
    names = [column[0] for column in cursor.description]
    return Stats(**dict(zip(names, cursor.fetchone(), strict=True)))


def _sound(rows: Iterable[Sequence[Any]]) -> Iterator[Record]:
    """The records of rows; one whose verdict is none is left out, like a missing one."""
    for row in rows:
        with suppress(KeyError):
            yield Record.kept(row)


def _kept(row: Sequence[Any]) -> Record:
    try:
        return Record.kept(row)
    except KeyError as error:
        raise damaged(f"record [{row[0]}]") from error


def _subjects(
    connection: sqlite3.Connection, history: HistoryRow, tokens: Sequence[str], as_of: int
) -> dict[str, int]:
    """Subjects of an edge, with their numbers: at least those whose key is in the question."""
    if len(tokens) <= LONG_QUESTION:
        statement = "subjects"
        wanted = spans(tokens, history.longest_key)
    else:
        statement, wanted = "subjects_beginning", iter(dict.fromkeys(tokens))
    found: dict[str, int] = {}
    for some in iter(lambda: list(islice(wanted, _WANTED_AT_ONCE)), []):
        found.update(
            execute(connection, statement, history=history.id, keys=_spans(some), as_of=as_of)
        )
    return found


def _walk(
    connection: sqlite3.Connection,
    history: int,
    start: dict[int, str],
    hops: int,
    as_of: int | None,
) -> tuple[list[Edge], list[int], int]:
    """Edges within the hop cap, the entities left, each once, and how many slots have no edge."""
    when = {} if as_of is None else {"as_of": latest(as_of)}
    statement = "edges" if as_of is None else "edges_as_of"
    keys = dict(start)
    frontier = list(start)
    edges: list[Edge] = []
    left: list[int] = []
    damaged = 0
    for _ in range(hops):
        if not frontier:
            break
        left += frontier
        entities = _numbers(frontier)
        frontier = []
        for row in execute(connection, statement, history=history, entities=entities, **when):
            subject, relation, obj, key, is_member, position, ordinal, ended, *texts = row
            if relation is None or key is None:
                damaged += 1
                continue
            subject_text, object_text = texts
            edges.append(
                Edge(
                    subject_text,
                    relation,
                    object_text,
                    keys[subject],
                    key,
                    key if is_member else "",
                    position,
                    ordinal,
                    bool(ended),
                )
            )
            if not ended and obj not in keys:
                keys[obj] = key
                frontier.append(obj)
    return edges, left, damaged


def _lost_slots(connection: sqlite3.Connection, subjects: list[int], as_of: int, edges: int) -> int:
    """How many slots the subjects lack; a look at their assertions usually shows that none is."""
    entities, most = _numbers(subjects), _VERSIONS_PER_EDGE * (edges + 1)
    looked_at, slotless = execute(connection, "slotless", entities=entities, most=most).fetchone()
    if not slotless and looked_at < most:
        return 0
    (lost,) = execute(connection, "lost_slots", entities=entities, as_of=as_of).fetchone()
    return int(lost)


def _numbers(numbers: list[int]) -> str:
    """A JSON array of numbers; Python writes such a list alike."""
    return str(numbers)


def _spans(spans: list[str]) -> str:
    """A JSON array of runs of tokens, at least one; JSON escapes nothing of what is in tokens."""
    return '["' + '","'.join(spans) + '"]'


def _version(row: Iterable[Any]) -> Version:
    values = dict(zip(_VERSION, row, strict=True))
    values["retracts"], values["literal"] = bool(values["retracts"]), bool(values["literal"])
    return Version(**values)
