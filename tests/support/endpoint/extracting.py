"""Runs a model-backed frontend against an endpoint, as an ingest does."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from cmc_graph.frontends import direct, hybrid
from cmc_graph.frontends.align import Established
from cmc_graph.frontends.extraction import Extraction
from cmc_graph.frontends.reading import Means
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.client import ChatModel
from cmc_graph.llm.usage import Limits
from cmc_graph.model import Record


class Address(Protocol):
    """Where an endpoint is."""

    @property
    def url(self) -> str:
        """The base URL of its API."""
        ...


FRONTENDS = {"direct": direct.extract, "hybrid": hybrid.extract}
_QUICK = Limits(timeout=1.0, patience=20.0)


def extract(
    endpoint: Address,
    kept: Path,
    records: Iterable[Record | str],
    *,
    frontend: str = "direct",
    model: str = "small",
    limits: Limits = _QUICK,
    workers: int = 8,
    established: Established | None = None,
    **options: Any,
) -> Extraction:
    """What the frontend makes of the records, or of records with these texts.

    Args:
        endpoint: Where the model is.
        kept: The file of answers.
        records: In source order.
        frontend: ``direct`` or ``hybrid``.
        model: Its name.
        limits: Of the run.
        workers: Calls under way at once.
        established: What the history has.
        options: More arguments of the frontend.
    """
    chat = ChatModel(model, base_url=endpoint.url, limits=limits)
    with Interpretations(kept) as answers:
        means = Means(
            chat=chat, kept=answers, workers=workers, established=established or Established()
        )
        try:
            return FRONTENDS[frontend](means, as_records(records), **options)
        finally:
            chat.close()


def as_records(records: Iterable[Record | str]) -> list[Record]:
    """The records, and one for each text."""
    return [each if isinstance(each, Record) else Record(text=each) for each in records]


def told(extraction: Extraction, texts: Sequence[str]) -> list[list[tuple[str, str, str]]]:
    """The facts of each of the texts."""
    verdicts = extraction.interpret(as_records(texts))
    return [[(t.subject, t.relation, t.object) for t in verdict.triples] for verdict in verdicts]
