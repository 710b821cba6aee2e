"""``Memory``: the Python client. It wires settings, store, frontend, model and reader.

What it does is decided elsewhere: writing in ``compile``, reading in ``retrieval``. This module
must not know a database or a pattern.
"""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

from cmc_graph import closure, models, render, settings, upkeep
from cmc_graph.arguments import (
    check_address,
    check_range,
    check_read,
    check_several,
    checked_record,
)
from cmc_graph.compile import Progress
from cmc_graph.compile import ingest as compile_records
from cmc_graph.doctor import Access, Diagnosis, examine
from cmc_graph.extractor import Extractor, ModelFrontend, ModelOptions, settle
from cmc_graph.forgetting import Selector
from cmc_graph.forgetting import forget as forget_records
from cmc_graph.frontends import Frontend
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.frontends.packs import chosen_packs
from cmc_graph.hindsight import Hindsight
from cmc_graph.model import (
    MAX_POSITION,
    Drift,
    Evidence,
    Fallback,
    Forgotten,
    History,
    IngestReport,
    Overflow,
    Pattern,
    ReadOptions,
    Record,
    Relation,
    Stats,
    Values,
)
from cmc_graph.readers import Answer, Reader
from cmc_graph.recompile import recompile as read_again
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Store, check_history

if TYPE_CHECKING:
    from cmc_graph.exchange import ExportFormat


class Memory(Hindsight):
    """One history in one store, to write to and to read from.

    Use ``Memory.open``. A context manager; without one, the store is closed when the object goes.
    One memory may be used by several threads.
    """

    def __init__(self, store: Store, history: str = "default") -> None:
        super().__init__(store, check_history(history))
        self._finalizer = weakref.finalize(self, store.close)

    @classmethod
    def open(cls, url: str | None = None, history: str | None = None) -> Self:
        """A memory on the store at ``url``.

        Args:
            url: ``sqlite:///file.db``, ``bolt://…``, ``neo4j://…``, ``neo4j+s://…``; None: what
                the settings say. Neo4j's user, password and database come from the settings.
            history: Name of the history; None: what the settings say.

        Raises:
            UsageError: No such kind of store, or a name that cannot be one.
            StoreError: The store cannot be opened.
        """
        access, name = _access(url, history)
        return cls(open_store(access.url, **access.credentials), name)

    @classmethod
    def doctor(
        cls, url: str | None = None, history: str | None = None, *, repair: bool = False
    ) -> Diagnosis:
        """What is wrong with a store and a history; falsy when nothing is.

        A store that cannot be opened has a diagnosis, too.

        Args:
            url: As for ``open``, like the name.
            history: Name of the history.
            repair: Derive anew what the assertions prove, and create rules that are missing.

        Raises:
            UsageError: No such kind of store, or a name that cannot be one.
        """
        access, name = _access(url, history)
        return examine(access, name, repair=repair)

    def ingest(
        self,
        records: Iterable[Record],
        *,
        grammar: Sequence[str] | None = None,
        literal: bool = True,
        frontend: ModelFrontend | Frontend | None = None,
        model: ModelOptions | None = None,
        on_progress: Progress | None = None,
    ) -> IngestReport:
        """What was written; records that are there already are skipped.

        Args:
            records: In source order.
            grammar: Pattern packs by name or file; the first one that parses a record wins. None:
                those that the records' loader brings, then ``general``.
            literal: Subjects and objects that records bring must be spans of their text.
            frontend: Interprets the records that bring no triples, instead of ``grammar``:
                ``"direct"`` or ``"hybrid"`` with a model, or a frontend of your own.
            model: How it is asked.
            on_progress: Called with the number of records done so far.

        Raises:
            SourceError: A record cannot be used, or a position holds another text.
            UsageError: No such pack, or no model to ask.
            EndpointError: The model failed, or the budget is used up; all answers are kept, and
                nothing is written.
            ExtractionError: The accounting does not add up, or too many answers cannot be read.
            StoreError: The store failed; finished batches stay.
        """
        if grammar is not None:
            check_several("grammar", grammar)
        check_several("records", records)
        checked: Iterable[Record] = map(checked_record, records)
        if isinstance(frontend, str):
            checked = list(checked)
            with self.extractor(frontend, model) as extractor:
                frontend = extractor.extract(checked)
        packs = chosen_packs(grammar, records)
        chosen = grammar_frontend(packs, literal=literal, inner=frontend)
        report = compile_records(
            self._store, self._history, chosen, checked, on_progress=on_progress
        )
        return settle(self._store, self._history, frontend, report)

    def extractor(self, frontend: ModelFrontend, model: ModelOptions | None = None) -> Extractor:
        """What reads records with a model before they are ingested; a context manager.

        Args:
            frontend: ``"direct"`` or ``"hybrid"``.
            model: How it is asked.

        Raises:
            UsageError: There is no such frontend.
        """
        options = model or ModelOptions()
        return Extractor(self._store, self._history, frontend, models.connect, options)

    def recompile(
        self,
        *,
        grammar: Sequence[str] | None = None,
        frontend: ModelFrontend | Frontend | None = None,
        model: ModelOptions | None = None,
    ) -> IngestReport:
        """What the records of the history became when they were read again.

        Readers see the old state or the new one. Records that brought their own triples keep them.

        Args:
            grammar: As for ``ingest``, like the rest.
            frontend: Reads instead of ``grammar``.
            model: How it is asked.

        Raises:
            CmcError: As ``ingest``. In every case nothing is changed.
        """
        if grammar is not None:
            check_several("grammar", grammar)
        if isinstance(frontend, str):
            with self.extractor(frontend, model) as extractor:
                frontend = extractor.read_again()
        chosen = grammar_frontend(chosen_packs(grammar, ()), inner=frontend)
        report = read_again(self._store, self._history, chosen)
        return settle(self._store, self._history, frontend, report)

    def read(
        self,
        question: str,
        *,
        hops: int = closure.DEFAULT_HOPS,
        budget: int = render.DEFAULT_BUDGET,
        as_of: int | None = None,
        fallback: Fallback = "history",
        overflow: Overflow = "newest",
    ) -> Evidence:
        """The evidence for a question: resolved first, then traversed (read contract).

        Args:
            question: Any text that is not blank.
            hops: Hop cap, 1 to 10.
            budget: Characters of ``Evidence.text``, at least as many as its first line has.
            as_of: The memory as it stood after this position; None: now.
            fallback: What to show when the closure is empty: the ``"history"`` itself or the
                ``"latest_state"``.
            overflow: What stays when the budget does not hold all: the ``"newest"`` records, or
                those ``"nearest"`` to the question (read contract, section 4).

        Raises:
            UsageError: An argument is out of range.
            StoreError: The store failed.
        """
        options = ReadOptions(hops, budget, as_of, fallback, overflow)
        check_read(question, options)
        return self._retrieval.read(question, options)

    def ask(
        self,
        question: str,
        *,
        reader: str | Reader = "path",
        hops: int = closure.DEFAULT_HOPS,
        budget: int = render.DEFAULT_BUDGET,
        as_of: int | None = None,
        fallback: Fallback = "history",
        overflow: Overflow = "newest",
    ) -> Answer:
        """One answer to a question from its evidence; its text is None when that does not say.

        Args:
            question: In plain English.
            reader: ``"path"`` (no model, any history), ``"path-learned"`` (also what the questions
                of MQuAKE-CF-3k taught), ``"openai"`` (one call to a model), or a reader of your
                own.
            hops: As for ``read``, like the rest.
            budget: Characters.
            as_of: A position; None: now.
            fallback: ``"history"`` or ``"latest_state"``.
            overflow: ``"newest"`` or ``"nearest"``.

        Raises:
            UsageError: No such reader, no model to ask, or an argument is out of range.
            EndpointError: The model failed.
            StoreError: The store failed.
        """
        if isinstance(reader, str):
            with models.opened_reader(reader) as opened:
                return self.ask(
                    question,
                    reader=opened,
                    hops=hops,
                    budget=budget,
                    as_of=as_of,
                    fallback=fallback,
                    overflow=overflow,
                )
        options = ReadOptions(hops, budget, as_of, fallback, overflow)
        check_read(question, options)
        return reader.answer(question, self._retrieval.read(question, options))

    def relations(self) -> list[Relation]:
        """The relations of the history, by name, with how many values each takes."""
        return self._store.relations(self._history)

    def set_relation(self, name: str, values: Values | str) -> int:
        """How many slots the relation has after it was set to ``"one"`` or ``"many"`` values.

        Raises:
            UsageError: No such relation in the history, or neither one nor many.
            StoreError: The store failed, or something of the ledger is damaged or lost.
        """
        return upkeep.set_relation(self._store, self._history, name, values)

    def merge_relation(self, name: str, into: str) -> int:
        """How many slots there are after one relation became another name of the other.

        Their slots are resolved as one; what is ingested under the name later is the other's, too.

        Raises:
            UsageError: No relation to merge into, or they are one already, the other way round.
            StoreError: As for ``set_relation``; nothing was changed.
        """
        return upkeep.merge_relation(self._store, self._history, name, into)

    def patterns(self) -> list[Pattern]:
        """The sentence patterns the hybrid frontend found in this history."""
        return self._store.patterns(self._history)

    def histories(self) -> list[History]:
        """All histories of the store, by name."""
        return self._store.histories()

    def stats(self) -> Stats:
        """Counts of the history."""
        return self._store.stats(self._history)

    def verify(self) -> Drift:
        """Where the projection disagrees with the ledger; falsy when it does not."""
        return self._store.verify(self._history)

    def rebuild(self, *, accept_loss: bool = False) -> int:
        """How many slots there are after the projection was derived anew from the ledger.

        A ledger that lost something is refused, unless ``accept_loss`` takes what is there as all.

        Raises:
            StoreError: As for ``set_relation``.
        """
        return upkeep.rebuild(self._store, self._history, accept_loss=accept_loss)

    def forget(
        self,
        positions: Iterable[int] | None = None,
        *,
        source: str | None = None,
        entity: str | None = None,
        dry_run: bool = False,
    ) -> Forgotten:
        """What was removed: the records meant, and all that came of them alone.

        Current values fall back to what the remaining records say. What models answered about the
        texts is forgotten, too. Say one of positions, source and entity.

        Args:
            positions: Of records; those the history does not have are ignored.
            source: As the records have it, or the path of a file that was ingested.
            entity: A name; all records that name it, in an assertion, as their speaker, or as
                whole words in their text.
            dry_run: Remove nothing; say what would be.

        Raises:
            UsageError: Not whole numbers, or not exactly one of the three.
            StoreError: The store failed; the same call again completes it.
        """
        wanted = None
        if positions is not None:
            check_several("positions", positions)
            wanted = frozenset(positions)
            for position in wanted:
                check_range("position", position, 0, MAX_POSITION)
        selector = Selector(positions=wanted, source=source, entity=entity)
        return forget_records(self._store, self._history, selector, dry_run=dry_run)

    def export(self, form: "ExportFormat | str" = "jsonl") -> Iterator[str]:
        """The lines of an export of the history, complete and in a stable order.

        ``other.load(memory.export())`` moves a history; ``file.writelines(memory.export())`` keeps
        one. The same history is the same text in every store.

        Args:
            form: ``"jsonl"``, or ``"graphml"`` for other tools.

        Raises:
            UsageError: No such format.
            StoreBusy: The history was written to meanwhile; the lines then have no end.
            StoreError: The store failed; the same holds.
        """
        from cmc_graph import exchange  # noqa: PLC0415 - slow to import, and not for a read

        return exchange.export(self._store, self._history, form)

    def load(self, exported: Iterable[str], *, on_progress: Progress | None = None) -> IngestReport:
        """What was written of an export, into an empty history or one that holds a part of it.

        Args:
            exported: Its lines: an open file, or what ``export`` gives.
            on_progress: Called with the number of records done so far.

        Raises:
            SourceError: The lines are no whole export; nothing is written.
            UsageError: The history holds something else; nothing is written.
            StoreError: The store failed; the same lines given again go on from there.
        """
        check_several("an export", exported)
        from cmc_graph import exchange  # noqa: PLC0415 - same

        return exchange.load(self._store, self._history, exported, on_progress=on_progress)

    def close(self) -> None:
        """Release the store; closing again does nothing."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _access(url: str | None, history: str | None) -> tuple[Access, str]:
    """Where the store is by arguments and settings, and the name of the history."""
    check_address(url)
    found = settings.load()
    name = check_history(settings.history_name(found, history).value)
    access = Access(
        url=settings.store_url(found, url).value,
        username=found.neo4j_username,
        password=settings.password(found),
        database=found.neo4j_database,
    )
    return access, name
