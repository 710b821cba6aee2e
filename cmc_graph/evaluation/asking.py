"""One question to one arm, and what comes of it: the fields of a prediction.

An arm either shows evidence, which each reader answers from, or answers by itself. Nothing here
sees a reference. This module must not know files.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from cmc_graph.errors import CmcError, EndpointError, StoreError
from cmc_graph.evaluation.arms import Answering, Arm
from cmc_graph.evaluation.formats import OWN_READER, Prediction, Step, hash_text
from cmc_graph.evaluation.tokens import Counter
from cmc_graph.model import Evidence
from cmc_graph.readers import Answer, Reader

#: The prediction that answered a request before, by the hash of the request.
Before = Callable[[str], Prediction | None]

Fields = dict[str, object]


@dataclass(frozen=True, slots=True)
class Voice:
    """Who answers.

    Attributes:
        reader: Answers from evidence.
        identity: What the answers depend on beside the request: name, prompt, model.
        follows_edges: It reads the edges and anchors of evidence; else the text alone.
        is_broken: True once the endpoint that is asked on the way has failed for good.
    """

    reader: Reader
    identity: str
    follows_edges: bool = True
    is_broken: Callable[[], bool] = lambda: False


def ask_readers(
    arm: Arm, question: str, voices: Mapping[str, Voice], count: Counter, before: Before
) -> dict[str, Fields]:
    """What each reader makes of the arm's evidence, by name.

    An exact request that was made before is not made again.

    Raises:
        EndpointError: A reader's endpoint failed for good.
        StoreError: The store failed.
    """
    started = time.perf_counter()
    evidence = arm.evidence(question)
    selecting = time.perf_counter() - started
    shown = evidence_fields(evidence, count)
    found: dict[str, Fields] = {}
    for name, voice in voices.items():
        request = request_hash(voice, question, evidence)
        fields = shown | {"request": request, "seconds": selecting}
        earlier = before(request)
        if earlier is not None:
            found[name] = fields | reused_fields(earlier)
        else:
            answer = partial(voice.reader.answer, question, evidence)
            found[name] = fields | _answered(answer, voice.is_broken, count, selecting)
    return found


def ask_arm(
    arm: Answering,
    question: str,
    history: str,
    is_broken: Callable[[], bool],
    count: Counter,
    before: Before,
) -> dict[str, Fields]:
    """What an arm answers by itself, under the name of its own reader.

    Args:
        arm: Answers.
        question: What is asked.
        history: Names the interpretation that the arm works on.
        is_broken: True once its endpoint has failed for good.
        count: Counts tokens.
        before: Earlier answers.

    Raises:
        EndpointError: Its endpoint failed for good.
    """
    request = own_request_hash(arm, question, history)
    fields: Fields = {"request": request, "evidence_hash": hash_text("")}
    earlier = before(request)
    if earlier is not None:
        kept = {"evidence_hash", "positions", "evidence_characters", "evidence_tokens"}
        return {OWN_READER: fields | earlier.model_dump(include=kept) | reused_fields(earlier)}
    answered = _answered(partial(arm.answer, question), is_broken, count)
    return {OWN_READER: fields | answered}


def request_hash(voice: Voice, question: str, evidence: Evidence) -> str:
    """The hash over all that a reader's answer may depend on."""
    parts: list[object] = [voice.identity, question, evidence.text]
    if voice.follows_edges:
        edges = sorted((edge.position, edge.ordinal) for edge in evidence.edges)
        parts += [evidence.anchors, edges]
    return hash_text(json.dumps(parts, ensure_ascii=False))


def own_request_hash(arm: Answering, question: str, history: str) -> str:
    """The hash over all that the answer of an arm may depend on that answers by itself.

    Args:
        arm: The arm.
        question: What is asked.
        history: Names the interpretation that the arm works on.
    """
    return hash_text(json.dumps([arm.identity, history, question]))


def evidence_fields(evidence: Evidence, count: Counter) -> Fields:
    """What a prediction says of its evidence."""
    return {
        "evidence_hash": hash_text(evidence.text),
        "positions": tuple(record.position or 0 for record in evidence.records),
        "clipped": evidence.omitted,
        "fallback": evidence.fallback,
        "evidence_characters": len(evidence.text),
        "evidence_tokens": count(evidence.text),
    }


def reused_fields(earlier: Prediction) -> Fields:
    """What an earlier answer to the same request says again, without a call."""
    return {
        "answer": earlier.answer,
        "path": earlier.path,
        "confidence": earlier.confidence,
        "input_tokens": earlier.input_tokens,
        "output_tokens": earlier.output_tokens,
        "reused": True,
    }


def _answered(
    answer: Callable[[], Answer],
    is_broken: Callable[[], bool],
    count: Counter,
    selecting: float = 0.0,
) -> Fields:
    """What comes of an answer, or why there is none."""
    started = time.perf_counter()
    try:
        answered = answer()
    except StoreError:
        raise
    except CmcError as error:
        if isinstance(error, EndpointError) and is_broken():
            raise
        fields: Fields = {"error": str(error)}
    else:
        fields = evidence_fields(answered.evidence, count) | answer_fields(answered)
    return fields | {"seconds": selecting + time.perf_counter() - started}


def answer_fields(answer: Answer) -> Fields:
    """What a prediction says of its answer."""
    steps = (
        Step(subject=e.subject, relation=e.relation, object=e.object, position=e.position)
        for e in answer.path
    )
    return {
        "answer": answer.text,
        "path": tuple(steps),
        "confidence": answer.confidence,
        "calls": answer.usage.calls,
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
    }
