"""What changed between two positions, and records by position, on both stores."""

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph.stores.base import Entry, Store, Version
from tests.support.builders import batch, entry, no
from tests.support.database import NewHistory

names = st.sampled_from("abc")
triples = st.one_of(
    st.tuples(names, st.sampled_from(["city", "speaks"]), names),
    st.builds(no, names, st.just("city"), names),
)
said_at = st.dictionaries(st.integers(0, 9), st.lists(triples, max_size=2), max_size=8)


def written(said: dict[int, list]) -> list[Entry]:  # type: ignore[type-arg]  # triples
    return [entry(position, *found) for position, found in sorted(said.items()) if found]


def held(versions: Iterable[Version], position: int) -> list[Version]:
    return [
        v
        for v in versions
        if v.position <= position and (v.superseded_at is None or v.superseded_at > position)
    ]


@settings(max_examples=25)
@given(said_at, st.integers(-1, 9), st.integers(0, 9))
def test_changes_are_those_of_the_ledger(
    store: Store,
    new_history: NewHistory,
    said: dict[int, list],
    after: int,
    width: int,  # type: ignore[type-arg]  # triples
) -> None:
    """The assertions of the window, and what held before it in their slots, oldest first."""
    history = new_history()
    if entries := written(said):
        store.append(history, batch(*entries, many=["speaks"]))
    ledger = [version for kept in store.scan(history) for version in kept.assertions]
    upto = after + width
    window = [version for version in ledger if after < version.position <= upto]
    slots = {(v.subject, v.relation, v.member) for v in window}
    before = [v for v in held(ledger, after) if (v.subject, v.relation, v.member) in slots]
    found = store.changes(history, after, upto)
    assert found == sorted([*before, *window], key=lambda v: (v.position, v.ordinal))


def test_records_by_position(store: Store, history: str) -> None:
    """Ascending, each once, and none for a position that has none."""
    store.append(history, batch(*(entry(n, ("a", "city", "b")) for n in (3, 1, 2)), entry(9)))
    found = store.records(history, [9, 2, 7, 2, 1])
    assert [record.position for record in found] == [1, 2, 9]
    assert [record.text for record in found] == ["record 1", "record 2", "record 9"]
    assert store.records(f"{history} of nobody", [1]) == []
