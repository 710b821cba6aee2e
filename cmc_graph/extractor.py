"""``Extractor``: reads records with a model before they are written, for one history.

All model calls of an ingest are made here and are over before its first transaction, so that a run
that is stopped has written nothing half read, and nothing enters a store that a later call would
have changed. This module must not know how records are written, or how a model is called.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol, Self, get_args

from cmc_graph import upkeep
from cmc_graph.compile import batches
from cmc_graph.errors import UsageError
from cmc_graph.frontends import Frontend, deferred, direct, hybrid
from cmc_graph.frontends.align import Established, Taken
from cmc_graph.frontends.asking import Progress
from cmc_graph.frontends.deferred import Submitted
from cmc_graph.frontends.extraction import Extraction, statements
from cmc_graph.frontends.reading import Means
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.chat import Chat, Post
from cmc_graph.llm.dialect import Format
from cmc_graph.model import IngestReport, Record
from cmc_graph.recompile import to_read
from cmc_graph.stores import wholeness
from cmc_graph.stores.base import Store
from cmc_graph.stores.planning import fresh
from cmc_graph.text import join_names, shorten

#: The frontends that read with a model.
ModelFrontend = Literal["direct", "hybrid"]

MOST_CONCURRENT = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """How a model is asked.

    Attributes:
        name: The model, as the endpoint names it; None: what the settings say.
        concurrency: Calls under way at once, 1 to 256.
        max_calls: Calls the run may take; None: any number.
        max_tokens: Input and output tokens it may take; None: any number.
        response_format: How JSON is asked for; ``auto`` finds out what the endpoint knows.
    """

    name: str | None = None
    concurrency: int = 8
    max_calls: int | None = None
    max_tokens: int | None = None
    response_format: Format = "auto"

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= MOST_CONCURRENT:
            raise UsageError(f"concurrency goes from 1 to {MOST_CONCURRENT}")
        for limit in (self.max_calls, self.max_tokens):
            if limit is not None and limit < 0:
                raise UsageError("a budget of calls or tokens cannot be negative")


class Model(Chat, Post, Protocol):
    """A model that answers now or later."""

    def close(self) -> None:
        """Close the connections."""
        ...


class Extractor:
    """Reads records with a model; a context manager.

    The model is connected when the first record has to be read: a history that has all of them
    needs neither key nor endpoint.

    Args:
        store: Where the history is.
        history: Its name.
        frontend: Which of the two frontends reads.
        connect: Opens the model.
        options: How it is asked.

    Raises:
        UsageError: There is no such frontend.
    """

    def __init__(
        self,
        store: Store,
        history: str,
        frontend: ModelFrontend,
        connect: Callable[[ModelOptions], Model],
        options: ModelOptions,
    ) -> None:
        self._store = store
        self._history = history
        if frontend not in get_args(ModelFrontend):
            raise UsageError(
                f"there is no frontend {shorten(str(frontend))!r} that asks a model; choose "
                f"{join_names(get_args(ModelFrontend))}"
            )
        self._frontend = frontend
        self._connect = connect
        self._options = options
        self._open = ExitStack()

    def extract(
        self, records: Iterable[Record], *, on_progress: Progress | None = None
    ) -> Extraction:
        """What the model makes of the records that the history does not have, as a frontend.

        Args:
            records: In source order; those that bring a verdict are left alone.
            on_progress: Called with the number of statements that are read.

        Raises:
            PositionConflict: A position holds another text.
            ConfigurationError: No model is chosen, or neither key nor address is given.
            EndpointError: The endpoint failed, or the budget is used up; all answers are kept.
            ExtractionError: Too many answers cannot be read.
            StoreError: The store, or the file of answers, failed.
        """
        return self._read(unread(self._store, self._history, records), on_progress)

    def read_again(self, *, on_progress: Progress | None = None) -> Extraction:
        """What the model makes of the records of the history that brought no triples.

        Raises:
            CmcError: As ``extract``.
        """
        records = to_read(list(wholeness.scan(self._store, self._history)))
        return self._read(records, on_progress)

    def submit(self, records: Iterable[Record]) -> Submitted:
        """What waits to be collected after the new statements were submitted as a batch.

        Raises:
            CmcError: As ``extract``.
        """
        new = unread(self._store, self._history, records)
        return deferred.submit(self._means(), self._model, new)

    def collect(self, records: Iterable[Record]) -> int:
        """How many statements were answered in what was submitted; ``extract`` knows them then.

        Raises:
            UsageError: Nothing waits, and some of the records were never asked for.
            CmcError: As ``extract``.
        """
        new = unread(self._store, self._history, records)
        return deferred.collect(self._means(), self._model, new)

    def close(self) -> None:
        """Close the model and the file of answers."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, records: Sequence[Record], on_progress: Progress | None) -> Extraction:
        if not statements(records):
            return Extraction(interpretations={})
        started = time.perf_counter()
        means = self._means(on_progress)
        if self._frontend == "direct":
            found = direct.extract(means, records)
        else:
            found = hybrid.extract(means, records, self._store.patterns(self._history))
        return replace(found, seconds=time.perf_counter() - started)

    @cached_property
    def _model(self) -> Model:
        model = self._connect(self._options)
        self._open.callback(model.close)
        return model

    @cached_property
    def _kept(self) -> Interpretations:
        return self._open.enter_context(Interpretations())

    def _means(self, on_progress: Progress | None = None) -> Means:
        return Means(
            chat=self._model,
            kept=self._kept,
            established=established(self._store, self._history),
            workers=self._options.concurrency,
            on_progress=on_progress,
        )


def unread(store: Store, history: str, records: Iterable[Record]) -> list[Record]:
    """The records the history does not have, in order.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        StoreError: The store failed.
    """
    return [
        record for batch in batches(records) for record in fresh(batch, store.known(history, batch))
    ]


def established(store: Store, history: str) -> Established:
    """The relations of a history: those in use, each with a record that shows it, and the merged.

    Raises:
        StoreError: The store failed.
    """
    relations = store.relations(history)
    merged = {each.name: each.merged_into for each in relations if each.merged_into}
    in_use = [each.name for each in relations if not each.merged_into]
    shown: dict[str, list[Taken]] = {}
    for kept in store.scan(history) if in_use else ():
        for said in kept.assertions:
            if said.relation not in shown:
                taken = Taken(kept.record.text, said.subject_text, said.object_text)
                shown[said.relation] = [taken]
        if len(shown) == len(in_use):
            break
    return Established(in_use={name: shown.get(name, []) for name in in_use}, merged=merged)


def settle(
    store: Store, history: str, frontend: Frontend | None, report: IngestReport
) -> IngestReport:
    """The report with what a model cost, after all else that it brought was kept.

    That is which names of relations mean the same, and the patterns that were found.

    Args:
        store: Where the history is.
        history: Its name.
        frontend: Who read the records; anything but an ``Extraction`` cost nothing.
        report: Of what was written.

    Raises:
        StoreError: The store failed.
    """
    if not isinstance(frontend, Extraction):
        return report
    if frontend.patterns:
        store.keep_patterns(history, frontend.patterns)
    if frontend.merged:
        there = {each.name: each.merged_into for each in store.relations(history)}
        new = {n: r for n, r in frontend.merged.items() if r in there and not there.get(n)}
        if new:  # last: a damaged ledger refuses it
            upkeep.merge_relations(store, history, new)
    return replace(
        report,
        calls=frontend.usage.calls,
        input_tokens=frontend.usage.input_tokens,
        output_tokens=frontend.usage.output_tokens,
        retries=frontend.usage.retries,
        seconds=report.seconds + frontend.seconds,
    )
