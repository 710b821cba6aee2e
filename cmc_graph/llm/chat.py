"""What the package asks of a language model: one answer to one prompt.

``client.ChatModel`` is the real thing, for both ports. This module must not know any client
library.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cmc_graph.llm.usage import Usage

#: Letters per token in a rough count, on the low side, so that a budget is kept.
_LETTERS_PER_TOKEN = 3


@dataclass(frozen=True, slots=True)
class Schema:
    """The JSON an answer must be: a name, and a JSON schema in OpenAI's strict subset."""

    name: str
    shape: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked for: one answer to one prompt."""

    system: str
    user: str
    schema: Schema | None = None
    max_tokens: int | None = None

    @property
    def expected(self) -> Usage:
        """About what the call will use."""
        told = (len(self.system) + len(self.user)) // _LETTERS_PER_TOKEN
        return Usage(calls=1, input_tokens=told, output_tokens=self.max_tokens or told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model said.

    Attributes:
        text: Empty when it said nothing; the reason when it refused.
        finish: ``stop``, ``length`` (the answer was cut off, or the prompt was too long),
            ``refusal``, or what else the endpoint says.
        model: The model that answered, as the endpoint names it.
    """

    text: str
    finish: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0


class Chat(Protocol):
    """A model to ask; may be asked by several threads."""

    @property
    def name(self) -> str:
        """The model, as the endpoint names it."""
        ...

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        ...

    def chat(
        self, system: str, user: str, *, schema: Schema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The model's answer, at temperature 0 where the model takes it.

        Raises:
            EndpointError: The endpoint cannot be reached, refuses, has no quota left, is no such
                endpoint, or the run's budget is used up. Every later call fails the same way.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """How far calls are that were posted to be answered later.

    Attributes:
        status: As the endpoint says it, such as ``in_progress`` or ``completed``.
        ended: Nothing more will come.
        total: Calls posted.
        done: Calls answered so far.
        replies: By the calls' names; none before it has ended.
        failures: Why calls got no answer, by their names; empty before it has ended.
        problem: Why nothing was answered at all, if the endpoint says so.
    """

    status: str
    ended: bool
    total: int = 0
    done: int = 0
    replies: Mapping[str, Reply] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None


class Post(Protocol):
    """A model that answers many calls later, at a lower price."""

    def submit(self, calls: Mapping[str, Call], mark: str) -> str:
        """The endpoint's name for these calls; calls posted under the mark before are not again.

        Args:
            calls: By name.
            mark: Tells what is posted apart from all else.

        Raises:
            EndpointError: As ``Chat.chat``; also if the calls together pass the run's budget.
        """
        ...

    def collect(self, posted: str) -> Collected:
        """What has come of the calls of that name.

        Raises:
            EndpointError: As ``Chat.chat``.
        """
        ...
