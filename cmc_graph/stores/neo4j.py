"""The Neo4j store: the primary store, for one server or a cluster.

Every verb is one statement or one transaction. What is read is in ``neo4j_read``, what is written
in ``neo4j_write``, the statements in ``cypher/``. This module must not know a statement.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cmc_graph.model import (
    Drift,
    Forgotten,
    History,
    Pattern,
    Record,
    Relation,
    Stats,
    Values,
)
from cmc_graph.stores import neo4j_read as read
from cmc_graph.stores import neo4j_replace as renewal
from cmc_graph.stores import neo4j_schema as schema
from cmc_graph.stores import neo4j_write as write
from cmc_graph.stores.base import Applied, Batch, Kept, Known, Selection, Suffix, Version
from cmc_graph.stores.neo4j_link import Link
from cmc_graph.stores.neo4j_verify import verify


class Neo4jStore:
    """A store in a Neo4j database.

    May be used from several threads, and after a fork in both processes. Connects when it is first
    used, and closes itself when it is no longer referenced.

    Args:
        url: ``bolt://host:port`` for a single server, ``neo4j://`` for a cluster; ``+s`` and
            ``+ssc`` for TLS.
        username: Only used with a password.
        password: None: the server asks for none.
        database: None: the user's home database.

    Raises:
        ConfigurationError: The url is not of that form.
    """

    def __init__(
        self,
        url: str,
        *,
        username: str | None = None,
        password: str | None = None,
        database: str | None = None,
    ) -> None:
        self._link = Link(url, username, password, database)

    def __repr__(self) -> str:
        return f"Neo4jStore({self._link.place.url!r}, database={self._link.place.database!r})"

    def setup(self) -> None:
        """Create constraints and indexes if they are not there.

        Raises:
            StoreError: The server cannot be reached or refuses; the database does not exist, or
                is not ours, or of another version; then it is left as it is.
        """
        schema.setup(self._link)

    def known(self, history: str, records: Sequence[Record]) -> Known:
        """What the history holds at the positions and source lines of these records."""
        return read.known(partial(self._link.read, history=history), records)

    def append(self, history: str, batch: Batch) -> Applied:
        """Write the new entries and resolve the slots they touch, all in one transaction.

        Raises:
            PositionConflict: A position, or a line of a known source, holds another text.
            SourceError: The history has no position left.
            UsageError: The history cannot have that name.
            StoreError: The store failed. In every case nothing of the batch is written.
        """
        return write.append(self._link, history, batch)

    def select(
        self, history: str, tokens: Sequence[str], hops: int, as_of: int | None = None
    ) -> Selection:
        """The closure of the entities that the question's tokens name, with its records."""
        return read.select(self._link, history, tokens, hops, as_of)

    def unresolved(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest unresolved records, as many as fill ``chars`` characters of evidence."""
        return read.suffix(self._link, history, "unresolved", chars, as_of)

    def newest(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest records of any status, as many as fill ``chars`` characters of evidence."""
        return read.suffix(self._link, history, "newest", chars, as_of)

    def latest_state(self, history: str, chars: int, as_of: int | None = None) -> Suffix:
        """The newest records of the slots' last words and unresolved ones that fill ``chars``."""
        return read.suffix(self._link, history, "latest_state", chars, as_of)

    def versions(self, history: str, *subjects: str, relation: str | None = None) -> list[Version]:
        """The assertions about these subject keys, oldest first; of one relation or of all."""
        return read.versions(self._link, history, subjects, relation)

    def changes(self, history: str, after: int, upto: int) -> list[Version]:
        """The assertions after one position up to another, and what held before in their slots."""
        return read.changes(self._link, history, after, upto)

    def records(self, history: str, positions: Sequence[int]) -> list[Record]:
        """The records at these positions, ascending; a position without a record has none."""
        return read.records(self._link, history, positions)

    def relations(self, history: str) -> list[Relation]:
        """The relations of a history, by name."""
        return read.relations(self._link, history)

    def set_relation(self, history: str, name: str, values: Values) -> int:
        """How many slots the relation has after a person said how many values it takes.

        Raises:
            UsageError: The history has no such relation.
            StoreError: The store failed; nothing is changed.
        """
        return write.set_relation(self._link, history, name, values)

    def merge_relations(self, history: str, into: Mapping[str, str]) -> None:
        """Make relations other names of those that count instead, in one transaction.

        Raises:
            UsageError: The history has no relation to merge into, or two are one already, the other
                way round.
            StoreError: The store failed. In every case nothing is changed.
        """
        renewal.merge_relations(self._link, history, into)

    def declare(self, history: str, relations: Sequence[Relation]) -> None:
        """Write the relations the history does not have, as they are given, in one transaction.

        Raises:
            UsageError: The history cannot have that name.
            StoreError: The store failed; nothing is changed.
        """
        renewal.declare(self._link, history, relations)

    def patterns(self, history: str) -> list[Pattern]:
        """The patterns kept with a history, in the order in which they were given."""
        return renewal.patterns(self._link, history)

    def keep_patterns(self, history: str, patterns: Sequence[Pattern]) -> None:
        """Keep these patterns with a history, instead of those it had.

        Raises:
            UsageError: The history cannot have that name.
            StoreError: The store failed; nothing is changed.
        """
        renewal.keep_patterns(self._link, history, patterns)

    def replace(self, history: str, batch: Batch, version: int) -> Applied:
        """Put other verdicts and assertions in the place of those of all records.

        Raises:
            StoreBusy: The history was written to after that version.
            StoreError: The store failed. In every case nothing is changed.
        """
        return renewal.replace(self._link, history, batch, version)

    def scan(self, history: str) -> Iterator[Kept]:
        """Every record with its assertions, ascending by position, read as it is consumed.

        Raises:
            StoreBusy: A batch was written meanwhile, so that this is no single version.
        """
        return read.scan(self._link, history)

    def rebuild(self, history: str) -> int:
        """How many slots there are after the projection was derived anew from the ledger alone.

        In transactions of a thousand slots each; every one leaves its slots complete.
        """
        return write.rebuild(self._link, history)

    def verify(self, history: str, *, lost_only: bool = False) -> Drift:
        """The differences between the ledger and the projection; writes nothing."""
        return verify(self._link, history, lost_only=lost_only)

    def forget(self, history: str, positions: Sequence[int]) -> Forgotten:
        """Remove records, their assertions and entities nothing names any more.

        In transactions of a thousand records, the oldest first. The slots they were part of fall
        back to what the remaining assertions say.
        """
        return write.forget(self._link, history, positions)

    def stats(self, history: str) -> Stats:
        """Counts of one history."""
        return read.stats(self._link, history)

    def histories(self) -> list[History]:
        """All histories, by name."""
        return read.histories(self._link)

    def close(self) -> None:
        """Release connections; further calls raise StoreError, closing again does nothing."""
        self._link.close()
