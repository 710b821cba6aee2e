"""General English as data: which words speak of the same thing, and how much each weighs.

The data is ``english.toml``; nothing of any history is in it. This module must not know questions,
relations or paths.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from cmc_graph.text import tokens

#: Endings of inflected and derived forms, the longer ones first.
_ENDINGS = (
    "ational", "ations", "ation", "ating", "ships", "ments", "ated", "ates", "ship", "ally",
    "ance", "ment", "ions", "ings", "ous", "ate", "ion", "ing", "ers", "ors", "ed", "er", "or",
    "al", "es", "ly", "s", "e",
)  # fmt: skip
_INFLECTIONS = ("ing", "es", "ed", "s", "e")
_SHORTEST_STEM = 3
_VOWELS = frozenset("aeiouy")

#: How surely a word of ``near`` has the meaning.
_NEAR = 0.5
#: How surely a relation that leads to a kind of things is meant by a narrower kind: where a thing
#: is may be a country.
WIDER = 0.75

#: What a word weighs in a question: one whose meaning is sure, one that may mean several things,
#: one for a kind of things, one the lexicon does not have, a question word, a faint word.
_SURE, _UNSURE, _KIND, _UNKNOWN, _ASKING, _FAINT = 1.0, 0.8, 0.9, 0.3, 0.2, 0.0


@cache
def stem(word: str) -> str:
    """What the forms of a word have in common: "founds", "founder" and "founding" are "found".

    Args:
        word: One normalised token.
    """
    return _without(_without(word, _ENDINGS), _ENDINGS)  # "memberships" has two


@cache
def base(word: str) -> str:
    """What the inflected forms of a word have in common: "manages" and "managed", not "manager".

    Args:
        word: One normalised token.
    """
    return _without(_without(word, _INFLECTIONS), ("e",))


def _without(word: str, endings: Sequence[str]) -> str:
    if word.endswith(("ies", "ied")) and len(word) > _SHORTEST_STEM + 1:
        return f"{word[:-3]}y"
    for ending in endings:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(rest):
            return rest
    return word


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word or phrase that says something, in a question or in the name of a relation.

    Attributes:
        text: Its tokens, joined by spaces.
        base: Their bases.
        stem: Their stems.
        meanings: Numbers of the meanings it has, with how surely, from 0 to 1.
        kinds: Kinds of things it stands for, with how surely; a question word: kinds it asks for.
        weight: How much it matters that it is explained, from 0 to 1.
        asks: It is a question word.
        start: Number of its first token in the text.
    """

    text: str
    base: str
    stem: str
    meanings: Mapping[int, float]
    kinds: Mapping[str, float]
    weight: float
    asks: bool
    start: int

    @property
    def stop(self) -> int:
        """Number of the token behind it in the text."""
        return self.start + self.text.count(" ") + 1

    @property
    def is_sure(self) -> bool:
        """True when the lexicon has a sure meaning for it."""
        return self.weight == _SURE

    @property
    def is_open(self) -> bool:
        """True when the lexicon has no sure meaning for it, so that it may be part of a name."""
        return not self.kinds and 0 < self.weight < _SURE

    def stressed(self) -> "Word":
        """The same word where it matters more than its own weight says."""
        return replace(self, weight=max(self.weight, _UNSURE))


@dataclass(frozen=True, slots=True)
class _Entry:
    meanings: Mapping[int, float]
    kinds: Mapping[str, float]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The words of ``english.toml``.

    Attributes:
        entries: Words and phrases that say something, by their stems.
        asking: Question words, to the kinds of answers each asks for.
        silent: Tokens that say nothing.
        faint: Tokens that matter only where a relation is called so.
        past: Tokens that ask for what held earlier, where no relation is called so.
        where: Words in the names of relations that say where a thing itself is.
        beginning: Words in the names of relations that tell how a thing began.
        leads: Kinds of things that relations lead to, by a noun in their names.
        outermost: Kinds of which the outermost is meant where things lie within each other.
        around: Kinds that a thing has by way of where it is.
        longest: Tokens of the longest phrase.
    """

    entries: Mapping[tuple[str, ...], _Entry]
    asking: Mapping[str, Mapping[str, float]]
    silent: frozenset[str]
    faint: frozenset[str]
    past: frozenset[str]
    where: frozenset[str]
    beginning: frozenset[str]
    leads: Mapping[str, Mapping[str, float]]
    outermost: frozenset[str]
    around: frozenset[str]
    longest: int

    def words(self, text: Sequence[str], start: int = 0) -> tuple[Word, ...]:
        """The words and phrases of a text that say something, in order, the longest phrases first.

        Args:
            text: Normalised tokens.
            start: Number of the first of them in the whole text.
        """
        found: list[Word] = []
        stems = tuple(map(stem, text))
        index = 0
        while index < len(text):
            size = self._phrase(stems, index)
            if size > 1 or text[index] not in self.silent:
                found.append(self._word(text, stems, index, size, start))
            index += size
        return tuple(found)

    def _phrase(self, stems: Sequence[str], index: int) -> int:
        for size in range(min(self.longest, len(stems) - index), 1, -1):
            if tuple(stems[index : index + size]) in self.entries:
                return size
        return 1

    def _word(
        self, text: Sequence[str], stems: tuple[str, ...], index: int, size: int, start: int
    ) -> Word:
        stop = index + size
        entry = self.entries.get(stems[index:stop])
        if entry is None:  # "the assistant of": a noun that must be a relation's
            is_noun = text[stop : stop + 1] == ("of",)
            entry = _Entry({}, {}, _UNSURE if is_noun else _UNKNOWN)
        asked = self.asking.get(text[index]) if size == 1 else None
        if asked is not None:
            entry = _Entry({}, asked, _ASKING)
        elif size == 1 and text[index] in self.faint:
            entry = replace(entry, weight=_FAINT)
        return Word(
            text=" ".join(text[index:stop]),
            base=" ".join(map(base, text[index:stop])),
            stem=" ".join(stems[index:stop]),
            meanings=entry.meanings,
            kinds=entry.kinds,
            weight=entry.weight,
            asks=asked is not None,
            start=start + index,
        )


@cache
def english() -> Lexicon:
    """The lexicon that is shipped."""
    return parse((files("cmc_graph.readers") / "english.toml").read_text("utf-8"))


def parse(text: str) -> Lexicon:
    """The lexicon in the text of a TOML file; its format is described in ``english.toml``."""
    data: dict[str, Any] = tomllib.loads(text)
    words = data["words"]
    meanings, kinds = _meanings(data["meaning"]), _kinds(data["kind"])
    entries = {
        key: _Entry(of, kinds.get(key, {}), _SURE if max(of.values()) == 1 else _UNSURE)
        for key, of in meanings.items()
    }
    only_kinds = {key: _Entry({}, of, _KIND) for key, of in kinds.items() if key not in entries}
    return Lexicon(
        entries=entries | only_kinds,
        asking={word: dict.fromkeys(kind, 1.0) for word, kind in words["asking"].items()},
        silent=frozenset(words["silent"]),
        faint=frozenset(words["faint"]),
        past=frozenset(words["past"]),
        where=frozenset(words["where"]),
        beginning=frozenset(words["beginning"]),
        leads=_leads(data["kind"]),
        outermost=frozenset(name for name, entry in data["kind"].items() if "outermost" in entry),
        around=frozenset(name for name, entry in data["kind"].items() if "around" in entry),
        longest=max(map(len, (*entries, *only_kinds))),
    )


def _meanings(entries: Sequence[Mapping[str, Any]]) -> dict[tuple[str, ...], dict[int, float]]:
    found: dict[tuple[str, ...], dict[int, float]] = {}
    for number, entry in enumerate(entries):
        for phrases, sure in ((entry.get("near", ()), _NEAR), (entry["words"], 1.0)):
            for phrase in phrases:
                found.setdefault(_stems(phrase), {})[number] = sure
    return found


def _kinds(entries: Mapping[str, Any]) -> dict[tuple[str, ...], dict[str, float]]:
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for name, entry in entries.items():
        for phrase in entry["words"]:
            mine = found.setdefault(_stems(phrase), {})
            mine |= _is(entry) | mine | {name: 1.0}
    return found


def _leads(entries: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {
        noun: _is(entry) | {name: 1.0}
        for name, entry in entries.items()
        for noun in entry.get("leads", ())
    }


def _is(entry: Mapping[str, Any]) -> dict[str, float]:
    return dict.fromkeys(entry.get("is", ()), WIDER)


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(map(stem, tokens(phrase)))
