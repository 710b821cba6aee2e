"""The direct frontend: a model reads every statement (paper, appendix D.1)."""

from collections.abc import Iterable, Iterator, Sequence

from cmc_graph.frontends.asking import BATCH_SIZES
from cmc_graph.frontends.extraction import Extraction, statements
from cmc_graph.frontends.reading import Means, Reading
from cmc_graph.model import Record

#: Statements of the first wave, which is one call, and of the others.
_FIRST_WAVE, _WAVE = BATCH_SIZES[0], 32 * BATCH_SIZES[0]


def extract(means: Means, records: Iterable[Record]) -> Extraction:
    """What the model makes of the records; nothing that it read before is asked for again.

    Args:
        means: Model, answers of earlier runs, and what the history has.
        records: In source order; those that bring a verdict are left alone.

    Raises:
        EndpointError: The endpoint failed, or the budget is used up; all answers are kept.
        ExtractionError: Too many answers cannot be read.
        StoreError: The file of answers cannot be used.
    """
    texts = statements(records)
    reading = Reading(means, texts)
    with reading.resumable():
        for wave in _waves(texts):
            reading.step(wave)
        reading.compare_names()
    reading.keep_names()
    return Extraction(
        interpretations=reading.interpretations(),
        merged=reading.names.mapping(),
        asked=reading.asked,
        usage=means.chat.usage,
    )


def _waves(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    yield texts[:_FIRST_WAVE]
    for start in range(_FIRST_WAVE, len(texts), _WAVE):
        yield texts[start : start + _WAVE]
