"""Stage 1, parse: from records to interpretations (paper, section 3).

A frontend reads source text alone, never a question. This module must not know stores.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from cmc_graph.errors import ExtractionError
from cmc_graph.model import Interpretation, Record, Values


class Frontend(Protocol):
    """Turns records into interpretations; one per record, in the same order."""

    @property
    def relations(self) -> Mapping[str, Values]:
        """How many values each relation has whose number the frontend declares."""
        ...

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        """One interpretation per record, in the order of the records.

        Deterministic and without memory: a record's interpretation does not depend on the others.
        """
        ...


def check_count(interpreted: int, asked: int) -> None:
    """Refuse interpretations that are not one per record: they can no longer be told apart.

    Raises:
        ExtractionError: There are more or fewer.
    """
    if interpreted != asked:
        raise ExtractionError(
            f"the frontend interpreted {interpreted} of {asked} records; "
            "nothing of this batch was written"
        )
