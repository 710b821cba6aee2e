"""One answer from a question and its evidence. ``open_reader`` chooses how it is found.

The offline readers need no model, no embedding and no network: they follow the relations a
question talks about through the closure. ``openai`` asks a model. This module must not know stores.
"""

from collections.abc import Callable
from pathlib import Path

from cmc_graph.errors import UsageError
from cmc_graph.llm.chat import Chat
from cmc_graph.readers.base import Answer, Reader
from cmc_graph.readers.learned import LearnedJudge
from cmc_graph.readers.lexicon import english
from cmc_graph.readers.openai import ModelReader
from cmc_graph.readers.path import PathReader
from cmc_graph.readers.weights import load, shipped
from cmc_graph.text import join_names, shorten

__all__ = ["READERS", "Answer", "Connect", "Reader", "open_reader"]

#: Opens the model that the reader ``openai`` asks.
Connect = Callable[[], Chat]


def open_reader(name: str, weights: Path | None = None, connect: Connect | None = None) -> Reader:
    """The reader of that name.

    Args:
        name: ``path``, ``path-learned`` or ``openai``.
        weights: For ``path-learned``, a file that ``scripts/train_reader`` wrote; None: those
            learned from MQuAKE-CF-3k.
        connect: For ``openai``, opens the model.

    Raises:
        UsageError: There is no such reader, or it takes no weights, or needs a model.
        ConfigurationError: The file holds no weights, or there is no model to connect to.
    """
    if name not in READERS:
        raise UsageError(
            f"there is no reader {shorten(name)!r}; choose one of {join_names(READERS)}"
        )
    if weights is not None and name != "path-learned":
        raise UsageError(f"the reader {name} takes no weights; path-learned does")
    if name in _OFFLINE:
        return _OFFLINE[name](weights)
    if connect is None:
        raise UsageError(f"the reader {name} needs a model to ask")
    return ModelReader(connect())


_OFFLINE: dict[str, Callable[[Path | None], Reader]] = {
    "path": lambda _: PathReader(),
    "path-learned": lambda file: PathReader(
        LearnedJudge(load(file) if file else shipped(), english())
    ),
}

#: The names readers are chosen by.
READERS = (*_OFFLINE, "openai")
