"""The form of a question: whether it asks for one value that holds now, and what it must find.

A closure has what holds now. A question for a reason, two questions in one, and a question for what
held earlier ask for something else, whatever their words have in common with a relation. Pure. This
module must not know relations or paths.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cmc_graph.readers.lexicon import Lexicon, Word
from cmc_graph.readers.question import ASKING, DOING
from cmc_graph.text import tokens

#: What stands for an anchor in the tokens of a question.
_ANCHOR = "@"

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ASKING = ASKING | {"why"}
_HELPING = frozenset((
    "do", "does", "did", "is", "are", "was", "were", "am", "has", "have", "had", "can", "could",
    "will", "would", "should", "may", "might", "must",
))  # fmt: skip
_TALKING = frozenset(("you", "i", "we", "anyone", "anybody", "someone", "somebody"))
_BACKWARDS = frozenset(("that", "there", "this", "those", "these"))
_AND = "and"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a question asks.

    Attributes:
        asks_one: It asks for one value: not for a reason, and not for two things.
        is_yes_no: It asks whether something is so.
        past: Words that ask for what held earlier, unless a relation is called so.
        joined: Words on both sides of an "and"; a path has to explain them all.
        text: Its tokens, with spaces around each; each anchor is one that no name has.
    """

    asks_one: bool
    is_yes_no: bool
    past: tuple[Word, ...]
    joined: tuple[Word, ...]
    text: str

    def names(self, key: str) -> bool:
        """True when the question has the name, apart from its anchors."""
        return f" {key} " in self.text


def form(question: str, anchors: Iterable[str], lexicon: Lexicon) -> Form:
    """The form of a question.

    Args:
        question: The question.
        anchors: Keys of the entities it names.
        lexicon: General English.
    """
    text = _masked(tokens(question), anchors)
    return Form(
        asks_one=not (_asks_why(text) or _asks_twice(text)),
        is_yes_no=_is_yes_no(text),
        past=tuple(_past(text, lexicon)),
        joined=tuple(_joined(text, lexicon)),
        text=f" {' '.join(text)} ",
    )


def _masked(text: Sequence[str], anchors: Iterable[str]) -> tuple[str, ...]:
    """The tokens, with one for each anchor."""
    joined = f" {' '.join(text)} "
    for anchor in sorted(anchors, key=len, reverse=True):
        joined = joined.replace(f" {anchor} ", f" {_ANCHOR} ")
    return tuple(joined.split())


def _asks_why(text: Sequence[str]) -> bool:
    """A reason or a manner, which no relation leads to; "how much" and "how is" ask for a value."""
    pairs = zip(text, (*text[1:], ""), strict=True)
    return any(
        one == "why" or (one == "how" and (two == "come" or two in DOING)) for one, two in pairs
    )


def _asks_twice(text: Sequence[str]) -> bool:
    """Two questions, or one about two anchors; "… and who leads that country" is one on the way."""
    for number, token in enumerate(text[1:-1], 1):
        if token != _AND:
            continue
        before, after = text[number - 1], text[number + 1 :]
        if before == after[0] == _ANCHOR:
            return True
        if after[0] in _ASKING and _BACKWARDS.isdisjoint(after):
            return not _ASKING.isdisjoint(text[:number])
    return False


def _is_yes_no(text: Sequence[str]) -> bool:
    """True for "does Ana …", but not for "do you know where Ana …"."""
    if not _ASKING.isdisjoint(text):
        return False
    return bool(text) and text[0] in _HELPING and _TALKING.isdisjoint(text[1:2])


def _past(text: Sequence[str], lexicon: Lexicon) -> Iterable[Word]:
    """The words that ask for what held earlier."""
    for number, token in enumerate(text):
        if token in lexicon.past or _YEAR.fullmatch(token) or _is_habit(text, number):
            yield from lexicon.words((token,), number)


def _is_habit(text: Sequence[str], number: int) -> bool:
    """True for "who used to own" and "did Ana use to", not for "what is used to write"."""
    if tuple(text[number + 1 : number + 2]) != ("to",):
        return False
    return text[number] == "use" or (text[number] == "used" and _HELPING.isdisjoint(text[:number]))


def _joined(text: Sequence[str], lexicon: Lexicon) -> Iterable[Word]:
    """The words nearest to each "and" that say something, on both its sides."""
    for number, token in enumerate(text):
        if token == _AND:
            yield from _saying(text[:number], lexicon)[-1:]
            yield from _saying(text[number + 1 :], lexicon)[:1]


def _saying(text: Sequence[str], lexicon: Lexicon) -> list[Word]:
    words = lexicon.words(text)
    return [word for word in words if word.weight > 0 and not word.asks and word.text != _ANCHOR]
