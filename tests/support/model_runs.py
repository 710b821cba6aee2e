"""The real histories read by a model, and compared with what the grammar reads in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cmc_graph import Memory
from cmc_graph.frontends import Frontend
from cmc_graph.frontends.extraction import Extraction
from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.llm.usage import Limits
from cmc_graph.model import Record
from loaders import factconsolidation
from tests.acceptance.real import CELLS, HISTORIES, path, questions, size_of
from tests.support.endpoint.extracting import extract
from tests.support.endpoint.process import Counts, EndpointProcess

GRAMMAR = Grammar([load_pack("factconsolidation")])


@dataclass(frozen=True, slots=True)
class Run:
    """Histories read one after the other, with one file of answers.

    Attributes:
        extractions: By size of the history.
        counts: What the endpoint counted.
    """

    extractions: Mapping[str, Extraction]
    counts: Counts

    @property
    def asked(self) -> int:
        """Statements the model was asked for."""
        return sum(each.asked for each in self.extractions.values())


def records(size: str) -> list[Record]:
    """The records of a history."""
    return list(factconsolidation.records(path(size)))


def statements(sizes: Sequence[str] = tuple(HISTORIES)) -> int:
    """How many distinct statements histories have together."""
    return len({record.text for size in sizes for record in records(size)})


def run(frontend: str, folder: Path, sizes: Sequence[str] = tuple(HISTORIES)) -> Run:
    """The frontend over these histories; the annotator plays the model.

    Args:
        frontend: ``direct`` or ``hybrid``.
        folder: For the file of answers.
        sizes: In this order.
    """
    with EndpointProcess() as endpoint:
        extractions = {
            size: extract(
                endpoint, folder / "answers.db", records(size), frontend=frontend, limits=Limits()
            )
            for size in sizes
        }
        return Run(extractions, endpoint.counts)


def renaming(frontend: Frontend, size: str) -> dict[str, str]:
    """The frontend's name of each of the grammar's relations; all else is found to be the same.

    Raises:
        AssertionError: A record is read otherwise, or names are no bijection.
    """
    names: dict[str, str] = {}
    said = records(size)
    for expected, found in zip(GRAMMAR.interpret(said), frontend.interpret(said), strict=True):
        [right], [triple] = expected.triples, found.triples
        assert (triple.subject, triple.object) == (right.subject, right.object)
        assert names.setdefault(right.relation, triple.relation) == triple.relation
    assert len(set(names.values())) == len(names)
    return names


def same_reads(extraction: Extraction, size: str, folder: Path) -> int:
    """How many questions find the same records and depths; slots are found to be the same.

    Raises:
        AssertionError: Slots or a closure differ from those of the grammar.
    """
    names = renaming(extraction, size)
    url = f"sqlite:///{folder / size}.db"
    asked = 0
    with Memory.open(url, "grammar") as one, Memory.open(url, "model") as other:
        one.ingest(records(size), frontend=GRAMMAR)
        report = other.ingest(records(size), frontend=extraction)
        assert report.records == report.facts == len(records(size))
        slots = {names[relation.name]: relation.slots for relation in one.relations()}
        held = {relation.name: relation.slots for relation in other.relations() if relation.slots}
        assert held == slots
        for cell in [cell for cell in CELLS if size_of(cell) == size]:
            for question in questions(cell):
                expected, evidence = one.read(question.text), other.read(question.text)
                assert evidence.text == expected.text
                assert [(e.position, e.depth) for e in evidence.edges] == [
                    (e.position, e.depth) for e in expected.edges
                ]
                asked += 1
    return asked
