"""Appending: what is new, what is skipped, what conflicts, and what is counted."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph.errors import CmcError, PositionConflict, SourceError
from cmc_graph.model import MAX_POSITION, Record, Stats, Status
from cmc_graph.stores.base import Applied, Batch, Known, Store
from tests.contract.comparison import check, check_suffixes
from tests.support.builders import assertion, batch, entry, no, residual, silent
from tests.support.database import NewHistory
from tests.support.oracle import Oracle

PORTO = ("Ana", "city", "Porto")
GRAZ = ("Ana", "city", "Graz")


def test_counts_what_it_did(store: Store, history: str) -> None:
    """The report of a batch accounts for every entry, assertion and changed slot."""
    entries = [entry(1, PORTO, ("Ben", "city", "Oslo")), residual(2), silent(3), entry(4, GRAZ)]
    applied = store.append(history, batch(*entries))
    assert applied == Applied(
        facts=2, unresolved=1, no_fact=1, assertions=3, slots_changed=2, version=1
    )
    check(store, history, Oracle(entries))


def test_the_same_batch_again_changes_nothing(store: Store, history: str) -> None:
    """Appending twice is appending once (A5): nothing written, everything skipped, same version."""
    entries = [entry(1, PORTO), residual(2), silent(3)]
    store.append(history, batch(*entries))
    assert store.append(history, batch(*entries)) == Applied(skipped=3, version=1)
    check(store, history, Oracle(entries))


def test_a_batch_may_hold_old_and_new(store: Store, history: str) -> None:
    """Of a batch known in part, only the rest is written."""
    old, new = entry(1, PORTO), entry(2, GRAZ)
    store.append(history, batch(old))
    applied = store.append(history, batch(old, new))
    assert applied == Applied(facts=1, skipped=1, assertions=1, slots_changed=1, version=2)
    check(store, history, Oracle([old, new]))


def test_the_same_text_elsewhere_is_another_record(store: Store, history: str) -> None:
    """Equal text at another position is a new assertion, not a duplicate (A5)."""
    entries = [entry(1, PORTO, text="same"), entry(2, PORTO, text="same")]
    store.append(history, batch(*entries))
    assert [v.position for v in store.versions(history, "ana")] == [1, 2]
    check(store, history, Oracle(entries))


def test_the_stored_verdict_stays(store: Store, history: str) -> None:
    """A record that is there is skipped whatever a later frontend makes of it."""
    store.append(history, batch(residual(1, "Ana is in Porto.")))
    applied = store.append(history, batch(entry(1, PORTO, text="Ana is in Porto.")))
    assert applied == Applied(skipped=1, version=1)
    check(store, history, Oracle([residual(1, "Ana is in Porto.")]))


def test_a_conflict_writes_nothing_of_its_batch(store: Store, history: str) -> None:
    """Another text at a position refuses the whole batch and names the position."""
    store.append(history, batch(entry(1, PORTO), entry(2, GRAZ)))
    with pytest.raises(PositionConflict) as caught:
        store.append(history, batch(entry(3, ("Eve", "city", "Bonn")), entry(2, PORTO, text="x")))
    assert caught.value.positions == (2,)
    check(store, history, Oracle([entry(1, PORTO), entry(2, GRAZ)]))
    assert store.stats(history).version == 1


def test_a_conflict_in_a_new_history_leaves_none(store: Store, history: str) -> None:
    """A refused first batch creates neither records nor the history."""
    with pytest.raises(PositionConflict):
        store.append(history, batch(entry(1, PORTO, text="x"), entry(1, PORTO, text="y")))
    assert store.stats(history) == Stats()
    assert history not in [found.name for found in store.histories()]


def test_a_batch_that_fails_half_way_leaves_nothing(store: Store, history: str) -> None:
    """What a store cannot write is an error of ours, and undoes the whole batch."""
    store.append(history, batch(entry(1, PORTO)))
    broken = entry(3, GRAZ)
    unwritable = broken.assertions[0]._replace(object_text="\ud800")
    with pytest.raises(CmcError):
        store.append(history, batch(entry(2, GRAZ), broken._replace(assertions=(unwritable,))))
    check(store, history, Oracle([entry(1, PORTO)]))
    assert store.append(history, batch(entry(2, GRAZ))).version == 2


def test_an_empty_batch_changes_nothing(store: Store, history: str) -> None:
    """A batch without entries writes nothing, not even a history."""
    assert store.append(history, Batch(())) == Applied()
    assert history not in [found.name for found in store.histories()]
    store.append(history, batch(entry(1, PORTO)))
    assert store.append(history, Batch(())) == Applied(version=1)
    assert store.stats(history).version == 1


def test_the_version_counts_batches_that_changed_something(store: Store, history: str) -> None:
    """Each batch that wrote something makes the version one greater, also one without facts."""
    for number in range(1, 4):
        assert store.append(history, batch(silent(number))).version == number
        assert store.stats(history).version == number
    assert store.select(history, ["ana"], 5).version == 3
    assert store.newest(history, 100).version == 3
    assert [found.version for found in store.histories() if found.name == history] == [3]


def test_unnumbered_records_are_numbered_from_zero(store: Store, history: str) -> None:
    """Records without a position get the next free ones in line order, 0 first."""
    store.append(history, batch(silent(None, "a"), silent(None, "b")))
    store.append(history, batch(silent(7, "c"), silent(None, "d")))
    store.append(history, batch(silent(3, "e"), silent(None, "f")))
    scanned = [(kept.record.position, kept.record.text) for kept in store.scan(history)]
    assert scanned == [(0, "a"), (1, "b"), (3, "e"), (7, "c"), (8, "d"), (9, "f")]


def lines(*texts: str, source: str = "notes.md") -> Batch:
    numbered = enumerate(texts, 1)
    return batch(*(silent(None, t, source=source, source_line=n) for n, t in numbered))


def test_a_known_source_is_recognised_line_by_line(store: Store, history: str) -> None:
    """The same file again is skipped line by line; new lines at its end get the next positions."""
    store.append(history, lines("a", "b"))
    assert store.append(history, lines("a", "b")).skipped == 2
    assert store.append(history, lines("a", "b", "c")) == Applied(no_fact=1, skipped=2, version=2)
    assert [kept.record.position for kept in store.scan(history)] == [0, 1, 2]


def test_a_changed_line_of_a_known_source_is_a_conflict(store: Store, history: str) -> None:
    """An earlier line with another text is refused like a position with another text."""
    store.append(history, lines("a", "b"))
    with pytest.raises(PositionConflict) as caught:
        store.append(history, lines("a", "B", "c"))
    assert caught.value.positions == (1,)
    assert [kept.record.text for kept in store.scan(history)] == ["a", "b"]


def test_lines_belong_to_their_source(store: Store, history: str) -> None:
    """The same line number of another source is another record."""
    store.append(history, lines("a", source="a.md"))
    store.append(history, lines("b", source="b.md"))
    assert [kept.record.text for kept in store.scan(history)] == ["a", "b"]


def test_a_numbered_record_makes_its_line_known(store: Store, history: str) -> None:
    """An unnumbered record of a line that was stored with a position is that record."""
    store.append(history, batch(silent(5, "a", source="notes.md", source_line=1)))
    assert store.append(history, lines("a")).skipped == 1


def test_of_several_records_of_a_line_the_oldest_counts(store: Store, history: str) -> None:
    """Numbered records may share a line of a source; an unnumbered one is taken for the oldest."""
    numbered = [silent(n, f"text {n}", source="notes.md", source_line=1) for n in (8, 3, 5)]
    for said in numbered:
        store.append(history, batch(said))
    asked = Record(text="?", source="notes.md", source_line=1)
    assert store.known(history, [asked]).lines == {("notes.md", 1): (3, "text 3")}
    assert store.append(history, lines("text 3")).skipped == 1
    with pytest.raises(PositionConflict):
        store.append(history, lines("text 8"))


def test_known(store: Store, history: str) -> None:
    """The store tells what it holds at the given positions and lines, so no frontend is asked."""
    store.append(history, batch(silent(4, "four"), silent(5, "five")))
    store.append(history, lines("a", "b"))
    asked = [
        Record(text="?", position=5),
        Record(text="?", position=6),
        Record(text="?", position=9),
        Record(text="?", source="notes.md", source_line=2),
        Record(text="?", source="notes.md", source_line=3),
        Record(text="?", source="other.md", source_line=1),
        Record(text="?"),
    ]
    known = store.known(history, asked)
    assert {position: known.texts[position] for position in (5, 6)} == {5: "five", 6: "a"}
    assert 9 not in known.texts
    assert known.lines["notes.md", 2] == (7, "b")
    assert not {("notes.md", 3), ("other.md", 1)} & known.lines.keys()
    assert store.known(history, []) == Known()


def test_many_records_are_known_at_once(store: Store, history: str) -> None:
    """Thousands of positions and lines are asked for in one call."""
    numbered = [silent(n, source="n.md", source_line=n + 1) for n in range(3_000)]
    store.append(history, batch(*numbered))
    known = store.known(history, [found.record for found in numbered])
    assert known.texts == {n: f"record {n}" for n in range(3_000)}
    unnumbered = [replace(found.record, position=None) for found in numbered]
    assert store.known(history, unnumbered).lines == {
        ("n.md", n + 1): (n, f"record {n}") for n in range(3_000)
    }


def test_the_greatest_position(store: Store, history: str) -> None:
    """The greatest position is stored and read; after it no unnumbered record fits."""
    store.append(history, batch(entry(0, PORTO), entry(MAX_POSITION, GRAZ)))
    check(store, history, Oracle([entry(0, PORTO), entry(MAX_POSITION, GRAZ)]))
    (edge,) = store.select(history, ["ana"], 1, MAX_POSITION).edges
    assert edge.position == MAX_POSITION
    with pytest.raises(SourceError, match="no free position"):
        store.append(history, batch(silent(None, "one more")))
    check(store, history, Oracle([entry(0, PORTO), entry(MAX_POSITION, GRAZ)]))


def test_a_record_comes_back_whole(store: Store, history: str) -> None:
    """Every field of a record, and of its assertion, is returned as it was given."""
    fields: dict[str, Any] = {
        "source": "notes.md",
        "source_line": 7,
        "observed_at": "2026-03-01T09:00:00Z",
        "speaker": "Ben",
        "session": "s-1",
    }
    said = entry(1, PORTO, **fields)
    loose = assertion(1, no("Ana", "city", "Graz"), literal=False, frontend="grammar:general")
    entries = [
        said._replace(assertions=(*said.assertions, loose)),
        residual(2, reason="two patterns read it", **fields),
    ]
    store.append(history, batch(*entries))
    check(store, history, Oracle(entries))


texts = st.text(
    st.one_of(
        st.sampled_from("\0\n\r\t\f\u2028\ufeff'\"`$\\%_é東😀𝒳"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
)


def test_any_text_comes_back(store: Store, new_history: NewHistory, *, examples: int) -> None:
    """Texts, names and sources of any characters are stored as they are, and measured alike."""

    @settings(max_examples=examples)
    @given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4), st.integers(0, 60))
    def run(parts: list[tuple[str, str, str]], chars: int) -> None:
        entries = [
            entry(n, (f"a{a}", f"r{b}", f"o{c}"), text=f"t{a}{b}", source=c, speaker=a, session=b)
            for n, (a, b, c) in enumerate(parts)
        ]
        history = new_history()
        store.append(history, batch(*entries))
        check(store, history, Oracle(entries))
        check_suffixes(store, history, Oracle(entries), chars=chars)
        assert store.append(history, batch(*entries)).skipped == len(entries)

    run()


def test_facts_need_no_object_node(store: Store, history: str) -> None:
    """Ends and edge are created together when the object is nobody yet (A18)."""
    first, second = entry(1, ("Ana", "boss", "Ben")), entry(2, ("Ben", "city", "Oslo"))
    store.append(history, batch(first))
    check(store, history, Oracle([first]))
    store.append(history, batch(second))
    check(store, history, Oracle([first, second]))
    assert len(store.select(history, ["ana"], 2).edges) == 2


def test_an_unresolved_record_with_a_reason(store: Store, history: str) -> None:
    """The verdict and its reason are part of the stored record."""
    store.append(history, batch(residual(1, reason="ambiguous")))
    (record,) = store.unresolved(history, 1_000).records
    assert (record.status, record.reason) == (Status.UNRESOLVED, "ambiguous")
