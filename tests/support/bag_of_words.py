"""An embedding model without weights: which words a text has, by their hashes."""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cmc_graph.text import tokens

_PLACES = 1024


class BagOfWords:
    """Texts are near when they share words."""

    identity = "bag of words"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, of length one."""
        rows = np.zeros((len(texts), _PLACES), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in tokens(text):
                row[zlib.crc32(word.encode()) % _PLACES] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
