"""Dense retrieval: texts by the closeness of their vectors, and judged against a question.

The one place that computes with vectors. What makes them, a local encoder or an endpoint, is an
``Embedder``. This module must not know what is ranked.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    @property
    def identity(self) -> str:
        """The model, so that results of different ones are never mixed."""
        ...

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One row per text."""
        ...


class Reranker(Protocol):
    """Judges how well texts answer a question."""

    @property
    def identity(self) -> str:
        """The model."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score per text, larger is better."""
        ...


class Dense:
    """An index of texts by their vectors.

    Args:
        texts: At least one.
        embedder: Makes the vectors, of questions too.

    Attributes:
        identity: Of the embedder.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._embedder = embedder
        self.identity = embedder.identity
        self._vectors = embedder.embed(texts)

    def best(self, question: str, count: int) -> list[int]:
        """Numbers of the nearest texts, the nearest first; of equal ones the earlier first."""
        return [number for number, _ in self.nearest(question, count)]

    def nearest(self, question: str, count: int) -> list[tuple[int, float]]:
        """The nearest texts by number, each with its dot product, in the same order."""
        scores = self._vectors @ self._embedder.embed([question])[0]
        order = sorted(range(len(self._vectors)), key=lambda number: -scores[number])
        return [(number, float(scores[number])) for number in order[:count]]
