"""``chunk_dense_rerank``: the retrieval baseline over the raw history (paper, "Comparability").

Non-overlapping chunks of 512 tokens, the 100 nearest by their vectors, the 10 best of these by a
reranker, in source order. Chunks are made of whole records.
"""

from dataclasses import dataclass

from cmc_graph.evaluation.arms.base import EMBEDDER, RERANKER, Bench, line_of, needed
from cmc_graph.evaluation.packing import runs
from cmc_graph.evaluation.vectors import Dense, Reranker
from cmc_graph.model import Evidence, Record

CHUNK_TOKENS, NEAREST, BEST = 512, 100, 10


@dataclass(frozen=True, slots=True)
class ChunkDenseRerank:
    """The chunks that the reranker likes best among the nearest."""

    bench: Bench
    chunks: list[list[Record]]
    index: Dense
    reranker: Reranker

    def evidence(self, question: str) -> Evidence:
        """Their records."""
        near = self.index.best(question, NEAREST)
        scores = self.reranker.scores(question, [text_of(self.chunks[number]) for number in near])
        ranked = sorted(range(len(near)), key=lambda place: -scores[place])[:BEST]
        chosen = [record for place in ranked for record in self.chunks[near[place]]]
        return self.bench.view(chosen).evidence(question)


def text_of(chunk: list[Record]) -> str:
    """A chunk as embedder and reranker see it."""
    return "".join(map(line_of, chunk))


def chunk_dense_rerank(bench: Bench) -> ChunkDenseRerank:
    """The arm on this bench.

    Raises:
        ConfigurationError: There is no embedding model or no reranker.
    """
    count = bench.window.count
    chunks = runs(bench.history.records.values(), CHUNK_TOKENS, count)
    embedder = needed(bench.tools.embedder, "chunk_dense_rerank", EMBEDDER)
    reranker = needed(bench.tools.reranker, "chunk_dense_rerank", RERANKER)
    return ChunkDenseRerank(bench, chunks, Dense(list(map(text_of, chunks)), embedder), reranker)
