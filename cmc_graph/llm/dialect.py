"""The ways in which endpoints of one kind take the same request, and what their answers hold.

Pure. This module must not know how anything is sent.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from pydantic import BaseModel, ValidationError

from cmc_graph.llm.chat import Call, Reply

Format = Literal["auto", "json_schema", "json_object", "none"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What the endpoint accepts, as far as is known.

    Attributes:
        format: How JSON is asked for.
        temperature: It takes a temperature.
        limit: What it calls the most tokens of an answer.
    """

    format: Format
    temperature: bool = True
    limit: str = "max_tokens"

    def options(self, call: Call) -> dict[str, Any]:
        """The request in this dialect, without the model."""
        options: dict[str, Any] = {
            "messages": [
                {"role": "system", "content": call.system},
                {"role": "user", "content": call.user},
            ]
        }
        if self.temperature:
            options["temperature"] = 0
        if call.max_tokens is not None:
            options[self.limit] = call.max_tokens
        if call.schema is not None and self.format == "json_schema":
            schema = {"name": call.schema.name, "strict": True, "schema": call.schema.shape}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif call.schema is not None and self.format == "json_object":
            options["response_format"] = {"type": "json_object"}
        return options

    def without(self, complaint: str, *, may_be_poorer: bool) -> Self | None:
        """The dialect without what the endpoint complains about; None when nothing is left to try.

        Args:
            complaint: The parameter, or the message, of a refused request.
            may_be_poorer: Another format may be tried.
        """
        if "max_tokens" in complaint and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in complaint and self.temperature:
            return replace(self, temperature=False)
        if may_be_poorer and self.format == "json_schema":
            return replace(self, format="json_object")
        if may_be_poorer and self.format == "json_object":
            return replace(self, format="none")
        return None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Tokens(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(BaseModel):
    """What is used of a completion; servers differ in all the rest."""

    choices: list[_Choice]
    model: str | None = None
    usage: _Tokens | None = None


def reply(completion: object, model: str) -> Reply:
    """The answer in a completion.

    Args:
        completion: Plain data, as it came.
        model: Who was asked, where the completion does not say who answered.

    Raises:
        ValueError: It is no completion.
    """
    try:
        found = _Completion.model_validate(completion)
    except ValidationError as error:
        raise ValueError("no completion") from error
    choice = found.choices[0] if found.choices else _Choice(message=_Message())
    usage = found.usage or _Tokens()
    refusal = choice.message.refusal
    return Reply(
        text=refusal or choice.message.content or "",
        finish="refusal" if refusal else choice.finish_reason or "stop",
        model=found.model or model,
        input_tokens=usage.prompt_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
    )
