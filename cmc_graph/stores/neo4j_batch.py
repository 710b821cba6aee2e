"""One batch on one history of the Neo4j store: locked, counted, and written once.

The batch's transaction first takes the write lock on the history's node, and last sets its
counters. Each batch leaves a mark on the node: when the answer to a commit is lost, the batch that
is run again finds its own mark and writes nothing. Readers are told of a batch twice, each time in
a transaction of its own: right before its commit, since that becomes visible piece by piece, and
when it is whole. This module must not know what a batch does.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from neo4j import SummaryCounters

from cmc_graph.errors import StoreError
from cmc_graph.stores.base import Declared
from cmc_graph.stores.neo4j_link import Link, Reading, Row, Transaction

#: How many slots or entities one statement, and in a rebuild one transaction, takes.
_CHUNK = 1_000

#: How many batches a history remembers: more than other writers can commit while one reconnects.
_REMEMBERED = 64

#: What a history's node has that a batch cannot do without.
_NEEDED = ("version", "records", "next_position", "longest_key", "batches")

_log = logging.getLogger(__name__)

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Counters(NamedTuple):
    """What a history counts beside its version."""

    records: int
    next_position: int
    longest_key: int


class Outcome(NamedTuple, Generic[_Result]):
    """What the body of a batch did.

    Attributes:
        counters: The history's counters after it; None when nothing was changed.
    """

    result: _Result
    counters: Counters | None = None


@dataclass(frozen=True, slots=True)
class Locked:
    """A history whose write lock the transaction holds.

    Attributes:
        declared: What is stored of the relations that were asked for, and of those that count
            instead.
        merged: The ones that count instead of some of them, by these.
    """

    transaction: Transaction
    history: str
    version: int
    counters: Counters
    declared: Mapping[str, Declared]
    merged: Mapping[str, str]

    def run(self, name: str, **parameters: Any) -> tuple[list[Row], SummaryCounters]:
        """The rows of a statement on this history, and what it wrote by the server's own count."""
        return self.transaction.run(name, history=self.history, **parameters)

    def read(self, name: str, **parameters: Any) -> list[Row]:
        """The rows of a statement on this history."""
        return self.run(name, **parameters)[0]

    def write(self, name: str, count: int, **parameters: Any) -> None:
        """Run a statement that is to create or delete so many nodes or relationships.

        Raises:
            StoreError: The server counted another number.
        """
        _, done = self.run(name, **parameters)
        check_written(
            f"rows of {name}",
            count,
            done.nodes_created + done.relationships_created + done.nodes_deleted,
        )


def in_batch(
    link: Link,
    history: str,
    body: Callable[[Locked], Outcome[_Result]],
    relations: Iterable[str] = (),
) -> _Result:
    """What the body returns, done in one transaction under the history's write lock.

    Args:
        link: Where the history is.
        history: Its name; it is created where it is missing.
        body: Writes, and says what it changed.
        relations: Names of the relations the body wants to know about.
    """
    mark = secrets.randbits(63)
    names = list(relations)
    done: list[tuple[_Result, int | None]] = []

    def work(transaction: Transaction) -> tuple[_Result, int | None]:
        head, is_new = lock(transaction, history, names)
        if mark not in head["batches"]:
            done.append(_run(transaction, history, head, body, mark))
            made = done[-1][1]
            if made is not None and not is_new:  # readers of a new one go by the mark it brings
                link.run("announce", history=history, version=made)
        return done[-1]

    result, version = link.write(work)
    if version is not None:
        _publish(link, history, version)
    return result


def _publish(link: Link, history: str, version: int) -> None:
    """Tell readers the version; what is committed stands, and the next reader makes up for it."""
    try:
        link.run("publish", history=history, version=version)
    except StoreError as error:
        _log.warning("version %d of history %r is not published yet: %s", version, history, error)


def lock(transaction: Transaction, history: str, relations: Sequence[str] = ()) -> tuple[Row, bool]:
    """The history's node, whose write lock the transaction holds from here on; whether it is new.

    New is also one whose mark was lost, which readers go by.

    Raises:
        StoreError: The node, or what it counts, is lost: records are there that it does not know.
    """
    _, written = transaction.run("lock", history=history)
    (head,), _ = transaction.run("head", history=history, relations=relations)
    is_lost = any(head[name] is None for name in _NEEDED)
    if is_lost or (head["version"] == 0 and has_records(transaction, history)):
        raise lost_head(history)
    return head, written.nodes_created > 0


def find_head(link: Link, history: str) -> Row | None:
    """The history's node; None where it was never written.

    A first batch becomes visible piece by piece, too. So records without their node may be some of
    one that is being committed, whose lock tells.

    Raises:
        StoreError: It is lost: records are there without it.
    """
    found = link.read("head", history=history, relations=[])
    if found or not has_records(link, history):
        return found[0] if found else None
    return link.write(lambda transaction: lock(transaction, history)[0])


def has_records(reading: Reading, history: str) -> bool:
    """The history has a record, whether it has a node or not."""
    return bool(reading.take(list, "has_records", history=history))


def lost_head(history: str) -> StoreError:
    """The error of records without their history's node or counters."""
    return StoreError(
        f"history {history!r} lost its node or its counters; cmc-graph doctor --repair derives them"
    )


def lock_whole(transaction: Transaction, history: str) -> int:
    """The version, which readers are told, under the write lock: no batch is half applied there."""
    head, _ = lock(transaction, history)
    version = int(head["version"])
    transaction.run("republish", history=history, version=version)
    return version


def is_published(head: Row) -> bool:
    """The history's version is wholly there, and no other one is being committed."""
    return bool(head["published"] == head["version"] == head["announced"])


def check_written(what: str, sent: int, written: int) -> None:
    """Compare what the server wrote with what it was sent.

    Raises:
        StoreError: They differ; the transaction is then rolled back.
    """
    if sent != written:
        raise StoreError(
            f"the database wrote {written} of {sent} {what}; nothing of the batch was kept: run "
            "the command again, and report this as a fault of cmc-graph"
        )


def chunks(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """The items in lists of a thousand at most."""
    source = iter(items)
    while chunk := list(islice(source, _CHUNK)):
        yield chunk


def _run(
    transaction: Transaction,
    history: str,
    head: Row,
    body: Callable[[Locked], Outcome[_Result]],
    mark: int,
) -> tuple[_Result, int | None]:
    """What the body returns, and the new version; None when nothing was changed."""
    declared = {
        name: Declared.kept(name, values, set_by) for name, values, set_by, _ in head["relations"]
    }
    merged = {name: root for name, _, _, root in head["relations"] if root}
    counters = Counters(*(head[name] for name in Counters._fields))
    locked = Locked(transaction, history, head["version"], counters, declared, merged)
    result, after = body(locked)
    if after is None:
        return result, None
    version = locked.version + 1
    marks = [mark, *head["batches"]][:_REMEMBERED]
    locked.run("seal", version=version, batches=marks, **after._asdict())
    return result, version
