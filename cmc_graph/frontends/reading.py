"""One run of a model over the statements of one ingest: ask, compare, align, in waves.

Within a wave every call is told the same names of relations, so that the result does not depend on
which call ends first. What a wave is, the frontends decide. This module must not know stores.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from cmc_graph.frontends.align import EXAMPLES_OF_NEW, Established, Names, Taken
from cmc_graph.frontends.asking import BATCH_SIZES, Asker, Batch, Progress
from cmc_graph.frontends.frames import conflicting
from cmc_graph.frontends.induce import Example
from cmc_graph.frontends.verdicts import Verdict, interpretation
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.chat import Chat
from cmc_graph.model import Interpretation, Status
from cmc_graph.prompts import prompt

_DOUBT = "records like this one were read differently"
_CONFLICT = "records like this one are read in the other direction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a run works with.

    Attributes:
        chat: The model.
        kept: What was answered before, and will have been after the run.
        established: What the history has of relations.
        workers: Calls under way at once.
        on_progress: Called with the number of statements that have a verdict.
    """

    chat: Chat
    kept: Interpretations
    established: Established = field(default_factory=Established)
    workers: int = 8
    on_progress: Progress | None = None


class Reading:
    """The state of one run.

    Args:
        means: What it works with.
        texts: The distinct statements, in source order, white space folded.

    Attributes:
        names: The names of relations.
        made_by: Prompt and model; what is kept of other runs must have the same.
    """

    def __init__(self, means: Means, texts: Sequence[str]) -> None:
        self.made_by = f"{prompt('frontends', 'extract').hash} {means.chat.name}"
        self.names = Names(means.chat, means.kept, self.made_by, means.established)
        self._frontend = f"direct:{means.chat.name}"
        self._asker = Asker(
            means.chat, means.kept, texts, workers=means.workers, on_progress=means.on_progress
        )
        self._read: dict[str, None] = {}  # an ordered set

    @property
    def asked(self) -> int:
        """How many statements this run asked the model for."""
        return len(self._asker.asked)

    def has_read(self, text: str) -> bool:
        """True when the model was asked for this statement, now or before."""
        return text in self._read

    def resumable(self) -> AbstractContextManager[None]:
        """An endpoint's error within the block also says what is kept."""
        return self._asker.resumable()

    def batches(self, texts: Sequence[str]) -> list[Batch]:
        """What the model is to be asked for these statements, where it never was."""
        return self._asker.batches(texts, self.names.catalogue())

    def step(self, wave: Sequence[str]) -> None:
        """Read these statements, compare them with those read before, and align new names."""
        is_one_answer = not self._read and len(wave) <= BATCH_SIZES[0]
        self._asker.ask(wave, self.names.catalogue())
        self._read |= dict.fromkeys(wave)
        self._review()
        self.names.learn(self._examples(), of_one_answer=is_one_answer)

    def compare_names(self) -> None:
        """Compare all names of relations with each other, with all that is known by now."""
        self.names.look_again(self._examples())

    def keep_names(self) -> None:
        """Keep what the names of this run count as, for other histories."""
        self.names.keep(self._examples())

    def interpretations(self) -> dict[str, Interpretation]:
        """What was read, by statement, with the names that count."""
        return {
            text: interpretation(verdict, self._frontend, self.names.name)
            for text, verdict in self._verdicts().items()
        }

    def examples(self) -> dict[str, Example]:
        """What the model read in each statement; refused verdicts say nothing and are left out."""
        return {
            text: Example(interpretation(verdict, "", self.names.name).triples, verdict.answer)
            for text, verdict in self._verdicts().items()
            if verdict.status is not None
        }

    def ask_again(self, texts: Sequence[str]) -> bool:
        """Get a second opinion on those of the statements that had none; False when all had one."""
        in_doubt = [text for text in texts if not self._asker.verdicts[text].reviewed]
        self._asker.doubt(dict.fromkeys(in_doubt, _DOUBT))
        self._asker.ask(in_doubt, self.names.catalogue())
        return bool(in_doubt)

    def _review(self) -> None:
        """Ask again for what is read in another direction than its like; refuse what stays so."""
        conflicting = self._conflicting()
        while self.ask_again(conflicting):
            conflicting = self._conflicting()
        self._asker.refuse(dict.fromkeys(conflicting, _CONFLICT))

    def _conflicting(self) -> list[str]:
        return conflicting(
            {
                text: verdict.triples[0]
                for text, verdict in self._verdicts().items()
                if len(verdict.triples) == 1
            }
        )

    def _verdicts(self) -> Mapping[str, Verdict]:
        """The verdicts on the statements read so far, in the order of reading."""
        return {text: self._asker.verdicts[text] for text in self._read}

    def _examples(self) -> dict[str, list[Taken]]:
        """Some records of each name the model gave, in the order in which they were read."""
        found: dict[str, list[Taken]] = {}
        for text, verdict in self._verdicts().items():
            if verdict.status is Status.FACTS:
                for triple in verdict.triples:
                    examples = found.setdefault(triple.relation, [])
                    if len(examples) < EXAMPLES_OF_NEW:
                        examples.append(Taken(text, triple.subject, triple.object))
        return found
