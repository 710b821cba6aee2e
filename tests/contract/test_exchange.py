"""Exports: one text for one history, whatever store holds it, taken back whole or not at all."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from io import StringIO
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph.errors import SourceError, StoreBusy, UsageError
from cmc_graph.exchange import export, load
from cmc_graph.model import Pattern, Record, Status, Triple, Values
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Batch, Entry, Store
from tests.support.builders import assertion, batch, entry, no, residual, silent
from tests.support.database import NewHistory

PATTERNS = [Pattern("{S} wohnt in {O}", "city", 3, 2), Pattern("{O} hosts {S}", "city", 2, 2)]


@pytest.fixture
def other() -> Iterator[Store]:
    """A store of the embedded kind."""
    with closing(open_store("sqlite:///:memory:")) as opened:
        yield opened


@pytest.fixture
def rich(store: Store, history: str) -> str:
    """A history with everything in it that one can have."""
    store.append(
        history,
        batch(
            entry(1, ("Ana", "lives in", "Graz")),
            entry(2, ("Ana", "city", "Porto"), ("ana's", "speaks", "東京 C++\u2028")),
            entry(7, no("Ana", "city", "Porto"), ("Ana", "speaks", "Basque")),
            residual(8, text="Maybe\r\nlater\x00", source="notes.md", source_line=3),
            silent(9, observed_at="2026-03-01T09:00:00Z", speaker="Bo", session="s"),
            many=["speaks"],
        ),
    )
    loose = assertion(0, ("Ben", "city", "Oslo"), literal=False, frontend="given")
    again = assertion(1, ("Ben", "city", "Rome"), frontend="grammar:general")
    record = Record(position=10, text="He moved there.", status=Status.FACTS)
    store.append(history, Batch((Entry(record, Status.FACTS, None, (loose, again)),)))
    store.merge_relations(history, {"lives in": "city", "resides in": "city"})
    store.append(history, batch(entry(11, ("Cy", "age", "4"))))
    store.set_relation(history, "age", Values.MANY)
    store.keep_patterns(history, PATTERNS)
    store.forget(history, [11])
    return history


def text(store: Store, history: str) -> str:
    return "".join(export(store, history))


def test_a_round_trip_is_the_same_bytes(
    store: Store, other: Store, rich: str, new_history: NewHistory
) -> None:
    """To the other store and back: everything said is there, and the text is the same."""
    exported = text(store, rich)
    report = load(other, "there", exported.splitlines(keepends=True))
    assert (report.records, report.facts, report.unresolved, report.no_fact) == (6, 4, 1, 1)
    assert text(other, "there") == exported
    back = new_history("back")
    load(store, back, export(other, "there"))
    assert text(store, back) == exported
    assert list(store.scan(back)) == list(store.scan(rich)) == list(other.scan("there"))
    assert store.relations(back) == store.relations(rich) == other.relations("there")
    assert store.patterns(back) == other.patterns("there") == PATTERNS
    for place, name in ((store, back), (other, "there")):
        assert not place.verify(name)
        assert replace(place.stats(name), version=0) == replace(store.stats(rich), version=0)


texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(str.strip)
names = texts.map(lambda name: " ".join(name.split())) | st.sampled_from(
    ["Ana", "ana", "東京", "."]
)
triples = st.builds(Triple, names, names, names, st.booleans())
optional = st.none() | texts
entries = st.one_of(
    st.builds(
        lambda said, text, source, speaker: entry(
            0, *said, text=text, source=source, speaker=speaker
        ),
        st.lists(triples, min_size=1, max_size=3), texts, optional, optional,
    ),
    st.builds(lambda text, reason: residual(0, text=text, reason=reason), texts, texts),
    st.builds(lambda text, session: silent(0, text=text, session=session), texts, optional),
)  # fmt: skip


def test_any_history_comes_back(
    store: Store, other: Store, new_history: NewHistory, *, examples: int
) -> None:
    """Whatever is said, in whatever words: to the other store and back it is the same bytes."""

    @settings(max_examples=min(examples, 40))
    @given(st.lists(entries, max_size=6), st.lists(names, max_size=2), st.lists(names, max_size=2))
    def check(found: list[Entry], many: list[str], templates: list[str]) -> None:
        history = new_history()
        placed = [
            each._replace(record=replace(each.record, position=n)) for n, each in enumerate(found)
        ]
        store.append(history, batch(*placed, many=many))
        if placed:
            store.keep_patterns(history, [Pattern(each, each, 1, 1) for each in templates])
        exported = text(store, history)
        load(other, history, exported.splitlines(keepends=True))
        back = new_history()
        load(store, back, export(other, history))
        assert text(other, history) == text(store, back) == exported
        assert list(store.scan(back)) == list(store.scan(history))

    check()


def test_what_is_in_an_export(store: Store, rich: str) -> None:
    """Who said so, literal flags, retractions, merges, patterns and verdicts are all there."""
    lines = [json.loads(line) for line in export(store, rich)]
    assert [line["kind"] for line in lines] == [
        "cmc-graph history", *["relation"] * 5, *["pattern"] * 2, *["record"] * 6, "end"
    ]  # fmt: skip
    relations = {line["name"]: line for line in lines if line["kind"] == "relation"}
    assert relations["lives in"]["merged_into"] == "city"
    assert (relations["age"]["values"], relations["age"]["set_by"]) == ("many", "person")
    said = {line["position"]: line.get("assertions") for line in lines if line["kind"] == "record"}
    assert said[1][0]["relation"] == "city"
    assert (said[7][0]["retracts"], "retracts" in said[7][1]) == (True, False)
    assert [(one["frontend"], one.get("literal")) for one in said[10]] == [
        ("given", False), ("grammar:general", None)
    ]  # fmt: skip


def test_an_empty_history(store: Store, other: Store, new_history: NewHistory) -> None:
    """A history that was never written has an export, and loading it writes nothing."""
    exported = text(store, new_history())
    assert load(other, "empty", exported.splitlines(keepends=True)).records == 0
    assert (other.histories(), text(other, "empty")) == ([], exported)


def test_patterns_alone(store: Store, other: Store, new_history: NewHistory) -> None:
    """A history that holds nothing but patterns moves, too, in both directions."""
    store.keep_patterns(history := new_history("patterns"), PATTERNS)
    exported = text(store, history)
    load(other, "there", exported.splitlines(keepends=True))
    load(store, back := new_history("back"), export(other, "there"))
    assert text(store, back) == text(other, "there") == exported
    assert (exported.count('"pattern"'), store.stats(back).version) == (2, 1)
    store.append(back, batch(residual(1)))
    assert not store.verify(back)


def test_other_patterns_are_something_else(
    store: Store, rich: str, new_history: NewHistory
) -> None:
    """A history with patterns that are not those of the export is refused, and keeps them."""
    lines = list(export(store, rich))
    store.keep_patterns(target := new_history("target"), PATTERNS[:1])
    with pytest.raises(UsageError, match="something else"):
        load(store, target, lines)
    assert store.patterns(target) == PATTERNS[:1]


def test_lines_that_come_once_are_read_twice(
    store: Store, rich: str, new_history: NewHistory
) -> None:
    """A generator is checked to its end before anything is written, and an open file is named."""
    lines = list(export(store, rich))
    target = new_history("target")
    with pytest.raises(SourceError, match="the export, line 9"):
        load(store, target, (line for line in [*lines[:8], "{}\n", *lines[8:]]))
    file = StringIO("\n".join([*lines[:8], "{}\n", *lines[8:]]))
    file.name = "history.jsonl"
    with pytest.raises(SourceError, match=r"history\.jsonl, line 17"):
        load(store, target, file)
    assert target not in {each.name for each in store.histories()}
    assert load(store, target, iter(lines)).records == 6
    assert list(export(store, target)) == lines


def test_an_interrupted_load_goes_on(store: Store, rich: str, new_history: NewHistory) -> None:
    """A part of the same export is completed; the same export again changes nothing."""
    lines = list(export(store, rich))
    target = new_history("target")
    load(store, target, lines)
    store.forget(target, [8, 9, 10])
    assert load(store, target, lines).skipped == 3
    assert list(export(store, target)) == lines
    version = store.stats(target).version
    assert load(store, target, lines).skipped == 6
    assert (store.stats(target).version, list(export(store, target))) == (version, lines)


def test_something_else_is_there(store: Store, rich: str, new_history: NewHistory) -> None:
    """A history that holds another record, verdict or relation is refused and left alone."""
    lines = list(export(store, rich))
    for each in (
        batch(entry(99, ("Ana", "city", "Rome"))),
        batch(residual(1)),
        batch(residual(1, text="another text")),
        batch(residual(8, text="Maybe\r\nlater\x00", source="notes.md", source_line=4)),
    ):
        target = new_history("target")
        store.append(target, each)
        before = text(store, target)
        with pytest.raises(UsageError, match="something else"):
            load(store, target, lines)
        assert text(store, target) == before


def test_nothing_is_written_of_a_broken_export(
    store: Store, rich: str, new_history: NewHistory
) -> None:
    """All lines are checked before the first one is written."""
    lines = list(export(store, rich))
    target = new_history("target")
    for broken in (lines[:-1], lines[:-2] + lines[-1:], [*lines[:-1], "{}\n", lines[-1]]):
        with pytest.raises(SourceError):
            load(store, target, broken)
    assert target not in {each.name for each in store.histories()}


def test_written_to_while_it_is_exported(store: Store, rich: str) -> None:
    """An export is of one version, or breaks off with an error before its last line."""
    lines: list[str] = []

    def consume(source: Iterable[str]) -> None:
        lines.extend(source)

    exported = export(store, rich)
    consume(islice(exported, 3))
    store.append(rich, batch(entry(50, ("Ana", "city", "Rome"))))
    with pytest.raises(StoreBusy, match="written"):
        consume(exported)
    assert '"end"' not in lines[-1]
