"""BM25 over short texts: which ones share the question's words.

The one place that talks to the BM25 library. Ties are broken by position, so that a ranking is the
same everywhere. This module must not know what is ranked.
"""

from collections.abc import Sequence

from cmc_graph.evaluation.optional import library
from cmc_graph.text import tokens


class Bm25:
    """An index of texts, in the order given.

    Args:
        texts: At least one.
        k1: How soon more of the same word stops to count.
        b: How much long texts are held back.

    Raises:
        ConfigurationError: The BM25 library is not installed.
    """

    def __init__(self, texts: Sequence[str], *, k1: float = 1.5, b: float = 0.75) -> None:
        self._index = library("bm25s", "eval").BM25(k1=k1, b=b)
        self._count = len(texts)
        self._index.index([list(tokens(text)) for text in texts], show_progress=False)

    def best(self, question: str, count: int) -> list[int]:
        """Numbers of the best texts, the best one first; of equal ones the earlier first."""
        scores = self._index.get_scores(list(tokens(question)))
        order = sorted(range(self._count), key=lambda number: -scores[number])
        return order[:count]
