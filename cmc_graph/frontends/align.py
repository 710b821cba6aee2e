"""Alignment: different names that a model gave one relation become one name.

The model proposes, from records alone, which names mean the same. A name of the history comes
before a new one, and of new ones the first to occur. What a person merged is never asked for. This
module must not know how records are read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field

from cmc_graph.frontends.asking import row_schema
from cmc_graph.frontends.replies import Row, Unreadable, rows
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.chat import Chat
from cmc_graph.prompts import prompt
from cmc_graph.text import shorten

#: New names per call, and how often a name is asked for.
_CHUNK, _ATTEMPTS = 100, 3
#: Examples shown of a name in use and of a new one, and their longest text.
EXAMPLES_IN_USE, EXAMPLES_OF_NEW, _LONGEST_EXAMPLE = 1, 2, 300
#: Names the prompts hold: more would cost more than they help.
MOST_NAMES = 150

_KEY = "same"
_ALL = "all"
_NOTHING = "{}"


@dataclass(frozen=True, slots=True)
class Taken:
    """A record a relation's name was taken from, with the subject and object found in it."""

    text: str
    subject: str
    object: str

    def __str__(self) -> str:
        text = shorten(self.text, _LONGEST_EXAMPLE)
        return f"  {self.subject} -> {self.object} | {text}"


Examples = Mapping[str, Sequence[Taken]]


@dataclass(frozen=True, slots=True)
class Established:
    """What a history has of relations before a run.

    Attributes:
        in_use: Names its relations have now, with records they were taken from, if any are known.
        merged: Other names, by name, with the one they were merged into.
    """

    in_use: Examples = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)


class Names:
    """The names of relations in one run.

    Args:
        chat: The model.
        kept: What was answered before.
        made_by: What names the answers whose relations these are: prompt and model.
        established: What the history has already.
    """

    def __init__(
        self, chat: Chat, kept: Interpretations, made_by: str, established: Established
    ) -> None:
        self._chat = chat
        self._kept = kept
        self._prompt = prompt("frontends", "align")
        self._scope = f"align {self._prompt.hash} {chat.name}"
        self._second = f"align again {self._prompt.hash} {chat.name}"
        self._dictionary = f"names {self._prompt.hash} {made_by}"
        stored = json.loads(kept.get(self._dictionary, (_ALL,)).get(_ALL, "[{}, {}]"))
        self._before: dict[str, str] = stored[0]
        self._taken = {name: [Taken(*taken)] for name, taken in stored[1].items()}
        self._taken |= {name: list(taken) for name, taken in established.in_use.items() if taken}
        self._merged = established.merged
        self._into = dict(established.merged)
        self._order = {name: number for number, name in enumerate(established.in_use)}
        self._is_foreign = bool(self._order.keys() - set(self._before.values()))
        self._has_news = False

    def name(self, raw: str) -> str:
        """The name that counts for a name the model gave."""
        while (into := self._into.get(raw, raw)) != raw:
            raw = into
        return raw

    def mapping(self) -> dict[str, str]:
        """Every name that stands for another one, with the one that counts."""
        return {raw: name for raw in self._into if (name := self.name(raw)) != raw}

    def catalogue(self) -> list[str]:
        """The names the model is told: those in use, then those of earlier runs."""
        names = dict.fromkeys([*self._order, *self._before.values()])
        return [name for name in names if self.name(name) == name][:MOST_NAMES]

    def learn(self, examples: Examples, *, of_one_answer: bool = False) -> None:
        """Find out which of the names that are new mean the same as others.

        Args:
            examples: Of all names that have occurred so far, in the order of their occurrence.
            of_one_answer: One answer gave all of them; as long as there are no others, such names
                are different.
        """
        found = [name for raw in examples if (name := self._adopt(raw)) is not None]
        new = list(dict.fromkeys(found))
        self._has_news = self._has_news or bool(new)
        if of_one_answer and not self._order:
            self._order = {name: number for number, name in enumerate(new)}
        else:
            self._align(new, examples)

    def look_again(self, examples: Examples) -> None:
        """Compare all names that have occurred with each other, unless all were known before."""
        if self._has_news:
            told = set(map(self.name, examples))
            found = [name for name in self._order if name in told]
            others = [name for name in self._order if name not in told]
            self._order = {name: number for number, name in enumerate(others)}
            self._align(found, examples)

    def keep(self, examples: Examples) -> None:
        """Keep what the names of this run count as, for other histories."""
        known = self._before | {raw: raw for raw in examples}
        names = {raw: self._own_name(name) for raw, name in known.items()}
        shown = self._shown(examples)
        taken = {name: astuple(shown[name][0]) for name in names.values() if name in shown}
        value = json.dumps([names, taken], ensure_ascii=False)
        self._kept.put(self._dictionary, {_ALL: value})

    def _own_name(self, name: str) -> str:
        """What the name counts as without the merges of this one history."""
        while name in self._into and name not in self._merged:
            name = self._into[name]
        return name

    def _adopt(self, raw: str) -> str | None:
        """A name to ask for, unless history or earlier runs know what the raw name counts as."""
        name = self.name(raw)
        if name in self._order:
            return None
        if name not in self._before:
            return name
        known = self.name(self._before[name])
        if known != name:
            self._into[name] = known
        if self._is_foreign and known not in self._order:
            return known
        self._order.setdefault(known, len(self._order))
        return None

    def _align(self, new: Sequence[str], examples: Examples) -> None:
        shown = self._shown(examples)
        for start in range(0, len(new), _CHUNK):
            chunk = new[start : start + _CHUNK]
            used = [name for name in self._order if self.name(name) == name][:MOST_NAMES]
            for name in chunk:
                self._order.setdefault(name, len(self._order))
            self._into |= self._confirmed(used, chunk, shown)

    def _confirmed(
        self, used: Sequence[str], new: Sequence[str], shown: Examples
    ) -> dict[str, str]:
        """The new names that are others, in two answers: a wrong one would mix up what is told."""
        sure: dict[str, str] = {}
        for _ in range(_ATTEMPTS):
            same = _roots(self._answered(self._scope, used, new, shown), [*used, *new])
            if not same:
                break
            names, others = list(dict.fromkeys(same.values())), [*reversed(same)]
            again = self._answered(self._second, names, others, shown)
            sure = {name: into for name, into in same.items() if again.get(name) == into}
            if sure == same:
                break
            self._kept.put(self._scope, {_message(used, new, shown): _NOTHING})
            self._kept.put(self._second, {_message(names, others, shown): _NOTHING})
        return sure

    def _answered(
        self, scope: str, used: Sequence[str], new: Sequence[str], shown: Examples
    ) -> dict[str, str]:
        """What the model says of the new names, asked for again as long as some are missing."""
        same: dict[str, str] = {}
        for _ in range(_ATTEMPTS):
            if left := [name for name in new if name not in same]:
                same |= self._ask(scope, [*used, *same], left, shown)
        return same

    def _shown(self, examples: Examples) -> dict[str, list[Taken]]:
        """The examples of each name that counts, those of the names merged into it included."""
        shown: dict[str, list[Taken]] = {}
        for raw, found in examples.items():
            shown.setdefault(self.name(raw), []).extend(found)
        for raw, taken in self._taken.items():
            shown.setdefault(self.name(raw), taken)
        return shown

    def _ask(
        self, scope: str, used: Sequence[str], new: Sequence[str], shown: Examples
    ) -> dict[str, str]:
        """What the model says of the new names; rows that fit no name are dropped."""
        message = _message(used, new, shown)
        known = self._kept.get(scope, (message,)).get(message, _NOTHING)
        if known != _NOTHING:
            same: dict[str, str] = json.loads(known)
            return same
        reply = self._chat.chat(self._prompt.text, message, schema=row_schema(_KEY))
        try:
            found = rows(reply, _KEY)
        except Unreadable:
            return {}
        same = _pairs(found, new, {*used, *new})
        self._kept.put(scope, {message: json.dumps(same, ensure_ascii=False)})
        return same


def _message(used: Sequence[str], new: Sequence[str], shown: Examples) -> str:
    """What the model is told: the names in use, the new ones, and records of each."""
    in_use = _lines(used, shown, EXAMPLES_IN_USE) if used else ["(none)"]
    return "\n".join(
        ["Names in use:", *in_use, "", "New names:", *_lines(new, shown, EXAMPLES_OF_NEW)]
    )


def _lines(names: Sequence[str], shown: Examples, most: int) -> Iterator[str]:
    for name in names:
        yield name
        yield from map(str, shown.get(name, ())[:most])


def _pairs(found: Sequence[Row], new: Sequence[str], known: set[str]) -> dict[str, str]:
    """The rows that say of a new name which known one it is; of several, the first."""
    same: dict[str, str] = {}
    for row in found:
        if len(row) == 2 and row[0] in new and row[1] in known:
            same.setdefault(row[0], row[1])
    return same


def _roots(same: Mapping[str, str], order: Sequence[str]) -> dict[str, str]:
    """The names that are others, each with the first, in this order, of all that are the same."""
    groups = {name: {name} for name in order}
    for one, other in same.items():
        if groups[one] is not groups[other]:
            both = groups[one] | groups[other]
            groups |= dict.fromkeys(both, both)
    place = {name: number for number, name in enumerate(order)}
    roots = {name: min(groups[name], key=place.__getitem__) for name in same}
    return {name: root for name, root in roots.items() if root != name}
