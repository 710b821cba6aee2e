"""A run put together from its configuration: data, frozen interpretations, readers, folder.

The use cases behind ``eval run`` and ``eval replay``. This module must not know a command line.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from cmc_graph import models
from cmc_graph.errors import ConfigurationError
from cmc_graph.evaluation.arms import ANSWERING, EMBEDDING, RERANKED, Tools, require
from cmc_graph.evaluation.asking import Voice
from cmc_graph.evaluation.cases import open_dataset
from cmc_graph.evaluation.configuration import Configuration
from cmc_graph.evaluation.embedding import open_embedder, open_reranker
from cmc_graph.evaluation.folder import RunFolder
from cmc_graph.evaluation.formats import (
    LEARNED_READER,
    MODEL_READER,
    Manifest,
    hash_file,
    read_manifest,
)
from cmc_graph.evaluation.freezing import Connect, Reading, freeze
from cmc_graph.evaluation.replaying import Replay, replay, restored
from cmc_graph.evaluation.running import Progress, Run
from cmc_graph.evaluation.vectors import Embedder, Reranker
from cmc_graph.evaluation.witness import Absent, Limited, Witness
from cmc_graph.extractor import ModelOptions
from cmc_graph.prompts import prompt
from cmc_graph.readers import open_reader
from cmc_graph.stores.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a run meets outside of its files.

    Attributes:
        store: Where histories are ingested.
        tell: Told what is being prepared.
        progress: Told after each question.
        options: How models are asked; the configuration's model comes first.
        connect: Opens a model.
        embedder: An embedding model of the caller's own, instead of a folder.
        reranker: One of the caller's own.
    """

    store: Store
    tell: Callable[[str], None]
    progress: Progress
    options: ModelOptions = field(default_factory=ModelOptions)
    connect: Connect = models.connect
    embedder: Embedder | None = None
    reranker: Reranker | None = None


def run(configuration: Configuration, around: Surroundings) -> Manifest:
    """The manifest of the run, complete and sealed; a run that was interrupted goes on.

    Args:
        configuration: What to run.
        around: What it meets.

    Raises:
        UsageError: No such arm or reader.
        ConfigurationError: An arm, reader or frontend needs what is not there.
        SourceError: Data cannot be read, or the folder cannot be written.
        EvaluationError: The folder holds another run.
        EndpointError: A model's endpoint failed for good; what was answered is kept.
        ExtractionError: A frontend's model cannot be understood.
        StoreError: The store failed.
    """
    for arm in configuration.arms:
        require(arm)
    options = replace(around.options, name=configuration.model or around.options.name)
    with ExitStack() as opened:
        chat: Witness | None = None
        if asks_a_model(configuration):
            model = around.connect(options)
            opened.callback(model.close)
            chat = Witness(model)
            configuration = configuration.model_copy(update={"model": chat.name})
        voices = {name: _voice(name, configuration, chat) for name in configuration.readers}
        tools = tools_of(configuration, chat, around.embedder, around.reranker)
        folder = RunFolder(configuration.out)
        dataset = open_dataset(configuration.data)
        reading = Reading(
            store=around.store,
            packs=configuration.grammar,
            options=options,
            connect=around.connect,
        )
        histories = freeze(dataset, configuration.frontends, reading, folder, around.tell)
        return Run(configuration, folder, voices, tools).complete(
            dataset, histories, around.progress
        )


def replay_run(
    folder: RunFolder,
    progress: Progress,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
) -> Replay:
    """What became of a run's requests, made anew; no language model is asked.

    Args:
        folder: Of a complete run.
        progress: Told after each question.
        embedder: The caller's own that the run had.
        reranker: The same.

    Raises:
        EvaluationError: The run is not complete, or one of its files was changed.
        SourceError: A file cannot be read.
        ConfigurationError: An arm needs what is not there.
    """
    configuration = restored(read_manifest(folder.path), folder)
    chat = Witness(Absent(configuration.model)) if configuration.model else None
    voices = {name: _voice(name, configuration, chat) for name in configuration.readers}
    tools = tools_of(configuration, chat, embedder, reranker)
    return replay(folder, voices, tools, progress)


def asks_a_model(configuration: Configuration) -> bool:
    """True when a reader or an arm of the run asks a model; frontends ask one of their own."""
    return MODEL_READER in configuration.readers or bool(ANSWERING.keys() & configuration.arms)


def tools_of(
    configuration: Configuration,
    chat: Witness | None,
    embedder: Embedder | None,
    reranker: Reranker | None,
) -> Tools:
    """What the arms of a run work with, opened only where one of them needs it.

    Args:
        configuration: Names the models.
        chat: The model that is asked.
        embedder: Instead of what the configuration names.
        reranker: The same.

    Raises:
        ConfigurationError: The folder holds no embedding model, or an endpoint cannot be used.
    """
    url = configuration.vectors_url
    if embedder is None and EMBEDDING & set(configuration.arms):
        embedder = open_embedder(configuration.embedding, configuration.embedding_model, url)
    if reranker is None and RERANKED in configuration.arms:
        reranker = open_reranker(configuration.reranker, url)
    return Tools(
        chat=chat,
        embedder=embedder,
        reranker=reranker,
        relation_threshold=configuration.relation_threshold,
    )


def _voice(name: str, configuration: Configuration, chat: Witness | None) -> Voice:
    if name == LEARNED_READER and configuration.weights:
        file = configuration.weights
        return Voice(open_reader(name, file), f"{name} {hash_file(file)}")
    if name != MODEL_READER:
        return Voice(open_reader(name), name)
    if chat is None:
        raise ConfigurationError(f"the reader {name} needs a model; give --model or set CMC_MODEL")
    limited = Limited(chat, configuration.answer_tokens)
    identity = f"{name} {chat.name} {limited.most_tokens} {prompt('readers', 'answer').hash}"
    reader = open_reader(name, connect=lambda: limited)
    return Voice(reader, identity, follows_edges=False, is_broken=chat.is_broken)
