"""Neo4j beside the store: the least that a read or an ingest could take.

Borrows the sessions of the store, on purpose: a floor says something only on the same connection.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Any

from cmc_graph.stores.neo4j import Neo4jStore

READ, WRITE = "READ", "WRITE"

ANCHORS = (Path(__file__).parent / "anchors.cypher").read_text("utf-8")

#: The nodes of a history: label, property that scopes it, and property that says in which batch it
#: was new; where there is none, in the first.
NODES = (
    ("History", "name", None),
    ("Published", "history", None),
    ("Relation", "history", None),
    ("Record", "history", "position"),
    ("Entity", "history", "name_position"),
)
RELATIONSHIPS = ("ASSERTED", "CURRENT", "ENDED")

CREATE_NODES = "UNWIND range(0, $size - 1) AS i CREATE (:{label} {{{scope}: $history, {values}}})"
CREATE_RELATIONSHIPS = (
    "UNWIND range(0, $size - 1) AS i "
    "MATCH (s:Entity {{history: $history, key: $from_key[i]}}) USING INDEX s:Entity(history, key) "
    "MATCH (o:Entity {{history: $history, key: $to_key[i]}}) USING INDEX o:Entity(history, key) "
    "CREATE (s)-[:{label} {{{scope}: $history, {values}}}]->(o)"
)

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Create:
    """One statement of a batch, and the columns of values it writes."""

    text: str
    columns: Mapping[str, list[Any]]
    size: int


class Neo4jSide:
    """A database in which the history of the benchmark may be one of many."""

    def __init__(self, store: Neo4jStore) -> None:
        self._link = store._link  # see the docstring of the module

    def versions(self) -> dict[str, str]:
        """The versions of server and driver."""
        server = self._link._driver.get_server_info().agent.removeprefix("Neo4j/")
        return {"neo4j server": server, "neo4j driver": version("neo4j")}

    def probes(self, history: str) -> dict[str, Callable[[Sequence[str]], object]]:
        """``RETURN 1`` and the anchor look-up alone, in the sessions in which the store reads."""
        return {
            "RETURN 1": lambda _words: self._rows("RETURN 1"),
            "anchor look-up": lambda words: self._rows(ANCHORS, history=history, **_spans(words)),
        }

    def copy(self, history: str, size: int) -> list[list[Create]]:
        """The graph of a history as it finally is, each part in the batch in which it was new."""
        batches: dict[int, list[Create]] = defaultdict(list)
        for label, scope, position in NODES:
            match = f"MATCH (n:{label} {{{scope}: $history}}) RETURN n {{.*}}"
            rows = [row[0] for row in self._rows(match, history=history)]
            for number, part in _parts(rows, position, size):
                batches[number].append(_create(CREATE_NODES, label, scope, part, rows))
        for kind in RELATIONSHIPS:
            match = f"MATCH (s:Entity {{history: $history}})-[r:{kind}]->(o) "
            match += "RETURN r {.*, from_key: s.key, to_key: o.key}"
            rows = [row[0] for row in self._rows(match, history=history)]
            for number, part in _parts(rows, "position", size):
                batches[number].append(_create(CREATE_RELATIONSHIPS, kind, "history", part, rows))
        return [batches[number] for number in sorted(batches)]

    def write(self, history: str, batch: Iterable[Create]) -> None:
        """Create the nodes and relationships of one batch in one managed transaction."""

        def work(transaction: Any) -> None:
            for create in batch:
                values = {**create.columns, "history": history, "size": create.size}
                transaction.run(create.text, values).consume()

        with self._link._session(WRITE) as session:
            session.execute_write(work)

    def remove(self, history: str) -> None:
        """Delete all of a history in bounded transactions: a node may have very many edges."""
        edges = "MATCH (:Entity {history: $history})-[piece]->() "
        nodes = (f"MATCH (piece:{label} {{{scope}: $history}}) " for label, scope, _ in NODES)
        for found in (edges, *nodes):
            text = found + "CALL (piece) { DELETE piece } IN TRANSACTIONS OF 1000 ROWS"
            with self._link._session(WRITE) as session:
                session.run(text, history=history).consume()

    def _rows(self, text: str, /, **parameters: Any) -> list[Any]:
        with self._link._session(READ) as session:
            return list(session.run(text, parameters))


def _spans(words: Sequence[str]) -> dict[str, Any]:
    """The question as the store's read sends it: one text, and where its tokens start and stop."""
    stops = list(accumulate(len(word) + 1 for word in words))
    return {
        "text": " ".join(words),
        "starts": [0, *stops[:-1]],
        "stops": [stop - 1 for stop in stops],
    }


def _parts(rows: Iterable[Row], position: str | None, size: int) -> Iterator[tuple[int, list[Row]]]:
    """The rows of each batch, with its number."""
    parts: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        parts[row[position] // size if position else 0].append(row)
    yield from parts.items()


def _create(text: str, label: str, scope: str, part: Sequence[Row], rows: Iterable[Row]) -> Create:
    """The statement that writes a part of the rows; one text for all parts, so planned once."""
    names = sorted({name for row in rows for name in row} - {scope})
    written = (name for name in names if name not in ("from_key", "to_key"))
    values = ", ".join(f"{name}: ${name}[i]" for name in written)
    columns = {name: [row.get(name) for row in part] for name in names}
    return Create(text.format(label=label, scope=scope, values=values), columns, len(part))
