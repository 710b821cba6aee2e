"""What takes a slot: one slot's claims in order (graph model, "What takes a slot")."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.stores.slots import Resolved, resolve
from tests.support.builders import entry, no
from tests.support.oracle import Oracle


@dataclass(frozen=True)
class Claim:
    position: int
    object: str
    retracts: bool = False


def yes(position: int, obj: str) -> Claim:
    return Claim(position, obj)


def end(position: int, obj: str) -> Claim:
    return Claim(position, obj, retracts=True)


@pytest.mark.parametrize(
    ("claims", "resolved"),
    [
        pytest.param([yes(1, "a")], Resolved(0, (None,)), id="one value"),
        pytest.param([yes(1, "a"), yes(2, "b")], Resolved(1, (2, None)), id="overwrite"),
        pytest.param([yes(1, "a"), yes(2, "a")], Resolved(1, (2, None)), id="said again"),
        pytest.param(
            [yes(1, "a"), yes(2, "b"), yes(3, "a")], Resolved(2, (2, 3, None)), id="back to earlier"
        ),
        pytest.param([yes(1, "a"), end(2, "a")], Resolved(1, (2, None)), id="retraction"),
        pytest.param([yes(1, "a"), end(2, "b")], Resolved(0, (None, 2)), id="of another value"),
        pytest.param([end(1, "a")], Resolved(0, (None,)), id="retraction of an empty slot"),
        pytest.param([end(1, "a"), end(2, "a")], Resolved(0, (None, 2)), id="ended already"),
        pytest.param([end(1, "a"), yes(2, "b")], Resolved(1, (2, None)), id="value after an end"),
        pytest.param(
            [yes(4, "porto"), end(6, "graz")], Resolved(0, (None, 6)), id="before the late Graz"
        ),
        pytest.param(
            [yes(4, "porto"), yes(5, "graz"), end(6, "graz")],
            Resolved(2, (5, 6, None)),
            id="after the late Graz",
        ),
        pytest.param([yes(1, "a"), yes(1, "b")], Resolved(1, (1, None)), id="two in one record"),
        pytest.param(
            [yes(1, "a"), end(2, "b"), end(2, "a"), end(3, "a")],
            Resolved(2, (2, 2, None, 3)),
            id="without effect beside with effect",
        ),
    ],
)
def test_examples(claims: list[Claim], resolved: Resolved) -> None:
    """An assertion always has effect, a retraction only on a value it names or an empty slot."""
    assert resolve(claims) == resolved


def test_a_slot_without_claims_does_not_exist() -> None:
    """Resolving nothing is a programming error, not an empty result."""
    with pytest.raises(ValueError, match="at least one claim"):
        resolve([])


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=3),
        min_size=1,
        max_size=6,
    )
)
def test_equals_a_replay(said: list[list[tuple[str, bool]]]) -> None:
    """The rule gives what replaying the records one by one gives, ties within a record included."""
    claims = [
        Claim(position, obj, retracts)
        for position, record in enumerate(said)
        for obj, retracts in record
    ]
    memory = Oracle(
        entry(n, *((no if retracts else _say)("s", "r", obj) for obj, retracts in record))
        for n, record in enumerate(said)
    )
    places = list(memory.ledger)
    resolved = resolve(claims)
    assert places[resolved.winner] == memory.words["s", "r", ""].place
    assert resolved.superseded_at == tuple(memory.superseded_at.get(place) for place in places)


def _say(subject: str, relation: str, obj: str) -> tuple[str, str, str]:
    return (subject, relation, obj)
