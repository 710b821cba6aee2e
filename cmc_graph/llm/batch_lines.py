"""The Batch API's files and states as values: calls to JSON Lines, JSON Lines to replies.

Pure. This module must not know how anything is sent.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from cmc_graph.llm.chat import Call, Reply
from cmc_graph.llm.dialect import Dialect, reply

PATH = "/v1/chat/completions"
#: States after which nothing more will come; "failed" is one of no answers at all.
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


class _Counts(BaseModel):
    total: int = 0
    completed: int = 0
    failed: int = 0


class _Problem(BaseModel):
    message: str | None = None


class _Problems(BaseModel):
    data: list[_Problem] | None = None


class State(BaseModel):
    """What is used of a batch's state; servers differ in all the rest."""

    id: str
    status: str
    output_file_id: str | None = None
    error_file_id: str | None = None
    request_counts: _Counts | None = None
    errors: _Problems | None = None
    metadata: dict[str, str] | None = None

    @property
    def ended(self) -> bool:
        """Nothing more will come."""
        return self.status in _ENDED

    @property
    def problem(self) -> str | None:
        """Why nothing was answered, if the endpoint says so."""
        said = [each.message for each in (self.errors and self.errors.data) or [] if each.message]
        return "; ".join(said) or None


class _Response(BaseModel):
    status_code: int
    body: dict[str, Any] | None = None


class _Line(BaseModel):
    custom_id: str
    response: _Response | None = None
    error: _Problem | None = None


class _Refusal(BaseModel):
    error: _Problem | None = None


def lines(calls: Mapping[str, Call], model: str, dialect: Dialect) -> bytes:
    """The file that asks for these calls, one a line.

    Args:
        calls: By name.
        model: Who is asked.
        dialect: How.
    """
    rows = (
        {
            "custom_id": name,
            "method": "POST",
            "url": PATH,
            "body": {"model": model, **dialect.options(call)},
        }
        for name, call in calls.items()
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def replies(content: str, model: str) -> tuple[dict[str, Reply], dict[str, str]]:
    """The replies in a file of answers, and why calls got none, each by the call's name.

    Args:
        content: Of the output file, the error file, or both.
        model: Who was asked.

    Raises:
        ValueError: It is no such file.
    """
    found: dict[str, Reply] = {}
    failed: dict[str, str] = {}
    for text in filter(str.strip, content.split("\n")):  # other line ends may be in a text
        line = _Line.model_validate_json(text)
        response = line.response
        if response is not None and response.status_code == 200:
            found[line.custom_id] = reply(response.body, model)
        else:
            failed[line.custom_id] = _why(line)
    return found, failed


def state(answer: object) -> State:
    """A batch's state.

    Args:
        answer: Plain data, as it came.

    Raises:
        ValueError: It is none.
    """
    try:
        return State.model_validate(answer)
    except ValidationError as error:
        raise ValueError("no batch") from error


def _why(line: _Line) -> str:
    if line.error and line.error.message:
        return line.error.message
    said = _Refusal.model_validate(line.response.body or {}).error if line.response else None
    return (said and said.message) or "no reason given"
