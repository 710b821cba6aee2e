"""The paths of a closure that a question may be about, each with how well it fits.

This module must not know stores, nor which path is the answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from cmc_graph.frontends.packs import load_pack
from cmc_graph.model import Edge, Evidence
from cmc_graph.readers.fit import Fit, fit
from cmc_graph.readers.form import form
from cmc_graph.readers.labels import Label, Labels
from cmc_graph.readers.lexicon import Lexicon, Word, base, english
from cmc_graph.readers.paths import Path, paths
from cmc_graph.readers.question import Question, around
from cmc_graph.readers.support import explains, supports_end, supports_steps

#: Packs whose names, sentences and question forms say what a relation is called.
_PACKS = ("general", "factconsolidation")

#: The pack whose questions leave out steps: those of a benchmark, made of chains of facts.
_TERSE = "factconsolidation"

#: Steps of the longest path; no evidence is deeper.
_LONGEST = 10
#: How many steps of a path may go without any word that speaks of them.
_SILENT = 1
#: How much a word says that is part of a name the relation leads to, as "room" of "Room B".
_THING = 0.5
#: From this strength on, a word names a relation.
_NAMED = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A path, the question as seen from its anchor, and how well they fit.

    Attributes:
        is_spoken_of: The question supports each step, as far as it is known what words say.
        is_new: The path leads to what the question may ask for, and has not named itself.
    """

    path: Path
    question: Question
    fit: Fit
    is_spoken_of: bool
    is_new: bool

    @property
    def is_supported(self) -> bool:
        """True when the question supports the path."""
        return self.is_spoken_of and self.is_new


@dataclass(frozen=True, slots=True)
class Verdict:
    """The candidate that a judge takes for the one that is meant, and how likely it is.

    Attributes:
        confidence: From 0 to 1.
        is_supported: The question supports the candidate, as far as the judge knows.
    """

    candidate: Candidate
    confidence: float
    is_supported: bool


class Hearing:
    """What one question says about the relations of one closure.

    Args:
        question: The question.
        evidence: Its evidence.
        labels: What relations are called.
        lexicon: General English.
    """

    def __init__(self, question: str, evidence: Evidence, labels: Labels, lexicon: Lexicon) -> None:
        self._evidence = evidence
        self._views = {anchor: around(anchor, question, lexicon) for anchor in evidence.anchors}
        self._form = form(question, evidence.anchors, lexicon)
        self._labels = _labels(evidence, labels)
        self._is_terse = labels.are_of(_TERSE, self._labels)
        self._things = _things(evidence)
        self._said: dict[tuple[str, str], float] = {}
        self._weights: dict[tuple[str, float], float] = {}

    def candidates(self) -> list[Candidate]:
        """The paths worth looking at, the best fit first; of equal ones the shorter first."""
        found = [
            self._candidate(path)
            for path in paths(
                self._evidence.anchors, self._evidence.edges, _LONGEST, self._is_spoken_of
            )
        ]
        owned = [c for c in found if self._says_possessed(c) >= _NAMED]
        if owned:  # "Ana's sister" is about Ana's sister, whatever else Ana has
            found = [c for c in found if self._says_possessed(c) > 0]
        return sorted(found, key=lambda candidate: -candidate.fit.score)

    def says(self, word: Word, relation: str) -> float:
        """How much a word speaks of a relation, from 0 to 1."""
        known = self._said.get((word.text, relation))
        if known is None:
            known = self._labels[relation].strength(word)
            if word.is_open and word.base in self._things[relation]:
                known = max(known, _THING)
            self._said[word.text, relation] = known
        return known

    def is_contrary(self, word: Word, relation: str) -> bool:
        """True when a word stands for things of another kind than the relation leads to."""
        return self._labels[relation].is_contrary(word)

    def weighs(self, word: Word) -> float:
        """How much it matters that a word is explained, from 0 to 1.

        A word after which a relation of the closure is called matters, whatever it is.
        """
        known = self._weights.get((word.text, word.weight))
        if known is None:
            said = () if word.asks else (self.says(word, relation) for relation in self._labels)
            known = self._weights[word.text, word.weight] = max((word.weight, *said))
        return known

    def is_where(self, relation: str) -> bool:
        """True when a relation says where a thing itself is."""
        return self._labels[relation].is_where

    def is_beginning(self, relation: str) -> bool:
        """True when a relation tells how a thing began."""
        return self._labels[relation].is_beginning

    def explains(self, candidate: Candidate) -> bool:
        """True when the candidate is all that is asked."""
        return explains(self._form, candidate.path.relations, self)

    def _candidate(self, path: Path) -> Candidate:
        view = self._views[path.anchor]
        is_plain = self._is_terse or (self._form.is_yes_no and not path.relations[1:])
        return Candidate(
            path=path,
            question=view,
            fit=fit(view, path.relations, self),
            is_spoken_of=is_plain or supports_steps(view, path.relations, self),
            is_new=supports_end(self._form, path, self._views),
        )

    def _says_possessed(self, candidate: Candidate) -> float:
        """How much the word behind the anchor's possessive speaks of the first step."""
        word = candidate.question.possessed
        return self.says(word, candidate.path.relations[0]) if word else 0.0

    def _is_spoken_of(self, path: Path) -> bool:
        view = self._views[path.anchor]
        words = (*view.before, *view.after)
        silent = [r for r in path.relations if not any(self.says(word, r) for word in words)]
        return len(silent) <= _SILENT


@cache
def shipped_labels() -> Labels:
    """What the shipped packs call relations."""
    return Labels(map(load_pack, _PACKS), english())


def _labels(evidence: Evidence, labels: Labels) -> Mapping[str, Label]:
    """The label of each relation of the closure."""
    texts = {record.position: record.text for record in evidence.records}
    sentences: dict[str, list[str]] = {}
    for edge in evidence.edges:
        said = sentences.setdefault(edge.relation, [])
        if not labels.knows(edge.relation) and edge.position in texts:
            said.append(_beside(texts[edge.position], edge))
    return {relation: labels.label(relation, said) for relation, said in sentences.items()}


def _things(evidence: Evidence) -> Mapping[str, set[str]]:
    """The words within the names of what each relation of the closure leads to."""
    found: dict[str, set[str]] = {}
    for edge in evidence.edges:
        words = edge.object_key.split(" ")
        found.setdefault(edge.relation, set()).update(map(base, words if words[1:] else ()))
    return found


def _beside(text: str, edge: Edge) -> str:
    """What a record says beside subject and object of one of its edges."""
    return text.replace(edge.subject, " . ").replace(edge.object, " . ")
