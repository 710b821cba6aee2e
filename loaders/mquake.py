"""MQuAKE: counterfactual editing cases, as one JSON list.

The data has no order in time, so one is imposed: first what was true before any edit, the single
hops of all cases in file order, then the same hops after the edits. A later edit may contradict an
earlier case; the questions are not changed for that. Statements are numbered through as
``source_line``, and the history gives the positions.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cmc_graph.model import Record
from loaders import Case, documents
from loaders.lines import source_of

#: The sentences are those of FactConsolidation, which was made from this data.
PACKS = ("factconsolidation",)

_CASE_FIELD = re.compile(rb'"case_id"\s*:')


class _Hop(BaseModel):
    """One statement: a sentence without its end, and the end."""

    model_config = ConfigDict(strict=True)

    cloze: str
    answer: str


class _Edited(BaseModel):
    """What is read of one case."""

    model_config = ConfigDict(strict=True)

    case_id: int
    questions: list[str]
    new_answer: str
    new_answer_alias: list[str]
    single_hops: list[_Hop]
    new_single_hops: list[_Hop]


_FILE = TypeAdapter(list[_Edited])


def accepts(name: str, head: bytes) -> bool:
    """True for a list with a case number near its beginning."""
    return head.lstrip().startswith(b"[") and _CASE_FIELD.search(head) is not None


def records(path: Path) -> Iterator[Record]:
    """All cases' statements before the edits, then all cases' statements after them.

    Raises:
        SourceError: Not such a file.
    """
    source = source_of(path)
    edited = documents.read(path, _FILE)
    before = (hop for case in edited for hop in case.single_hops)
    after = (hop for case in edited for hop in case.new_single_hops)
    for number, hop in enumerate(chain(before, after), 1):
        yield Record(text=f"{hop.cloze} {hop.answer}.", source=source, source_line=number)


def cases(path: Path) -> Iterator[Case]:
    """The multi-hop questions, three per case, with the answers after the edits.

    Raises:
        SourceError: Not such a file.
    """
    for case in documents.read(path, _FILE):
        answers = (case.new_answer, *case.new_answer_alias)
        for number, question in enumerate(case.questions, 1):
            yield Case(
                question=question,
                answers=answers,
                id=f"{case.case_id}-{number}",
                source=source_of(path),
            )
