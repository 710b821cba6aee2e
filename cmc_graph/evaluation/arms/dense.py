"""``dense``: the 100 current facts whose vectors are nearest to the question's (paper, table 9).

The embedding model is the person's; figures of different models are different figures.
"""

from dataclasses import dataclass

from cmc_graph.evaluation.arms.base import EMBEDDER, Bench, needed
from cmc_graph.evaluation.arms.fact_bm25 import TOP, facts
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.vectors import Dense, Embedder
from cmc_graph.model import Evidence


@dataclass(frozen=True, slots=True)
class DenseFacts:
    """The nearest facts.

    Attributes:
        positions: Of the facts' records, in the order of the index.
        index: Over the texts of these records.
    """

    bench: Bench
    positions: tuple[int, ...]
    index: Dense

    def evidence(self, question: str) -> Evidence:
        """Their records, in source order."""
        best = (self.positions[number] for number in self.index.best(question, TOP))
        return self.bench.chosen(best).evidence(question)


def fact_index(history: Frozen, embedder: Embedder) -> tuple[tuple[int, ...], Dense]:
    """The current facts' records by position, and an index over their texts in that order."""
    positions = tuple(dict.fromkeys(fact.position for fact in facts(history)))
    texts = [history.records[position].text for position in positions]
    return positions, Dense(texts, embedder)


def dense(bench: Bench) -> DenseFacts:
    """The arm on this bench.

    Raises:
        ConfigurationError: There is no embedding model.
    """
    embedder = needed(bench.tools.embedder, "dense", EMBEDDER)
    return DenseFacts(bench, *fact_index(bench.history, embedder))
