"""The paper's example and the numbers of read-contract.md section 6, through the command line."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cmc_graph import Evidence
from tests.acceptance import real
from tests.acceptance.running import Workspace
from tests.support.neo4j_target import Target

pytestmark = real.needs_data

ABBIATI = "What is the country of origin of the sport played by Christian Abbiati?"

#: Records, current edges, overwritten slots, distinct subjects, entities, assertions.
EXPECTED = {
    "6k": (455, 294, 161, 275),
    "32k": (2_310, 1_473, 837, 1_355),
    "64k": (4_580, 2_889, 1_691, 2_620),
    "262k": (18_332, 11_095, 7_236, 9_499),
}
#: Questions whose gold string is the object of an edge, by depth; mean and largest closure.
COVERAGE: dict[str, tuple[dict[int, int], float, int]] = {
    "sh_6k": ({1: 100}, 2.6, 6),
    "sh_32k": ({1: 98}, 4.3, 16),
    "mh_6k": ({2: 61, 3: 24, 4: 11}, 3.3, 7),
    "mh_32k": ({2: 58, 3: 19, 4: 10}, 5.2, 16),
}


@dataclass(frozen=True, slots=True)
class Ingested:
    """The four histories in one store, and what their ingests reported."""

    workspaces: Mapping[str, Workspace]
    reports: Mapping[str, Any]

    def evidence(self, cell: str) -> list[Evidence]:
        """The evidence for every question of a cell, in order."""
        with self.workspaces[real.size_of(cell)].memory() as memory:
            return [memory.read(question.text) for question in real.questions(cell)]


def ingested(workspaces: Mapping[str, Workspace]) -> Ingested:
    """Ingest every history through the command line."""
    reports = {
        size: workspace.run("ingest", str(real.path(size)), "--json").json()
        for size, workspace in workspaces.items()
    }
    return Ingested(workspaces, reports)


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    """The four histories in one SQLite file."""
    folder = tmp_path_factory.mktemp("real")
    url = f"sqlite:///{folder / 'real.db'}"
    return ingested(
        {
            size: Workspace(kind="sqlite", url=url, history=size, folder=folder)
            for size in real.HISTORIES
        }
    )


@pytest.fixture(scope="module")
def in_neo4j(neo4j_target: Target, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ingested]:
    """The four histories in one Neo4j database."""
    folder = tmp_path_factory.mktemp("real")
    workspaces = {
        size: Workspace(
            kind="neo4j",
            url=neo4j_target.url,
            history=f"real {size} {os.getpid()}",
            folder=folder,
            options=neo4j_target.options,
        )
        for size in real.HISTORIES
    }
    with ExitStack() as later:
        later.callback(neo4j_target.wipe, [each.history for each in workspaces.values()])
        yield ingested(workspaces)


@pytest.fixture(scope="module", params=["sqlite", "neo4j"])
def histories(request: pytest.FixtureRequest) -> Ingested:
    """The four histories in each of the two stores in turn."""
    found: Ingested = request.getfixturevalue(f"in_{request.param}")
    return found


@pytest.mark.parametrize("size", EXPECTED)
def test_the_numbers_of_the_histories(histories: Ingested, size: str) -> None:
    """Section 6: records, current edges, overwritten slots and subjects, exactly."""
    records, current, *_ = EXPECTED[size]
    stats = histories.workspaces[size].stats()
    assert (
        stats["records"], stats["current"], stats["slots_overwritten"], stats["subjects"],
    ) == EXPECTED[size]  # fmt: skip
    assert (stats["facts"], stats["unresolved"], stats["no_fact"]) == (records, 0, 0)
    assert (stats["assertions"], stats["ended"]) == (records, 0)
    assert stats["superseded"] == records - current
    report = histories.reports[size]
    assert (report["records"], report["facts"], report["skipped"]) == (records, records, 0)
    assert (report["assertions"], report["calls"]) == (records, 0)
    assert not histories.workspaces[size].drift()


def test_the_number_of_entities(histories: Ingested) -> None:
    """The 262k history has 10,814 distinct entities, the 6k history 407."""
    assert histories.workspaces["262k"].stats()["entities"] == 10_814
    assert histories.workspaces["6k"].stats()["entities"] == 407


@pytest.mark.parametrize("cell", COVERAGE)
def test_the_coverage_of_the_questions(histories: Ingested, cell: str) -> None:
    """Section 6: every question has an anchor, and its gold is in the closure at these depths."""
    by_depth, mean, largest = COVERAGE[cell]
    found, sizes, without = Counter[int](), [], 0
    for question, evidence in zip(real.questions(cell), histories.evidence(cell), strict=True):
        assert evidence.anchors, question
        assert evidence.fallback is None
        sizes.append(len(evidence.edges))
        depths = [edge.depth for edge in evidence.edges if edge.object == question.gold]
        if depths:
            found[min(depths)] += 1
        else:
            without += 1
    assert dict(found) == by_depth
    assert without == 100 - sum(by_depth.values())
    assert (round(sum(sizes) / len(sizes), 1), max(sizes)) == (mean, largest)


@pytest.mark.parametrize("cell", COVERAGE)
def test_both_stores_give_the_same_bytes(
    in_sqlite: Ingested, in_neo4j: Ingested, cell: str
) -> None:
    """Section 6: the evidence of all questions is byte-identical on both stores."""
    pairs = zip(in_sqlite.evidence(cell), in_neo4j.evidence(cell), strict=True)
    for one, other in pairs:
        assert one.text.encode() == other.text.encode()
        assert (one.edges, one.records) == (other.edges, other.records)


def test_the_command_line_shows_what_the_client_reads(histories: Ingested) -> None:
    """The text form of a read is the evidence itself, byte for byte."""
    for cell in COVERAGE:
        workspace = histories.workspaces[real.size_of(cell)]
        for question, evidence in zip(
            real.questions(cell)[::20], histories.evidence(cell)[::20], strict=True
        ):
            ran = workspace.run("read", question.text)
            assert (ran.code, ran.out, ran.err) == (0, evidence.text, "")


def test_the_example_of_the_paper(histories: Ingested) -> None:
    """The paper's example: three records of the 262k history lead to the Philippines."""
    evidence = histories.workspaces["262k"].read(ABBIATI)
    edges = {edge["position"]: edge for edge in evidence["edges"]}
    assert {10_906, 7_164, 7_774} <= edges.keys()
    assert [edges[p]["object"] for p in (10_906, 7_164, 7_774)] == [
        "cornerback", "field hockey", "Philippines",
    ]  # fmt: skip
    assert [edges[p]["depth"] for p in (10_906, 7_164, 7_774)] == [1, 2, 3]
    shown = {record["position"] for record in evidence["records"]}
    assert {10_906, 7_164, 7_774} <= shown
    assert not {6_954, 3_070, 1_923} & shown


def test_the_example_of_the_paper_as_of_9000(histories: Ingested) -> None:
    """As of position 9000 the same question finds the goalkeeper and Gaelic football."""
    evidence = histories.workspaces["262k"].read(ABBIATI, "--as-of", "9000")
    edges = {edge["object"]: edge for edge in evidence["edges"]}
    assert edges["goalkeeper"]["position"] == 6_954
    assert edges["Gaelic football"]["depth"] == 2
    assert max(record["position"] for record in evidence["records"]) <= 9_000


@pytest.mark.parametrize("size", EXPECTED)
def test_a_second_ingest_writes_nothing(histories: Ingested, size: str) -> None:
    """The same file again: every record skipped, counts and version as they were."""
    workspace = histories.workspaces[size]
    before = workspace.stats()
    report = workspace.run("ingest", str(real.path(size)), "--json").json()
    assert (report["records"], report["skipped"]) == (EXPECTED[size][0],) * 2
    assert (report["assertions"], report["slots_changed"], report["facts"]) == (0, 0, 0)
    assert workspace.stats() == before


def test_a_second_ingest_changes_nothing(histories: Ingested) -> None:
    """The same file again leaves every record, assertion and edge as it was."""
    workspace = histories.workspaces["6k"]
    before = workspace.state()
    assert workspace.run("ingest", str(real.path("6k"))).code == 0
    assert workspace.state() == before


def test_a_second_ingest_is_much_faster(histories: Ingested) -> None:
    """The same file again takes at most a fifth of the time of the first ingest."""
    again = [
        histories.workspaces["262k"].run("ingest", str(real.path("262k")), "--json").json()
        for _ in range(2)
    ]
    assert min(report["seconds"] for report in again) * 5 <= histories.reports["262k"]["seconds"]


@pytest.mark.parametrize("position", [0, 1, 57, 227, 400])
def test_as_of_equals_the_history_up_to_there(
    in_sqlite: Ingested, tmp_path: Path, position: int
) -> None:
    """Section 5, on real records: as of p equals a history of the records up to p."""
    url = f"sqlite:///{tmp_path / 'fresh.db'}"
    fresh = Workspace(kind="sqlite", url=url, history="fresh", folder=tmp_path)
    fresh.ingest(
        "".join(real.lines("6k")[: position + 1]), "--grammar", "factconsolidation", name="f.txt"
    )
    with in_sqlite.workspaces["6k"].memory() as whole, fresh.memory() as part:
        for cell in ("sh_6k", "mh_6k"):
            for question in real.questions(cell):
                then = whole.read(question.text, as_of=position)
                assert then.text == part.read(question.text).text


def test_as_of_is_the_same_on_both_stores(in_sqlite: Ingested, in_neo4j: Ingested) -> None:
    """As-of reads of the 32k history are byte-identical on both stores."""
    with ExitStack() as opened:
        one, other = (
            opened.enter_context(each.workspaces["32k"].memory()) for each in (in_sqlite, in_neo4j)
        )
        for number, question in enumerate(real.questions("mh_32k")):
            position = number * 23
            assert (
                one.read(question.text, as_of=position).text
                == other.read(question.text, as_of=position).text
            )
