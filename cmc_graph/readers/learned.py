"""The learned variant: the plain fit, and what training questions taught about words.

A path scores by what the words of the question say for following each of its relations, and for
ending with the last one. One more candidate is that the closure does not have what is asked for.
This module must not know how the weights were learned.
"""

import math
from collections.abc import Sequence

from cmc_graph.readers import plain
from cmc_graph.readers.candidates import Candidate, Verdict
from cmc_graph.readers.lexicon import Lexicon, stem
from cmc_graph.readers.question import Question
from cmc_graph.readers.weights import Weights, Words

_ANCHOR = "@"
#: A word whose weight for following a relation is less than this does not support that step.
_SUPPORTING = 0.3


def features(question: Question, lexicon: Lexicon) -> tuple[str, ...]:
    """What counts of a question: stems, and pairs of neighbours, the anchor being one word.

    The empty word comes first; its weight is that of the relation itself.

    Args:
        question: As seen from its anchor.
        lexicon: General English; words that are silent there count in pairs only.
    """
    text = f" {' '.join(question.text)} "
    words = text.replace(f" {question.anchor} ", f" {_ANCHOR} ", 1).split()
    silent = [word in lexicon.silent or word == _ANCHOR for word in words]
    stems = list(map(stem, words))
    found = [word for word, is_silent in zip(stems, silent, strict=True) if not is_silent]
    for second in range(1, len(stems)):
        if not (silent[second - 1] and silent[second]):
            found.append(f"{stems[second - 1]} {stems[second]}")
    return tuple(dict.fromkeys(("", *found)))


class LearnedJudge:
    """Chooses by learned weights.

    Args:
        weights: What was learned.
        lexicon: General English.
    """

    def __init__(self, weights: Weights, lexicon: Lexicon) -> None:
        self._weights = weights
        self._lexicon = lexicon

    def __call__(self, candidates: Sequence[Candidate]) -> Verdict:
        """The best candidate and how likely it is the path that is meant.

        Args:
            candidates: At least one, the best fit first. Where they follow mostly relations that
                nothing was learned about, the best fit counts.
        """
        relations = {name for candidate in candidates for name in candidate.path.relations}
        learned = relations & self._weights.follows.keys()
        if 2 * len(learned) <= len(relations):
            return plain.judge(candidates)
        scores = self.scores(candidates)
        supported = [n for n, one in enumerate(candidates) if one.is_new and self._supports(one)]
        best = max(supported or range(len(candidates)), key=scores.__getitem__)
        odds = sum(math.exp(score - scores[best]) for score in scores)
        return Verdict(candidates[best], 1 / odds, best in supported)

    def _supports(self, candidate: Candidate) -> bool:
        """True when the question speaks of all steps, or has learned words for each of them."""
        words = features(candidate.question, self._lexicon)[1:]
        return candidate.is_spoken_of or all(
            any(
                self._weights.follows.get(relation, {}).get(word, 0.0) >= _SUPPORTING
                for word in words
            )
            for relation in candidate.path.relations
        )

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """The score of each candidate, then that of the closure not having what is asked for."""
        weights = self._weights
        views = {candidate.path.anchor: candidate.question for candidate in candidates}
        words = {anchor: features(view, self._lexicon) for anchor, view in views.items()}
        follows = {
            (path.anchor, relation): total(words[path.anchor], weights.follows.get(relation, {}))
            for path in (candidate.path for candidate in candidates)
            for relation in path.relations
        }
        ends = {
            (anchor, relation): total(words[anchor], weights.ends.get(relation, {}))
            for anchor, relation in follows
        }
        scores = [
            weights.fit * candidate.fit.score
            + sum(follows[path.anchor, relation] for relation in path.relations)
            + ends[path.anchor, path.relations[-1]]
            for candidate in candidates
            for path in (candidate.path,)
        ]
        return [*scores, total(words[candidates[0].path.anchor], weights.nothing)]


def total(words: Sequence[str], weights: Words) -> float:
    """The sum of the weights of the words."""
    return sum(weights.get(word, 0.0) for word in words)
