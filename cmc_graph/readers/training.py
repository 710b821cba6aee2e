"""Learns what the words of questions say about relations, from questions with known answers.

Softmax regression over the paths of each question's closure: the right path, of several the one
the plain fit likes best, is made likely. So that the reader also learns when to stop and when to
say nothing, each closure is used twice more: with a question for one single step, in the words of
the pattern packs, and without what leads to the answer. Deterministic. This module must not know
stores or files.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cmc_graph.closure import MAX_HOPS, depths
from cmc_graph.model import Edge, Evidence
from cmc_graph.readers.candidates import Candidate, Hearing, shipped_labels
from cmc_graph.readers.learned import features, total
from cmc_graph.readers.lexicon import english
from cmc_graph.readers.weights import Weights
from cmc_graph.text import key

_ROUNDS = 2
_RATE = 0.1
_SMOOTHING = 0.05
_DECAY = 0.03
#: A lesson that is known this well is skipped.
_NEGLIGIBLE = 0.005
#: What one point of the plain fit counts.
_FIT = 2.0
#: A word that fewer lessons have teaches nothing that holds for other questions.
_FEWEST = 16
#: Every so many closures are also used without what leads to the answer, and for a single step.
_MISSING, _SINGLE = 3, 2


@dataclass(frozen=True, slots=True)
class Lesson:
    """One question with its closure.

    Attributes:
        words: The features of the question, as seen from its first anchor.
        paths: Relations and plain score of each candidate.
        right: Number of the right candidate; None: the closure does not have the answer.
    """

    words: tuple[str, ...]
    paths: tuple[tuple[tuple[str, ...], float], ...]
    right: int | None


def lessons(
    question: str,
    evidence: Evidence,
    answers: Iterable[str],
    forms: Mapping[str, Sequence[str]],
    number: int,
) -> Iterator[Lesson]:
    """What one question teaches; nothing when its closure does not have the answer.

    Args:
        question: As people ask it.
        evidence: What a read selected for it.
        answers: All names of the right answer.
        forms: Question forms with {S} by relation, for questions about a single step.
        number: Of the question, from 0; decides how the closure is used.
    """
    right = {key(answer) for answer in answers}
    slots = {edge.slot for edge in evidence.edges if edge.object_key in right}
    if not slots:
        return
    yield from _lesson(question, evidence, right)
    if number % _MISSING == 0:
        rest = [edge for edge in evidence.edges if edge.slot not in slots]
        yield from _lesson(question, _within(evidence, evidence.anchors, rest), None)
    if number % _SINGLE == 0:
        edge = evidence.edges[number % len(evidence.edges)]
        for form in forms.get(edge.relation, ())[:1]:
            within = _within(evidence, (edge.subject_key,), evidence.edges)
            yield from _lesson(form.replace("{S}", edge.subject), within, {edge.object_key})


def learn(examples: Sequence[Lesson], source: str) -> Weights:
    """The weights after all lessons.

    Args:
        examples: In any order, which is part of the result.
        source: What they are from, for people.
    """
    known = Counter(word for lesson in examples for word in lesson.words)
    common = {word for word, count in known.items() if count >= _FEWEST}
    pupil = _Pupil()
    order = [_only(lesson, common) for lesson in examples]
    shuffled = random.Random(0)  # noqa: S311 - an order, nothing secret
    for _ in range(_ROUNDS):
        shuffled.shuffle(order)
        for lesson in order:
            pupil.study(lesson)
    return pupil.weights(source)


def _lesson(question: str, evidence: Evidence, right: set[str] | None) -> Iterator[Lesson]:
    """One use of a closure; ``right`` is None where it does not have the answer."""
    found = Hearing(question, evidence, shipped_labels(), english()).candidates()
    leading = [candidate for candidate in found if right and _leads(candidate, right)]
    if not found or (right and not leading):
        return
    best = leading[0] if leading else found[0]  # the best fit comes first
    shown = [
        candidate
        for candidate in found
        if candidate.path.anchor == best.path.anchor
        and (candidate is best or candidate not in leading)
    ]
    yield Lesson(
        words=features(best.question, english()),
        paths=tuple((candidate.path.relations, candidate.fit.score) for candidate in shown),
        right=shown.index(best) if right else None,
    )


def _leads(candidate: Candidate, right: set[str]) -> bool:
    return any(edge.object_key in right for edge in candidate.path.last)


def _within(evidence: Evidence, anchors: tuple[str, ...], edges: Iterable[Edge]) -> Evidence:
    """The evidence as if only these edges were there, and these were the anchors."""
    return replace(evidence, anchors=anchors, edges=depths(anchors, edges, MAX_HOPS))


def _only(lesson: Lesson, words: set[str]) -> Lesson:
    return replace(lesson, words=tuple(word for word in lesson.words if word in words))


class _Table:
    """Weights of words; the step size of each shrinks as it is changed (AdaGrad)."""

    def __init__(self) -> None:
        self.weights: dict[str, float] = {}
        self._changed: dict[str, float] = {}

    def total(self, words: Sequence[str]) -> float:
        return total(words, self.weights)

    def change(self, words: Sequence[str], slope: float) -> None:
        """Go uphill; large weights shrink a little on the way."""
        for word in words:
            weight = self.weights.get(word, 0.0)
            step = slope - _DECAY * weight * abs(slope)
            changed = self._changed[word] = self._changed.get(word, 0.0) + step * step
            self.weights[word] = weight + _RATE * step / math.sqrt(changed + _SMOOTHING)


class _Pupil:
    """The weights while they are learned."""

    def __init__(self) -> None:
        self._follows: dict[str, _Table] = defaultdict(_Table)
        self._ends: dict[str, _Table] = defaultdict(_Table)
        self._nothing = _Table()

    def study(self, lesson: Lesson) -> None:
        """Make the right candidate likelier."""
        surprise = self._surprise(lesson)
        if max(map(abs, surprise)) < _NEGLIGIBLE:
            return
        follows: dict[str, float] = defaultdict(float)
        ends: dict[str, float] = defaultdict(float)
        for (relations, _), slope in zip(lesson.paths, surprise, strict=False):
            ends[relations[-1]] += slope
            for relation in relations:
                follows[relation] += slope
        for slopes, tables in ((follows, self._follows), (ends, self._ends)):
            for relation, slope in slopes.items():
                tables[relation].change(lesson.words, slope)
        self._nothing.change(lesson.words, surprise[-1])

    def weights(self, source: str) -> Weights:
        """What was learned so far."""
        return Weights(
            follows={relation: table.weights for relation, table in self._follows.items()},
            ends={relation: table.weights for relation, table in self._ends.items()},
            nothing=self._nothing.weights,
            fit=_FIT,
            source=source,
        )

    def _surprise(self, lesson: Lesson) -> list[float]:
        """How much likelier each candidate should be, nothing last."""
        words, named = lesson.words, {r for relations, _ in lesson.paths for r in relations}
        follows = {relation: self._follows[relation].total(words) for relation in named}
        ends = {path[0][-1]: self._ends[path[0][-1]].total(words) for path in lesson.paths}
        scores = [
            _FIT * score + sum(follows[r] for r in relations) + ends[relations[-1]]
            for relations, score in lesson.paths
        ]
        scores.append(self._nothing.total(words))
        highest = max(scores)
        likely = [math.exp(score - highest) for score in scores]
        right = len(scores) - 1 if lesson.right is None else lesson.right
        return [(n == right) - each / sum(likely) for n, each in enumerate(likely)]
