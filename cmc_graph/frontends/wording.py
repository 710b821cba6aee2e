"""What may stand in a slot: kinds of words, and what a name of people, things and places can be.

All word lists are data of a pattern pack; this module holds the rules that read them. A sentence
read wrongly would overwrite something true, one not read stays visible: in doubt a value is
refused. This module must not know patterns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_EDGES = ".,!?'\"()“”"

#: A relation's own name, as in "the head of state of …": few words, none of them a name.
MAX_RELATION_WORDS = 5
_ACRONYM = range(2, 6)  # CEO, IP, URL, IBAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A class of values; one test that holds is enough, and a kind without tests takes any value.

    Words are compared without case and without punctuation at their edges. In the lists ``#``
    stands for one digit and ``#+`` for a number of any length: ``##:##``, ``#+kg``.

    Attributes:
        is_: The whole value is one of these.
        only: Every word of the value is one of these, or one that it needs.
        begins: The first word is one of these.
        holds: Some word is one of these.
        capital: The first word has a capital letter, or begins with a digit.
        needs: Never a value without one of these words.
        unless: Never a value with one of these words.
    """

    is_: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    capital: bool = False

    def fits(self, value: str) -> bool:
        """True when the value is of this kind."""
        words = _bare_words(value)
        if not self._admits(words):
            return False
        if not (self.is_ or self.only or self.begins or self.holds or self.capital):
            return True
        return (
            self._knows(words)
            or _among(words[0], self.begins)
            or _meet(words, self.holds)
            or (self.capital and _is_capital(value.lstrip(_EDGES).split()[0]))
        )

    def spells(self, value: str) -> bool:
        """True when the kind knows every word of the value, so that nothing else hides in it."""
        words = _bare_words(value)
        return self._admits(words) and self._knows(words)

    def _admits(self, words: Sequence[str]) -> bool:
        return (
            bool(words)
            and not _meet(words, self.unless)
            and (not self.needs or _meet(words, self.needs))
        )

    def _knows(self, words: Sequence[str]) -> bool:
        if " ".join(words) in self.is_:
            return True
        return bool(self.only) and all(
            _among(word, self.only) or _among(word, self.needs) for word in words
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a subject or an object can be; words are compared as they are written.

    Attributes:
        longest: Words in the longest name; more is a clause.
        signs: Characters no name holds.
        alone: Words that are no name by themselves (pronouns), without case.
        first: Words no name begins with, without case.
        last: Words no name ends with.
        never: Words no name holds (finite verbs, conjunctions, hedges).
        object_never: Words no object holds besides (what follows it is no part of it).
        determiners: A name begins with one, or has one after a link or a particle, or between
            capitals; elsewhere a second phrase begins ("this week the meeting").
        links: Words between two parts of a name ("the lamp on the desk").
        particles: Words within a name of capitals ("Baron Hall of Birkenhead").
        joining: Words that make one name of two when capitals stand on both sides.
        abbreviations: Words whose full stop does not end a sentence.
        suffixes: Words a subject may have after a comma ("Acme, Inc.").
    """

    longest: int = 12
    signs: str = ""
    alone: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    object_never: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()

    def fits(self, value: str, *, is_object: bool) -> bool:
        """True when the value reads as one name rather than as a part of a longer sentence."""
        words = _plain(value).split()
        bare = [word.strip(_EDGES) for word in words]
        return (
            len(words) <= self.longest
            and any(bare)
            and self._has_whole_signs(value)
            and self._has_whole_ends(value, bare)
            and not self.never.intersection(bare)
            and not (is_object and self.object_never.intersection(bare))
            and self._has_one_phrase(bare)
            and self._has_one_part(words, bare, is_object=is_object)
        )

    def joins(self, value: str) -> bool:
        """True when the value may be two names as well: a word like "and", or a comma, is in it."""
        return ", " in value or not self.joining.isdisjoint(value.split())

    def _has_whole_signs(self, value: str) -> bool:
        are_paired = (
            value.count('"') % 2 == 0
            and value.count("`") % 2 == 0
            and value.count("“") == value.count("”")
        )
        is_open = ": " in value or value.endswith((":", ","))
        return are_paired and not is_open and not any(sign in value for sign in self.signs)

    def _has_whole_ends(self, value: str, bare: Sequence[str]) -> bool:
        return (
            value.casefold() not in self.alone
            and bare[0].casefold() not in self.first
            and bare[-1] not in self.last
            and bare[-1] not in self.determiners
        )

    def _has_one_phrase(self, bare: Sequence[str]) -> bool:
        links = self.links | self.particles | self.joining
        return all(
            before in links or (_is_capital(before) and _is_capital(after))  # "Winnie the Pooh"
            for before, word, after in zip(bare, bare[1:], [*bare[2:], "the"], strict=False)
            if word in self.determiners
        )

    def _has_one_part(self, words: Sequence[str], bare: Sequence[str], *, is_object: bool) -> bool:
        """Commas, joining words and full stops stand within a name, not between two sentences."""
        for index, word in enumerate(words):
            rest = bare[index + 1 :]
            if word.endswith(".") and not self._is_abbreviated(word):
                return False
            if not rest:
                continue
            if word.endswith(",") and not is_object and rest[0] not in self.suffixes:
                return False
            if word in self.joining and (index == 0 or not _is_capital(bare[index - 1])):
                return False
            parts = word in self.joining or word.endswith(",") or _is_initial(word)
            if parts and not self._are_capital(rest):
                return False
        return True

    def _are_capital(self, words: Sequence[str]) -> bool:
        return _is_capital(words[0]) and all(
            _is_capital(word) or word in self.particles for word in words if word
        )

    def _is_abbreviated(self, word: str) -> bool:
        stem = word.removesuffix(".")
        return stem in self.abbreviations or "." in stem.strip(".") or _is_initial(word)


def is_relation(value: str, banned: frozenset[str]) -> bool:
    """True when the value can be a relation's own name: one to five lower-case words, or acronyms.

    Args:
        value: Text of a slot {R}.
        banned: Words no relation's name holds.
    """
    words = value.split(" ")
    return (
        len(words) <= MAX_RELATION_WORDS
        and all(
            word.replace("-", "").isalpha()
            and (word.islower() or (word.isupper() and len(word) in _ACRONYM))
            and word not in banned
            for word in words
        )
        and "of" not in (words[0], words[-1])
    )


def _plain(text: str) -> str:
    return text.replace("’", "'")


def _bare_words(value: str) -> list[str]:
    words = _plain(value).casefold().split()
    return [bare for word in words if (bare := word.strip(_EDGES))]


def _among(word: str, words: frozenset[str]) -> bool:
    if word in words:
        return True
    return bool(words) and (_DIGIT.sub("#", word) in words or _NUMBER.sub("#+", word) in words)


def _meet(words: Sequence[str], others: frozenset[str]) -> bool:
    return bool(others) and any(_among(word, others) for word in words)


def _is_capital(word: str) -> bool:
    return not word.islower() or word[:1].isdigit()


def _is_initial(word: str) -> bool:
    return len(word) == 2 and word[0].isupper() and word[1] == "."
