"""What every reader gives: one answer, and what it rests on.

This module must not know how an answer is found.
"""

from dataclasses import dataclass, field
from typing import Protocol

from cmc_graph.llm.usage import Usage
from cmc_graph.model import Edge, Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader makes of a question and its evidence.

    Attributes:
        text: The answer, several values joined by commas; None: the evidence does not say.
        evidence: What was read.
        path: The edges the answer rests on, in the order they are followed; also of an answer that
            is None, where the reader followed a path and did not trust it, or found it ended.
        confidence: How likely the answer is right, or would be, from 0 to 1; None: not known.
        usage: Calls and tokens; none for the offline readers.
    """

    text: str | None
    evidence: Evidence
    path: tuple[Edge, ...] = ()
    confidence: float | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def records(self) -> tuple[int, ...]:
        """Positions of the records the answer rests on, ascending.

        A reader that asks a model has read them all.
        """
        if self.usage.calls:
            return tuple(sorted(record.position or 0 for record in self.evidence.records))
        return tuple(sorted({edge.position for edge in self.path}))


class Reader(Protocol):
    """Answers a question from its evidence alone."""

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The answer, or one without text when the evidence does not say."""
        ...
