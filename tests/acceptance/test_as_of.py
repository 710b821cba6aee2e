"""The memory as it stood after a position equals a fresh one that ends there."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest

from cmc_graph import Evidence, Memory
from cmc_graph.model import Fallback
from tests.acceptance.running import PREFIX, Workspace, numbered

#: Updates, a return to an earlier value, retractions with and without effect, a many-valued
#: relation, a chain of hops, and a line that no pattern reads.
LINES = (
    "Ana lives in Graz.",
    "Ana speaks Basque.",
    "The capital of Norland is Port Ash.",
    "hmm, somebody should ask Ana",
    "Ana lives in Norland.",
    "Ana speaks Dutch.",
    "Ana no longer lives in Graz.",
    "The capital of Norland is Elm Bay.",
    "Ana no longer speaks Basque.",
    "Ana no longer lives in Norland.",
    "The mayor of Elm Bay is Ilo Reed.",
    "Ana lives in Norland.",
    "The capital of Norland is Port Ash.",
    "Ana speaks Basque.",
)
QUESTIONS = ("Where does Ana live?", "What about Norland?", "Elm Bay and Ana", "nobody at all")


def seen(memory: Memory, as_of: int | None = None) -> list[Evidence]:
    """What every question shows under both fall-backs, but for the version it was read at."""
    return [
        replace(memory.read(question, as_of=as_of, fallback=fallback), version=0)
        for question in QUESTIONS
        for fallback in get_args(Fallback)
    ]


def test_as_of_equals_a_fresh_history(
    workspace: Workspace, another: Callable[[], Workspace]
) -> None:
    """Read contract, section 5: as of p equals a fresh history of the records up to p."""
    workspace.ingest(numbered(*LINES))
    with workspace.memory() as whole:
        for position in range(len(LINES) + 1):
            fresh = another()
            if position:
                fresh.ingest(numbered(*LINES[:position]))
            with fresh.memory() as part:
                assert seen(whole, position) == seen(part), position


@pytest.mark.parametrize("position", [1, 7, 10])
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_the_command_line_reads_as_of(
    workspace: Workspace, another: Callable[[], Workspace], position: int, form: tuple[str, ...]
) -> None:
    """`read --as-of p` prints, byte for byte, what a read of a history up to p prints."""
    workspace.ingest(numbered(*LINES))
    fresh = another()
    fresh.ingest(numbered(*LINES[:position]))
    for question in QUESTIONS[::2]:
        then = workspace.run("read", question, "--as-of", str(position), *form)
        assert then == fresh.run("read", question, *form)


def test_as_of_the_last_position_is_now(workspace: Workspace) -> None:
    """As of the last position, and of any later one, equals the read without a position."""
    workspace.ingest(numbered(*LINES))
    for question in QUESTIONS:
        now = workspace.read(question)
        for position in (len(LINES), 10**6, 2**63 - 2):
            assert workspace.read(question, "--as-of", str(position)) == now


def test_as_of_before_the_first_record_is_empty(workspace: Workspace) -> None:
    """Before the first record there is nothing, and the evidence is its first line alone."""
    workspace.ingest(numbered(*LINES, first=10))
    ran = workspace.run("read", "Where does Ana live?", "--as-of", "9")
    assert (ran.code, ran.out) == (0, PREFIX)


def test_what_was_forgotten_never_was(
    workspace: Workspace, another: Callable[[], Workspace]
) -> None:
    """Forgetting the records after p gives what a read as of p gave, and p's history."""
    workspace.ingest(numbered(*LINES))
    with workspace.memory() as memory:
        then = seen(memory, 8)
    assert workspace.run("forget", "--position", f"9-{len(LINES)}").code == 0
    with workspace.memory() as memory:
        assert seen(memory) == then
    fresh = another()
    fresh.ingest(numbered(*LINES[:8]))
    assert workspace.state()[0] == fresh.state()[0]
    assert workspace.counts() == fresh.counts()
