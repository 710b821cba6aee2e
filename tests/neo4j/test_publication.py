"""What a reader sees of a batch whose writer died right after the commit."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from cmc_graph import Memory, Record
from cmc_graph.stores.neo4j import Neo4jStore
from cmc_graph.stores.neo4j_link import Link
from tests.support.neo4j_target import Target

HISTORY = "killed before publishing"


@pytest.fixture
def memory(neo4j_target: Target) -> Iterator[Memory]:
    store = Neo4jStore(neo4j_target.url, **neo4j_target.options)
    store.setup()
    with closing(Memory(store, HISTORY)) as opened:
        yield opened
    neo4j_target.wipe([HISTORY])


@pytest.mark.parametrize("before", [0, 1], ids=["first batch", "later batch"])
def test_a_committed_batch_is_read_though_nobody_published_it(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """A writer killed between commit and publication leaves nothing that a reader does not heal."""
    for position in range(before):
        memory.ingest([Record(text="Ana lives in Graz.", position=position)])
    run = Link.run

    def killed(link: Link, name: str, **parameters: Any) -> Any:
        return None if name == "publish" else run(link, name, **parameters)

    with monkeypatch.context() as patch:
        patch.setattr(Link, "run", killed)
        memory.ingest([Record(text="Ana lives in Porto.", position=before)])
    evidence = memory.read("Where does Ana live?")
    assert [record.text for record in evidence.records] == ["Ana lives in Porto."]
    assert evidence.version == before + 1
