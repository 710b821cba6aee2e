"""An ingest that is killed, interrupted or refused half-way (field reports A6 and A18)."""

import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from cmc_graph.compile import BATCH_SIZE
from cmc_graph.errors import StoreError
from tests.acceptance.conftest import Secured
from tests.acceptance.proxy import Cut, Proxy
from tests.acceptance.running import Workspace, finish, numbered, said

#: Enough records that a run cannot end between two looks at it.
RECORDS = {"sqlite": 24 * BATCH_SIZE, "neo4j": 12 * BATCH_SIZE}


def gates(records: int) -> str:
    """Updates of 900 slots, and a line now and then that no pattern reads."""
    return numbered(
        *(
            f"Gate {n % 900} is on floor {n}." if n % 50 else f"Gate {n}, hmm, who knows"
            for n in range(records)
        ),
        first=0,
    )


def held(workspace: Workspace) -> int:
    """How many records the history has now; 0 as long as there is no store."""
    with suppress(StoreError), workspace.memory() as memory:
        return memory.stats().records
    return 0


def whole(workspace: Workspace) -> int:
    """How many records there are, after finding whole batches only."""
    with workspace.memory() as memory:
        shown, stats = memory.read("On which floor is gate 1?"), memory.stats()
    assert stats.records % BATCH_SIZE == 0
    assert stats.records == stats.facts + stats.unresolved
    (edge,) = shown.edges
    assert edge.position % 900 == 1
    assert edge.position < stats.records
    return stats.records


def stopped_by(
    stop: signal.Signals, workspace: Workspace, path: str
) -> "tuple[subprocess.Popen[str], int]":
    """An ingest that got the signal after five batches, and how many records were read then."""
    process = workspace.start("ingest", path)
    try:
        deadline = time.monotonic() + 60
        while held(workspace) < 5 * BATCH_SIZE:
            assert process.poll() is None, finish(process)
            assert time.monotonic() < deadline, "five batches take a minute"
            time.sleep(0.005)
        between = whole(workspace)
    except BaseException:
        process.kill()
        finish(process)
        raise
    process.send_signal(stop)
    return process, between


def test_a_killed_ingest_goes_on_where_it_was(
    workspace: Workspace, another: Callable[[], Workspace]
) -> None:
    """A6: after SIGKILL whole batches are there, and the same command again does the rest."""
    records = RECORDS[workspace.kind]
    path = workspace.file(gates(records))
    process, before = stopped_by(signal.SIGKILL, workspace, path)
    assert finish(process).code == -signal.SIGKILL
    kept = whole(workspace)
    assert not workspace.drift()
    assert before <= kept < records
    report = workspace.run("ingest", path, "--json").json()
    assert (report["records"], report["skipped"]) == (records, kept)
    assert report["facts"] + report["unresolved"] == records - kept
    uninterrupted = another()
    assert uninterrupted.run("ingest", path).code == 0
    assert workspace.state() == uninterrupted.state()
    assert workspace.counts() == uninterrupted.counts()


def test_ctrl_c_leaves_a_clean_state(workspace: Workspace) -> None:
    """SIGINT ends an ingest with 130 after whole batches; the same command again does the rest."""
    records = RECORDS[workspace.kind]
    path = workspace.file(gates(records))
    process, before = stopped_by(signal.SIGINT, workspace, path)
    ran = finish(process)
    assert (ran.code, ran.out) == (130, "")
    assert "Traceback" not in ran.err
    assert ran.err.splitlines()[-1].startswith("interrupted"), ran.err
    kept = whole(workspace)
    assert not workspace.drift()
    assert before <= kept < records
    report = workspace.run("ingest", path, "--json").json()
    assert report["skipped"] == kept
    assert workspace.stats()["records"] == records
    assert not workspace.drift()


@contextmanager
def rejecting(workspace: Workspace, secured: Secured | None) -> Iterator[None]:
    """The database itself refuses the record at position 2,500 within the block."""
    if secured is None:
        with sqlite3.connect(workspace.url.removeprefix("sqlite:///")) as database:
            database.execute(
                "CREATE TRIGGER reject BEFORE INSERT ON record WHEN NEW.position = 2500 "
                "BEGIN SELECT RAISE(ABORT, 'the disk is tired'); END"
            )
        yield
        with sqlite3.connect(workspace.url.removeprefix("sqlite:///")) as database:
            database.execute("DROP TRIGGER reject")
        return
    with secured.target.driver() as driver:
        driver.execute_query("CREATE CONSTRAINT reject FOR (r:Record) REQUIRE r.text IS UNIQUE")
        driver.execute_query(
            "CREATE (:Record {history: $history, position: 2500, text: $text})",
            history="elsewhere",
            text="Gate 2500 is on floor 2500.",
        )
        yield
        driver.execute_query("DROP CONSTRAINT reject")
        driver.execute_query("MATCH (r:Record {history: 'elsewhere'}) DELETE r")


@pytest.mark.parametrize("kind", ["sqlite", "neo4j"])
def test_a_batch_that_the_database_rejects_is_an_error(
    kind: str, request: pytest.FixtureRequest
) -> None:
    """A18: a rejected third batch ends the run with 6; two batches stay, the rest can follow."""
    secured = request.getfixturevalue("secured") if kind == "neo4j" else None
    workspace: Workspace = request.getfixturevalue("locked" if secured else "sqlite")
    content = numbered(*(f"Gate {n} is on floor {n}." for n in range(4000)), first=0)
    path = workspace.file(content)
    other = workspace.on("other")  # the schema is there
    other.ingest(numbered("Ana lives in Graz."), name="other.txt")
    with rejecting(workspace, secured):
        workspace.run("ingest", path).refused(6)
        assert workspace.stats()["records"] == 2000
        assert not workspace.drift()
    report = workspace.run("ingest", path, "--json").json()
    assert (report["skipped"], report["facts"]) == (2000, 2000)
    assert workspace.stats()["current"] == 4000
    assert not workspace.drift()


@pytest.mark.parametrize("batch", [0, 2])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_that_breaks_at_the_commit_is_an_error(
    locked: Workspace, secured: Secured, batch: int, when: str
) -> None:
    """A18: a cable cut around a commit: success is reported only of what is written, else 6."""
    content = numbered(*(f"Gate {n} is on floor {n}." for n in range(4000)), first=0)
    path = locked.file(content)
    assert locked.run("stats").code == 0  # the schema is there
    cut = Cut(f"Gate {batch * BATCH_SIZE + 500} is on floor".encode(), is_late=when == "after")
    with Proxy(secured.port, cut) as proxy:
        through = replace(locked, url=f"bolt://127.0.0.1:{proxy.port}")
        ran = finish(through.start("ingest", path))
    assert proxy.cuts
    kept = locked.stats()["records"]
    if ran.code == 0:  # the commit had arrived, and the writer found that out
        assert (when, kept) == ("after", 4_000)
        assert ran.out.startswith("4000 records = 4000 facts + 0 unresolved")
    else:
        ran.refused(6)
        assert kept == (batch + (when == "after")) * BATCH_SIZE
    last = max(kept - 1, 0)
    assert locked.walked(f"On which floor is gate {last}?") == [last] * bool(kept)
    assert not locked.drift()
    assert locked.run("ingest", path, "--json").json()["skipped"] == kept
    assert locked.walked("On which floor are gate 0 and gate 3999?") == [0, 3_999]


@pytest.mark.parametrize(
    "triple",
    [
        ["Anchor Nine", "moored at", "Pier Unheard"],
        {"subject": "Anchor Nine", "relation": "moored at", "object": "Anchor Nine"},
    ],
    ids=["new-object", "itself"],
)
def test_both_ends_are_created_with_their_edge(workspace: Workspace, triple: object) -> None:
    """A18: an assertion whose object nobody has named yet is stored with that object."""
    report = workspace.bring(said("Anchor Nine is moored at Pier Unheard.", triple))
    assert (report["assertions"], report["slots_changed"]) == (1, 1)
    assert [e["relation"] for e in workspace.read("Where is Anchor Nine?")["edges"]] == [
        "moored at"
    ]
    assert workspace.stats()["current"] == 1
