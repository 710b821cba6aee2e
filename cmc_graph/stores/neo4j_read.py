"""What the Neo4j store reads: parameters of the reading statements, and the values in their rows.

This module must not write, nor know sessions or retries.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any

from cmc_graph import render
from cmc_graph.anchors import longest_matches
from cmc_graph.model import MAX_POSITION, History, Record, Relation, SetBy, Stats, Values
from cmc_graph.stores import neo4j_rows as rows
from cmc_graph.stores.base import Kept, Known, Selection, Suffix, Version, fit
from cmc_graph.stores.neo4j_link import Link, Row
from cmc_graph.text import key_length

#: A question with more tokens takes two round trips: its candidate keys first, then the walk.
LONG_QUESTION = 200

#: How often a long question is asked anew because a batch came between its round trips.
_ATTEMPTS = 3


def known(
    read: Callable[..., list[Row]], records: Iterable[Record], below: int = MAX_POSITION + 1
) -> Known:
    """What a history holds at the positions and source lines of these records.

    Args:
        read: Runs a statement on the history: its name, then its parameters.
        records: What to look for.
        below: The history's first position after its greatest.
    """
    positions: list[int] = []
    sources: list[str] = []
    lines: list[int] = []
    for record in records:
        if record.position is not None:
            if record.position < below:
                positions.append(record.position)
        elif record.source is not None and record.source_line is not None:
            sources.append(record.source)
            lines.append(record.source_line)
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
    if len(tokens) <= LONG_QUESTION:
        return _walk(link, history, tokens, len(tokens), hops, as_of)
    return _select_long(link, history, tokens, hops, as_of)


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
        newest_first = (rows.record(row["record"]) for row in chain([first], found) if total)
        records, omitted = fit(newest_first, chars, render.line, total)
        return Suffix(records=records, omitted=omitted, version=version)

    return link.take(fill, which, history=history, as_of=latest(as_of))


def versions(link: Link, history: str, subject: str, relation: str | None) -> list[Version]:
    """The assertions about a subject key, oldest first."""
    found = link.read("versions", history=history, subject=subject, relation=relation)
    return [rows.version(row["version"]) for row in found]


def relations(link: Link, history: str) -> list[Relation]:
    """The relations of a history, by name."""
    return sorted(
        (
            Relation(
                name=row["name"],
                values=Values(row["values"]),
                set_by=SetBy(row["set_by"]),
                slots=row["slots"],
            )
            for row in link.read("relations", history=history)
        ),
        key=lambda relation: relation.name,
    )


def scan(link: Link, history: str) -> Iterator[Kept]:
    """Every record with its assertions, ascending; fetched as it is consumed."""
    for row in link.stream("scan", history=history):
        yield Kept(rows.record(row["record"]), tuple(map(rows.version, row["versions"])))


def stats(link: Link, history: str) -> Stats:
    """Counts of one history."""
    found = link.read("stats", history=history)
    return Stats(**found[0].data()) if found else Stats()


def histories(link: Link) -> list[History]:
    """All histories, by name."""
    found = (History(**row.data()) for row in link.read("histories"))
    return sorted(found, key=lambda history: history.name)


def latest(as_of: int | None) -> int:
    """The position up to which to read: no position is greater than the greatest."""
    return MAX_POSITION if as_of is None else min(as_of, MAX_POSITION)


def _walk(
    link: Link, history: str, spans: Sequence[str], width: int, hops: int, as_of: int | None
) -> Selection:
    """The closure of the longest matches among the spans and runs of up to ``width`` of them."""
    stops = list(accumulate(len(span) + 1 for span in spans))
    parameters: dict[str, Any] = {
        "history": history,
        "text": " ".join(spans),
        "starts": [0, *stops][: len(spans)],
        "stops": [stop - 1 for stop in stops],
        "width": width,
    }
    if as_of is None:
        found = link.read("select", hops=hops, **parameters)
    else:
        found = link.read("select_as_of", hops=hops, **parameters, as_of=latest(as_of))
    if not found:
        return Selection()
    version, anchors, edges, records = found[0]
    return Selection(
        version=version,
        anchors=tuple(anchors),
        edges=tuple(map(rows.edge, edges)),
        records=tuple(map(rows.record, records)),
    )


def _select_long(
    link: Link, history: str, tokens: Sequence[str], hops: int, as_of: int | None
) -> Selection:
    """Like ``select``, in time linear in the question: its anchors are decided here."""
    for _ in range(_ATTEMPTS):
        version, subjects = _subjects(link, history, tokens, latest(as_of))
        longest = max(map(key_length, subjects), default=1)
        anchors = longest_matches(tokens, longest, subjects)
        selection = _walk(link, history, anchors, 1, hops, as_of)
        if selection.version == version:
            break
    return selection


def _subjects(
    link: Link, history: str, tokens: Sequence[str], as_of: int
) -> tuple[int, frozenset[str]]:
    """The history's version, and the subjects whose keys begin with one of the tokens."""
    found = link.read("subjects", history=history, tokens=list(dict.fromkeys(tokens)), as_of=as_of)
    return (found[0]["version"], frozenset(found[0]["keys"])) if found else (0, frozenset())
