"""What the Neo4j store reads: parameters of the reading statements, and the values in their rows.

This module must not write, nor know sessions or retries.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any, TypeVar

from cmc_graph import render
from cmc_graph.anchors import LONG_QUESTION, longest_matches
from cmc_graph.errors import StoreBusy, StoreError
from cmc_graph.model import MAX_POSITION, History, Record, Relation, Stats
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import Declared, Kept, Known, Selection, Suffix, Version, damaged
from cmc_graph.stores.neo4j_batch import find_head, has_records, is_published, lock_whole
from cmc_graph.stores.neo4j_link import Link, Reading, Row, Transaction
from cmc_graph.stores.planning import fit, latest, sought

#: How often to read beside a batch before holding it up.
_ATTEMPTS = 5

_Result = TypeVar("_Result")


def known(
    read: Callable[..., list[Row]], records: Iterable[Record], below: int = MAX_POSITION + 1
) -> Known:
    """What a history holds at the positions and source lines of these records.

    Args:
        read: Runs a statement on the history: its name, then its parameters.
        records: What to look for.
        below: The history's first position after its greatest.
    """
    positions, places = sought(records, below)
    sources, lines = [source for source, _ in places], [line for _, line in places]
    texts = read("known_positions", positions=positions) if positions else []
    said = read("known_lines", sources=sources, lines=lines) if lines else []
    return Known(
        {row["position"]: row["text"] for row in texts},
        {(row["source"], row["line"]): (row["position"], row["text"]) for row in said},
    )


def select(
    link: Link, history: str, tokens: Sequence[str], hops: int, as_of: int | None
) -> Selection:
    """The closure of the entities that the tokens name, with its records."""

    def body(reading: Reading) -> Selection:
        if len(tokens) <= LONG_QUESTION:
            return _walk(reading, history, tokens, len(tokens), hops, as_of)
        version, anchors = _anchors(reading, history, tokens, latest(as_of))
        selection = _walk(reading, history, anchors, 1, hops, as_of)
        if selection.version != version:
            raise _TornError
        return selection

    return _steadily(link, history, body)


def suffix(link: Link, history: str, which: str, chars: int, as_of: int | None) -> Suffix:
    """The newest records of a statement that fill the characters, fetched only as far as needed.

    Args:
        link: Where the history is.
        history: Its name.
        which: Name of the statement; each of its rows says how many records there are in all.
        chars: Room for the lines of evidence.
        as_of: Position; None: now.
    """

    def fill(found: Iterator[Row]) -> Suffix:
        first = next(found, None)
        if first is None:
            return Suffix()
        version, total = first["version"], first["total"]
        if total is None:
            raise StoreError(
                f"history {history!r} lost its counters; cmc-graph doctor --repair derives them"
            )
        whole = (_whole(row) for row in chain([first], found))
        newest_first = rows.records(row["record"] for row in whole if total)
        records, omitted = fit(newest_first, chars, render.line, total)
        return Suffix(records=records, omitted=omitted, version=version)

    return _steadily(
        link, history, lambda r: r.take(fill, which, history=history, as_of=latest(as_of))
    )


def versions(
    link: Link, history: str, subjects: Iterable[str], relation: str | None
) -> list[Version]:
    """The assertions about these subject keys, oldest first."""
    wanted = list(dict.fromkeys(subjects))
    found = _all(link, history, "versions", subjects=wanted, relation=relation)
    return [_version_of(row["version"], history) for row in found]


def changes(link: Link, history: str, after: int, upto: int) -> list[Version]:
    """The assertions after one position up to another, and what held before in their slots."""
    found = _all(link, history, "changes", after=after, upto=upto)
    return [_version_of(row["version"], history) for row in found]


def records(link: Link, history: str, positions: Iterable[int]) -> list[Record]:
    """The records at these positions, ascending; damaged ones are left out, like missing ones."""
    found = _all(link, history, "records", positions=sorted(set(positions)))
    return list(rows.records(row["record"] for row in found))


def relations(link: Link, history: str) -> list[Relation]:
    """The relations of a history, by name."""
    return as_relations(_all(link, history, "relations"))


def as_relations(found: Iterable[Row]) -> list[Relation]:
    """The relations of rows of ``relations``, by name.

    Raises:
        StoreError: One of them is damaged.
    """
    return sorted(
        (
            Relation(
                name=row["name"],
                values=(said := Declared.kept(row["name"], row["values"], row["set_by"])).values,
                set_by=said.set_by,
                slots=row["slots"],
                merged_into=row["merged_into"],
            )
            for row in found
        ),
        key=lambda relation: relation.name,
    )


def scan(link: Link, history: str) -> Iterator[Kept]:
    """Every record with its assertions, ascending; fetched as it is consumed.

    Raises:
        StoreBusy: A batch was written meanwhile, so that this is no single version.
    """
    head = find_head(link, history)
    if head and not is_published(head):
        _settled(link, history)
    for row in link.stream("scan", history=history):
        if row["version"] != row["version_after"] and _settled(link, history) != row["version"]:
            raise StoreBusy(
                f"history {history!r} was written while it was read; read it again when no "
                "ingest runs"
            )
        if not rows.is_whole(row["record"]):
            raise damaged(f"record [{row['record'][0]}] of history {history!r}")
        said = tuple(_version_of(version, history) for version in row["versions"])
        yield Kept(Record.kept(row["record"]), said)


def _settled(link: Link, history: str) -> int:
    """The version once nobody commits: that of a batch that was announced may never have come."""
    return link.write(partial(lock_whole, history=history))


def stats(link: Link, history: str) -> Stats:
    """Counts of one history."""
    found = _all(link, history, "stats")
    return Stats(**found[0].data()) if found else Stats()


def histories(link: Link) -> list[History]:
    """All histories, by name; each of a version that is wholly there."""
    found = (_listed(link, row) for row in link.read("histories"))
    return sorted(found, key=lambda history: history.name)


def _listed(link: Link, row: Row) -> History:
    """A history of a row of ``histories``, read again while a batch of it is being committed."""
    name, head = row["name"], row
    if row["published"] is not None and not is_published(row):
        head = _steadily(link, name, lambda reading: _head(reading, name)) or row
    return History(name=name, version=head["version"], records=head["records"])


def _version_of(row: Sequence[Any], history: str) -> Version:
    if not rows.is_whole_version(row):
        raise damaged(f"assertion [{row[0]}].{row[1]} of history {history!r}")
    return rows.version(row)


class _TornError(Exception):
    """A batch was applied during a read."""


def _steadily(link: Link, history: str, body: Callable[[Reading], _Result]) -> _Result:
    """What the body reads while no batch is applied; beside busy writers under the write lock."""
    for attempt in range(_ATTEMPTS):
        try:
            return body(link)
        except _TornError:
            time.sleep(0.005 * 2**attempt)

    def locked(transaction: Transaction) -> _Result:
        lock_whole(transaction, history)
        return body(transaction)

    return link.write(locked)


def _all(link: Link, history: str, name: str, **parameters: Any) -> list[Row]:
    """All rows of a statement that looks at much of a history, read while no batch is applied."""

    def body(reading: Reading) -> list[Row]:
        before = _version(reading, history)
        found = reading.take(list, name, history=history, **parameters)
        if _version(reading, history) != before:
            raise _TornError
        return found

    return _steadily(link, history, body)


def _head(reading: Reading, history: str) -> Row | None:
    """The head of a version that is wholly there; None for a history that was never written."""
    head = reading.take(_first, "head", history=history, relations=[])
    if not is_published(head) if head else has_records(reading, history):
        raise _TornError
    return head


def _version(reading: Reading, history: str) -> int | None:
    """The version that is wholly there; None for a history that was never written."""
    head = _head(reading, history)
    return head["version"] if head else None


def _whole(row: Row) -> Row:
    if row["version"] != row["version_after"]:
        raise _TornError
    return row


def _walk(
    reading: Reading, history: str, spans: Sequence[str], width: int, hops: int, as_of: int | None
) -> Selection:
    """The closure of the longest matches among runs of up to ``width`` spans."""
    parameters: dict[str, Any] = {
        "history": history,
        "text": " ".join(spans),
        "stops": [end - 1 for end in accumulate(len(span) + 1 for span in spans)],
        "width": width,
    }
    name = "select"
    if as_of is not None:
        name, parameters["as_of"] = "select_as_of", latest(as_of)
    row = reading.take(_only, name, hops, **parameters)
    if row is None:
        _version(reading, history)  # nothing is there, or what readers go by is lost
        return Selection()
    edges, records = tuple(rows.edges(row)), tuple(rows.records(row["records"]))
    unread = len(row["edges"][0]) - len(edges)
    damaged = unread + len(row["records"]) - len(records)
    if as_of is None and row["slots"] != len(row["edges"][0]):
        found = len({edge.slot for edge in edges}) + unread
        damaged += abs(row["slots"] - found)  # several last words of one slot can be told apart
    return Selection(
        version=row["version"],
        anchors=tuple(row["anchors"]),
        edges=edges,
        records=records,
        damaged=damaged,
    )


def _anchors(
    reading: Reading, history: str, tokens: Sequence[str], as_of: int
) -> tuple[int, tuple[str, ...]]:
    """The history's version, and the anchors of a long question, in time linear in it.

    They are decided here, among all keys that begin with one of its tokens.
    """
    distinct = list(dict.fromkeys(tokens))
    row = reading.take(_only, "subjects", history=history, tokens=distinct, as_of=as_of)
    return (row["version"], longest_matches(tokens, frozenset(row["keys"]))) if row else (0, ())


def _only(found: Iterator[Row]) -> Row | None:
    row = _first(found)
    return row and _whole(row)


def _first(found: Iterator[Row]) -> Row | None:
    return next(found, None)
