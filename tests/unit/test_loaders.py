"""Each format on a small file of our own: how many records and cases, which, from what bytes."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cmc_graph.model import Record, Status, Triple
from loaders import Case, factconsolidation, jsonl, longmemeval, mquake, registry, text
from loaders.lines import head, source_of

DATA = Path(__file__).parents[1] / "data" / "loaders"

FORMATS: dict[str, ModuleType] = {
    "text": text,
    "jsonl": jsonl,
    "factconsolidation": factconsolidation,
    "mquake": mquake,
    "longmemeval": longmemeval,
}

#: Name of the file, its format, sha256 of its bytes, records, cases.
FILES = [
    ("plain.txt", "text", "43ddf42f33a8f949", 3, None),
    ("numbered.txt", "text", "b10714d2bfc66dd0", 3, None),
    ("records.jsonl", "jsonl", "3076e81eef6e1c6d", 3, None),
    ("cell.json", "factconsolidation", "e33888c174476a08", 3, 2),
    ("row.json", "factconsolidation", "19a4059d3d51fda9", 3, 2),
    ("history.json.gz", "factconsolidation", "9d22bd3a7536bd42", 3, 0),
    ("cases.json", "mquake", "ccda0b4e280dee1a", 8, 6),
    ("sessions.json", "longmemeval", "74e95e55a2b4c2a1", 5, 2),
]


@pytest.mark.parametrize(("name", "form", "digest", "records", "cases"), FILES)
def test_file_gives_its_counts(
    name: str, form: str, digest: str, records: int, cases: int | None
) -> None:
    """A file of known bytes gives a known number of records and cases."""
    path = DATA / name
    loader = FORMATS[form]
    assert hashlib.sha256(path.read_bytes()).hexdigest().startswith(digest)
    assert len(list(loader.records(path))) == records
    if cases is None:
        assert not hasattr(loader, "cases")
    else:
        assert len(list(loader.cases(path))) == cases


@pytest.mark.parametrize(("name", "form", "digest", "records", "cases"), FILES)
def test_file_is_recognised_by_its_own_loader_alone(
    name: str, form: str, digest: str, records: int, cases: int | None
) -> None:
    """Name and first bytes tell the formats apart, packed or not."""
    path = DATA / name
    start = head(path)
    accepting = [
        known
        for known, loader in FORMATS.items()
        if loader.accepts(name.removesuffix(".gz"), start)
    ]
    assert accepting == [form]


def test_registry_finds_all_formats() -> None:
    """The entry points name exactly the loaders of this package."""
    assert set(FORMATS) <= set(registry.names())
    for name, module in FORMATS.items():
        assert registry.find(name) is module


def test_packs_are_named_by_the_formats_that_have_sentence_forms() -> None:
    """A loader names its grammar pack only where the format has forms of its own."""
    packs = {name: getattr(loader, "PACKS", ()) for name, loader in FORMATS.items()}
    assert packs == {
        "text": (),
        "jsonl": (),
        "factconsolidation": ("factconsolidation",),
        "mquake": ("factconsolidation",),
        "longmemeval": (),
    }


def test_plain_text_keeps_lines_as_they_are() -> None:
    """Lines of an unnumbered file are untouched, and blank ones count as lines."""
    source = source_of(DATA / "plain.txt")
    assert list(text.records(DATA / "plain.txt")) == [
        Record(text="The kiosk is in Hall 1.", source=source, source_line=1),
        Record(text="Moves are planned.", source=source, source_line=2),
        Record(text="  The kiosk moved to Hall 2.  ", source=source, source_line=4),
    ]


def test_numbered_text_brings_positions() -> None:
    """Numbers of both forms are positions; U+2028 and form feed stay inside a record."""
    source = source_of(DATA / "numbered.txt")
    assert list(text.records(DATA / "numbered.txt")) == [
        Record(text="The pier is open.", position=12, source=source, source_line=1),
        Record(text="The pier is closed.", position=14, source=source, source_line=2),
        Record(
            text="The ferry runs\u2028twice\x0ca day.", position=15, source=source, source_line=4
        ),
    ]


@pytest.mark.parametrize(
    "line", ["no number", "3 text", "3.text", "[3]text", "[3] ", "3.", "(3) x"]
)
def test_one_line_without_number_makes_the_file_unnumbered(tmp_path: Path, line: str) -> None:
    """Positions come from the numbers only when every line that is not blank has one."""
    path = tmp_path / "notes.txt"
    path.write_text(f"1. First.\n{line}\n2. Second.\n", encoding="utf-8")
    assert [(r.text, r.position) for r in text.records(path)] == [
        ("1. First.", None),
        (line, None),
        ("2. Second.", None),
    ]


def test_jsonl_gives_every_field() -> None:
    """A line's fields are the record's; without a source of its own the file's line is it."""
    first, second, third = jsonl.records(DATA / "records.jsonl")
    assert first == Record(
        text="The weekly meeting is in Room B.",
        position=4,
        source="notes.md",
        observed_at="2026-03-01T09:00:00Z",
        triples=(
            Triple("weekly meeting", "location", "Room B"),
            Triple("weekly meeting", "floor", "Room B", retracts=True),
        ),
        status=Status.FACTS,
    )
    assert second == Record(
        text="佐野ハル said so.",
        speaker="Haru",
        session="monday",
        source=source_of(DATA / "records.jsonl"),
        source_line=3,
    )
    assert (third.source, third.source_line, third.triples) == ("chat", 9, ())


@pytest.mark.parametrize("name", ["cell.json", "row.json", "history.json.gz"])
def test_factconsolidation_drops_header_and_serial_only(name: str) -> None:
    """The serial is the position, the sentence keeps its full stops, lines are the context's."""
    records = list(factconsolidation.records(DATA / name))
    assert [(r.position, r.source_line) for r in records] == [(0, 2), (1, 3), (2, 4)]
    assert records[2].text == "The capital of Norland is Washington, D.C.."
    assert {r.source for r in records} == {source_of(DATA / name)}


@pytest.mark.parametrize("name", ["cell.json", "row.json"])
def test_factconsolidation_cases_belong_to_the_records(name: str) -> None:
    """A case names the source of its records, on disk as on the hub."""
    assert next(factconsolidation.cases(DATA / name)) == Case(
        question="What is the capital of Norland?",
        answers=("Washington, D.C.",),
        id="tiny_no0",
        source=source_of(DATA / name),
    )


def test_mquake_states_all_edits_after_all_originals() -> None:
    """Originals of every case come before the edits of any, whatever repeats."""
    assert [(r.source_line, r.text) for r in mquake.records(DATA / "cases.json")] == [
        (1, "Ada Moss is a citizen of Norland."),
        (2, "The capital of Norland is Port Ella."),
        (3, "Bo Lark is famous for The Long Tide."),
        (4, "The author of The Long Tide is Bo Lark."),
        (5, "Ada Moss is a citizen of Sudria."),
        (6, "The capital of Sudria is Zell."),
        (7, "Bo Lark is famous for The Long Tide."),
        (8, "The author of The Long Tide is Cy Finn."),
    ]
    assert {r.position for r in mquake.records(DATA / "cases.json")} == {None}


def test_mquake_cases_ask_for_the_answer_after_the_edits() -> None:
    """Every question form is a case; the new answer comes first, its aliases after it."""
    cases = list(mquake.cases(DATA / "cases.json"))
    assert [case.id for case in cases] == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]
    assert cases[0].answers == ("Zell", "Zell City")
    assert cases[5].answers == ("Cy Finn",)


def test_longmemeval_keeps_speaker_session_and_date() -> None:
    """Turns come in the order of their sessions' dates; empty ones count but are not kept."""
    haystack = source_of(DATA / "sessions.json") + "#q_move"
    records = list(longmemeval.records(DATA / "sessions.json"))
    assert records[0] == Record(
        text="I live in Graz.",
        source=haystack,
        source_line=1,
        observed_at="2024-01-05T18:40:00",
        speaker="user",
        session="s_early",
    )
    assert [(r.source_line, r.session, r.speaker) for r in records[:4]] == [
        (1, "s_early", "user"),
        (3, "s_early", "user"),
        (4, "s_late", "user"),
        (5, "s_late", "assistant"),
    ]
    assert records[3].text == "Congratulations.\nHow is it?"
    assert records[4].source_line == 1


def test_longmemeval_cases_name_their_haystack() -> None:
    """A question is about its own haystack alone; a number as answer becomes text."""
    cases = list(longmemeval.cases(DATA / "sessions.json"))
    haystacks = {r.source for r in longmemeval.records(DATA / "sessions.json")}
    assert {case.source for case in cases} == haystacks
    assert [(case.id, case.answers) for case in cases] == [
        ("q_move", ("Porto",)),
        ("q_count", ("3",)),
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_records_are_lazy(form: str, tmp_path: Path) -> None:
    """Nothing is opened before the first record is asked for."""
    records = FORMATS[form].records(tmp_path / "missing")
    assert isinstance(records, Iterator)
