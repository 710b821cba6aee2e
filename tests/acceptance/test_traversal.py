"""A graph in which everything points at everything (field report A16)."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from cmc_graph import Evidence
from tests.acceptance.running import PREFIX, Workspace, finish, said
from tests.support.neo4j_target import Target

ENTITIES = 300
ONE, FORTY = "What about Node 17?", ", ".join(f"Node {n}" for n in range(40))
#: How often a read may be tried until one is fast enough.
ATTEMPTS = 4

Result = TypeVar("Result")


@pytest.fixture(scope="module", params=["sqlite", "neo4j"])
def dense(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workspace]:
    """300 entities that point at all of them, themselves too, by distinct relations."""
    folder: Path = tmp_path_factory.mktemp("dense")
    if request.param == "sqlite":
        workspace = Workspace(
            kind="sqlite", url=f"sqlite:///{folder / 'm.db'}", history="dense", folder=folder
        )
    else:
        target: Target = request.getfixturevalue("neo4j_target")
        workspace = Workspace(
            kind="neo4j",
            url=target.url,
            history=f"dense {folder}",
            folder=folder,
            options=target.options,
        )
    names = [f"Node {n}" for n in range(ENTITIES)]
    report = workspace.bring(
        *(
            said(
                f"{name} points at {', '.join(names)}",
                *([name, f"points {number}", end] for number, end in enumerate(names)),
                position=position,
            )
            for position, name in enumerate(names)
        )
    )
    assert report["assertions"] == ENTITIES**2
    yield workspace
    if workspace.kind == "neo4j":
        request.getfixturevalue("neo4j_target").wipe([workspace.history])


def slowdown() -> float:
    """How many times as long as alone this process takes now; others share the machine."""
    started, worked = time.perf_counter(), time.process_time()
    while time.process_time() - worked < 0.05:
        pass
    return max(1.0, (time.perf_counter() - started) / (time.process_time() - worked))


def within(seconds: float, action: Callable[[], Result]) -> Result:
    """What the action gives, once a run was short enough; on an idle machine to the second."""
    tried: list[tuple[float, float]] = []
    while len(tried) < ATTEMPTS:
        before = slowdown()
        started = time.perf_counter()
        result = action()
        took = time.perf_counter() - started
        tried.append((took, max(before, slowdown())))
        if took < seconds * tried[-1][1]:
            return result
    pytest.fail(f"no run took {seconds} s; seconds, and how slow the machine was: {tried}")


def checked(evidence: Evidence, anchors: int) -> None:
    """Every slot once, at its shortest depth."""
    assert len(evidence.anchors) == anchors
    assert len({edge.slot for edge in evidence.edges}) == len(evidence.edges) == ENTITIES**2
    near = {edge.subject_key for edge in evidence.edges if edge.depth == 1}
    assert near == set(evidence.anchors)
    assert {edge.depth for edge in evidence.edges} == {1, 2}


@pytest.mark.parametrize(
    ("question", "anchors", "seconds"), [(ONE, 1, 2.0), (FORTY, 40, 3.0)], ids=["one", "forty"]
)
def test_a_dense_graph_is_walked_once(
    dense: Workspace, question: str, anchors: int, seconds: float
) -> None:
    """A16: 90,000 edges: each once, at its shortest depth, in 2 s from one anchor, 3 s from 40."""
    with dense.memory() as memory:
        checked(within(seconds, lambda: memory.read(question, hops=10)), anchors)


@pytest.mark.parametrize(("question", "seconds"), [(ONE, 2.0), (FORTY, 3.0)], ids=["one", "forty"])
def test_the_budget_decides_what_is_shown(dense: Workspace, question: str, seconds: float) -> None:
    """A16: of a closure far beyond the budget the newest whole records are shown, in time."""
    ran = within(seconds, lambda: dense.run("read", question, "--budget", "10000"))
    assert ran.code == 0
    assert len(ran.out) <= 10_000
    first, *lines = ran.out.splitlines(keepends=True)
    assert first == PREFIX
    shown = [int(line[1 : line.index("]")]) for line in lines]
    assert shown == list(range(ENTITIES - len(shown), ENTITIES))
    assert str(ENTITIES - len(shown)) in ran.err


def test_the_memory_of_a_read_is_bounded(dense: Workspace) -> None:
    """A16: 90,000 edges from 40 anchors are read by a process that may take no more than 1 GB."""
    limited = ("/bin/sh", "-c", 'ulimit -v 1000000; exec "$@"', "sh")
    ran = finish(dense.start("read", FORTY, "--budget", "10000", before=limited))
    assert ran.code == 0, ran.err
    assert ran.out == dense.run("read", FORTY, "--budget", "10000").out


def test_one_hop_is_one_hop(dense: Workspace) -> None:
    """A16: the hop cap bounds the closure, not only what is shown of it."""
    with dense.memory() as memory:
        evidence = memory.read(ONE, hops=1)
    assert {(edge.subject_key, edge.depth) for edge in evidence.edges} == {("node 17", 1)}
    assert len(evidence.edges) == ENTITIES


def test_a_dense_graph_as_of_a_position(dense: Workspace) -> None:
    """A16: the same walk through an earlier state visits only what was known by then."""
    with dense.memory() as memory:
        evidence = within(3.0, lambda: memory.read(ONE, as_of=99))
        assert len(evidence.edges) == 100 * ENTITIES
        assert max(edge.position for edge in evidence.edges) == 99
