"""Records that bring their own verdict: an agent's tool call, another extractor, a table.

This module must not know how the other records are interpreted.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cmc_graph.frontends import Frontend, check_count
from cmc_graph.frontends.validate import interpretation, unresolved
from cmc_graph.model import Interpretation, Record, Status, Values

NAME = "given"


@dataclass(frozen=True, slots=True)
class Given:
    """Uses what records bring, validated like any other extraction, and asks ``inner`` otherwise.

    Args:
        inner: Interprets the records without a verdict of their own.
        literal: Subject and object that a record brings must be spans of its text; False for
            agents that resolve pronouns themselves, and the interpretation says so.
    """

    inner: Frontend
    literal: bool = True

    @property
    def relations(self) -> Mapping[str, Values]:
        """What the inner frontend declares; records declare nothing of their relations."""
        return self.inner.relations

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        """One interpretation per record, in order; the inner frontend is asked once.

        Raises:
            ExtractionError: The inner frontend gave more or fewer interpretations than it was
                asked for, so that they can no longer be told apart.
        """
        asked = [record for record in records if not record.has_verdict]
        answers = deque(self.inner.interpret(asked))
        check_count(len(answers), len(asked))
        if len(asked) == len(records):
            yield from answers
            return
        for record in records:
            yield self._verdict(record) if record.has_verdict else answers.popleft()

    def _verdict(self, record: Record) -> Interpretation:
        if record.status is Status.NO_FACT:
            return Interpretation(Status.NO_FACT, frontend=NAME)
        if record.status is Status.UNRESOLVED:
            return unresolved(record.reason or "its source left it unresolved", NAME)
        return interpretation(
            record.text, record.triples or (), frontend=NAME, literal=self.literal
        )
