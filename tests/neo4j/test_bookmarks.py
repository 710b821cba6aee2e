"""Bookmarks: on a cluster, a read waits for the writes before it, whichever member answers."""

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from cmc_graph import Memory, Record
from cmc_graph.stores.neo4j import Neo4jStore
from tests.support.neo4j_target import Target

QUESTION = "Where does Ana live?"

#: A query, or the beginning of a transaction, as the driver logs what it sends; and what a server
#: answers to a commit.
SENT = re.compile(r"C: (?:RUN|BEGIN) .*")
GIVEN = re.compile(r"S: SUCCESS .*'bookmark': '([^']+)'")


class Wire:
    """What the driver sent and was told, from its own log."""

    def __init__(self, log: pytest.LogCaptureFixture) -> None:
        self._log = log

    def sent(self) -> list[str]:
        """The queries and beginnings of transactions since the last call; the log is empty then."""
        found = [m.group() for r in self._log.records if (m := SENT.search(r.getMessage()))]
        self._log.clear()
        return found

    def given(self) -> str:
        """The bookmark of the last commit."""
        found = [m for r in self._log.records if (m := GIVEN.search(r.getMessage()))]
        return found[-1].group(1)


@pytest.fixture
def wire(caplog: pytest.LogCaptureFixture) -> Iterator[Wire]:
    """The driver's log of messages."""
    with caplog.at_level(logging.DEBUG, logger="neo4j.io"):
        yield Wire(caplog)


def opened(target: Target, scheme: str, history: str) -> Memory:
    """A memory on the server of this run, by a scheme."""
    url = f"{scheme}://{urlsplit(target.url).netloc}"
    store = Neo4jStore(url, **target.options)
    store.setup()
    return Memory(store, history)


def said(place: str) -> Record:
    """Where somebody lives now."""
    return Record(text=f"Ana lives in {place}.", triples=[("Ana", "residence", place)])


def test_a_read_names_the_write_before_it(neo4j_target: Target, wire: Wire, history: str) -> None:
    """Through routing, what follows a write carries its bookmark, and after that a later one."""
    if neo4j_target.origin.startswith("container"):
        pytest.skip("a container's routing table names a port that only exists inside it")
    with closing(opened(neo4j_target, "neo4j", history)) as memory:
        for place in ("Porto", "Graz"):
            memory.ingest([said(place)])
            bookmark = wire.given()
            wire.sent()
            assert place in memory.read(QUESTION).text
            first, *others = wire.sent()
            assert bookmark in first
            assert all("'bookmarks': ['" in message for message in others)


def test_one_server_needs_no_bookmarks(neo4j_target: Target, wire: Wire, history: str) -> None:
    """Without routing there is one server, which has seen every write: nothing is carried along."""
    with closing(opened(neo4j_target, "bolt", history)) as memory:
        memory.ingest([said("Porto")])
        bookmark = wire.given()
        wire.sent()
        assert "Porto" in memory.read(QUESTION).text
        reads = wire.sent()
        assert reads
        assert not any(bookmark in message for message in reads)
