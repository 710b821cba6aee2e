"""A question as words around an anchor, nearest first.

Pure. This module must not know relations or paths.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cmc_graph.readers.lexicon import Lexicon, Word
from cmc_graph.text import tokens

_POSSESSIVE = re.compile(r"(?:['’]s|s['’])[\s\"”]+(\w+)")
ASKING = frozenset(("what", "which", "who", "whom", "whose", "where", "when", "how"))
DOING = frozenset(("do", "does", "did"))
_BEING = frozenset(("is", "are", "was", "were"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a question says about one of its anchors.

    Attributes:
        anchor: Key of the anchor.
        text: The tokens of the whole question.
        before: Words in front of the anchor, the nearest first.
        after: Words behind the anchor, the nearest first.
        head: The word that says what is asked for; None when no word says anything.
        possessed: The word right behind the anchor's possessive, as in "Ana's sister"; None: none.
        asks_around: A country, a city, a floor is meant, which a thing has by way of where it is.
        asks_outermost: Where things lie within each other, the outermost one is meant.
    """

    anchor: str
    text: tuple[str, ...]
    before: tuple[Word, ...]
    after: tuple[Word, ...]
    head: Word | None
    possessed: Word | None
    asks_around: bool
    asks_outermost: bool


def around(anchor: str, question: str, lexicon: Lexicon) -> Question:
    """The question as seen from one anchor.

    Args:
        anchor: The key of the anchor, a span of the question's tokens.
        question: The question.
        lexicon: General English.
    """
    text = tokens(question)
    start, stop = _place(anchor.split(" "), text)
    before = lexicon.words(text[:start])
    after = lexicon.words(text[stop:], stop)
    before, after = _stressed(before, after), _stressed(after, before)
    head = _head(text, before, after)
    kinds = head.kinds if head is not None and not head.asks else {}
    return Question(
        anchor=anchor,
        text=text,
        before=before[::-1],
        after=after,
        head=head,
        possessed=_possessed(question, after[:1], stop),
        asks_around=not lexicon.around.isdisjoint(kinds),
        asks_outermost=not lexicon.outermost.isdisjoint(kinds),
    )


def _stressed(words: tuple[Word, ...], others: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words; a single one beside question words is stressed, as in "who cleans it"."""
    saying = [word for word in (*words, *others) if word.weight > 0 and not word.asks]
    if len(saying) > 1:
        return words
    return tuple(word.stressed() if word in saying else word for word in words)


def _possessed(question: str, nearest: Sequence[Word], stop: int) -> Word | None:
    """The nearest word behind the anchor, when it stands right behind a possessive."""
    owned = {tokens(found)[:1] for found in _POSSESSIVE.findall(question)}
    return next((w for w in nearest if w.start == stop and (w.text.split(" ")[0],) in owned), None)


def _place(anchor: Sequence[str], text: Sequence[str]) -> tuple[int, int]:
    size = len(anchor)
    for start in range(len(text) - size + 1):
        if list(text[start : start + size]) == anchor:
            return start, start + size
    return len(text), len(text)  # the store's spans are the text's, so this is for other readers


def _head(text: Sequence[str], before: Sequence[Word], after: Sequence[Word]) -> Word | None:
    """The word that says what is asked for.

    "Which city", "what is the capital", "who", but "who is the assistant of"; and the last word
    where the question is for what somebody does: "what does Ana's sister like".

    Args:
        text: The question's tokens.
        before: The words in front of the anchor, in order.
        after: The words behind it, in order.
    """
    words = (*before, *after)
    asked = next((number for number, token in enumerate(text) if token in ASKING), 0)
    how_much = tuple(text[asked : asked + 2]) == ("how", "much")
    following = (*text[asked + 1 + how_much :], "")[0]
    if words and text[asked] in ("what", "how") and following in DOING:
        return words[-1]
    speaking = [word for word in words if word.weight > 0] or list(words)
    first, *others = [*(word for word in speaking if word.start >= asked), *speaking, None]
    if first and first.asks and following in _BEING and before and not after:
        return others[0] if others[0] and is_of(others[0], text) else first
    return first


def is_of(word: Word, text: Sequence[str]) -> bool:
    """True when an "of" stands behind the word.

    Args:
        word: A word of the question.
        text: The question's tokens.
    """
    return text[word.stop : word.stop + 1] == ("of",)
