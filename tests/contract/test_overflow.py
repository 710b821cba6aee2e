"""Which records a read keeps when the budget does not hold all of them, on both stores."""

import pytest

from cmc_graph import Memory, Record
from cmc_graph.render import PREFIX
from cmc_graph.stores.base import Store

#: A chain whose nearest record is the oldest one, and two records that nothing reads.
CHAIN = [("Ana", "boss", "Ben"), ("Ben", "boss", "Eve"), ("Eve", "boss", "Joy")]
LINE = len("[1] Ana: Ben\n")


@pytest.fixture
def memory(store: Store, history: str) -> Memory:
    found = Memory(store, history)
    said = [
        Record(text=f"{s}: {o}", position=n, triples=[(s, r, o)])
        for n, (s, r, o) in enumerate(CHAIN)
    ]
    aside = [Record(text=f"Aside: {n}", position=n, status="unresolved") for n in (7, 8)]
    found.ingest([*said, *aside])
    return found


@pytest.mark.parametrize(
    ("overflow", "lines", "kept", "cut"),
    [
        ("newest", 1, [8], (0, 1, 2)),
        ("newest", 3, [2, 7, 8], (0, 1)),
        ("nearest", 1, [0], (1, 2)),
        ("nearest", 2, [0, 1], (2,)),
        ("nearest", 4, [0, 1, 2, 8], ()),
        ("nearest", 9, [0, 1, 2, 7, 8], ()),
    ],
)
def test_what_stays(
    memory: Memory, overflow: str, lines: int, kept: list[int], cut: tuple[int, ...]
) -> None:
    """The newest suffix, or the nearest records first and those without facts last."""
    budget = len(PREFIX) + lines * LINE
    found = memory.read("Ana", budget=budget, overflow=overflow)  # type: ignore[arg-type]  # a text
    assert [record.position for record in found.records] == kept
    assert (found.cut, found.overflow) == (cut, overflow)
    assert found.omitted == 5 - len(found.records)
    assert len(found.text) <= budget


def test_a_fall_back_has_no_hops(memory: Memory) -> None:
    """Where nothing is found, both rules show the same newest records."""
    budget = len(PREFIX) + 2 * LINE
    newest, nearest = (
        memory.read("nobody", budget=budget, overflow=rule) for rule in ("newest", "nearest")
    )
    assert newest.text == nearest.text
    assert nearest.cut == ()
