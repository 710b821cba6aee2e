"""What a model made of the records of one ingest, as a frontend.

All model calls are over when an ``Extraction`` exists: names are aligned, conflicts are settled, so
that nothing enters a store that a later call would have changed. This module must not know how the
model was asked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cmc_graph.errors import ExtractionError
from cmc_graph.llm.usage import Usage
from cmc_graph.model import Interpretation, Pattern, Record, Values
from cmc_graph.text import fold_space, shorten


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The interpretations of one ingest's records; a frontend for just these.

    Attributes:
        interpretations: By text, white space folded.
        merged: Names of relations that the model gave, with the name that counts.
        patterns: What the hybrid frontend induced, for the history to keep.
        asked: How many statements the model was asked for in this run.
        usage: What that cost, alignment and repair included.
        seconds: How long it took.
    """

    interpretations: Mapping[str, Interpretation]
    merged: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[Pattern, ...] = ()
    asked: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    @property
    def relations(self) -> Mapping[str, Values]:
        """Nothing: a model says what holds, not how many values can."""
        return {}

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        """One interpretation per record, in order.

        Raises:
            ExtractionError: A record was not among those that were extracted.
        """
        for record in records:
            found = self.interpretations.get(fold_space(record.text))
            if found is None:
                raise ExtractionError(
                    f"the record {shorten(record.text, 40)!r} was not extracted before; nothing of "
                    "this batch was written"
                )
            yield found


def statements(records: Iterable[Record]) -> list[str]:
    """The distinct texts of the records that bring no verdict, in source order, spaces folded."""
    return list(
        dict.fromkeys(fold_space(record.text) for record in records if not record.has_verdict)
    )
