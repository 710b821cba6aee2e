"""The pattern language: templates with slots, and the ways in which one fits a sentence.

A template is plain text with slots: ``{S}`` subject, ``{O}`` object, ``{R}`` the relation's own
name, ``{X}`` text that is not kept; ``{O:floor}`` is a slot whose value must be of the kind
``floor``. ``(lives|resides)`` are alternatives, an empty one included: ``{S} (|now )lives``.
Pure text matching by search from left to right, without regular expressions over the sentence.
This module must not know what a relation or a kind of words is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

_ALTERNATIVES = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{([SROX])(?::([a-z_]+))?\}")

#: Start and end of each slot in a sentence.
Spans = tuple[tuple[int, int], ...]

#: A relation's name is short; a slot {R} ends within so many characters.
MAX_RELATION = 60


@dataclass(frozen=True, slots=True)
class Slot:
    """A gap in a template.

    Attributes:
        name: ``S``, ``R``, ``O`` or ``X``.
        kind: Name of the kind its value must be of, if any.
    """

    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """One template without alternatives: literals and slots take turns, literals at both ends."""

    literals: tuple[str, ...]
    slots: tuple[Slot, ...]
    is_plain: bool = field(init=False)  # two slots, none of them a relation's name

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "is_plain", len(self.slots) == 2 and all(s.name != "R" for s in self.slots)
        )

    @property
    def size(self) -> int:
        """How many characters of a sentence the literals settle."""
        return sum(map(len, self.literals))

    @property
    def landmark(self) -> str | None:
        """The longest whole word of the literals: a sentence without it cannot fit."""
        last = len(self.literals) - 1
        words: list[str] = []
        for index, literal in enumerate(self.literals):
            parts = literal.split(" ")
            # What touches a slot is only part of a word of the sentence.
            words += parts[0 if index == 0 else 1 : len(parts) if index == last else -1]
        return max(filter(None, words), key=len, default=None)


@dataclass(frozen=True, slots=True)
class Template:
    """A template as people write it, and its forms, alternatives written out."""

    text: str
    forms: tuple[Form, ...]


def fits(form: Form, sentence: str, most: int) -> list[Spans]:
    """The ways in which a form fits a sentence, leftmost first; none if there are too many.

    Args:
        form: What to look for.
        sentence: White space folded, apostrophes as in the form, no final full stop.
        most: How many ways are not too many.
    """
    head, tail = form.literals[0], form.literals[-1]
    if not (sentence.startswith(head) and sentence.endswith(tail)):
        return []
    start, stop = len(head), len(sentence) - len(tail)
    if form.is_plain:  # nearly always its middle is there once, or not at all
        middle = form.literals[1]
        at = sentence.find(middle, start + 1, stop - 1)
        if at == -1:
            return []
        if sentence.find(middle, at + 1, stop - 1) == -1:
            return [((start, at), (at + len(middle), stop))]
    found = _fits(form, 0, sentence, start, stop, most + 1)
    return found if len(found) <= most else []


def _fits(form: Form, index: int, sentence: str, start: int, stop: int, most: int) -> list[Spans]:
    """The first ways in which the slots from ``index`` on fill the sentence from start to stop."""
    middle = form.literals[index + 1]
    is_last = index + 2 == len(form.slots)
    bound = stop
    if form.slots[index].name == "R":
        bound = min(stop, start + MAX_RELATION + len(middle))
    found: list[Spans] = []
    at = sentence.find(middle, start + 1, bound)
    while at != -1 and len(found) < most:
        behind = at + len(middle)
        if not is_last:
            for rest in _fits(form, index + 1, sentence, behind, stop, most - len(found)):
                found.append(((start, at), *rest))
        elif behind < stop and (form.slots[-1].name != "R" or stop - behind <= MAX_RELATION):
            found.append(((start, at), (behind, stop)))
        at = sentence.find(middle, at + 1, bound)
    return found


def template(text: str) -> Template:
    """The template with all its forms: one per choice of alternatives and case of the first letter.

    A sentence that begins with a template's own word may begin with either case ("The", "the").

    Raises:
        ValueError: The template is not well formed; the message says how.
    """
    found: dict[Form, None] = {}
    for plain in _expand(text.replace("’", "'")):
        form = _parse(plain)
        found[form] = None
        if form.literals[0][:1].isalpha():
            head = form.literals[0]
            found[Form((head[0].swapcase() + head[1:], *form.literals[1:]), form.slots)] = None
    return Template(text, tuple(found))


def slot_names(text: str) -> list[str]:
    """The names of the slots in a template or a question form, in order."""
    return [name for name, _ in _SLOT.findall(text)]


def _expand(text: str) -> Iterator[str]:
    parts = _ALTERNATIVES.split(text)  # literal, alternatives, literal, …
    if any(character in part for part in parts[::2] for character in "()|"):
        raise ValueError(f"{text!r}: alternatives are (one|two), without others inside")
    choices = [part.split("|") if index % 2 else [part] for index, part in enumerate(parts)]
    for chosen in product(*choices):
        plain = "".join(chosen)
        if plain != " ".join(plain.split()):
            raise ValueError(f"{text!r}: spaces are doubled, or stand at an end, in {plain!r}")
        yield plain


def _parse(text: str) -> Form:
    parts = _SLOT.split(text)  # literal, name, kind, literal, …
    literals = tuple(parts[::3])
    slots = tuple(map(Slot, parts[1::3], parts[2::3]))
    names = [slot.name for slot in slots]
    if any(character in literal for literal in literals for character in "{}"):
        raise ValueError(f"{text!r}: a slot is {{S}}, {{O}}, {{R}} or {{X}}, or as in {{O:floor}}")
    for name in "SO":
        if name not in names:
            raise ValueError(f"{text!r} has no {{{name}}}")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{text!r} has {{{name}}} more than once")
    if not all(literals[1:-1]):
        raise ValueError(f"{text!r}: two slots stand side by side; put a word between them")
    return Form(literals, slots)
