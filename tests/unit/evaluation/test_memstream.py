"""MQuAKE-MemStream: what is built, what the audit finds, and how far the offline readers get."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cmc_graph import Memory
from cmc_graph.errors import SourceError
from cmc_graph.evaluation.datasets import memstream
from cmc_graph.evaluation.datasets.memstream import Audit, Edited
from cmc_graph.evaluation.formats import CASES, Case, read_lines
from cmc_graph.evaluation.scoring.metrics import mark
from cmc_graph.readers import Reader, open_reader
from loaders import factconsolidation

ROOT = Path(__file__).parents[3]
SOURCE = ROOT.parent / "shared" / "data" / "mquake" / "MQuAKE-CF-3k.json.gz"
PACK = ["factconsolidation"]
needs_data = pytest.mark.skipif(not SOURCE.is_file(), reason=f"no benchmark data in {SOURCE}")


def hop(cloze: str, answer: str) -> dict[str, object]:
    """One step of a case, as the data writes it."""
    return {"question": f"{cloze} what?", "cloze": cloze, "answer": answer, "answer_alias": ["x"]}


def edited(number: int, before: str, after: str, head: str) -> dict[str, object]:
    """A case that moves someone from one country to another with a head of state."""
    citizen, state = f"P{number} is a citizen of", "The name of the current head of state in {} is"
    return {
        "case_id": number,
        "questions": [f"Who heads the country of P{number}?", "…", "…"],
        "new_answer": head,
        "new_answer_alias": ["the head"],
        "single_hops": [hop(citizen, before), hop(state.format(before), "Old")],
        "new_single_hops": [hop(citizen, after), hop(state.format(after), head)],
        "requested_rewrite": [
            {
                "prompt": "{} is a citizen of",
                "subject": f"P{number}",
                "target_true": {"str": before},
                "target_new": {"str": after},
            }
        ],
    }


SMALL = [
    edited(1, "Peru", "Chile", "Ana"),
    edited(2, "Peru", "Chile", "Bo"),  # the same country, another head: one of the two loses
    edited(3, "Chad", "Mali", "Cy"),
]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A file of three cases."""
    source = tmp_path / "cases.json"
    source.write_text(json.dumps(SMALL), encoding="utf-8")
    return source


def test_blocks_and_their_order(small: Path) -> None:
    """All that holds before the edits comes first; hops and edits repeat each other and stay."""
    parsed = [Edited.model_validate(case) for case in SMALL]
    (stream,) = memstream.streams(parsed)
    first, second = stream.statements[:9], stream.statements[9:]
    assert sorted(first) == sorted(
        ["P1 is a citizen of Peru.", "P2 is a citizen of Peru.", "P3 is a citizen of Chad."] * 2
        + ["The name of the current head of state in Peru is Old."] * 2
        + ["The name of the current head of state in Chad is Old."]
    )
    assert len(second) == 9
    assert second.count("P3 is a citizen of Mali.") == 2
    assert list(memstream.streams(parsed)) == [stream]


def test_the_audit(small: Path, tmp_path: Path) -> None:
    """A case whose hop another case overwrites loses its multi-hop question, and says why."""
    audit = memstream.build(small, tmp_path / "out")
    assert (audit.streams, audit.assertions, audit.unparsed) == (1, 18, 0)
    assert (audit.multi_hop, audit.single_hop) == (2, 3)
    records = list(factconsolidation.records(tmp_path / "out" / "stream_1.json"))
    heads = [r.text for r in records if "state in Chile" in r.text]
    lost = 2 if heads[-1].endswith("Ana.") else 1
    assert audit.altered == (lost,)
    cases = list(read_lines(tmp_path / "out" / CASES, Case))
    assert [case.id for case in cases if case.excluded] == [f"memstream_mh_{lost}"]
    assert [case.cell for case in cases] == ["mh", "sh"] * 3
    assert cases[0].references == ("Ana", "the head")


def test_a_subset_is_the_beginning_of_the_whole(small: Path, tmp_path: Path) -> None:
    """Cases are taken from the first; a file of another kind is refused by name."""
    audit = memstream.build(small, tmp_path / "out", cases=1)
    assert (audit.multi_hop, audit.single_hop, audit.altered) == (1, 1, ())
    small.write_text("[{}]", encoding="utf-8")
    with pytest.raises(SourceError, match=r"cases\.json"):
        memstream.build(small, tmp_path / "out")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Audit]:
    """The data set of the paper."""
    folder = tmp_path_factory.mktemp("memstream")
    return folder, memstream.build(SOURCE, folder)


@needs_data
def test_the_figures_of_the_paper(built: tuple[Path, Audit]) -> None:
    """5,562 assertions, all parsed; two of 800 questions excluded, 798 and 800 left."""
    _, audit = built
    assert audit == Audit(
        streams=8,
        assertions=5_562,
        unparsed=0,
        single_hop=800,
        multi_hop=798,
        altered=(637, 668),
    )


@needs_data
def test_the_larger_pool(tmp_path: Path) -> None:
    """Of all 3,000 cases, pooling alters 431, as in the paper; the first 800 stay as they are."""
    audit = memstream.build(SOURCE, tmp_path, cases=3_000)
    assert (len(audit.altered), audit.unparsed) == (431, 0)
    assert [case for case in audit.altered if case <= 800] == [637, 668]


def right(folder: Path, reader: Reader) -> tuple[int, int]:
    """How many multi-hop questions the reader has right, and of how many."""
    cases = [case for case in read_lines(folder / CASES, Case) if case.group == "mh"]
    counted = [case for case in cases if case.excluded is None]
    found = 0
    for history in sorted({case.history for case in counted}):
        with Memory.open("sqlite:///:memory:", history) as memory:
            memory.ingest(factconsolidation.records(folder / history), grammar=PACK)
            for case in counted:
                if case.history == history:
                    answer = reader.answer(case.question, memory.read(case.question))
                    found += mark(answer.text, case.references).substring
    return found, len(counted)


@needs_data
def test_the_plain_reader(built: tuple[Path, Audit]) -> None:
    """At least 94 % of the 798 multi-hop questions, from the history and the pack alone."""
    found, questions = right(built[0], open_reader("path"))
    assert questions == 798
    assert found / questions >= 0.94


@needs_data
def test_the_learned_reader(built: tuple[Path, Audit], tmp_path: Path) -> None:
    """At least 97 %, having learned from the cases that the stream does not have."""
    weights = tmp_path / "weights.json"
    subprocess.run(
        [
            *(sys.executable, ROOT / "scripts" / "train_reader", SOURCE),
            *("--skip", "800", "--parts", "30", "--output", weights),
        ],
        check=True,
        capture_output=True,
    )
    found, questions = right(built[0], open_reader("path-learned", weights))
    assert questions == 798
    assert found / questions >= 0.97
