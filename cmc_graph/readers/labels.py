"""What the relations of a history are called: by their names, their sentences, and the packs.

This module must not know questions or paths.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from cmc_graph.frontends.packs import Pack
from cmc_graph.readers.lexicon import WIDER, Lexicon, Word
from cmc_graph.text import tokens

#: How much the words of a sentence or of a question form say, against 1 for those of a name.
_SENTENCE = 0.4
#: The same for sentences of the history itself, where no pack knows the relation.
_OWN_SENTENCE = 0.8
#: How much a question word says about a relation of which nobody knows where it leads.
_UNKNOWN_END = 0.3
#: How much a part of a phrase says, as "head" of "head of state".
_PART = 0.4
#: How much a kind of things says, as "city" where the relation leads to cities.
_KIND = 0.6
#: How much another form of a word says, or another word of the same meaning.
_SYNONYM = 0.9

Key = TypeVar("Key")

_SLOTS = re.compile(r"\{[A-Z][^}]*\}|[()|]")


@dataclass(slots=True)
class Label:
    """What one relation is called, as weights from 0 to 1.

    Attributes:
        bases: Bases of the words and phrases of its names.
        stems: Stems of all its words.
        meanings: Numbers of their meanings.
        kinds: Kinds of things it leads to.
        answers: Further kinds that question words ask for it by: "where does she work?"
        narrowed: Kinds of which it leads to a narrower one: "city" narrows "place".
        is_where: It says where a thing itself is.
        is_beginning: It tells how a thing began.
    """

    bases: set[str] = field(default_factory=set)
    stems: dict[str, float] = field(default_factory=dict)
    meanings: dict[int, float] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    narrowed: set[str] = field(default_factory=set)
    is_where: bool = False
    is_beginning: bool = False

    def strength(self, word: Word) -> float:
        """How much the word speaks of the relation, from 0 to 1."""
        best = max(self._literally(word), _KIND * self._as_kind(word))
        if word.asks and not (self.kinds or self.answers):
            best = _UNKNOWN_END
        for meaning, sure in word.meanings.items():
            best = max(best, _SYNONYM * sure * self.meanings.get(meaning, 0.0))
        return best

    def add(self, word: Word, weight: float) -> None:
        """Let a word of its name (weight 1), or of its sentences, count."""
        if weight == 1:
            self.bases.add(word.base)
        _raise(self.stems, word.stem, weight)
        for part in word.stem.split(" "):
            _raise(self.stems, part, weight if part == word.stem else weight * _PART)
        for meaning, sure in word.meanings.items():
            if sure == 1:
                _raise(self.meanings, meaning, weight)
        if word.asks:
            self.answers.update(word.kinds)
        else:
            self.lead_to(word.kinds)

    def lead_to(self, kinds: Mapping[str, float]) -> None:
        """Let it lead to things of these kinds."""
        for kind, sure in kinds.items():
            self.kinds.add(kind)
            if sure == WIDER:
                self.narrowed.add(kind)

    def is_contrary(self, word: Word) -> bool:
        """True when the word stands for a kind of things the relation does not lead to."""
        known = self.kinds or (word.asks and self.answers)
        return bool(word.kinds and known) and not self._as_kind(word)

    def _literally(self, word: Word) -> float:
        if word.base in self.bases:
            return 1.0
        found = self.stems.get(word.stem, 0.0)
        if not found and " " in word.stem:
            found = _PART * max(self.stems.get(part, 0.0) for part in word.stem.split(" "))
        return _SYNONYM * found

    def _as_kind(self, word: Word) -> float:
        if word.asks and not self.answers.isdisjoint(word.kinds):
            return 1.0
        best = 0.0
        for kind, sure in word.kinds.items():
            # A country is no city, though both are places.
            if kind in self.kinds and (sure == 1 or kind not in self.narrowed):
                best = max(best, sure)
        return best


class Labels:
    """The labels of relations: those the packs know, and any other by its name and sentences.

    Args:
        packs: Pattern packs whose sentences and question forms count.
        lexicon: General English.
    """

    def __init__(self, packs: Iterable[Pack], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._texts: dict[str, dict[str, float]] = {}
        self._packs: dict[str, set[str]] = {}
        for pack in packs:
            for relation, text, weight in _texts(pack):
                self._texts.setdefault(relation, {}).setdefault(text, weight)
                self._packs.setdefault(relation, set()).add(pack.name)
        self._known: dict[str, Label] = {}

    def label(self, relation: str, sentences: Sequence[str] = ()) -> Label:
        """The label of a relation.

        Args:
            relation: Its name.
            sentences: What records say beside its subjects and objects; it counts where no pack
                knows the relation.
        """
        texts = self._texts.get(relation)
        if texts is None:
            return self._label(relation, dict.fromkeys(sentences, _OWN_SENTENCE))
        if relation not in self._known:
            self._known[relation] = self._label(relation, texts)
        return self._known[relation]

    def knows(self, relation: str) -> bool:
        """True when a pack knows the relation."""
        return relation in self._texts

    def are_of(self, pack: str, relations: Iterable[str]) -> bool:
        """True when the pack knows all these relations, and one of them no other pack knows."""
        knowing = [self._packs.get(relation, set()) for relation in relations]
        return all(pack in packs for packs in knowing) and {pack} in knowing

    def _label(self, relation: str, texts: dict[str, float]) -> Label:
        label = Label()
        for text, weight in ((relation, 1.0), *texts.items()):
            for word in self._lexicon.words(tokens(text)):
                label.add(word, weight)
        for token in tokens(relation):
            label.lead_to(self._lexicon.leads.get(token, {}))
        label.is_where = not self._lexicon.where.isdisjoint(tokens(relation))
        label.is_beginning = not self._lexicon.beginning.isdisjoint(tokens(relation))
        return label


def _raise(weights: dict[Key, float], key: Key, weight: float) -> None:
    weights[key] = max(weight, weights.get(key, 0.0))


def _texts(pack: Pack) -> Iterator[tuple[str, str, float]]:
    """What a pack says about relations: name, text, and how much it says."""
    for relation in pack.relations:
        yield relation, relation, 1.0
    for other, relation in pack.aliases.items():
        yield relation, other, 1.0
    for pattern in pack.patterns:
        templates = (template.text for template in pattern.templates)
        for text in (*templates, *pattern.questions) if pattern.relation else ():
            yield pattern.relation or "", _SLOTS.sub(" . ", text), _SENTENCE
