"""The offline reader: finds the path that is meant, and answers with what is at its end.

From the question and the closure alone. This module must not know stores, nor how paths are
judged.
"""

from collections.abc import Callable, Sequence

from cmc_graph.model import Evidence
from cmc_graph.readers import plain
from cmc_graph.readers.base import Answer
from cmc_graph.readers.candidates import Candidate, Hearing, Verdict, shipped_labels
from cmc_graph.readers.labels import Labels
from cmc_graph.readers.lexicon import english
from cmc_graph.readers.paths import Path

#: Below this confidence the reader does not trust the path it found.
TRUSTED = 0.2
#: Most confidence in a path that the question does not support.
_UNSUPPORTED = 0.1

Judge = Callable[[Sequence[Candidate]], Verdict]


class PathReader:
    """Follows the relations that the question talks about, in the order it implies.

    Args:
        judge: Chooses among the candidates.
        labels: What relations are called; None: by the shipped packs, and by the history itself.
    """

    def __init__(self, judge: Judge = plain.judge, labels: Labels | None = None) -> None:
        self._judge = judge
        self._labels = labels

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The objects at the end of the path that is meant.

        No text where nothing in the question supports a path well enough, and where the path ends
        with a value that holds no longer; the path is given in any case.

        Args:
            question: In plain English.
            evidence: What a read selected for it.
        """
        labels = self._labels or shipped_labels()
        hearing = Hearing(question, evidence, labels, english())
        candidates = hearing.candidates()
        if not candidates:
            return Answer(text=None, evidence=evidence)
        verdict = self._judge(candidates)
        chosen, path = verdict.candidate, verdict.candidate.path
        confidence = verdict.confidence
        if not (verdict.is_supported and hearing.explains(chosen)):
            confidence = min(confidence, _UNSUPPORTED)
        return Answer(
            text=_text(path) if confidence >= TRUSTED else None,
            evidence=evidence,
            path=path.edges,
            confidence=confidence,
        )


def _text(path: Path) -> str | None:
    """The values at the end of the path, each once, as their records write them."""
    values = {edge.object_key: edge.object for edge in path.last if not edge.ended}
    return ", ".join(values.values()) or None
