"""How well a path fits a question, by what its relations are called.

Each word of the question goes to the step it speaks of most; words nearer the anchor belong to
earlier steps. Words that no step explains, steps that no word speaks of and steps backwards cost
something. Pure. This module must not know packs, stores or answers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from cmc_graph.readers.lexicon import Word
from cmc_graph.readers.question import Question

#: Costs: a word no step explains; a word further out than all that are explained; a step no word
#: speaks of; a step backwards; each step.
_UNSAID, _OUTER, _UNSPOKEN, _BACKWARDS, _STEP = 0.6, 0.2, 0.9, 0.15, 0.04
#: What a last step gains that is what is asked for, and what one costs that is something else.
_ASKED = 0.5
#: How surely something else is asked for when the word for it does not speak of the last step.
_UNASKED = 0.5
#: How much the question for a wider place speaks of a step that says where a thing is.
_ON_THE_WAY = _UNSPOKEN


class Speech(Protocol):
    """What words say about relations, as weights from 0 to 1."""

    def says(self, word: Word, relation: str) -> float:
        """How much a word speaks of a relation."""
        ...

    def is_contrary(self, word: Word, relation: str) -> bool:
        """True when a word stands for things of another kind than the relation leads to."""
        ...

    def weighs(self, word: Word) -> float:
        """How much it matters that a word is explained."""
        ...

    def is_where(self, relation: str) -> bool:
        """True when a relation says where a thing itself is."""
        ...

    def is_beginning(self, relation: str) -> bool:
        """True when a relation tells how a thing began."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well a path fits a question.

    Attributes:
        score: To compare the paths of one question by.
        said: Weight of the words that speak of its steps.
        unsaid: Weight of the words that speak of none.
        unspoken: How much its steps lack to be spoken of.
        asked: How much its last step is what is asked for, from 0 to 1; below 0, down to -1: how
            surely something else is.
    """

    score: float
    said: float
    unsaid: float
    unspoken: float
    asked: float


def fit(question: Question, relations: Sequence[str], speech: Speech) -> Fit:
    """How well following these relations fits the question.

    Args:
        question: As seen from the anchor where the path starts.
        relations: In the order they are followed.
        speech: What the words say.
    """
    spoken = [0.0] * len(relations)
    said = unsaid = cost = 0.0
    for side in (question.before, question.after):
        heard = _hear(side, relations, speech, spoken)
        said, unsaid, cost = said + heard.said, unsaid + heard.unsaid, cost + heard.cost
    asked = _asked(question.head, relations[-1], speech)
    spoken[-1] = max(spoken[-1], asked)
    if question.asks_around and asked > 0:
        for number, relation in enumerate(relations[:-1]):
            if speech.is_where(relation):
                spoken[number] = max(spoken[number], _ON_THE_WAY)
    unspoken = sum(max(0.0, _UNSPOKEN - much) for much in spoken)
    cost += _UNSAID * unsaid + unspoken + _STEP * len(relations) - _ASKED * asked
    return Fit(score=said - cost, said=said, unsaid=unsaid, unspoken=unspoken, asked=asked)


class _Heard(NamedTuple):
    """What one side of a question says about the steps of a path."""

    said: float
    unsaid: float
    cost: float


def _hear(
    side: Iterable[Word], relations: Sequence[str], speech: Speech, spoken: list[float]
) -> _Heard:
    """What the words on one side of the anchor say; ``spoken`` is raised for each step."""
    said = unsaid = outer = cost = 0.0
    reached = 0
    claims: set[tuple[str, int]] = set()
    for word in side:
        weight = speech.weighs(word)
        step, gain = _claim(word, relations, speech, reached, spoken)
        if step < 0:
            unsaid += weight
            outer += 0.0 if word.asks else weight
            continue
        if (word.text, step) not in claims:  # said again, it says no more
            said += gain
        claims.add((word.text, step))
        cost += _BACKWARDS if step < reached else 0.0
        spoken[step] = max(spoken[step], gain)
        reached, outer = max(reached, step), 0.0
    return _Heard(said, unsaid, cost + _OUTER * outer)


def _asked(head: Word | None, relation: str, speech: Speech) -> float:
    """How much the relation is what is asked for; below 0 the more surely it is something else."""
    if head is None:
        return 0.0
    if asked := speech.says(head, relation):
        return asked
    return -1.0 if speech.is_contrary(head, relation) else -_UNASKED * speech.weighs(head)


def _claim(
    word: Word, relations: Sequence[str], speech: Speech, reached: int, spoken: Sequence[float]
) -> tuple[int, float]:
    """The step the word speaks of most, and how much; step -1 when it speaks of none.

    Of equal steps it is the first one that no word has spoken of. A question word asks for the end.
    """
    best, step, gain = 0.0, -1, 0.0
    weight = speech.weighs(word)
    last = len(relations) - 1
    for number in range(last if word.asks else 0, last + 1):
        much = weight * speech.says(word, relations[number])
        net = much if number >= reached else much - _BACKWARDS
        if net > best or (net == best and step >= 0 and spoken[step] and not spoken[number]):
            best, step, gain = net, number, much
    return step, gain
