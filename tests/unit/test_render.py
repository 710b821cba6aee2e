"""Evidence text: records in source order within a budget (read contract, section 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.model import Record
from cmc_graph.render import PREFIX, evidence, line

some_records = st.dictionaries(st.integers(0, 1200), st.text("aé😀\n\r ", max_size=9)).map(
    lambda texts: [Record(position=n, text=f"{n}{text}") for n, text in texts.items()]
)


def records(*positions: int) -> list[Record]:
    return [Record(position=n, text=f"text {n}") for n in positions]


def test_golden() -> None:
    """The exact bytes: one line of explanation, then one line per record, oldest first."""
    text, shown, omitted = evidence(records(12, 3, 7), 60_000)
    assert text == (
        "Records in source order; a larger number in brackets is newer.\n"
        "[3] text 3\n"
        "[7] text 7\n"
        "[12] text 12\n"
    )
    assert ([record.position for record in shown], omitted) == ([3, 7, 12], 0)


def test_each_record_once() -> None:
    """A record that is both in the closure and unresolved is one line."""
    assert evidence(records(3, 3), 60_000)[0] == f"{PREFIX}[3] text 3\n"


@pytest.mark.parametrize("short_by", [0, 1])
def test_the_budget_counts_prefix_and_line_ends(short_by: int) -> None:
    """A text of exactly the budget fits; with one character less the oldest record goes."""
    budget = len(PREFIX) + len("[1] text 1\n[2] text 2\n") - short_by
    text, shown, omitted = evidence(records(1, 2), budget)
    assert [record.position for record in shown] == ([2] if short_by else [1, 2])
    assert (omitted, len(text) <= budget) == (short_by, True)


def test_a_suffix_has_no_gaps() -> None:
    """An older record that would fit is left out once a newer one did not."""
    long = Record(position=2, text="x" * 100)
    _, shown, omitted = evidence([*records(1, 3), long], len(PREFIX) + 50)
    assert ([record.position for record in shown], omitted) == ([3], 2)


def test_no_records() -> None:
    """Nothing selected is the prefix alone."""
    assert evidence([], 60_000) == (PREFIX, (), 0)


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", "a\n\n\r\nb"])
def test_a_record_is_one_line(text: str) -> None:
    """Line ends inside a record become one space each run, so that a line is a record."""
    assert line(5, text) == "[5] a b\n"


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\f", "\v", "\x1c", "\x85"])
def test_other_separators_stay(separator: str) -> None:
    """Only line feeds and carriage returns end a line; other characters are shown as they are."""
    assert line(5, f"a{separator}b") == f"[5] a{separator}b\n"


@given(some_records, st.integers(len(PREFIX), len(PREFIX) + 90))
def test_the_newest_whole_records_that_fit(some: list[Record], budget: int) -> None:
    """The text is the prefix and the longest suffix of whole lines within the budget."""
    text, shown, omitted = evidence(some, budget)
    ordered = sorted(some, key=lambda record: record.position or 0)
    lines = [line(record.position or 0, record.text) for record in ordered]
    assert shown == tuple(ordered[omitted:])
    assert text == PREFIX + "".join(lines[omitted:])
    assert len(text) <= budget
    assert omitted == 0 or len(text) + len(lines[omitted - 1]) > budget


@pytest.mark.parametrize(
    ("room", "kept"), [(0, []), (1, [3]), (2, [3, 9]), (3, [3, 7, 9]), (4, [3, 5, 7, 9])]
)
def test_the_nearest_stay(room: int, kept: list[int]) -> None:
    """With hops given, the fewest hops stay, then the newest; records without hops go first."""
    budget = len(PREFIX) + room * len("[3] text 3\n")
    nearness = {3: 1, 7: 2, 9: 2}
    _, shown, omitted = evidence(records(9, 5, 3, 7), budget, nearness)
    assert ([record.position for record in shown], omitted) == (kept, 4 - len(kept))


@given(some_records, st.integers(0, 300))
def test_without_hops_the_newest_are_the_nearest(found: list[Record], room: int) -> None:
    """When nothing is nearer than anything else, both rules keep the same records."""
    assert evidence(found, len(PREFIX) + room, {}) == evidence(found, len(PREFIX) + room)
