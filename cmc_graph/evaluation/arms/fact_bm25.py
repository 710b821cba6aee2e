"""``fact_bm25``: the 100 current facts that share most words with the question (paper, D.2).

``matched_bm25`` packs whole facts of that ranking into the room that cmc needs for the same
question (section 4.1, appendix E).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cmc_graph import render
from cmc_graph.evaluation.arms.base import Bench
from cmc_graph.evaluation.arms.cmc import Cmc
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.ranking import Bm25
from cmc_graph.model import Evidence
from cmc_graph.stores.base import Version

#: Facts of the ranking.
TOP = 100


def facts(history: Frozen) -> list[Version]:
    """The current facts, in source order."""
    return sorted(history.current.values(), key=lambda v: (v.position, v.ordinal))


def searchable(history: Frozen, fact: Version) -> str:
    """The text a fact is found by: its record, its entities and the relation's name."""
    record = history.records[fact.position]
    return f"{record.text} {fact.subject_text} {fact.relation} {fact.object_text}"


class FactRanking:
    """The current facts by their overlap with a question."""

    def __init__(self, history: Frozen) -> None:
        self._positions = [fact.position for fact in facts(history)]
        self._index = Bm25([searchable(history, fact) for fact in facts(history)])

    def best(self, question: str) -> Sequence[int]:
        """Positions of the best facts' records, the best one first."""
        return [self._positions[number] for number in self._index.best(question, TOP)]


@dataclass(frozen=True, slots=True)
class FactBm25:
    """The best facts of the ranking."""

    bench: Bench
    ranking: FactRanking

    def evidence(self, question: str) -> Evidence:
        """Their records."""
        return self.bench.chosen(self.ranking.best(question)).evidence(question)


@dataclass(frozen=True, slots=True)
class MatchedBm25:
    """The best facts of the ranking that fit into as many characters as cmc's evidence has."""

    bench: Bench
    ranking: FactRanking

    def evidence(self, question: str) -> Evidence:
        """Their records; a fact that does not fit is passed over for shorter ones after it."""
        room = len(Cmc(self.bench).evidence(question).text) - len(render.PREFIX)
        history = self.bench.history
        room -= sum(len(render.line(r.position or 0, r.text)) for r in history.unresolved)
        chosen: list[int] = []
        for position in dict.fromkeys(self.ranking.best(question)):
            size = len(render.line(position, history.records[position].text))
            if size <= room:
                chosen.append(position)
                room -= size
        return self.bench.chosen(chosen).evidence(question)


def fact_bm25(bench: Bench) -> FactBm25:
    """The arm on this bench."""
    return FactBm25(bench, FactRanking(bench.history))


def matched_bm25(bench: Bench) -> MatchedBm25:
    """The arm on this bench."""
    return MatchedBm25(bench, FactRanking(bench.history))
