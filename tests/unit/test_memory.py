"""What the Python client refuses, and how it behaves as an object."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cmc_graph import Memory, Record, UsageError
from cmc_graph.render import PREFIX


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(f"sqlite:///{tmp_path / 'memory.db'}", history="team") as opened:
        yield opened


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param({"question": " "}, "empty", id="blank question"),
        pytest.param({"question": None}, "empty", id="no question"),
        pytest.param({"hops": 0}, "hops must be .* 1 to 10", id="no hops"),
        pytest.param({"hops": 99}, "hops", id="99 hops"),
        pytest.param({"hops": 2.0}, "hops", id="fractional hops"),
        pytest.param({"budget": 10}, "budget", id="budget of 10"),
        pytest.param({"as_of": -1}, "as_of", id="negative position"),
        pytest.param({"as_of": "2"}, "as_of", id="position as text"),
        pytest.param({"fallback": "nothing"}, "fallback", id="unknown fallback"),
    ],
)
def test_a_read_refuses_what_it_cannot_use(
    memory: Memory, arguments: dict[str, Any], said: str
) -> None:
    """A wrong argument of a read is a UsageError that names it."""
    with pytest.raises(UsageError, match=said):
        memory.read(**{"question": "Where?", **arguments})


@pytest.mark.parametrize("history", ["", " ", "x" * 257, "\ud800", 3])
def test_a_history_needs_a_usable_name(tmp_path: Path, history: Any) -> None:
    """A name that no store can hold is refused before anything is opened."""
    with pytest.raises(UsageError):
        Memory.open(f"sqlite:///{tmp_path / 'never.db'}", history=history)
    assert list(tmp_path.iterdir()) == []


def test_texts_are_no_lists(memory: Memory) -> None:
    """A single text where several values belong is refused, not taken letter by letter."""
    with pytest.raises(UsageError, match="grammar"):
        memory.ingest([], grammar="general")
    with pytest.raises(UsageError, match="positions"):
        memory.forget("12")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(UsageError, match="position must be"):
        memory.forget([-1])


def test_only_records_are_ingested(memory: Memory) -> None:
    """Something that is no Record is refused with a hint, and nothing is written."""
    with pytest.raises(UsageError, match="Record"):
        memory.ingest([{"text": "Ana is in Graz."}])  # type: ignore[list-item]  # what is tested
    assert memory.stats().records == 0


def test_the_smallest_budget_shows_the_first_line_alone(memory: Memory) -> None:
    """A budget that just holds the prefix is used, and says what it left out."""
    memory.ingest([Record(text="Ana lives in Graz.")])
    evidence = memory.read("Where does Ana live?", budget=len(PREFIX))
    assert (evidence.text, evidence.records, evidence.omitted) == (PREFIX, (), 1)


def test_unresolved_records_follow_the_history(memory: Memory) -> None:
    """A kept list of unresolved records is never older than the read it is part of."""
    memory.ingest([Record(text="Ana lives in Graz."), Record(text="Hm?")])
    assert [r.position for r in memory.read("Where does Ana live?").unresolved] == [1]
    memory.ingest([Record(text="Really?")])
    assert [r.position for r in memory.read("Where does Ana live?").unresolved] == [1, 2]
    assert [r.position for r in memory.read("Where does Ana live?", as_of=1).unresolved] == [1]


def test_a_forgotten_memory_closes_its_store(tmp_path: Path) -> None:
    """A memory that is no longer referenced leaves no open file; a warning would be an error."""
    memory = Memory.open(f"sqlite:///{tmp_path / 'memory.db'}")
    memory.ingest([Record(text="Ana lives in Graz.")])
    del memory
    gc.collect()


def test_the_command_line_starts_without_the_driver() -> None:
    """Importing the command line imports neither the Neo4j driver nor neomodel."""
    import subprocess  # noqa: PLC0415 - only here

    code = "import sys, cmc_graph.cli; print({'neo4j', 'neomodel', 'openai'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
