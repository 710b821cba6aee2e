"""``sh_conflict``: the model finds candidates, code takes the newest (SH-Conflict; paper, D.4).

Written from descriptions of "Don't Ask the LLM to Track Freshness" (arXiv 2606.01435) with our own
prompts: ten facts by BM25 Okapi, one call that extracts every candidate, and the policy that the
largest serial wins. Each question is retrieved for and extracted anew.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, TypeAdapter, ValidationError

from cmc_graph.evaluation.arms.base import CHAT, Bench, needed
from cmc_graph.evaluation.arms.structured import schema_of, used
from cmc_graph.evaluation.optional import library
from cmc_graph.llm.chat import Chat
from cmc_graph.llm.usage import Usage
from cmc_graph.model import Record
from cmc_graph.prompts import prompt
from cmc_graph.readers import Answer

#: Facts retrieved for one query, and tokens of one structured reply at most.
TOP, MAX_TOKENS = 10, 4_096
PROMPT = ("evaluation", "sh_conflict")

_WORD = re.compile(r"[a-z0-9]+")


class Candidate(BaseModel):
    """One answer that the model found in the facts it was shown."""

    serial: int
    fact_text: str
    answer_entity: str


class _Candidates(BaseModel):
    candidates: list[Candidate]


_REPLY = TypeAdapter(_Candidates)


_SCHEMA = schema_of(
    "candidates", {"serial": "integer", "fact_text": "string", "answer_entity": "string"}
)


class Okapi:
    """BM25 Okapi over single facts, as ``rank-bm25`` 0.2.2 computes it by default.

    Args:
        records: At least one.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        texts = [_words(record.text) for record in records]
        self._index = library("rank_bm25", "eval").BM25Okapi(texts)

    def best(self, query: str) -> list[Record]:
        """The ten facts with the highest scores; of equal ones the older first."""
        scores = self._index.get_scores(_words(query))
        order = sorted(range(len(self._records)), key=lambda number: -scores[number])
        return [self._records[number] for number in order[:TOP]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one extraction found.

    Attributes:
        answer: Of the candidate with the largest serial; None: there is none.
        records: What the model was shown.
        usage: What it cost.
    """

    answer: str | None
    records: tuple[Record, ...]
    usage: Usage


def resolve(index: Okapi, chat: Chat, query: str) -> Finding:
    """Retrieve, extract, and let the largest serial win; no retry, no check of what was said.

    Raises:
        EndpointError: The endpoint failed.
    """
    records = index.best(query)
    facts = "\n".join(f"{record.position}. {record.text}" for record in records)
    asked = f"Question: {query}\n\nFacts:\n{facts}"
    reply = chat.chat(prompt(*PROMPT).text, asked, schema=_SCHEMA, max_tokens=MAX_TOKENS)
    found = max(_candidates(reply.text), key=lambda each: each.serial, default=None)
    answer = found.answer_entity.strip() if found else ""
    return Finding(answer or None, tuple(records), used(reply))


@dataclass(frozen=True, slots=True)
class ShConflict:
    """Answers single-hop questions."""

    bench: Bench
    chat: Chat
    index: Okapi

    @property
    def identity(self) -> str:
        """The prompt and the model."""
        return f"sh_conflict {self.chat.name} {prompt(*PROMPT).hash}"

    def answer(self, question: str) -> Answer:
        """The newest candidate; no answer when the model found none.

        Raises:
            EndpointError: The endpoint failed.
        """
        found = resolve(self.index, self.chat, question)
        evidence = self.bench.view(found.records).evidence(question)
        return Answer(text=found.answer, evidence=evidence, usage=found.usage)


def sh_conflict(bench: Bench) -> ShConflict:
    """The arm on this bench.

    Raises:
        ConfigurationError: There is no model, or rank-bm25 is not installed.
    """
    chat = needed(bench.tools.chat, "sh_conflict", CHAT)
    return ShConflict(bench, chat, Okapi(list(bench.history.records.values())))


def _candidates(text: str) -> list[Candidate]:
    """What the model listed; nothing when it is no such list."""
    try:
        return _REPLY.validate_json(text).candidates
    except ValidationError:
        return []


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
