"""The same statement in fewer words: without "now", without "Update:", without "since March".

What is left out says nothing about subject, relation or object. Nothing is ever put in another
place, so that every slot of the shorter sentence is a span of the whole one. This module must not
know patterns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from cmc_graph.frontends.wording import Kind

#: Words of the longest phrase that is looked for at an end of a sentence.
_LONGEST = 7

#: A plain sentence has few adverbs; one after the other is left out.
_MOST_ADVERBS = 3

#: A line of notes has few marks before its sentence: "- 2026-03-01 [ops] The lamp is on".
_MOST_HEADS = 3

#: The first word of a phrase without case, or its last one, or neither: "[{tag}]" has none.
Ends = tuple[str, str]
_NONE: Ends = ("", "")
_KIND = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase at the beginning or the end of a sentence: words, a kind of words, more words.

    Attributes:
        before: Literal text in front of the kind; the whole phrase where there is no kind.
        kind: What stands between the literals, as in "as of {date}".
        after: Literal text behind the kind.
        is_event: Says when something happened: it goes only with sentences that tell an event.
    """

    before: str
    kind: Kind | None = None
    after: str = ""
    is_event: bool = False

    def holds(self, text: str) -> bool:
        """True when the text is this phrase; the first letter may have either case."""
        if text[:1].swapcase() == self.before[:1]:
            text = text[:1].swapcase() + text[1:]
        if self.kind is None:
            return text == self.before
        stop = len(text) - len(self.after)
        return (
            len(self.before) < stop
            and text.startswith(self.before)
            and text.endswith(self.after)
            and self.kind.spells(text[len(self.before) : stop])
        )


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One way to put a sentence.

    Attributes:
        text: The sentence with less around it.
        cut: Where a word was left out inside; a slot that spans this place would be no literal
            span.
        is_event: What was left out goes only with patterns that tell an event.
    """

    text: str
    cut: int | None = None
    is_event: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """What may stand around a statement, and the adverbs that may stand inside.

    Attributes:
        before: Phrases at the beginning of a sentence, by their ends.
        after: Phrases at its end, by their ends.
        adverbs: Words that may stand anywhere between the slots.
    """

    before: Mapping[Ends, tuple[Phrase, ...]] = field(default_factory=dict)
    after: Mapping[Ends, tuple[Phrase, ...]] = field(default_factory=dict)
    adverbs: frozenset[str] = frozenset()

    def shorter(self, sentence: str) -> Iterator[Phrasing]:
        """The sentence with less around it, then without an adverb."""
        whole = Phrasing(sentence)
        bare = self._without_ends(whole) if self.before or self.after else whole
        if bare is not whole:
            yield bare
        if self.adverbs:
            yield from self._without_adverb(bare)
            if bare is not whole:  # "is now on Friday": what looks like an end may be the object
                yield from self._without_adverb(whole)

    def surrounds(self, first: str | None, last: str | None) -> bool:
        """True when a sentence's first value begins, or its last one ends, with such a phrase."""
        return (first is not None and self._head(first) is not None) or (
            last is not None and self._tail(last) is not None
        )

    def _without_ends(self, whole: Phrasing) -> Phrasing:
        text, is_event = whole.text, False
        heads = 0
        while heads < _MOST_HEADS and (head := self._head(text)):
            text, is_event = text.split(" ", head[0])[-1], is_event or head[1].is_event
            heads += 1
        if tail := self._tail(text):
            text = text.rsplit(" ", tail[0])[0].removesuffix(",")
            is_event = is_event or tail[1].is_event
        if heads and is_event and text[:1].isdigit():  # "In May 1999 …": not the whole phrase
            return whole
        return Phrasing(text, is_event=is_event) if heads or tail else whole

    def _head(self, text: str) -> tuple[int, Phrase] | None:
        """How many words at the beginning are a phrase, the longest one, and which."""
        words = text.split(" ", _LONGEST + 1)[: _LONGEST + 1]
        for count in range(len(words) - 1, 0, -1):
            if phrase := _find(self.before, words[:count]):
                return count, phrase
        return None

    def _tail(self, text: str) -> tuple[int, Phrase] | None:
        """How many words at the end are a phrase, the longest one, and which."""
        words = text.rsplit(" ", _LONGEST + 1)[-_LONGEST - 1 :]
        for count in range(len(words) - 1, 0, -1):
            if phrase := _find(self.after, words[-count:]):
                return count, phrase
        return None

    def _without_adverb(self, phrasing: Phrasing) -> Iterator[Phrasing]:
        start, found = 0, 0
        for word in phrasing.text.split(" "):
            stop = start + len(word) + 1
            if word.removesuffix(",").casefold() in self.adverbs and found < _MOST_ADVERBS:
                head, tail = phrasing.text[:start], phrasing.text[stop:]
                text = head + tail if tail else head.removesuffix(" ").removesuffix(",")
                yield Phrasing(text, min(start, len(text)), phrasing.is_event)
                found += 1
            start = stop


def phrase(template: str, kinds: Mapping[str, Kind], *, is_event: bool) -> Phrase:
    """The phrase a template describes, as in ``as of {date}``.

    Raises:
        ValueError: It names a kind that does not exist, or more than one.
    """
    before, *rest = _KIND.split(template)
    if not rest:
        return Phrase(before, is_event=is_event)
    name, after = rest[0], rest[1]
    if len(rest) > 2 or name not in kinds:
        raise ValueError(f"{template!r} needs one kind that the file defines")
    return Phrase(before, kinds[name], after, is_event)


def by_ends(phrases: Iterable[Phrase]) -> dict[Ends, tuple[Phrase, ...]]:
    """The phrases by a word at one of their ends that no kind is part of."""
    found: dict[Ends, tuple[Phrase, ...]] = {}
    for item in phrases:
        ends = _ends(item)
        found[ends] = (*found.get(ends, ()), item)
    return found


def _ends(item: Phrase) -> Ends:
    first, space, _ = item.before.partition(" ")
    if space or item.kind is None:
        return first.casefold(), ""
    _, space, last = item.after.rpartition(" ")
    return "", last if space else ""


def _find(phrases: Mapping[Ends, tuple[Phrase, ...]], words: list[str]) -> Phrase | None:
    first, last = words[0].removesuffix(",").casefold(), words[-1].removesuffix(",")
    candidates = phrases.get((first, ""), ()) + phrases.get(("", last), ()) + phrases.get(_NONE, ())
    text = " ".join(words).removesuffix(",") if candidates else ""
    return next((phrase for phrase in candidates if phrase.holds(text)), None)
