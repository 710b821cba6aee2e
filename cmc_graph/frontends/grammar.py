"""Stage 1 without a model: sentences are read by the patterns of packs.

A record is one sentence that one pattern reads as a whole; otherwise it is unresolved and stays
visible. The first pack that reads a record wins; within a pack the most specific pattern does:

1. a pattern that fixes the relation, or the kind of its slot {R}, before one that leaves it open;
2. then the one whose literals settle more characters of the sentence;
3. then the one with more slots of a kind.

A record that two equally specific patterns read differently, or one pattern in two ways, is
unresolved too. This module must not know stores, nor what the words of a pack mean.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from cmc_graph.frontends.packs import Pack, Pattern, load_pack
from cmc_graph.frontends.phrasing import Phrasing
from cmc_graph.frontends.templates import Form, Slot, fits
from cmc_graph.frontends.validate import unresolved
from cmc_graph.frontends.wording import is_relation
from cmc_graph.model import Interpretation, Record, Status, Triple, Values
from cmc_graph.text import fold_space

__all__ = ["Grammar", "load_pack"]

#: Texts beyond these bounds are no single statement. They keep the cost of a record in proportion
#: to its length, whatever it holds.
MAX_SENTENCE = 8_000  # characters
MAX_PLACES = 16  # where one form fits

_LIST = re.compile(r", (?:and )?| and ")

_Rank = tuple[bool, int, int]
_Span = tuple[int, int]
_Triples = tuple[Triple, ...]


class Grammar:
    """The grammar frontend: the first of its packs that reads a record wins.

    Args:
        packs: Pattern packs, the one that is asked first first.
    """

    def __init__(self, packs: Sequence[Pack]) -> None:
        self._readers = [_Reader(pack) for pack in packs]
        self._relations: dict[str, Values] = {}
        for pack in packs:
            for name, values in pack.relations.items():
                if self._relations.get(name) is not Values.MANY:  # between packs, many wins
                    self._relations[name] = values

    @property
    def relations(self) -> Mapping[str, Values]:
        """How many values each relation has that a pack names."""
        return self._relations

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        """One interpretation per record, in order; what no pack reads is unresolved."""
        return map(self._interpret, records)

    def _interpret(self, record: Record) -> Interpretation:
        sentence = _sentence(record.text)
        for reader in self._readers if sentence else ():
            readings = reader.read(sentence)
            frontend = f"grammar:{reader.pack.name}"
            if len(readings) == 1:
                return Interpretation(Status.FACTS, readings[0].triples, frontend=frontend)
            if readings:
                return unresolved(_differ(readings[0].pattern, readings[1].pattern), frontend)
        return unresolved("no pattern reads it", "grammar")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one pattern makes of a sentence."""

    triples: _Triples
    pattern: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """One form of one pattern, ready to be tried."""

    rank: _Rank
    form: Form
    text: str
    pattern: Pattern


class _Reader:
    """Reads sentences with one pack; rules are found by the words they cannot do without."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        rules = [
            _Rule(_rank(form), form, template.text, pattern)
            for pattern in pack.patterns
            for template in pattern.templates
            for form in template.forms
        ]
        rules.sort(key=lambda rule: rule.rank, reverse=True)
        self._rules: dict[str | None, list[tuple[int, _Rule]]] = {}
        for place, rule in enumerate(rules):
            self._rules.setdefault(rule.form.landmark, []).append((place, rule))

    def read(self, sentence: str) -> list[_Reading]:
        """The different readings of equal rank: none, the one that counts, or several.

        Args:
            sentence: White space folded, without its final full stop.
        """
        for phrasing in self.pack.frame.phrasings(sentence):
            if readings := self._best(phrasing):
                return readings
        return []

    def _best(self, phrasing: Phrasing) -> list[_Reading]:
        text = phrasing.text.replace("’", "'")
        found: dict[_Triples, _Reading] = {}
        best: _Rank | None = None
        for rule in self._candidates(text):
            if best is not None and rule.rank < best:
                break
            if phrasing.is_event and not rule.pattern.is_event:
                continue
            for spans in _places(rule.form, text):
                if triples := self._triples(rule, phrasing, spans):
                    best = rule.rank
                    found.setdefault(triples, _Reading(triples, rule.text))
                    if len(found) > 1:
                        return list(found.values())
        return list(found.values())

    def _candidates(self, text: str) -> Iterator[_Rule]:
        """The rules whose landmark the text has, the most specific ones first."""
        words: set[str | None] = {None, *text.split(" ")}
        found = dict(item for word in words for item in self._rules.get(word, ()))
        return (found[place] for place in sorted(found))

    def _triples(self, rule: _Rule, phrasing: Phrasing, spans: tuple[_Span, ...]) -> _Triples:
        """What the rule says with its slots at these places; nothing when a value does not fit."""
        values: dict[str, str] = {}
        for slot, (start, stop) in zip(rule.form.slots, spans, strict=True):
            value = phrasing.text[start:stop]
            is_whole = phrasing.cut is None or not start < phrasing.cut < stop
            if not is_whole or value != value.strip() or not self._is_of_kind(slot, value):
                return ()
            values[slot.name] = value
        pattern = rule.pattern
        relation = pattern.relation or self._relation(values["R"])
        objects = _LIST.split(values["O"]) if pattern.is_list else [values["O"]]
        if not all(objects) or not self._are_names(rule, values, relation, objects):
            return ()
        return tuple(Triple(values["S"], relation, name, pattern.retracts) for name in objects)

    def _is_of_kind(self, slot: Slot, value: str) -> bool:
        if slot.kind is not None and not self.pack.kinds[slot.kind].fits(value):
            return False
        return slot.name != "R" or is_relation(value, self.pack.banned)

    def _are_names(
        self, rule: _Rule, values: Mapping[str, str], relation: str, objects: Sequence[str]
    ) -> bool:
        """Whether subject, objects and what is left out are names by the rules of the pack."""
        names, slots, kinds = self.pack.names, rule.form.slots, self.pack.kinds
        if names is None:
            return True
        free = {  # a value all of whose words its kind knows needs no other check
            slot.name: values[slot.name]
            for slot in slots
            if slot.kind is None or not kinds[slot.kind].spells(values[slot.name])
        }
        first = None if rule.form.literals[0] else free.get(slots[0].name)
        last = None if rule.form.literals[-1] else free.get(slots[-1].name)
        subjects = [free[name] for name in "SX" if name in free]
        objects = objects if "O" in free else ()
        is_many = self.pack.relations.get(relation) is Values.MANY
        return (
            not self.pack.frame.surrounds(first, last)
            and all(names.fits(value, is_object=False) for value in subjects)
            and all(names.fits(value, is_object=True) for value in objects)
            # "A and B" is one name unless the sentence may be about two.
            and not (rule.pattern.is_plural and any(map(names.joins, subjects)))
            and not (is_many and any(map(names.joins, objects)))
        )

    def _relation(self, value: str) -> str:
        name = " ".join(self.pack.spelling.get(word, word) for word in value.split(" "))
        return self.pack.aliases.get(name, name)


def _sentence(text: str) -> str:
    """The text with white space folded and one final full stop or exclamation mark removed.

    Exactly one: "… in Washington, D.C.." ends in a name's own full stop. Nothing is left of a text
    that is too long to be a sentence.
    """
    if len(text) > MAX_SENTENCE:
        return ""
    folded = fold_space(text)
    return folded[:-1].rstrip() if folded.endswith((".", "!")) else folded


def _places(form: Form, text: str) -> Sequence[tuple[_Span, ...]]:
    """Where the form fits; nowhere when it fits at more places than a plain sentence has."""
    found = list(islice(fits(form, text), MAX_PLACES + 1))
    return found if len(found) <= MAX_PLACES else ()


def _rank(form: Form) -> _Rank:
    is_open = any(slot.name == "R" and slot.kind is None for slot in form.slots)
    return (not is_open, form.size, sum(slot.kind is not None for slot in form.slots))


def _differ(one: str, other: str) -> str:
    if one == other:
        return f"the pattern {one!r} reads it in two ways"
    return f"the patterns {one!r} and {other!r} read it differently"
