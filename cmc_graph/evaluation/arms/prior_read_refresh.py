"""``prior_read_refresh``: choose the records before the update, then refresh their values.

The order control of the paper (sections 2 and 4.1, appendix G): selection sees the constructed
prior graph, in which each slot has its most recent different value; what it selects is then shown
as it is now. All that is shown is current, but what is newly needed can be missing.
"""

from dataclasses import dataclass

from cmc_graph.evaluation.arms.base import Bench
from cmc_graph.model import Evidence


@dataclass(frozen=True, slots=True)
class PriorReadRefresh:
    """The slots of a read before the updates, with their values after them."""

    bench: Bench

    def evidence(self, question: str) -> Evidence:
        """The current records of these slots; the fall-back when there are none."""
        history = self.bench.history
        edges = history.prior.closure(history.graph.anchors(question))
        if not edges:
            return self.bench.instead(question)
        positions = (history.current[edge.slot].position for edge in edges)
        return self.bench.chosen(positions).evidence(question)
