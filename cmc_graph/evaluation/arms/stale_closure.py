"""``stale_closure``: the closure's keys with earlier values: right selection, wrong versions.

The value immediately before the current one, where there is one (paper, sections 4.1 and B.1).
``stale_closure_different`` takes the most recent *different* value (appendix F). The two are
distinct arms and are never pooled.
"""

from collections.abc import Callable
from dataclasses import dataclass

from cmc_graph.evaluation.arms.base import Bench
from cmc_graph.evaluation.arms.cmc import Cmc
from cmc_graph.evaluation.frozen import Slot
from cmc_graph.model import Evidence
from cmc_graph.stores.base import Version


@dataclass(frozen=True, slots=True)
class StaleClosure:
    """The slots that ``cmc`` selects, each with an earlier version.

    Attributes:
        earlier: Which version takes a slot's place.
    """

    bench: Bench
    earlier: Callable[[Slot], Version]

    def evidence(self, question: str) -> Evidence:
        """The records of the earlier versions; cmc's fall-back when it selects nothing."""
        edges = Cmc(self.bench).edges(question)
        if not edges:
            return self.bench.instead(question)
        positions = (self.earlier(edge.slot).position for edge in edges)
        return self.bench.chosen(positions).evidence(question)


def stale_closure(bench: Bench) -> StaleClosure:
    """With the immediately preceding version of each slot."""
    return StaleClosure(bench, bench.history.preceding)


def stale_closure_different(bench: Bench) -> StaleClosure:
    """With the most recent version of each slot that says something else."""
    return StaleClosure(bench, bench.history.different)
