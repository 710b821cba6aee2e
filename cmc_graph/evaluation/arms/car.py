"""``car``: a chain of single-hop questions, each resolved by the newest candidate (paper, D.4).

Written from descriptions of CAR (arXiv 2606.01435) with our own prompt: one call decomposes, then
every hop is a fresh retrieval and extraction of ``sh_conflict``. A hop whose placeholder has no
answer is skipped, and the last answer of the whole chain counts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, TypeAdapter, ValidationError

from cmc_graph.evaluation.arms.base import CHAT, Bench, needed
from cmc_graph.evaluation.arms.sh_conflict import MAX_TOKENS, Okapi, resolve
from cmc_graph.evaluation.arms.sh_conflict import PROMPT as EXTRACTION
from cmc_graph.evaluation.arms.structured import schema_of, used
from cmc_graph.llm.chat import Chat
from cmc_graph.model import Record
from cmc_graph.prompts import prompt
from cmc_graph.readers import Answer

PROMPT = ("evaluation", "car")

_PLACEHOLDER = re.compile(r"\{hop_(\d+)_answer\}")


class Hop(BaseModel):
    """One atomic question; earlier answers stand in it as ``{hop_1_answer}``."""

    id: int
    query: str


class _Chain(BaseModel):
    hops: list[Hop]


_REPLY = TypeAdapter(_Chain)
_SCHEMA = schema_of("hops", {"id": "integer", "query": "string"})


@dataclass(frozen=True, slots=True)
class Car:
    """Answers multi-hop questions."""

    bench: Bench
    chat: Chat
    index: Okapi

    @property
    def identity(self) -> str:
        """The prompts and the model."""
        return f"car {self.chat.name} {prompt(*PROMPT).hash} {prompt(*EXTRACTION).hash}"

    def answer(self, question: str) -> Answer:
        """The last answer of the chain; one call to decompose, one for each executed hop.

        Raises:
            EndpointError: The endpoint failed.
        """
        reply = self.chat.chat(
            prompt(*PROMPT).text, f"Question: {question}", schema=_SCHEMA, max_tokens=MAX_TOKENS
        )
        usage = used(reply)
        answers: dict[int, str] = {}
        records: dict[Record, None] = {}
        last: str | None = None
        for hop in _hops(reply.text):
            query = filled(hop.query, answers)
            if query is None:
                continue
            found = resolve(self.index, self.chat, query)
            usage += found.usage
            records.update(dict.fromkeys(found.records))
            if found.answer is not None:
                answers[hop.id] = last = found.answer
        evidence = self.bench.view(records).evidence(question)
        return Answer(text=last, evidence=evidence, usage=usage)


def car(bench: Bench) -> Car:
    """The arm on this bench.

    Raises:
        ConfigurationError: There is no model, or rank-bm25 is not installed.
    """
    chat = needed(bench.tools.chat, "car", CHAT)
    return Car(bench, chat, Okapi(list(bench.history.records.values())))


def filled(query: str, answers: Mapping[int, str]) -> str | None:
    """The query with earlier answers in their places; None when one of them is missing."""
    if any(int(number) not in answers for number in _PLACEHOLDER.findall(query)):
        return None
    return _PLACEHOLDER.sub(lambda place: answers[int(place[1])], query)


def _hops(text: str) -> list[Hop]:
    """The chain the model planned; none when it is no chain. Ids and order are as it says."""
    try:
        return _REPLY.validate_json(text).hops
    except ValidationError:
        return []
