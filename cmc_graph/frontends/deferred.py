"""Asks a model through the Batch API: submitted now, collected later, at a lower price.

What is submitted stands in the file of answers, so that any later run can collect it, and nothing
is submitted twice. Answers end up where those of other calls do: an ordinary run goes on from
there, with repair and alignment. This module must not know how anything is sent.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from uuid import uuid4

from cmc_graph.errors import EndpointError, UsageError
from cmc_graph.frontends.asking import Asker, Batch, scope
from cmc_graph.frontends.extraction import statements
from cmc_graph.frontends.reading import Means, Reading
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.chat import Collected, Post
from cmc_graph.model import Record
from cmc_graph.text import shorten

_ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """What waits to be collected, of all that was submitted with the same model.

    Attributes:
        batches: The endpoint's names for them.
        calls: Calls they hold.
        statements: Statements they ask for.
    """

    batches: tuple[str, ...] = ()
    calls: int = 0
    statements: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Posted:
    """One batch; its calls are kept one by one, so that what is forgotten is gone from there, too.

    Attributes:
        mark: Ours; the endpoint has it, too.
        calls: How many it holds.
        relations: Names the model is told.
        batch: The endpoint's name; empty until it has answered.
    """

    mark: str
    calls: int
    relations: Sequence[str]
    batch: str = ""

    @property
    def names(self) -> list[str]:
        """Under which its calls are kept."""
        return [f"{self.mark} {number}" for number in range(1, self.calls + 1)]


def submit(means: Means, post: Post, records: Iterable[Record]) -> Submitted:
    """What waits after the statements that nobody has asked for were submitted.

    A first few of them are asked for at once: that tells what the endpoint takes, and gives the
    others names of relations.

    Args:
        means: Model, answers of earlier runs, and what the history has.
        post: The same model, for answers later.
        records: In source order; those that bring a verdict are left alone.

    Raises:
        EndpointError: The endpoint failed, or the budget is used up; all answers are kept.
        ExtractionError: Too many answers cannot be read.
        StoreError: The file of answers cannot be used.
    """
    waiting = _Waiting(means.kept, means.chat.name)
    texts = statements(records)
    reading = Reading(means, texts)
    with reading.resumable():
        for posted in waiting.posted:
            if not posted.batch:
                waiting.send(post, posted)
        asked = waiting.texts()
        rest = [text for text in texts if text not in asked]
        if first := reading.batches(rest)[:1]:
            reading.step(list(first[0].texts.values()))
            reading.keep_names()
        if batches := reading.batches(rest):
            waiting.send(post, waiting.add(batches))
    return waiting.submitted


def collect(means: Means, post: Post, records: Iterable[Record]) -> int:
    """How many statements were answered in what waits; all answers are kept.

    Args:
        means: Model and answers of earlier runs.
        post: The same model, for answers later.
        records: Those to be ingested.

    Raises:
        UsageError: Nothing waits, and some of the records were never asked for.
        EndpointError: Not all has been answered yet, or the endpoint failed.
        StoreError: The file of answers cannot be used.
    """
    waiting = _Waiting(means.kept, means.chat.name)
    if not waiting.posted:
        _check_asked(means, statements(records))
    answered = 0
    missing: list[str] = []
    for posted in waiting.posted:
        found = post.collect(posted.batch) if posted.batch else Collected(status="lost", ended=True)
        if not found.ended:
            missing.append(
                f"the batch {posted.batch} is {found.status}, {found.done} of {found.total} calls "
                "are answered; collect again later"
            )
            continue
        answered += _take(means, waiting.calls(posted), found)
        waiting.remove(posted)
        if len(found.replies) < posted.calls:
            missing.append(_unanswered(posted, found))
    if missing:
        raise EndpointError("; ".join(missing))
    return answered


def _take(means: Means, calls: Mapping[str, Batch], found: Collected) -> int:
    """How many statements the replies answer."""
    texts = [text for batch in calls.values() for text in batch.texts.values()]
    asker = Asker(means.chat, means.kept, texts, workers=1)
    return sum(
        asker.take(batch.texts, batch.name, found.replies[name])
        for name, batch in calls.items()
        if name in found.replies
    )


def _check_asked(means: Means, texts: Sequence[str]) -> None:
    known = means.kept.get(scope(means.chat.name), texts)
    if len(known) < len(texts):
        raise UsageError(
            f"nothing waits to be collected, and {len(texts) - len(known)} of {len(texts)} "
            "statements were never asked for: submit them first, or go on without --batch-api"
        )


def _unanswered(posted: _Posted, found: Collected) -> str:
    reasons = [found.problem, *found.failures.values(), f"the batch is {found.status}"]
    reason = next(reason for reason in reasons if reason)
    return (
        f"{posted.calls - len(found.replies)} of {posted.calls} calls of the batch {posted.batch} "
        f"got no answer ({shorten(reason, 200)}); submit again for these, or go on without "
        "--batch-api"
    )


class _Waiting:
    """What was submitted to a model and not collected yet, as the file of answers has it."""

    def __init__(self, kept: Interpretations, model: str) -> None:
        self._kept = kept
        self._scope = f"waiting {scope(model)}"
        stored = kept.get(self._scope, (_ALL,)).get(_ALL, "[]")
        self.posted = tuple(_Posted(**each) for each in json.loads(stored))

    @property
    def submitted(self) -> Submitted:
        """What waits, in numbers."""
        return Submitted(
            batches=tuple(posted.batch for posted in self.posted),
            calls=sum(posted.calls for posted in self.posted),
            statements=len(self.texts()),
        )

    def texts(self) -> set[str]:
        """The statements that wait."""
        calls = (call for posted in self.posted for call in self.calls(posted).values())
        return {text for call in calls for text in call.texts.values()}

    def calls(self, posted: _Posted) -> dict[str, Batch]:
        """The calls of a batch, by name, without those of which something was forgotten."""
        stored = self._kept.get(self._scope, posted.names)
        return {name: Batch(json.loads(texts), posted.relations) for name, texts in stored.items()}

    def add(self, batches: Sequence[Batch]) -> _Posted:
        """The batch that is to be sent, kept before it is."""
        mark = uuid4().hex
        posted = _Posted(mark=mark, calls=len(batches), relations=batches[0].relations)
        self._keep([*self.posted, posted], dict(_rows(posted, batches)))
        return posted

    def send(self, post: Post, posted: _Posted) -> None:
        """Submit a batch, unless the endpoint has it already."""
        calls = {name: batch.call for name, batch in self.calls(posted).items()}
        sent = replace(posted, batch=post.submit(calls, posted.mark))
        self._keep([sent if each == posted else each for each in self.posted], {})

    def remove(self, posted: _Posted) -> None:
        """The batch waits no longer."""
        self._keep([each for each in self.posted if each != posted], {})
        self._kept.drop(self._scope, posted.names)

    def _keep(self, posted: Sequence[_Posted], rows: Mapping[str, str]) -> None:
        self.posted = tuple(posted)
        stored = json.dumps([asdict(each) for each in self.posted], ensure_ascii=False)
        self._kept.put(self._scope, {_ALL: stored, **rows})


def _rows(posted: _Posted, batches: Sequence[Batch]) -> Iterator[tuple[str, str]]:
    for name, batch in zip(posted.names, batches, strict=True):
        yield name, json.dumps(batch.texts, ensure_ascii=False)
