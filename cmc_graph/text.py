"""Keys, tokens and spans: how two surfaces come to mean the same entity (read contract, section 1).

Pure functions over strings. This module must not know records, stores or questions' meaning.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

#: A leading article is dropped only before a lower-case word: "the meeting", but "The Who".
_ARTICLE = re.compile(r"\s*(?:the|a|an)\s+(?=(\S))", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\S)['’]s(?![^\W_])")
_LOOSE_SIGN = re.compile(r"(?<![^\W_])[#&%@](?![^\W_])")

#: Blocks of the scripts written without spaces between words: Han (with its marks and numerals),
#: Hiragana, Katakana, Thai, Lao, Khmer, Myanmar. Each of their characters is a token.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x19E0, 0x19FF), (0x2E80, 0x2FDF),
    (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3041, 0x30FA), (0x30FC, 0x30FF),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F), (0x20000, 0x323AF),
)  # fmt: skip
#: What could steer a terminal, or turn the text around it.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
    r"\u202a-\u202e\u2066-\u2069]"
)
_JOINERS = "\u200c\u200d"
_SIGNS = "+#&%@"  # the last four only where _LOOSE_SIGN left them


class _Fold(dict[int, str | None]):
    """Translation table, filled on first use: keep, drop, or turn into (or surround by) spaces."""

    def __missing__(self, code: int) -> str | None:
        self[code] = folded = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str | None:
    category = unicodedata.category(character)
    if character in _JOINERS or character in _SIGNS:
        return character
    if category == "Cf":
        return None
    if category[0] not in "LNM" and category not in ("Sc", "So"):
        return " "
    code = ord(character)
    if any(first <= code <= last for first, last in _UNSPACED):
        return f" {character} "
    return character


_FOLD = _Fold()


def fold_space(text: str) -> str:
    """The text with every run of white space as one space and none at the ends."""
    # Of white space only the space is printable, and most texts need no more than this look.
    if text.isprintable() and "  " not in text and text == text.strip():
        return text
    return " ".join(text.split())


def tokens(text: str) -> tuple[str, ...]:
    """The normalised tokens of a text, in order; rules 2 to 5 of the read contract, section 1.

    Linear in the length of the text.
    """
    folded = unicodedata.normalize("NFC", text).casefold()
    folded = _POSSESSIVE.sub("", folded)
    folded = _LOOSE_SIGN.sub(" ", folded)
    return tuple(folded.translate(_FOLD).split())


@lru_cache(maxsize=65_536)
def key(surface: str) -> str:
    """The key of a name taken from a record: its tokens joined by single spaces.

    A leading article before a lower-case word is no part of the name. A name without any token
    keeps its case-folded surface as key, so that no two such names merge.
    """
    article = _ARTICLE.match(surface)
    name = surface[article.end() :] if article and article[1].islower() else surface
    joined = " ".join(tokens(name))
    return joined or unicodedata.normalize("NFC", fold_space(surface)).casefold()


def key_length(key: str) -> int:
    """How many tokens a key has; a question is searched for spans up to the longest key."""
    return key.count(" ") + 1


def count(number: int, thing: str, things: str | None = None) -> str:
    """The number with its thing, in the singular or plural, for messages."""
    return f"{number} {thing}" if number == 1 else f"{number} {things or thing + 's'}"


def utf8_length(text: str) -> int:
    """Size of the text in UTF-8 bytes, the unit of the stores' limits."""
    return len(text) if text.isascii() else len(text.encode("utf-8"))


def shorten(text: str, characters: int = 60) -> str:
    """The text on one line, cut to the given number of characters, for messages."""
    folded = fold_space(text)
    return folded if len(folded) <= characters else folded[: characters - 1] + "…"


def shorten_path(path: str, characters: int = 60) -> str:
    """The end of a path on one line, where its file name is, for messages."""
    folded = fold_space(path)
    return folded if len(folded) <= characters else "…" + folded[1 - characters :]


def join_names(names: Iterable[object]) -> str:
    """The names joined by commas, for messages."""
    return ", ".join(str(name) for name in names)


def visible(text: str) -> str:
    """The text with what could steer a terminal or turn a line around written as an escape."""
    return _CONTROL.sub(escaped, text)


def escaped(found: re.Match[str]) -> str:
    """The characters of a match, written as Python escapes."""
    return found[0].encode("unicode_escape").decode("ascii")
