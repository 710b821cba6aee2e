"""Sentence patterns found in examples: frames that were always read in the same way.

A pattern needs support, one relation and one direction, and it must read no other sentence that a
model has read differently. The general pack's rules say what a name can be, so that a pattern reads
no more into a sentence than the grammar does. Pure. This module must not know models or stores.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache

from cmc_graph.frontends import packs
from cmc_graph.frontends.frames import frames, reverse, sentence
from cmc_graph.frontends.grammar import Grammar
from cmc_graph.frontends.packs import Pack, load_pack
from cmc_graph.frontends.templates import template
from cmc_graph.frontends.wording import Names
from cmc_graph.model import Pattern, Record, Status, Triple, Values

#: Examples a pattern needs, and answers of the model they come from: one answer may be wrong as a
#: whole.
SUPPORT, ANSWERS = 3, 2
NAME = "induced"

#: How much more often one relation must occur with a frame to be taken for the right one.
_CLEAR = 2
#: Signs that mean something in a template.
_RESERVED = frozenset("{}()|")
#: Names that stand in the slots when one pattern is tried on the sentences of another.
_SUBJECT, _OBJECT = "Alpha", "Omega"


@dataclass(frozen=True, slots=True)
class Example:
    """What a model read in one text.

    Attributes:
        triples: With the names that count; none where the text says no fact.
        answer: Tells the answers of the model apart.
    """

    triples: tuple[Triple, ...]
    answer: str


Examples = Mapping[str, Example]


def found_in(examples: Examples) -> list[Pattern]:
    """Every frame and relation of the texts that have one fact and one frame, sorted.

    Args:
        examples: By text.
    """
    answers: dict[tuple[str, str], list[str]] = {}
    for text, example in examples.items():
        if len(example.triples) == 1:
            triple = example.triples[0]
            of_text = frames(text, triple.subject, triple.object)
            if len(of_text) == 1:
                answers.setdefault((of_text[0], triple.relation), []).append(example.answer)
    return sorted(
        Pattern(frame, relation, len(given), len(set(given)))
        for (frame, relation), given in answers.items()
    )


def merged(patterns: Iterable[Pattern]) -> list[Pattern]:
    """The patterns, each frame and relation once, sorted.

    Two counts of one pattern may be of the same texts, so that the larger one counts.
    """
    largest: dict[tuple[str, str], Pattern] = {}
    for pattern in sorted(patterns):
        largest[pattern.template, pattern.relation] = pattern
    return list(largest.values())


def admitted(patterns: Sequence[Pattern], examples: Examples) -> list[Pattern]:
    """Those with support, one relation and one direction that misread no other frame or text.

    Args:
        patterns: All that were found, each frame and relation once.
        examples: All texts that were read, also those that say no fact.
    """
    meanings = Counter(pattern.template for pattern in patterns)
    said = {
        _instance(pattern.template): (Triple(_SUBJECT, pattern.relation, _OBJECT),)
        for pattern in patterns
    } | {text: example.triples for text, example in examples.items()}
    return [
        pattern
        for pattern in patterns
        if pattern.support >= SUPPORT
        and pattern.answers >= ANSWERS
        and meanings[pattern.template] == 1
        and not meanings[reverse(pattern.template)]
        and _is_writable(pattern.template)
        and not _misreads(pattern, said)
    ]


def disputed(patterns: Sequence[Pattern]) -> set[tuple[str, str]]:
    """The frames, each with one relation, that have other relations as well."""
    meanings = Counter(pattern.template for pattern in patterns)
    return {(p.template, p.relation) for p in patterns if meanings[p.template] > 1}


def outvoted(patterns: Sequence[Pattern], examples: Examples) -> list[str]:
    """The texts whose frame has another relation in most other texts: one of the two is wrong.

    Args:
        patterns: What was found in the examples.
        examples: By text.
    """
    best: dict[str, Pattern] = {}
    for pattern in patterns:
        other = best.get(pattern.template)
        if other is None or pattern.support > other.support:
            best[pattern.template] = pattern
    lost = {
        (pattern.template, pattern.relation)
        for pattern in patterns
        if pattern.support * _CLEAR <= best[pattern.template].support >= SUPPORT
    }
    return [
        text
        for text, example in examples.items()
        for triple in example.triples[:1]
        for frame in frames(text, triple.subject, triple.object)
        if (frame, triple.relation) in lost
    ]


def grammar(patterns: Sequence[Pattern]) -> Grammar:
    """A frontend that reads with these patterns."""
    return Grammar([_pack(patterns)] if patterns else [])


def pack_text(patterns: Iterable[Pattern]) -> str:
    """The patterns as a pattern pack, the TOML file that ``--grammar`` takes."""
    blocks = [f"name = {_quoted(NAME)}\n"]
    blocks += [
        f"[[pattern]] # {pattern.support} examples\n"
        f"text = {_quoted(pattern.template)}\nrelation = {_quoted(pattern.relation)}\n"
        for pattern in patterns
    ]
    return "\n".join([*blocks, _names_text()])


def shows(text: str, frame: str) -> bool:
    """The text is of that frame, whatever its names are."""
    whole = sentence(text)
    first, *parts = frame.replace("{S}", "{O}").split("{O}")
    if not parts:
        return whole == first
    *between, last = parts
    at = len(first)
    for part in between:  # a name has at least one character
        at = whole.find(part, at + 1) + len(part)
        if at < len(part):
            return False
    return whole.startswith(first) and whole.endswith(last) and at < len(whole) - len(last)


def _misreads(pattern: Pattern, said: Mapping[str, tuple[Triple, ...]]) -> bool:
    parts = pattern.template.replace("{S}", "{O}").split("{O}")
    texts = [text for text in said if all(part in text for part in parts)]
    read = grammar([pattern]).interpret([Record(text=text) for text in texts])
    return any(
        reading.status is Status.FACTS and reading.triples != said[text]
        for text, reading in zip(texts, read, strict=True)
    )


def _pack(patterns: Sequence[Pattern]) -> Pack:
    """The pack that ``pack_text`` writes."""
    return Pack(
        name=NAME,
        patterns=tuple(
            packs.Pattern(templates=(template(pattern.template),), relation=pattern.relation)
            for pattern in patterns
        ),
        relations={pattern.relation: Values.ONE for pattern in patterns},
        names=_names(),
    )


def _instance(frame: str) -> str:
    return frame.replace("{S}", _SUBJECT).replace("{O}", _OBJECT)


def _is_writable(frame: str) -> bool:
    parts = frame.replace("{S}", "{O}").split("{O}")
    return all(parts[1:-1]) and not _RESERVED.intersection("".join(parts))


@cache
def _names() -> Names:
    return load_pack("general").names or Names()


def _names_text() -> str:
    names = _names()
    return "[names]\n" + "".join(_setting(names, field.name) for field in fields(names))


def _setting(names: Names, name: str) -> str:
    value = getattr(names, name)
    listed = sorted(value) if isinstance(value, frozenset) else value
    return f"{name} = {_quoted(listed)}\n"


def _quoted(value: object) -> str:
    """The value in TOML, which has JSON's texts, numbers and lists."""
    return json.dumps(value, ensure_ascii=False)
