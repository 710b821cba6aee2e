"""The read as the paper tells it: a dictionary in memory, and a scan of its keys for each question.

Stages 2 to 5 of section 3, in the order and the words of the paper, in the shortest Python. Nothing
is kept but the dictionary: what leaves a subject is found by going through all keys, too.
``IndexedRead`` is the same with the edges gathered by subject beforehand, which the paper does not
speak of.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cmc_graph.model import Record

HOPS = 5


class Fact(NamedTuple):
    """An accepted assertion: keys, the relation's name, and the record it is from."""

    subject: str
    relation: str
    object: str
    record: Record


class PaperRead:
    """The current graph of an ordered history: the stored edge by subject and relation."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._edges = {(fact.subject, fact.relation): fact for fact in facts}

    def read(self, words: Sequence[str]) -> list[Record]:
        """The original records of the closure, in source order.

        Args:
            words: The question's tokens.
        """
        seen = frontier = self.anchors(words)
        found: dict[int, Record] = {}
        for _ in range(HOPS):
            level = [edge for subject in frontier for edge in self.leaving(subject)]
            found.update((edge.record.position or 0, edge.record) for edge in level)
            frontier = {edge.object for edge in level} - seen
            seen = seen | frontier
        return [found[position] for position in sorted(found)]

    def anchors(self, words: Sequence[str]) -> set[str]:
        """The subjects that are whole spans of the question, and in no longer one."""
        text = f" {' '.join(words)} "
        matches = {subject for subject, _ in self._edges if f" {subject} " in text}
        return {
            match
            for match in matches
            if not any(f" {match} " in f" {other} " for other in matches if other != match)
        }

    def leaving(self, subject: str) -> list[Fact]:
        """The current edges of a subject."""
        return [edge for (of, _), edge in self._edges.items() if of == subject]


class IndexedRead(PaperRead):
    """The same, with the edges of each subject gathered when the graph is made."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        super().__init__(facts)
        self._leaving: defaultdict[str, list[Fact]] = defaultdict(list)
        for (subject, _), edge in self._edges.items():
            self._leaving[subject].append(edge)

    def leaving(self, subject: str) -> list[Fact]:
        """The current edges of a subject."""
        return self._leaving.get(subject, [])
