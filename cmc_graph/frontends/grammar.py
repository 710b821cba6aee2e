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
from functools import lru_cache
from typing import NamedTuple

from cmc_graph.frontends.packs import Pack, Pattern, load_pack
from cmc_graph.frontends.relations import is_relation
from cmc_graph.frontends.templates import Form, Spans, fits
from cmc_graph.frontends.validate import unresolved
from cmc_graph.frontends.wording import Kind
from cmc_graph.model import Interpretation, Record, Status, Triple, Values
from cmc_graph.text import fold_space

__all__ = ["Grammar", "load_pack"]

#: Texts beyond these bounds are no single statement. They keep the cost of a record in proportion
#: to its length, whatever it holds.
MAX_SENTENCE = 8_000  # characters
MAX_ORDERS = 10_000  # sets of landmarks whose rules are kept in order
MAX_PLACES = 16  # where one form fits; nowhere when there are more

_LIST = re.compile(r", (?:and )?| and ")

_Rank = tuple[bool, int, int]
_Triples = tuple[Triple, ...]


class Grammar:
    """The grammar frontend: the first of its packs that reads a record wins.

    Args:
        packs: Pattern packs, the one that is asked first first.
    """

    def __init__(self, packs: Sequence[Pack]) -> None:
        self._readers = [_reader(pack) for pack in packs]
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
            if len(readings) == 1:
                return Interpretation(Status.FACTS, readings[0].triples, None, reader.name)
            if readings:
                one, other = readings
                return unresolved(_differ(one.rule.text, other.rule.text), reader.name)
        return unresolved("no pattern reads it", "grammar")


@dataclass(frozen=True, slots=True)
class _Rule:
    """One form of one pattern, ready to be tried."""

    rank: _Rank
    form: Form
    slots: tuple[tuple[str, Kind | None], ...]  # the form's, each with the kind of its values
    text: str
    pattern: Pattern
    asks: bool  # whether its objects must be of the kinds that the relation has
    places: tuple[int, int] | None  # of S and O among two slots, where any text is a value


class _Reading(NamedTuple):
    """What one rule makes of a sentence."""

    triples: _Triples
    rule: _Rule


@lru_cache(maxsize=16)
def _reader(pack: Pack) -> "_Reader":
    """The reader of a pack, which is made once and never changes."""
    return _Reader(pack)


class _Reader:
    """Reads sentences with one pack; rules are found by the words they cannot do without."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.name = f"grammar:{pack.name}"
        rules = [
            _Rule(
                rank=_rank(form),
                form=form,
                slots=tuple((s.name, pack.kinds[s.kind] if s.kind else None) for s in form.slots),
                text=template.text,
                pattern=pattern,
                asks=self._asks(form, pattern),
                places=self._places(form, pattern),
            )
            for pattern in pack.patterns
            for template in pattern.templates
            for form in template.forms
        ]
        rules.sort(key=lambda rule: rule.rank, reverse=True)
        self._rules: dict[str | None, list[tuple[int, _Rule]]] = {}
        for place, rule in enumerate(rules):
            self._rules.setdefault(rule.form.landmark, []).append((place, rule))
        self._landmarks = frozenset(self._rules)
        self._ordered: dict[frozenset[str | None], list[_Rule]] = {}  # kept, sentences are alike

    def _asks(self, form: Form, pattern: Pattern) -> bool:
        """Whether objects depend on the relation: not where the form has a kind of its own."""
        has_kind = any(slot.name == "O" and slot.kind is not None for slot in form.slots)
        return not has_kind and self.pack.objects.ask_of(pattern.relation)

    def _places(self, form: Form, pattern: Pattern) -> tuple[int, int] | None:
        names = [slot.name for slot in form.slots]
        takes_any = self.pack.names is None and all(slot.kind is None for slot in form.slots)
        if sorted(names) != ["O", "S"] or pattern.is_list or self._asks(form, pattern):
            return None
        return (names.index("S"), names.index("O")) if takes_any else None

    def read(self, sentence: str) -> list[_Reading]:
        """The different readings of equal rank: none, the one that counts, or several.

        Args:
            sentence: White space folded, without its final full stop.
        """
        if readings := self._best(sentence):
            return readings
        for phrasing in self.pack.frame.shorter(sentence):
            if readings := self._best(phrasing.text, phrasing.cut, is_event=phrasing.is_event):
                return readings
        return []

    def _best(
        self, sentence: str, cut: int | None = None, *, is_event: bool = False
    ) -> list[_Reading]:
        text = sentence.replace("’", "'")
        found: list[_Reading] = []
        for rule in self._candidates(text):
            if found and rule.rank < found[0].rule.rank:
                break
            if is_event and not rule.pattern.is_event:
                continue
            for spans in fits(rule.form, text, MAX_PLACES):
                if rule.places and cut is None:
                    triples = _of_any_text(rule.pattern, rule.places, sentence, spans)
                else:
                    triples = self._triples(rule, sentence, cut, spans)
                if triples and not (found and triples == found[0].triples):
                    found.append(_Reading(triples, rule))
                    if len(found) > 1:
                        return found
        return found

    def _candidates(self, text: str) -> list[_Rule]:
        """The rules whose landmark the text has, the most specific first."""
        landmarks = self._landmarks.intersection((None, *text.split(" ")))
        found = self._ordered.get(landmarks)
        if found is None:
            placed = sorted(pair for landmark in landmarks for pair in self._rules[landmark])
            found = [rule for _, rule in placed]  # no two have the same place
            if len(self._ordered) < MAX_ORDERS:
                self._ordered[landmarks] = found
        return found

    def _triples(self, rule: _Rule, sentence: str, cut: int | None, spans: Spans) -> _Triples:
        """What the rule says with its slots at these places; nothing when a value does not fit."""
        values: dict[str, str] = {}
        for (name, kind), (start, stop) in zip(rule.slots, spans, strict=True):
            value = sentence[start:stop]
            if (cut is not None and start < cut < stop) or value != value.strip():
                return ()
            if kind is not None and not kind.fits(value):
                return ()
            if name == "R" and not is_relation(value, self.pack.banned):
                return ()
            values[name] = value
        pattern = rule.pattern
        relation = pattern.relation or self._relation(values["R"])
        objects = _LIST.split(values["O"]) if pattern.is_list else [values["O"]]
        if rule.asks and not all(self.pack.objects.fit(relation, name) for name in objects):
            return ()
        any_name = self.pack.names is None
        if not all(objects) or not (any_name or self._are_names(rule, values, relation, objects)):
            return ()
        subject, retracts = values["S"], pattern.retracts
        return tuple([Triple(subject, relation, name, retracts) for name in objects])

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
        is_one = not is_many and self.pack.objects.knows(relation)  # "Pride and Prejudice" is one
        return (
            all(names.fits(value, is_object=False) for value in subjects)
            and all(names.fits(value, is_object=True) for value in objects)
            and not (last in subjects and names.trails(last))  # asked of objects above
            and not names.splits(objects)
            # "A and B" is one name unless the sentence may be about two.
            and not (rule.pattern.is_plural and any(map(names.joins, subjects)))
            and not (is_many and any(map(names.joins, objects)))
            and not (is_one and any(map(names.lists, objects)))
            and not self.pack.frame.surrounds(first, last)  # costs most
        )

    def _relation(self, value: str) -> str:
        name = " ".join(self.pack.spelling.get(word, word) for word in value.split(" "))
        return self.pack.aliases.get(name, name)


def _of_any_text(
    pattern: Pattern, places: tuple[int, int], sentence: str, spans: Spans
) -> _Triples:
    """What a pattern says whose subject and object may be any text, as in fixed forms."""
    (start, stop), (first, last) = spans[places[0]], spans[places[1]]
    subject, obj = sentence[start:stop], sentence[first:last]
    if subject != subject.strip() or obj != obj.strip():
        return ()
    return (Triple(subject, pattern.relation or "", obj, pattern.retracts),)


def _sentence(text: str) -> str:
    """The text with white space folded and one final full stop or exclamation mark removed.

    Exactly one: "… in Washington, D.C.." ends in a name's own full stop. Nothing is left of a text
    that is too long to be a sentence.
    """
    if len(text) > MAX_SENTENCE:
        return ""
    folded = fold_space(text)
    return folded[:-1].rstrip() if folded.endswith((".", "!")) else folded


def _rank(form: Form) -> _Rank:
    is_open = any(slot.name == "R" and slot.kind is None for slot in form.slots)
    return (not is_open, form.size, sum(slot.kind is not None for slot in form.slots))


def _differ(one: str, other: str) -> str:
    if one == other:
        return f"the pattern {one!r} reads it in two ways"
    return f"the patterns {one!r} and {other!r} read it differently"
