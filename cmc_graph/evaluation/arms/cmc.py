"""``cmc``: resolve, then traverse; ``hops_1`` to ``hops_5``: the same with another hop cap.

The paper's own arm (section 3; appendix H for the caps).
"""

from dataclasses import dataclass

from cmc_graph.closure import DEFAULT_HOPS
from cmc_graph.evaluation.arms.base import Bench
from cmc_graph.model import Edge, Evidence


@dataclass(frozen=True, slots=True)
class Cmc:
    """The closure of the question's anchors in the current graph."""

    bench: Bench
    hops: int = DEFAULT_HOPS

    def edges(self, question: str) -> tuple[Edge, ...]:
        """What the arm selects, which other arms take as their measure."""
        graph = self.bench.history.graph
        return graph.closure(graph.anchors(question), self.hops)

    def evidence(self, question: str) -> Evidence:
        """The records of the closure; the fall-back when it is empty."""
        edges = self.edges(question)
        if not edges:
            return self.bench.instead(question)
        return self.bench.closure(edges, self.bench.history.graph.anchors(question))
