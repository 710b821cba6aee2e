"""MQuAKE-MemStream: editing cases as ordered histories (paper, section 4.3 and appendix F).

Cases are pooled in groups. What was true before the edits is shuffled into one block, what is true
after them into a second one behind it; every case asks one multi-hop and one single-hop question.
The paper builds on MQuAKE-Remastered; from MQuAKE-CF-3k there are 5,562 assertions instead of its
5,560. This module must not know arms, readers or stores.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cmc_graph.evaluation.formats import CASES, Case, to_lines, write_text
from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.model import Record
from cmc_graph.text import key
from loaders import documents

#: The cases the paper takes, all of them two-hop, and how many share one history.
CASES_TAKEN, GROUP = 800, 100
#: One generator for the whole construction: blocks, then questions, group by group.
SEED = 20260907

_PACK = "factconsolidation"
_HEADER = "Here is a list of facts:"
_OVERWRITTEN = "a hop is overwritten by another case of its history"


class _Value(BaseModel):
    str: str


class Rewrite(BaseModel):
    """One edit: a subject and a relation, with the value before and after."""

    model_config = ConfigDict(frozen=True)

    prompt: str
    subject: str
    target_true: _Value
    target_new: _Value

    def statement(self, target: _Value) -> str:
        """The sentence that gives the relation this value."""
        return f"{self.prompt.format(self.subject)} {target.str}."


class Hop(BaseModel):
    """One step of a case: a question about it, and the sentence that answers it."""

    model_config = ConfigDict(frozen=True)

    question: str
    cloze: str
    answer: str
    answer_alias: tuple[str, ...]

    @property
    def statement(self) -> str:
        """The sentence."""
        return f"{self.cloze} {self.answer}."


class Edited(BaseModel):
    """One case of MQuAKE, as far as it is used."""

    model_config = ConfigDict(frozen=True)

    case_id: int
    questions: tuple[str, ...]
    new_answer: str
    new_answer_alias: tuple[str, ...]
    single_hops: tuple[Hop, ...]
    new_single_hops: tuple[Hop, ...]
    requested_rewrite: tuple[Rewrite, ...]


_FILE = TypeAdapter(list[Edited])


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One ordered history, and what is asked about it.

    Attributes:
        edited: The cases it is pooled from, in file order.
        statements: Oldest first; the place is the position.
        drawn: The single-hop question of each case.
    """

    name: str
    edited: tuple[Edited, ...]
    statements: tuple[str, ...]
    drawn: tuple[Hop, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was built, and which cases the pooling altered.

    Attributes:
        unparsed: Assertions the relation grammar does not read.
        altered: Cases with a hop whose final value, after pooling, is another one; ascending.
    """

    streams: int
    assertions: int
    unparsed: int
    single_hop: int
    multi_hop: int
    altered: tuple[int, ...]


def build(source: Path, folder: Path, cases: int = CASES_TAKEN) -> Audit:
    """Write the histories and ``cases.jsonl`` into a folder, and say what the audit found.

    Args:
        source: ``MQuAKE-CF-3k.json``, packed or not, or a file of its format.
        folder: Is created; files of the same names are replaced.
        cases: How many to take, from the first; the paper takes 800, and checks all 3,000.

    Raises:
        SourceError: The source cannot be read, or the folder not be written.
    """
    built = list(streams(documents.read(source, _FILE)[:cases]))
    interpreter = _Interpreter()
    lost = [interpreter.altered(stream) for stream in built]
    asked = [
        case
        for stream, altered in zip(built, lost, strict=True)
        for case in questions(stream, altered)
    ]
    for stream in built:
        write_text(folder / stream.name, history(stream))
    write_text(folder / CASES, to_lines(asked))
    return Audit(
        streams=len(built),
        assertions=sum(len(stream.statements) for stream in built),
        unparsed=interpreter.unparsed,
        single_hop=sum(case.group == "sh" for case in asked),
        multi_hop=sum(case.group == "mh" and case.excluded is None for case in asked),
        altered=tuple(sorted(chain.from_iterable(lost))),
    )


def streams(edited: Sequence[Edited]) -> Iterator[Stream]:
    """The histories of the cases, in groups of a hundred.

    Args:
        edited: In file order, which is part of the construction.
    """
    generator = random.Random(SEED)  # noqa: S311 - an order, nothing secret
    groups = (tuple(edited[start : start + GROUP]) for start in range(0, len(edited), GROUP))
    for number, group in enumerate(groups, 1):
        before = [statement for case in group for statement in _before(case)]
        after = [statement for case in group for statement in _after(case)]
        generator.shuffle(before)
        generator.shuffle(after)
        yield Stream(
            name=f"stream_{number}.json",
            edited=group,
            statements=(*before, *after),
            drawn=tuple(generator.choice(case.new_single_hops) for case in group),
        )


def questions(stream: Stream, altered: frozenset[int]) -> Iterator[Case]:
    """The questions of a history: the first composite one of each case, and a single-hop one.

    Args:
        stream: The history.
        altered: Cases whose composite question is excluded. It stays in the file, with the reason.
    """
    for case, hop in zip(stream.edited, stream.drawn, strict=True):
        yield Case(
            id=f"memstream_mh_{case.case_id}",
            question=case.questions[0],
            references=(case.new_answer, *case.new_answer_alias),
            history=stream.name,
            cell="mh",
            hops=len(case.new_single_hops),
            excluded=_OVERWRITTEN if case.case_id in altered else None,
        )
        yield Case(
            id=f"memstream_sh_{case.case_id}",
            question=hop.question,
            references=(hop.answer, *hop.answer_alias),
            history=stream.name,
            cell="sh",
            hops=1,
        )


def history(stream: Stream) -> str:
    """The file of a history, in the format of FactConsolidation without its questions."""
    lines = (f"{serial}. {text}" for serial, text in enumerate(stream.statements))
    source = f"memstream_{stream.name.removesuffix('.json')}"
    context = "\n".join((_HEADER, *lines, ""))
    return json.dumps({"source": source, "context": context}, ensure_ascii=False) + "\n"


def _before(case: Edited) -> Iterator[str]:
    """What holds before the edits: the hops, then the edits' old values, repeated or not."""
    yield from (hop.statement for hop in case.single_hops)
    yield from (edit.statement(edit.target_true) for edit in case.requested_rewrite)


def _after(case: Edited) -> Iterator[str]:
    """What holds after the edits: the new hops, then the edits' new values."""
    yield from (hop.statement for hop in case.new_single_hops)
    yield from (edit.statement(edit.target_new) for edit in case.requested_rewrite)


_Slot = tuple[str, str]


class _Interpreter:
    """Reads statements with the relation grammar, and counts those it cannot read."""

    def __init__(self) -> None:
        self._grammar = Grammar([load_pack(_PACK)])
        self.unparsed = 0

    def altered(self, stream: Stream) -> frozenset[int]:
        """The cases with a released hop that is not the last word of its slot."""
        said = self._read(stream.statements)
        self.unparsed += len(stream.statements) - len(said)
        last = dict(said)
        return frozenset(
            case.case_id
            for case in stream.edited
            for slot, value in self._read([hop.statement for hop in case.new_single_hops])
            if last[slot] != value
        )

    def _read(self, statements: Sequence[str]) -> list[tuple[_Slot, str]]:
        """Slot and value key of each statement that is read, in order."""
        verdicts = self._grammar.interpret([Record(text=text) for text in statements])
        return [
            ((key(triple.subject), triple.relation), key(triple.object))
            for verdict in verdicts
            for triple in verdict.triples[:1]  # each sentence of the data says one thing
        ]
