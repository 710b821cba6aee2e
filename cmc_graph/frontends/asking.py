"""Asks a model for verdicts on records, in batches, and asks again for those that do not pass.

Every answer is kept before anything is made of it, so that a run that was stopped goes on where it
was, with the same questions. This module must not know where the texts come from, nor what their
verdicts are used for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256

from cmc_graph.errors import EndpointError, ExtractionError
from cmc_graph.frontends.replies import Unreadable, rows
from cmc_graph.frontends.verdicts import Verdict, refused, verdicts
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.chat import Call, Chat, Reply, Schema
from cmc_graph.llm.parallel import in_order
from cmc_graph.prompts import prompt

#: Records per call, by how often they were asked for before: what did not pass is asked for again
#: with few others, then alone.
BATCH_SIZES = (40, 10, 1)
#: Characters of the records in one call; a longer record has a call of its own.
BATCH_CHARACTERS = 8_000
#: A run ends when so many records, and this share of all, got no answer that can be read.
_MOST_UNUSABLE, _UNUSABLE_SHARE = 20, 0.2

KEY = "records"
_ROW = {"type": "array", "items": {"type": "string"}}


def row_schema(key: str) -> Schema:
    """An object whose one key holds rows of texts."""
    shape = {
        "type": "object",
        "properties": {key: {"type": "array", "items": _ROW}},
        "required": [key],
        "additionalProperties": False,
    }
    return Schema(key, shape)


Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Batch:
    """What one call asks for: texts by number, the relations known, and why it is asked again."""

    texts: Mapping[str, str]
    relations: Sequence[str]
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def call(self) -> Call:
        """The call that asks for it."""
        return Call(prompt("frontends", "extract").text, self.message, row_schema(KEY))

    @property
    def message(self) -> str:
        """What the model is told."""
        parts = [
            "Relations: " + ("; ".join(self.relations) or "(none yet)"),
            "Records:\n" + "\n".join(f"{n}. {text}" for n, text in self.texts.items()),
        ]
        if self.reasons:
            why = "\n".join(f"{n}. {reason}" for n, reason in self.reasons.items())
            parts.append("Earlier answers were refused:\n" + why)
        return "\n\n".join(parts)

    @property
    def name(self) -> str:
        """Tells this batch apart from others."""
        return sha256(self.message.encode()).hexdigest()[:12]

    def halves(self) -> Iterator["Batch"]:
        """The batch in two."""
        numbers = list(self.texts)
        middle = len(numbers) // 2
        for part in (numbers[:middle], numbers[middle:]):
            reasons = {n: self.reasons[n] for n in part if n in self.reasons}
            yield replace(self, texts={n: self.texts[n] for n in part}, reasons=reasons)


class Asker:
    """The verdicts of one run, and the means to get more of them.

    Args:
        chat: The model.
        kept: What was answered before.
        texts: All texts the run may ask for, distinct, white space folded; their order numbers
            them.
        workers: Calls under way at once.
        on_progress: Called with the number of texts that have a verdict.

    Attributes:
        verdicts: By text; also those of earlier runs.
        asked: Texts this run had to ask for.
    """

    def __init__(
        self,
        chat: Chat,
        kept: Interpretations,
        texts: Sequence[str],
        *,
        workers: int,
        on_progress: Progress | None = None,
    ) -> None:
        self._chat = chat
        self._kept = kept
        self._scope = scope(chat.name)
        self._workers = workers
        self._numbers = {text: str(number) for number, text in enumerate(texts, start=1)}
        self._on_progress = on_progress
        self.verdicts: dict[str, Verdict] = {
            text: Verdict.load(value) for text, value in kept.get(self._scope, texts).items()
        }
        self.asked: set[str] = set()

    def ask(self, texts: Sequence[str], relations: Sequence[str]) -> None:
        """Get a verdict for each of the texts that has none, or one that may be asked for again.

        Args:
            texts: In source order.
            relations: Names the model is told.

        Raises:
            EndpointError: The endpoint failed; all answers so far are kept.
            ExtractionError: Too many answers cannot be read.
        """
        for asked in range(len(BATCH_SIZES)):
            batches = self.batches(texts, relations, asked)
            for found in in_order(self._answer, batches, self._workers):
                self.verdicts |= found
                self.asked |= found.keys()
                if self._on_progress:
                    self._on_progress(len(self.verdicts))
        self._check_usable()

    def batches(
        self, texts: Sequence[str], relations: Sequence[str], asked: int = 0
    ) -> list[Batch]:
        """What to ask for those of the texts that were asked for so many times, in vain.

        Args:
            texts: In source order.
            relations: Names the model is told.
            asked: How many times; 0: those without a verdict.
        """
        todo = [text for text in texts if self._is_open(text, asked)]
        return [self._batch(chunk, relations) for chunk in chunks(todo, BATCH_SIZES[asked])]

    def take(self, texts: Mapping[str, str], answer: str, reply: Reply) -> int:
        """How many verdicts there are more, after a reply to what ``batches`` asked.

        One that was cut off brings nothing, so that its texts are asked for again.

        Args:
            texts: Those asked for, by number.
            answer: Name of the batch.
            reply: To its call.
        """
        if reply.finish == "length":
            return 0
        news = {number: text for number, text in texts.items() if text not in self.verdicts}
        found = self._found(news, answer, reply)
        self.verdicts |= found
        return len(found)

    def doubt(self, reasons: Mapping[str, str]) -> None:
        """Have these texts asked for once more, as a second opinion, with the reason."""
        for text, reason in reasons.items():
            self.verdicts[text] = Verdict(status=None, reason=reason, asked=0, reviewed=True)

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Refuse the verdicts on these texts for good."""
        final = {
            text: replace(refused(reason), asked=len(BATCH_SIZES), reviewed=True)
            for text, reason in reasons.items()
        }
        self._keep(final)
        self.verdicts |= final

    @contextmanager
    def resumable(self) -> Iterator[None]:
        """An endpoint's error within the block also says what is kept."""
        try:
            yield
        except EndpointError as error:
            done = sum(self._is_done(text) for text in self._numbers)
            raise EndpointError(
                f"{error}; {done} of {len(self._numbers)} statements are read and kept: the same "
                "command again goes on from there"
            ) from error

    def _is_open(self, text: str, asked: int) -> bool:
        verdict = self.verdicts.get(text)
        if verdict is None:
            return asked == 0
        return verdict.status is None and verdict.asked == asked

    def _is_done(self, text: str) -> bool:
        verdict = self.verdicts.get(text)
        return verdict is not None and (
            verdict.status is not None or verdict.asked == len(BATCH_SIZES)
        )

    def _batch(self, texts: Sequence[str], relations: Sequence[str]) -> Batch:
        reasons = {
            self._numbers[text]: verdict.reason
            for text in texts
            if (verdict := self.verdicts.get(text)) and verdict.reason
        }
        return Batch({self._numbers[text]: text for text in texts}, relations, reasons)

    def _answer(self, batch: Batch) -> dict[str, Verdict]:
        """The model's verdicts, kept; a batch too long for one answer is asked for in halves."""
        call = batch.call
        reply = self._chat.chat(call.system, call.user, schema=call.schema)
        if reply.finish == "length" and len(batch.texts) > 1:
            first, second = batch.halves()
            return self._answer(first) | self._answer(second)
        return self._found(batch.texts, batch.name, reply)

    def _found(self, texts: Mapping[str, str], answer: str, reply: Reply) -> dict[str, Verdict]:
        """The verdicts in a reply, kept.

        Args:
            texts: By number.
            answer: Tells the answer apart from others.
            reply: To the call that asked for these texts.
        """
        found: dict[str, Verdict] = {}
        for number, verdict in _read(reply, texts).items():
            text = texts[number]
            before = self.verdicts.get(text)
            found[text] = replace(
                verdict,
                asked=before.asked + 1 if before else 1,
                reviewed=before is not None and before.reviewed,
                answer=answer,
            )
        self._keep(found)
        return found

    def _keep(self, found: Mapping[str, Verdict]) -> None:
        usable = {text: verdict.dump() for text, verdict in found.items() if verdict.usable}
        if usable:
            self._kept.put(self._scope, usable)

    def _check_usable(self) -> None:
        unusable = [verdict for verdict in self.verdicts.values() if not verdict.usable]
        if len(unusable) >= max(_MOST_UNUSABLE, _UNUSABLE_SHARE * len(self.verdicts)):
            raise ExtractionError(
                f"the model {self._chat.name} gave no usable answer for {len(unusable)} of "
                f"{len(self.verdicts)} records ({unusable[0].reason}); nothing was written: take "
                "another model"
            )


def scope(model: str) -> str:
    """Under which scope the verdicts of a model are kept; another prompt is another scope."""
    return f"extract {prompt('frontends', 'extract').hash} {model}"


def chunks(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """The texts in order, in lists of at most so many texts and of bounded length."""
    chunk: list[str] = []
    room = BATCH_CHARACTERS
    for text in texts:
        if chunk and (len(chunk) == size or len(text) > room):
            yield chunk
            chunk, room = [], BATCH_CHARACTERS
        chunk.append(text)
        room -= len(text)
    if chunk:
        yield chunk


def _read(reply: Reply, texts: Mapping[str, str]) -> dict[str, Verdict]:
    if reply.finish == "length":
        return dict.fromkeys(texts, refused("the answer was cut off"))
    try:
        return verdicts(rows(reply, KEY), texts)
    except Unreadable as error:
        return dict.fromkeys(texts, refused(str(error), usable=False))
