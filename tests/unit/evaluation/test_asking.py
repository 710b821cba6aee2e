"""What makes two requests the same."""

from dataclasses import replace

from cmc_graph.evaluation.arms.cmc import Cmc
from cmc_graph.evaluation.asking import Voice, request_hash
from cmc_graph.readers import open_reader
from tests.unit.evaluation.histories import MEETING, QUESTION, bench

EVIDENCE = Cmc(bench(*MEETING)).evidence(QUESTION)
PATH = Voice(open_reader("path"), "path")
MODEL = replace(PATH, identity="openai m p", follows_edges=False)


def test_everything_an_answer_may_depend_on_counts() -> None:
    """Another question, text or reader is another request."""
    other = replace(EVIDENCE, text=f"{EVIDENCE.text}x")
    hashes = {
        request_hash(PATH, QUESTION, EVIDENCE),
        request_hash(PATH, "Another?", EVIDENCE),
        request_hash(PATH, QUESTION, other),
        request_hash(MODEL, QUESTION, EVIDENCE),
        request_hash(MODEL, "Another?", EVIDENCE),
    }
    assert len(hashes) == 5


def test_only_readers_that_follow_edges_depend_on_them() -> None:
    """The same text is the same request to a model, however it was selected."""
    fewer = replace(EVIDENCE, edges=EVIDENCE.edges[:1])
    assert request_hash(PATH, QUESTION, fewer) != request_hash(PATH, QUESTION, EVIDENCE)
    assert request_hash(MODEL, QUESTION, fewer) == request_hash(MODEL, QUESTION, EVIDENCE)
