"""The hybrid frontend: a model reads some statements, the patterns found in them read the rest.

The model is asked for what no pattern reads yet, in small waves; after each wave the patterns are
found anew in all that it has read (paper, appendix D.1).
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, replace

from cmc_graph.frontends import induce
from cmc_graph.frontends.asking import BATCH_SIZES
from cmc_graph.frontends.extraction import Extraction, statements
from cmc_graph.frontends.reading import Means, Reading
from cmc_graph.interpretations import Interpretations
from cmc_graph.model import Interpretation, Pattern, Record, Status

#: Statements of the first wave, which is one call; of the others few as long as they bring new
#: patterns, then twice as many each time.
_FIRST_WAVE, _SMALLEST_WAVE, _LARGEST_WAVE = (n * BATCH_SIZES[0] for n in (1, 4, 32))
#: Frames of fewer texts are not kept for other histories.
_WORTH_KEEPING = 2
NAME = "hybrid"
_ALL = "all"


def extract(means: Means, records: Iterable[Record], known: Sequence[Pattern] = ()) -> Extraction:
    """What the model, and the patterns found in its answers, make of the records.

    Args:
        means: Model, answers of earlier runs, and what the history has.
        records: In source order; those that bring a verdict are left alone.
        known: Patterns of the history.

    Raises:
        EndpointError: The endpoint failed, or the budget is used up; all answers are kept.
        ExtractionError: Too many answers cannot be read.
        StoreError: The file of answers cannot be used.
    """
    texts = statements(records)
    reading = Reading(means, texts)
    run = _Run(means, reading, texts, [*known, *_kept(means.kept, reading.made_by)])
    with reading.resumable():
        run.read()
    run.keep()
    return Extraction(
        interpretations=reading.interpretations() | run.parsed,
        merged=reading.names.mapping(),
        patterns=tuple(run.patterns),
        asked=reading.asked,
        usage=means.chat.usage,
    )


class _Run:
    """Patterns and what they read, as the model reads more and more.

    Attributes:
        patterns: Those that may be used now.
        parsed: What they read of the statements the model has not read.
    """

    def __init__(
        self, means: Means, reading: Reading, texts: Sequence[str], earlier: Sequence[Pattern]
    ) -> None:
        self._means = means
        self._reading = reading
        self._texts = texts
        self._earlier = earlier
        self._disputed: set[tuple[str, str]] = set()
        self.patterns: list[Pattern] = []
        self.parsed: dict[str, Interpretation] = {}

    def read(self) -> None:
        """Let the model read until patterns read all the rest."""
        self._reading.names.learn({pattern.relation: () for pattern in self._earlier})
        self._parse()
        size = _FIRST_WAVE
        while todo := self._todo():
            self._reading.step(todo[:size])
            self._review()
            is_news = self._parse()
            is_small = is_news or size == _FIRST_WAVE
            size = _SMALLEST_WAVE if is_small else min(2 * size, _LARGEST_WAVE)
            if not self._todo():
                self._reading.compare_names()
                self._parse()

    def keep(self) -> None:
        """Keep what was found for other histories."""
        found = [astuple(pattern) for pattern in self._found() if pattern.support >= _WORTH_KEEPING]
        scope = _scope(self._reading.made_by)
        self._means.kept.put(scope, {_ALL: json.dumps(found, ensure_ascii=False)})
        self._reading.keep_names()

    def _todo(self) -> list[str]:
        has_read = self._reading.has_read
        return [text for text in self._texts if text not in self.parsed and not has_read(text)]

    def _found(self) -> list[Pattern]:
        """What the model's readings show, of this run and of earlier ones."""
        name = self._reading.names.name
        found = [*induce.found_in(self._reading.examples()), *self._earlier]
        return induce.merged(replace(p, relation=name(p.relation)) for p in found)

    def _review(self) -> None:
        """Where like texts have several relations: are these one, or were some texts misread?"""
        disputed = induce.disputed(self._found())
        if disputed - self._disputed:
            self._disputed |= disputed
            self._reading.compare_names()
            self._reading.ask_again(induce.outvoted(self._found(), self._reading.examples()))

    def _parse(self) -> bool:
        """Find the patterns and read with them; True when they are others than before."""
        patterns = induce.admitted(self._found(), self._reading.examples())
        if patterns == self.patterns:
            return False
        self.patterns = patterns
        rest = [Record(text=text) for text in self._texts if not self._reading.has_read(text)]
        verdicts = induce.grammar(patterns).interpret(rest)
        self.parsed = {
            record.text: verdict._replace(frontend=NAME)
            for record, verdict in zip(rest, verdicts, strict=True)
            if verdict.status is Status.FACTS
        }
        return True


def _kept(kept: Interpretations, made_by: str) -> list[Pattern]:
    stored = kept.get(_scope(made_by), (_ALL,))
    return [Pattern(*values) for values in json.loads(stored.get(_ALL, "[]"))]


def _scope(made_by: str) -> str:
    return f"patterns {made_by}"
