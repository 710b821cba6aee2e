"""The pure rules both stores share: what is new, what a relation takes, what fits."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph import render
from cmc_graph.errors import PositionConflict, SourceError, UsageError
from cmc_graph.model import MAX_POSITION, Record, SetBy, Status, Values
from cmc_graph.stores.base import Batch, Declared, Entry, Known, check_history
from cmc_graph.stores.planning import fit, fresh, plan, settle
from tests.support.builders import batch, entry

NOTHING = Known()
ONE, MANY = Values.ONE, Values.MANY
FRONTEND, PACK, PERSON = SetBy.FRONTEND, SetBy.PACK, SetBy.PERSON


def bare(text: str, position: int | None = None, line: int | None = None) -> Entry:
    source = None if line is None else "notes.md"
    record = Record(text=text, position=position, source=source, source_line=line)
    return Entry(record, Status.NO_FACT)


def positions(entries: Sequence[Entry]) -> list[int | None]:
    return [new.record.position for new in entries]


def test_a_numbered_record_keeps_its_position() -> None:
    """A position is never changed; the next free one is beyond the greatest."""
    found = plan(batch(bare("a", 7), bare("b", 3)), NOTHING, 0)
    assert (positions(found.entries), found.skipped, found.next_position) == ([7, 3], 0, 8)


def test_unnumbered_records_get_the_next_free_positions() -> None:
    """Records without position are numbered in order, after everything there is."""
    found = plan(batch(bare("a"), bare("b")), NOTHING, 5)
    assert (positions(found.entries), found.next_position) == ([5, 6], 7)


def test_a_position_the_batch_brings_is_not_free() -> None:
    """Numbered and unnumbered records of one batch never compete, whatever their order."""
    found = plan(batch(bare("a"), bare("b", 0), bare("c"), bare("d", 2)), NOTHING, 0)
    assert positions(found.entries) == [1, 0, 3, 2]


def test_the_entry_keeps_all_but_its_position() -> None:
    """Placing a record changes nothing else of it."""
    said = entry(None, ("Ana", "city", "Porto"), speaker="Ben", observed_at="2026-03-01")
    (placed,) = plan(batch(said), NOTHING, 9).entries
    assert placed == said._replace(record=replace(said.record, position=9))


def test_the_same_text_again_is_skipped() -> None:
    """A position or a known source line with the same text is already there."""
    known = Known({3: "a"}, {("notes.md", 1): (3, "a")})
    found = plan(batch(bare("a", 3), bare("a", line=1), bare("b", line=2)), known, 4)
    assert (positions(found.entries), found.skipped, found.next_position) == ([4], 2, 5)


def test_skipped_within_one_batch() -> None:
    """A batch that repeats a record writes it once."""
    twice = (bare("a", 3), bare("a", 3), bare("b", line=2), bare("b", line=2))
    found = plan(batch(*twice), NOTHING, 0)
    assert (positions(found.entries), found.skipped) == ([3, 4], 2)


def test_a_line_is_known_by_its_source() -> None:
    """The same text at another line, of another source or of none is another record."""
    known = Known({3: "a"}, {("notes.md", 1): (3, "a")})
    elsewhere = Entry(Record(text="a", source="other.md", source_line=1), Status.NO_FACT)
    found = plan(batch(bare("a", line=2), elsewhere, bare("a")), known, 4)
    assert (positions(found.entries), found.skipped) == ([4, 5, 6], 0)


def test_the_position_decides_over_the_line() -> None:
    """In a numbered source lines may move; the number identifies the record."""
    known = Known({3: "a"}, {("notes.md", 1): (3, "a")})
    found = plan(batch(bare("b", 9, line=1), bare("a", 3, line=8)), known, 4)
    assert (positions(found.entries), found.skipped) == ([9], 1)


def test_a_numbered_record_makes_its_line_known() -> None:
    """In one batch as in two, an unnumbered record of a known line is that record."""
    found = plan(batch(bare("a", 3, line=1), bare("a", line=1)), NOTHING, 0)
    assert (positions(found.entries), found.skipped) == ([3], 1)


@pytest.mark.parametrize(
    ("entries", "where"),
    [
        pytest.param([bare("b", 3)], (3,), id="position"),
        pytest.param([bare("b", line=1)], (3,), id="line of a known source"),
        pytest.param([bare("x", 8), bare("y", 8)], (8,), id="within the batch"),
        pytest.param([bare("x", line=5), bare("y", line=5)], (4,), id="line within the batch"),
        pytest.param([bare("new", 9), bare("b", 3)], (3,), id="beside new ones"),
    ],
)
def test_conflict(entries: list[Entry], where: tuple[int, ...]) -> None:
    """Another text at a position, or at a line of a known source, is a conflict that names it."""
    known = Known({3: "a"}, {("notes.md", 1): (3, "a")})
    with pytest.raises(PositionConflict) as caught:
        plan(batch(*entries), known, 4)
    assert caught.value.positions == where
    assert str(where[0]) in str(caught.value)


def test_a_conflict_names_the_first_few() -> None:
    """Many conflicts make one line with three of them, and a count of the others."""
    known = Known(dict.fromkeys(range(10), "a"))
    with pytest.raises(PositionConflict, match=r"at 10 positions: 0:.*1:.*2:.*and 7 more") as it:
        plan(batch(*(bare("b" * 500, n) for n in range(10))), known, 10)
    assert it.value.positions == tuple(range(10))
    assert "; 3:" not in str(it.value)
    assert "\n" not in str(it.value)
    assert len(str(it.value)) < 500


def test_a_conflict_names_source_and_line() -> None:
    """The message leads to the line of the file."""
    known = Known({3: "a"}, {("notes.md", 1): (3, "a")})
    with pytest.raises(PositionConflict, match=r"notes\.md, line 1"):
        plan(batch(bare("b", line=1)), known, 4)


def test_a_conflict_is_one_short_line() -> None:
    """Whatever text and source hold, the message stays on one line of bearable length."""
    record = Record(text="x\ny" * 500, source="a\nb" * 500, source_line=1, position=3)
    with pytest.raises(PositionConflict) as caught:
        plan(batch(Entry(record, Status.NO_FACT)), Known({3: "other\n" * 500}), 4)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_no_position_left() -> None:
    """After the greatest position only numbered records fit."""
    last = plan(batch(bare("a", MAX_POSITION)), NOTHING, 0)
    assert last.next_position == MAX_POSITION + 1
    with pytest.raises(SourceError, match="no free position"):
        plan(batch(bare("b")), NOTHING, last.next_position)


def test_an_empty_batch() -> None:
    """Nothing in, nothing planned."""
    assert plan(Batch(()), NOTHING, 4) == plan(batch(), NOTHING, 4)
    assert positions(plan(Batch(()), NOTHING, 4).entries) == []


@given(
    st.lists(
        st.builds(
            bare,
            st.sampled_from("ab"),
            st.none() | st.integers(0, 6),
            st.none() | st.integers(1, 3),
        ),
        max_size=8,
    )
)
def test_a_plan_accounts_for_every_entry(entries: list[Entry]) -> None:
    """New and skipped add up, no position is given twice, and planning again finds all of it."""
    try:
        found = plan(Batch(tuple(entries)), NOTHING, 0)
    except PositionConflict as conflict:
        assert conflict.positions  # noqa: PT017  # some batches conflict, all others must add up
        return
    placed = positions(found.entries)
    assert len(placed) + found.skipped == len(entries)
    assert len(set(placed)) == len(placed)
    assert all(found.next_position > (position or 0) for position in placed)


def test_fresh_agrees_with_plan() -> None:
    """What a frontend is asked about is what the store finds new, in order."""
    known = Known({3: "a"}, {("notes.md", 1): (3, "a")})
    asked = [bare("a", 3), bare("c", 5), bare("a", line=1), bare("d", line=2), bare("e")]
    assert [record.text for record in fresh([e.record for e in asked], known)] == ["c", "d", "e"]
    with pytest.raises(PositionConflict) as caught:
        fresh([bare("b", 3).record, bare("z", line=1).record], known)
    assert caught.value.positions == (3,)


def test_fresh_finds_a_conflict_among_the_records() -> None:
    """Two texts for one place are found before anything of them is written; a repeat is known."""
    with pytest.raises(PositionConflict) as caught:
        fresh([bare("x", 8).record, bare("y", 8).record], NOTHING)
    assert caught.value.positions == (8,)
    with pytest.raises(PositionConflict, match=r"notes\.md, line 5"):
        fresh([bare("x", line=5).record, bare("y", line=5).record], NOTHING)
    for twice in (bare("x", 8).record, bare("x", line=5).record):
        assert fresh([twice, twice], NOTHING) == [twice]


SPOKEN = [Declared(values, by) for values in Values for by in SetBy]


@pytest.mark.parametrize(
    ("stored", "new", "kept"),
    [
        pytest.param(None, None, Declared(ONE, FRONTEND), id="single-valued unless said"),
        pytest.param(None, Declared(MANY, PACK), Declared(MANY, PACK), id="first word"),
        pytest.param(
            Declared(ONE, PACK), Declared(MANY, PACK), Declared(MANY, PACK), id="many wins"
        ),
        pytest.param(
            Declared(MANY, PACK), Declared(ONE, PACK), Declared(MANY, PACK), id="many stays"
        ),
        pytest.param(
            Declared(MANY, PACK), None, Declared(MANY, PACK), id="silence changes nothing"
        ),
        pytest.param(
            Declared(ONE, PERSON), Declared(MANY, PACK), Declared(ONE, PERSON), id="person stays"
        ),
        pytest.param(
            Declared(MANY, PACK), Declared(ONE, PERSON), Declared(ONE, PERSON), id="person wins"
        ),
        pytest.param(Declared(ONE, FRONTEND), Declared(ONE, PACK), Declared(ONE, PACK), id="named"),
    ],
)
def test_settle(stored: Declared | None, new: Declared | None, kept: Declared) -> None:
    """A person's word beats the others; between packs and frontends many wins."""
    before = {} if stored is None else {"r": stored}
    said = {} if new is None else {"r": new}
    changed = settle(said, before, ["r"])
    assert {**before, **changed} == {"r": kept}
    assert changed.get("r") != stored or stored is None


@given(st.lists(st.none() | st.sampled_from(SPOKEN), min_size=1, max_size=4))
def test_settle_is_independent_of_order(said: list[Declared | None]) -> None:
    """Any order of batches leaves the same relation, and saying it again changes nothing."""
    outcomes = []
    for order in (said, said[::-1], sorted(said, key=str)):
        stored: dict[str, Declared] = {}
        for word in order:
            declared = {} if word is None else {"r": word}
            stored |= settle(declared, stored, ["r"])
            assert settle(declared, stored, ["r"]) == {}
        outcomes.append(stored)
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_settle_looks_at_used_relations_only() -> None:
    """A pack may declare a hundred relations; those of the batch are written."""
    assert settle({"r": Declared(MANY, PACK)}, {}, []) == {}


NUMBERED = [Record(position=n, text=f"text {n}") for n in (9, 8, 7)]


@pytest.mark.parametrize(
    ("chars", "taken", "left"),
    [
        pytest.param(1_000, [7, 8, 9], 0, id="all"),
        pytest.param(33, [7, 8, 9], 0, id="exactly"),
        pytest.param(32, [7, 8, 9], 0, id="the first that does not fit comes along"),
        pytest.param(22, [7, 8, 9], 0, id="two, and the first that does not fit"),
        pytest.param(21, [8, 9], 1, id="one, and the first that does not fit"),
        pytest.param(10, [9], 2, id="not even one"),
        pytest.param(-5, [9], 2, id="less than nothing"),
    ],
)
def test_fit(chars: int, taken: list[int], left: int) -> None:
    """The newest records up to the first that no longer fits, ascending, and how many are left."""
    assert len(render.line(9, "text 9")) == 11
    shown, omitted = fit(iter(NUMBERED), chars, render.line, 3)
    assert ([record.position for record in shown], omitted) == (taken, left)


def test_fit_reads_no_further_than_needed() -> None:
    """A store may stream: what cannot be shown is not read."""
    stream = iter(NUMBERED)
    fit(stream, 10, render.line, 3)
    assert [record.position for record in stream] == [8, 7]


@pytest.mark.parametrize("name", ["a", " x ", "x" * 256, "é" * 128, "`x`]->() DELETE n //"])
def test_history_names(name: str) -> None:
    """A history's name is any text of up to 256 bytes that is not blank."""
    assert check_history(name) == name


@pytest.mark.parametrize("name", ["", "  ", "x" * 257, "é" * 129, "x" * 5_000, "a\ud800"])
def test_history_names_refused(name: str) -> None:
    """Blank, longer or not encodable: one short line that says so."""
    with pytest.raises(UsageError, match="name") as caught:
        check_history(name)
    assert len(str(caught.value)) < 120
