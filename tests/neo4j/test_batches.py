"""One batch, one transaction: counted, written once, locked, and published when it is whole."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor as Pool
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlsplit

import neo4j
import pytest

from cmc_graph.errors import StoreBusy, StoreError, StoreUnreachable
from cmc_graph.forgetting import Selector, forget
from cmc_graph.model import History, Stats, Values
from cmc_graph.stores import neo4j_link, neo4j_write
from cmc_graph.stores.base import Applied, Batch, Entry, Store
from cmc_graph.stores.neo4j import Neo4jStore
from cmc_graph.stores.neo4j_batch import Locked, Outcome, check_written, in_batch
from cmc_graph.stores.neo4j_link import Link
from cmc_graph.stores.neo4j_rows import record_columns
from tests.neo4j.cutting import Cutting
from tests.support.builders import batch, entry
from tests.support.neo4j_target import Target

#: The version of a history, and those that are published and announced of it.
HEAD = (
    "MATCH (h:History {name: $history}), (p:Published {history: $history}) "
    "RETURN [h.version, p.version, p.announced]"
)
#: Announces a version 2.
ANNOUNCE = "MATCH (p:Published {history: $history}) SET p.announced = 2 RETURN 1"
PORTO, GRAZ = ("Ana", "city", "Porto"), ("Ana", "city", "Graz")


@pytest.fixture
def cutting(neo4j_target: Target) -> Iterator[Cutting]:
    """A way to the server on which answers to commits get lost when asked for."""
    where = urlsplit(neo4j_target.url)
    with Cutting(where.hostname or "", where.port or 7687) as opened:
        yield opened


@pytest.fixture
def shaky(cutting: Cutting, neo4j_target: Target) -> Iterator[Neo4jStore]:
    """A store at the end of that way."""
    url = f"bolt://127.0.0.1:{cutting.port}"
    with closing(Neo4jStore(url, **neo4j_target.options)) as store:
        yield store


def nameless(*entries: Entry) -> Batch:
    """A batch of records without position and source: nothing but the batch itself tells them."""
    return batch(*(e._replace(record=replace(e.record, position=None)) for e in entries))


def value(driver: neo4j.Driver, text: str, history: str) -> object:
    """The one value of a statement of the test's own."""
    with driver.session() as session:
        return session.run(text, history=history).single(strict=True).value()


def test_a_lost_answer_writes_nothing_twice(
    store: Store, shaky: Neo4jStore, cutting: Cutting, history: str
) -> None:
    """A5: a commit whose answer is lost is recognised, and the report is that of the batch."""
    cutting.lose = 1
    applied = shaky.append(history, nameless(entry(1, PORTO), entry(2, GRAZ)))
    assert cutting.lost == 1
    assert applied == Applied(facts=2, assertions=2, slots_changed=1, version=1)
    assert store.stats(history).records == 2
    assert not store.verify(history)


def test_equal_batches_stay_two(store: Store, history: str) -> None:
    """Two batches that say the same without positions are two, one after the other."""
    for _ in range(2):
        store.append(history, nameless(entry(1, PORTO, text="Ana lives in Porto.")))
    assert [version.position for version in store.versions(history, "ana")] == [0, 1]


def test_all_writing_verbs_survive_a_lost_answer(
    store: Store, shaky: Neo4jStore, cutting: Cutting, history: str
) -> None:
    """What a verb reports is what it did, once."""
    store.append(history, batch(entry(1, PORTO), entry(2, GRAZ)))
    cutting.lose = 1
    assert shaky.set_relation(history, "city", Values.MANY) == 2
    cutting.lose = 2
    assert shaky.forget(history, [1]).records == 1
    assert cutting.lost == 2
    assert store.stats(history).version == 3
    assert not store.verify(history)


@pytest.mark.parametrize(
    "selector", [Selector(positions=[1]), Selector(entity="Ana")], ids=["position", "entity"]
)
def test_a_forgetting_killed_before_its_last_transaction_is_completed(
    store: Store, history: str, monkeypatch: pytest.MonkeyPatch, selector: Selector
) -> None:
    """The same command again tidies up, though there is no record left to forget."""

    def killed(_: Locked) -> bool:
        raise KeyboardInterrupt

    store.append(history, batch(entry(1, PORTO)))
    with monkeypatch.context() as patch:
        patch.setattr(neo4j_write, "tidy_relations", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(store, history, selector)
    assert store.stats(history).records == 0
    forget(store, history, selector)
    assert store.relations(history) == []


def test_a_commit_that_stays_unknown_is_said_so(
    store: Store, shaky: Neo4jStore, cutting: Cutting, history: str
) -> None:
    """When every answer is lost, the line says to run the command again; nothing is doubled."""
    cutting.lose = 100
    with pytest.raises(StoreUnreachable, match="run the same command again"):
        shaky.append(history, nameless(entry(1, PORTO)))
    assert store.stats(history).records == 1


def test_what_is_committed_stands_though_it_cannot_be_published(
    neo4j_target: Target,
    history: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A batch that is written is reported as written; a reader tells the others its version."""

    def refuse(self: Link, name: str, **parameters: object) -> None:
        raise StoreUnreachable(f"no answer to {name}")

    with closing(Neo4jStore(neo4j_target.url, **neo4j_target.options)) as own:
        own.setup()
        monkeypatch.setattr(Link, "run", refuse)
        assert own.append(history, batch(entry(1, PORTO))).version == 1
        assert "not published yet" in caplog.text
        monkeypatch.undo()
        assert own.stats(history).records == 1
        assert [record.position for record in own.select(history, ["ana"], 1).records] == [1]


def test_a_difference_in_the_count_writes_nothing(store: Store, link: Link, history: str) -> None:
    """A18: when the server wrote another number than was sent, the transaction is rolled back."""

    def body(locked: Locked) -> Outcome[None]:
        locked.write("write_records", 2, **record_columns([entry(1, PORTO)]))
        return Outcome(None, locked.counters)

    with pytest.raises(StoreError, match="1 of 2 rows of write_records"):
        in_batch(link, history, body)
    assert store.stats(history) == Stats()
    assert history not in {each.name for each in store.histories()}


def test_equal_counts_pass() -> None:
    """A18: what was sent and written is compared, nothing else."""
    check_written("rows", 3, 3)
    with pytest.raises(StoreError):
        check_written("rows", 3, 4)


def test_a_writer_waits_for_another(
    store: Store, history: str, driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A15: a history somebody else holds for too long is busy; afterwards the batch is written."""
    store.append(history, batch(entry(1, PORTO)))
    monkeypatch.setattr(neo4j_link, "WRITE", 1.0)
    with driver.session() as session, session.begin_transaction() as other:
        other.run("MATCH (h:History {name: $history}) SET h.name = $history", history=history)
        with pytest.raises(StoreBusy, match="another writer"):
            store.append(history, batch(entry(2, GRAZ)))
        assert store.select(history, ["ana"], 1).version == 1
        other.rollback()
    assert store.append(history, batch(entry(2, GRAZ))).facts == 1


def test_a_batch_left_unpublished_is_published_by_a_reader(
    store: Store, history: str, driver: neo4j.Driver
) -> None:
    """A writer that dies after its commit costs the next reader the lock, and nobody anything."""
    store.append(history, batch(entry(1, PORTO)))
    store.append(history, batch(entry(2, GRAZ)))
    published = "MATCH (p:Published {history: $history}) RETURN p.version"
    assert value(driver, published, history) == 2
    value(driver, "MATCH (p:Published {history: $history}) SET p.version = 1 RETURN 1", history)
    found = store.select(history, ["ana"], 1)
    assert (found.version, [edge.position for edge in found.edges]) == (2, [2])
    assert value(driver, published, history) == 2


def test_a_version_is_announced_before_any_of_it_can_be_seen(
    store: Store, history: str, driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is committed becomes visible piece by piece, so readers are warned beforehand."""
    store.append(history, batch(entry(1, PORTO)))
    seen = []
    run = Link.run

    def watched(link: Link, name: str, **parameters: object) -> None:
        run(link, name, **parameters)
        if name == "announce":
            seen.append(value(driver, HEAD, history))

    monkeypatch.setattr(Link, "run", watched)
    store.append(history, batch(entry(2, GRAZ)))
    assert seen == [[1, 1, 2]]
    assert value(driver, HEAD, history) == [2, 2, 2]


def test_a_batch_that_was_announced_and_never_came_holds_nobody_up(
    store: Store, history: str, driver: neo4j.Driver
) -> None:
    """A writer that dies before its commit costs the next reader the lock, and nobody anything."""
    store.append(history, batch(entry(1, PORTO)))
    value(driver, ANNOUNCE, history)
    assert [edge.position for edge in store.select(history, ["ana"], 1).edges] == [1]
    assert value(driver, HEAD, history) == [1, 1, 1]


def test_a_scan_beside_an_announcement_of_nothing_goes_on(
    store: Store, history: str, driver: neo4j.Driver
) -> None:
    """What a writer announced that died at once changes nothing, so that all is of one version."""
    store.append(history, batch(*(entry(number, PORTO) for number in range(3_000))))
    found = store.scan(history)
    first = next(found)
    value(driver, ANNOUNCE, history)
    assert len([first, *found]) == 3_000
    assert value(driver, HEAD, history) == [1, 1, 1]


def test_a_history_is_listed_as_it_is_once_a_batch_under_way_has_come(
    store: Store, history: str, driver: neo4j.Driver
) -> None:
    """What is exported from the listed version on is not overtaken by what a dead writer sent."""
    store.append(history, batch(entry(1, PORTO)))
    coming = "MATCH (h:History {name: $history}) SET h.version = 2, h.records = 2"
    with driver.session() as session, session.begin_transaction() as other, Pool(1) as pool:
        other.run(coming, history=history).consume()
        value(driver, ANNOUNCE, history)
        listed = pool.submit(store.histories)
        with pytest.raises(TimeoutError):
            listed.result(timeout=0.5)
        other.commit()
        assert History(name=history, version=2, records=2) in listed.result()


@pytest.mark.parametrize(
    "verb",
    [
        lambda store, history: store.select(history, ["ana"], 1).version,
        lambda store, history: store.stats(history).version,
        lambda store, history: store.append(history, batch()).version,
    ],
)
def test_records_that_are_seen_before_their_history_are_waited_for(
    verb: Callable[[Store, str], int], store: Store, history: str, driver: neo4j.Driver
) -> None:
    """A first batch becomes visible piece by piece; until all is there, no history is lost."""
    store.append(history, batch(entry(1, PORTO)))
    lose = "MATCH (h:History {name: $history}) WITH h, properties(h) AS head DELETE h RETURN head"
    with driver.session() as session, session.begin_transaction() as other, Pool(1) as pool:
        head = value(driver, lose, history)
        other.run("CREATE (h:History) SET h = $head", head=head).consume()
        found = pool.submit(verb, store, history)
        with pytest.raises(TimeoutError):
            found.result(timeout=0.5)
        other.commit()
        assert found.result() == 1


def test_a_late_publication_takes_nothing_back(
    store: Store, history: str, driver: neo4j.Driver, link: Link
) -> None:
    """Of two writers, the one that publishes last may be the one that committed first."""
    store.append(history, batch(entry(1, PORTO)))
    store.append(history, batch(entry(2, GRAZ)))
    link.run("publish", history=history, version=1)
    assert value(driver, HEAD, history) == [2, 2, 2]


def test_the_second_ingest_writes_nothing(store: Store, history: str, driver: neo4j.Driver) -> None:
    """A5: not a property changes when everything is there already."""
    store.append(history, batch(entry(1, PORTO)))
    before = value(driver, "MATCH (h:History {name: $history}) RETURN properties(h)", history)
    store.append(history, batch(entry(1, PORTO)))
    assert store.rebuild(history) == 1
    assert (
        value(driver, "MATCH (h:History {name: $history}) RETURN properties(h)", history) == before
    )


def test_a_scan_beside_a_writer_says_so(store: Store, history: str) -> None:
    """What a scan yields is one version, or it ends with an error."""
    store.append(history, batch(*(entry(n, PORTO) for n in range(3_000))))
    scanned = store.scan(history)
    next(scanned)
    store.append(history, batch(entry(3_000, GRAZ)))
    with pytest.raises(StoreBusy, match="read it again"):
        list(scanned)
    assert len(list(store.scan(history))) == 3_001
