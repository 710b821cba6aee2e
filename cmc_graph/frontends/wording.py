"""What may stand in a slot: kinds of words, and what a name of people, things and places can be.

All word lists are data of a pattern pack; this module holds the rules that read them. A sentence
read wrongly would overwrite something true, one not read stays visible: in doubt a value is
refused. This module must not know patterns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_EDGES = ".,!?'\"()“”"
_LONGEST_PART = 3  # words of each of two names, as in "the Acme Group and Mia Chen"
_POSSESSIVES = ("'s", "s'")

#: Stands for a digit in shapes; no text has it.
_ANY_DIGIT = "\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A class of values; one test that holds is enough, and a kind without tests takes any value.

    Words are compared without case and without punctuation at their edges. The lists may hold
    shapes (see ``shape``).

    Attributes:
        is_: The whole value is one of these.
        only: Every word of the value is one of these, or one that it needs.
        begins: The first word is one of these.
        holds: Some word is one of these.
        capital: The first word has a capital letter, or begins with a digit.
        named: The word behind none or several of these words, and of possessives, has a capital
            letter: a name may be behind them ("the Azores", "Lena's Volvo"; not "Lena's turn").
        digit: Some word has a digit.
        needs: Never a value without one of these words.
        unless: Never a value with one of these words.
        unless_all: Never a value of such words alone ("Happy" is no name; "Happy Valley" may be).
        acronyms: If there are any, never another word in capitals that stands alone; compared as
            they are written here.
        endings: Never a value with a word that ends so.
        not_first: Never a value that begins with one of these words as they are written here.
    """

    is_: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    unless_all: frozenset[str] = frozenset()
    acronyms: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    not_first: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    capital: bool = False
    digit: bool = False

    def fits(self, value: str) -> bool:
        """True when the value is of this kind."""
        words = _words(value)
        if not self._admits(words) or value.split(maxsplit=1)[0] in self.not_first:
            return False
        if self.acronyms and _is_acronym(value) and value not in self.acronyms:
            return False
        if self._takes_any():
            return True
        return (
            self._knows(words)
            or not self.begins.isdisjoint(words.forms[0])
            or not self.holds.isdisjoint(words.all_forms)
            or (self.capital and _is_capital(value.lstrip(_EDGES).split()[0]))
            or (bool(self.named) and self._is_named(value))
            or (self.digit and _DIGIT.search(value) is not None)
        )

    def spells(self, value: str) -> bool:
        """True when the kind knows every word of the value, so that nothing else hides in it."""
        words = _words(value)
        return self._admits(words) and self._knows(words)

    def _takes_any(self) -> bool:
        lists = (self.is_, self.only, self.begins, self.holds, self.named)
        return not (any(lists) or self.capital or self.digit)

    def _is_named(self, value: str) -> bool:
        *before, last = _plain(value).split()
        for word in before:
            if not (word.casefold() in self.named or word.endswith(_POSSESSIVES)):
                return _has_capital(word)
        return _has_capital(last)

    def _admits(self, words: "_Words") -> bool:
        return (
            bool(words.forms)
            and self.unless.isdisjoint(words.all_forms)
            and not (self.unless_all and words.are_all(self.unless_all))
            and not (self.endings and words.end_with(self.endings))
            and (not self.needs or not self.needs.isdisjoint(words.all_forms))
        )

    def _knows(self, words: "_Words") -> bool:
        if words.text in self.is_:
            return True
        return bool(self.only) and all(
            not (self.only.isdisjoint(forms) and self.needs.isdisjoint(forms))
            for forms in words.forms
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a subject or an object can be; words are compared as they are written.

    Attributes:
        longest: Words in the longest name; more is a clause.
        signs: Characters no name holds.
        marks: Characters no subject begins with.
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
        adverbs: Endings of words no name of several begins or ends with, without case.
        compounds: Words behind a joining one that make one name of two ("… and Sons"), without
            case.
        abbreviations: Words whose full stop does not end a sentence.
        suffixes: Words a subject may have after a comma ("Acme, Inc.").
    """

    longest: int = 12
    signs: str = ""
    marks: str = ""
    alone: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    object_never: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    adverbs: tuple[str, ...] = ()
    compounds: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()

    def fits(self, value: str, *, is_object: bool) -> bool:
        """True when the value reads as one name rather than as a part of a longer sentence."""
        words = _plain(value).split()
        bare = _bare(value)
        return (
            len(words) <= self.longest
            and any(bare)
            and self._has_whole_signs(value)
            and self._has_whole_ends(value, bare)
            and not self.never.intersection(bare)
            and (not self.trails(value) if is_object else words[0][0] not in self.marks)
            and self._has_one_phrase(bare)
            and self._has_one_part(words, bare, is_object=is_object)
        )

    def joins(self, value: str) -> bool:
        """True when the value may be two names as well: a word like "and", or a comma, is in it."""
        return ", " in value or not self.joining.isdisjoint(value.split())

    def trails(self, value: str) -> bool:
        """True when the value holds what belongs to the sentence rather than to its last name."""
        return not self.object_never.isdisjoint(_bare(value))

    def lists(self, value: str) -> bool:
        """True when the value is "Acme and Globex", and no single name that has an "and" in it.

        A name with a particle ("the School of Arts and Crafts") or with a long part is a single
        one.
        """
        words = _bare(value)
        if words.count("and") != 1 or not self.particles.isdisjoint(words):
            return False
        at = words.index("and")
        parts = words[:at], words[at + 1 :]
        return all(len(part) <= _LONGEST_PART for part in parts) and not (
            parts[1] and parts[1][0].casefold() in self.compounds
        )

    def splits(self, values: Sequence[str]) -> bool:
        """True when one of the values is only the end of another ("Acme" and "Inc.")."""
        return any(value.strip(_EDGES) in self.suffixes for value in values)

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
            and not (len(bare) > 1 and self._is_adverb(bare[0], bare[-1]))
        )

    def _is_adverb(self, *words: str) -> bool:
        return any(word.casefold().endswith(self.adverbs) for word in words)

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


def shape(word: str) -> str:
    r"""The word as the lists of a kind hold it, with a mark wherever it stands for digits.

    Args:
        word: As a pack has it: ``#`` is a digit and ``#+`` a number of any length (``##:##``,
            ``#+kg``), ``\#`` is the character itself (``c\#``).
    """
    return word.replace("#", _ANY_DIGIT).replace(f"\\{_ANY_DIGIT}", "#")


def _plain(text: str) -> str:
    return text.replace("’", "'")


def _bare(value: str) -> list[str]:
    return [word.strip(_EDGES) for word in _plain(value).split()]


class _Words(NamedTuple):
    """A value as kinds look at it: without case, and without punctuation at the words' edges."""

    text: str
    forms: tuple[tuple[str, ...], ...]  # of each word: itself, and its shapes if it has a digit
    all_forms: frozenset[str]

    def are_all(self, known: frozenset[str]) -> bool:
        return all(not known.isdisjoint(forms) for forms in self.forms)

    def end_with(self, endings: frozenset[str]) -> bool:
        suffixes = tuple(endings)
        return any(forms[0].endswith(suffixes) for forms in self.forms)


@lru_cache(maxsize=256)  # each value is looked at by many kinds, one after the other
def _words(value: str) -> _Words:
    words = _plain(value).casefold().split()
    bare = [stripped for word in words if (stripped := word.strip(_EDGES))]
    forms = tuple(_forms(word) for word in bare)
    return _Words(" ".join(bare), forms, frozenset(chain.from_iterable(forms)))


def _forms(word: str) -> tuple[str, ...]:
    if _DIGIT.search(word) is None:
        return (word,)
    return word, _DIGIT.sub(_ANY_DIGIT, word), _NUMBER.sub(f"{_ANY_DIGIT}+", word)


def _is_capital(word: str) -> bool:
    return not word.islower() or word[:1].isdigit()


def _has_capital(word: str) -> bool:
    return any(letter.isalpha() and not letter.islower() for letter in word)


def _is_acronym(word: str) -> bool:
    return word.isalpha() and word.isupper() and len(word) > 1


def _is_initial(word: str) -> bool:
    return len(word) == 2 and word[0].isupper() and word[1] == "."
