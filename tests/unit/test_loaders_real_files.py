"""The formats on the real benchmark files, where they are."""

import hashlib
from pathlib import Path

import pytest

from loaders import Case, factconsolidation, longmemeval, mquake

REAL = Path(__file__).parents[3] / "shared" / "data"

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason=f"no benchmark data in {REAL}")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


#: Name, sha256, records, questions, one record in the middle.
HISTORIES = [
    (
        "sh_6k.json",
        "021ab0bdec7905c5",
        455,
        100,
        (3, "Hines Ward plays the position of wide receiver."),
    ),
    ("mh_6k.json", "6b3012fbc1963549", 455, 100, (0, "Thomas Kyd was born in the city of London.")),
    ("sh_32k.json", "4555f1c6259d3a9c", 2_310, 100, None),
    ("mh_32k.json", "f0202f3f09bf2ea0", 2_310, 100, None),
    (
        "history_64k.json.gz",
        "923a37584660003a",
        4_580,
        0,
        (1, "Ian Marter died in the city of London."),
    ),
    (
        "history_262k.json.gz",
        "30f966df6ee686ed",
        18_332,
        0,
        (10_906, "Christian Abbiati plays the position of cornerback."),
    ),
]


@pytest.mark.parametrize(("name", "sha256", "count", "questions", "spot"), HISTORIES)
def test_history(
    name: str, sha256: str, count: int, questions: int, spot: tuple[int, str] | None
) -> None:
    """A FactConsolidation file has its records, numbered from 0 without gaps, and its cases."""
    path = REAL / "factconsolidation" / name
    assert digest(path).startswith(sha256)
    texts = {record.position: record.text for record in factconsolidation.records(path)}
    assert list(texts) == list(range(count))
    assert len(list(factconsolidation.cases(path))) == questions
    if spot is not None:
        assert texts[spot[0]] == spot[1]


def test_no_gold_answer_is_stated_by_the_loader() -> None:
    """A record holds what the context states, and nothing of the questions."""
    path = REAL / "factconsolidation" / "mh_6k.json"
    history = "\n".join(f"{r.position}. {r.text}" for r in factconsolidation.records(path))
    same = "\n".join(
        f"{r.position}. {r.text}"
        for r in factconsolidation.records(REAL / "factconsolidation" / "sh_6k.json")
    )
    assert history == same
    assert not any(case.question in history for case in factconsolidation.cases(path))


def test_cell_case() -> None:
    """The first question of a cell, with its one answer and its id."""
    path = REAL / "factconsolidation" / "sh_6k.json"
    assert next(factconsolidation.cases(path)) == Case(
        question="Which sport is goaltender associated with?",
        answers=("pesäpallo",),
        id="factconsolidation_sh_6k_no0",
        source=path.as_posix(),
    )


@pytest.mark.parametrize(
    ("name", "sha256", "records", "cases"),
    [
        ("MQuAKE-CF-3k.json.gz", "75cd4bceebf8d100", 18_000, 9_000),
        ("MQuAKE-hard.json.gz", "468c8ef58fc509da", 3_432, 1_287),
    ],
)
def test_mquake(name: str, sha256: str, records: int, cases: int) -> None:
    """Every hop before and after the edits is a record, every question form a case."""
    path = REAL / "mquake" / name
    assert digest(path).startswith(sha256)
    assert len(list(mquake.records(path))) == records
    assert len(list(mquake.cases(path))) == cases


def test_mquake_spots() -> None:
    """The first case before the edits, the same after them, and its question."""
    path = REAL / "mquake" / "MQuAKE-CF-3k.json.gz"
    records = list(mquake.records(path))
    assert records[0].text == "Ellie Kemper is a citizen of United States of America."
    assert records[9_000].text == "Ellie Kemper is a citizen of Croatia."
    case = next(mquake.cases(path))
    assert (case.id, case.answers) == ("1-1", ("Kolinda Grabar-Kitarović", "Grabar-Kitarović"))


def test_longmemeval() -> None:
    """Two questions with two sessions of twelve turns each, dated and attributed."""
    path = REAL / "longmemeval" / "oracle-sample-2.json"
    assert digest(path).startswith("8a977cc188314da6")
    records = list(longmemeval.records(path))
    assert len(records) == 48
    first = records[0]
    assert first.text.startswith("I'm trying to plan out my fitness schedule")
    assert (first.speaker, first.session) == ("user", "answer_a25d4a91_1")
    assert first.observed_at == "2023-05-25T20:21:00"
    assert records[24].source == f"{path.as_posix()}#gpt4_70e84552_abs"
    assert [case.id for case in longmemeval.cases(path)] == ["6a1eabeb", "gpt4_70e84552_abs"]
