"""Opens the model that flags and settings name, and readers with it.

This module must not know what a model is asked.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cmc_graph import settings
from cmc_graph.extractor import ModelOptions
from cmc_graph.frontends.estimate import Estimate, estimate
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.usage import Limits
from cmc_graph.model import Record
from cmc_graph.readers import Reader, open_reader

if TYPE_CHECKING:
    from cmc_graph.llm.client import ChatModel


def connect(options: ModelOptions) -> "ChatModel":
    """The model, at the endpoint the settings say; nothing is sent yet.

    Args:
        options: How it is asked; a name there comes before that of the settings.

    Raises:
        ConfigurationError: No model is chosen, neither key nor address is given, or one of them
            cannot be used.
    """
    from cmc_graph.llm.client import ChatModel  # noqa: PLC0415 - loading the client takes a second

    found = settings.load()
    return ChatModel(
        settings.model_name(found, options.name),
        base_url=found.openai_base_url,
        api_key=found.openai_api_key,
        response_format=options.response_format,
        limits=Limits(calls=options.max_calls, tokens=options.max_tokens),
    )


def estimated(records: Iterable[Record], options: ModelOptions) -> Estimate:
    """What reading these records will take, before anything is spent or connected to.

    Args:
        records: In source order.
        options: Which model.

    Raises:
        ConfigurationError: No model is chosen.
        StoreError: The file of answers cannot be used.
    """
    name = settings.model_name(settings.load(), options.name)
    with Interpretations() as kept:
        return estimate(kept, name, records)


@contextmanager
def opened_reader(
    name: str, weights: Path | None = None, model: str | None = None
) -> Iterator[Reader]:
    """The reader of that name; a model it asks is closed after the block.

    Args:
        name: As ``open_reader`` takes it.
        weights: The same.
        model: Name of the model; None: what the settings say.

    Raises:
        UsageError: There is no such reader, or an argument does not belong to it.
        ConfigurationError: The file holds no weights, or the model cannot be connected to.
    """
    opened: list[ChatModel] = []

    def connected() -> "ChatModel":
        opened.append(connect(ModelOptions(name=model)))
        return opened[-1]

    try:
        yield open_reader(name, weights, connected)
    finally:
        for each in opened:
            each.close()
