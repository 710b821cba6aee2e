"""``random_disjoint``: as many current records as cmc shows, and as long, but none of its slots.

The negative control of the paper (appendices B.1 and C): what chance and sheer amount give.
"""

import random
from dataclasses import dataclass

from cmc_graph import render
from cmc_graph.evaluation.arms.base import Bench
from cmc_graph.evaluation.arms.cmc import Cmc
from cmc_graph.model import Evidence


@dataclass(frozen=True, slots=True)
class RandomDisjoint:
    """Random records of the current state, matched in number and tokens."""

    bench: Bench

    def evidence(self, question: str) -> Evidence:
        """The records drawn; the same for the same question and seed."""
        history = self.bench.history
        selected = {edge.position for edge in Cmc(self.bench).edges(question)}
        drawn = sorted({version.position for version in history.current.values()} - selected)
        random.Random(f"{self.bench.seed} {question}").shuffle(drawn)  # noqa: S311 - no secret
        lengths = {position: self._tokens(position) for position in drawn}
        chosen: list[int] = []
        for position in sorted(selected):
            wanted = self._tokens(position)
            if lengths:  # the closest in length, of equals the one drawn first
                nearest = min(lengths, key=lambda other: abs(lengths[other] - wanted))
                chosen.append(nearest)
                del lengths[nearest]
        return self.bench.chosen(chosen).evidence(question)

    def _tokens(self, position: int) -> int:
        record = self.bench.history.records[position]
        return self.bench.window.count(render.line(position, record.text))
