"""From files to frozen interpretations: ingested into a store once, read back, kept with the run.

All arms of a run select from what is frozen here. This module must not know arms or readers.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cmc_graph.compile import ingest
from cmc_graph.evaluation.cases import Dataset, Source
from cmc_graph.evaluation.configuration import FrontendName
from cmc_graph.evaluation.folder import RunFolder
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.running import Histories
from cmc_graph.extractor import Extractor, Model, ModelOptions, settle
from cmc_graph.frontends import Frontend
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.frontends.packs import chosen_packs
from cmc_graph.stores.base import Store
from cmc_graph.text import shorten

#: Opens a model.
Connect = Callable[[ModelOptions], Model]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the histories of a run are read.

    Attributes:
        store: Where they are ingested, each under a new name that begins with ``evaluation``; they
            stay there to be looked at.
        packs: Of the grammar; none: those that the data brings, then the default.
        options: How the model of the other frontends is asked.
        connect: Opens that model.
    """

    store: Store
    packs: Sequence[str]
    options: ModelOptions
    connect: Connect


def freeze(
    dataset: Dataset,
    frontends: Sequence[FrontendName],
    reading: Reading,
    folder: RunFolder,
    tell: Callable[[str], None],
) -> Histories:
    """Every history as every frontend reads it; what the folder has already is taken from there.

    Args:
        dataset: The histories.
        frontends: Who reads.
        reading: How.
        folder: Keeps the interpretations.
        tell: Told which history is read.

    Raises:
        SourceError: A history cannot be read.
        ConfigurationError: No such pack, or a model is needed and there is none.
        EndpointError: A frontend's model failed; its answers are kept.
        ExtractionError: Too many of its answers cannot be read.
        StoreError: The store failed.
    """
    found: dict[tuple[str, str], Frozen] = {}
    for frontend in frontends:
        for name, source in dataset.histories.items():
            if folder.interpretation(frontend, name) is None:
                tell(f"{frontend} reads {name}")
                history = _new_name(folder, frontend, name)
                _ingest(source, frontend, reading, history)
                folder.freeze(frontend, name, reading.store.scan(history))
            found[frontend, name] = Frozen(folder.interpretation(frontend, name) or ())
    return found


def _new_name(folder: RunFolder, frontend: str, name: str) -> str:
    """A name no history has yet, and by which a person finds the run."""
    run = shorten(folder.path.absolute().name)
    return f"evaluation {run} {frontend} {shorten(name)} {secrets.token_hex(4)}"


def _ingest(source: Source, frontend: FrontendName, reading: Reading, history: str) -> None:
    store = reading.store
    with source.open() as records:
        packs = chosen_packs(reading.packs, records)
        inner: Frontend | None = None
        if frontend != "grammar":
            options = (reading.connect, reading.options)
            with Extractor(store, history, frontend, *options) as extractor:
                inner = extractor.extract(records)
        report = ingest(store, history, grammar_frontend(packs, inner=inner), records)
    settle(store, history, inner, report)
