"""What a model makes of single records: the verdicts, and the checks each of them has to pass.

Pure. A verdict that does not pass says why, so that the record can be asked for again and, when
that does not help, stays visible as unresolved. This module must not know how models are asked.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

from cmc_graph.frontends import validate
from cmc_graph.frontends.replies import Row
from cmc_graph.model import Interpretation, Status, Triple
from cmc_graph.text import fold_space, shorten

_LONGEST_RELATION = 80
_MARKS = re.compile(r"[_\s]+")

#: What stands for something else is the name of nothing; at the beginning of a record "It" is one
#: of them, further on it may be a title.
_PRONOUNS = frozenset({
    "I", "i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them", "mine",
    "yours", "hers", "ours", "theirs", "myself", "himself", "herself", "itself", "themselves",
    "this", "that", "these", "those", "who", "which", "someone", "somebody",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One reading of one record by a model.

    Attributes:
        status: None: refused, because it did not pass the checks.
        triples: With relation names as the model gave them.
        reason: Why it was refused, or left open by the model.
        asked: How often the model was asked for it.
        reviewed: It is a second opinion, asked for because like records were read differently.
        usable: False: the model's answer could not be read at all.
        answer: Tells the answers of the model apart.
    """

    status: Status | None
    triples: tuple[Triple, ...] = ()
    reason: str | None = None
    asked: int = 1
    reviewed: bool = False
    usable: bool = True
    answer: str = ""

    def dump(self) -> str:
        """The verdict as JSON, without what is as usual."""
        values = {
            field.name: value
            for field in _FIELDS
            if (value := getattr(self, field.name)) != field.default
        }
        if self.triples:
            values["triples"] = [(t.subject, t.relation, t.object) for t in self.triples]
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def load(cls, text: str) -> Self:
        """The verdict that ``dump`` wrote."""
        values = json.loads(text)
        values["status"] = Status(values["status"]) if values["status"] else None
        values["triples"] = tuple(Triple(*parts) for parts in values.get("triples", ()))
        return cls(**values)


_FIELDS = fields(Verdict)


def refused(reason: str, *, usable: bool = True) -> Verdict:
    """A verdict that does not count, with the reason."""
    return Verdict(status=None, reason=reason, usable=usable)


def verdicts(rows: Sequence[Row], asked: Mapping[str, str]) -> dict[str, Verdict]:
    """One verdict for each record asked for; rows for other records are dropped.

    The same row twice counts once; two rows that differ are refused.

    Args:
        rows: As the model gave them; the first cell is the record's number.
        asked: Text by number.
    """
    found: dict[str, list[Row]] = {number: [] for number in asked}
    for row in rows:
        number = row[0].strip().rstrip(".") if row else ""
        if number in found and row[1:] not in found[number]:
            found[number].append(row[1:])
    return {number: _verdict(asked[number], found[number]) for number in asked}


def interpretation(verdict: Verdict, frontend: str, name: Callable[[str], str]) -> Interpretation:
    """What the verdict says of its record, for good.

    Args:
        verdict: The last one there is.
        frontend: Who said so.
        name: Gives the name that counts for a name the model gave.
    """
    if verdict.status is None:
        return validate.unresolved(f"the model's reading is refused: {verdict.reason}", frontend)
    triples = tuple(
        Triple(triple.subject, name(triple.relation), triple.object) for triple in verdict.triples
    )
    return Interpretation(verdict.status, triples, reason=verdict.reason, frontend=frontend)


def _verdict(text: str, found: Sequence[Row]) -> Verdict:
    problem = _unusable(found)
    if problem:
        return refused(problem)
    cells = found[0]
    kind = cells[0].strip().casefold() if cells else ""
    if len(cells) == 1 and kind == Status.NO_FACT:
        return Verdict(status=Status.NO_FACT)
    if len(cells) in (1, 2) and kind == Status.UNRESOLVED:
        why = shorten(cells[1]) if len(cells) == 2 else "no reason given"
        return Verdict(status=Status.UNRESOLVED, reason=f"the model leaves it open: {why}")
    if not cells or len(cells) % 3:
        return refused(f"its row has {len(cells)} parts after the number, not three per fact")
    parts = zip(cells[::3], cells[1::3], cells[2::3], strict=True)
    return _facts(text, [Triple(s, _relation(r), o) for s, r, o in parts])


def _unusable(found: Sequence[Row]) -> str | None:
    """Why the rows for one record are no verdict, whatever they say."""
    if not found:
        return "the answer leaves it out"
    if len(found) > 1:
        return "the answer has it twice, differently"
    try:
        "".join(found[0]).encode("utf-8")
    except UnicodeEncodeError:
        return "its row holds a lone surrogate, which no store can encode"
    return None


def _facts(text: str, triples: Sequence[Triple]) -> Verdict:
    checked = validate.interpretation(text, triples, frontend="")
    reason = checked.reason or _vague(text, checked.triples)
    if reason:
        return refused(reason)
    return Verdict(status=Status.FACTS, triples=tuple(dict.fromkeys(checked.triples)))


def _relation(name: str) -> str:
    """The relation's name without what only spelling adds: ``Place_of_birth``."""
    plain = _MARKS.sub(" ", name).strip()
    return plain if plain.isupper() else plain.lower()


def _vague(text: str, triples: Sequence[Triple]) -> str | None:
    for triple in triples:
        if len(triple.relation) > _LONGEST_RELATION:
            return f"the relation {shorten(triple.relation, 40)!r} is no short name"
        for name in (triple.subject, triple.object):
            begins = fold_space(text).startswith(name)
            if (name.lower() if begins else name) in _PRONOUNS:
                return f"{name!r} stands for something else"
    return None
