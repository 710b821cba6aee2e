"""A model as one run sees it: passed on unchanged, and remembered.

This module must not know what is asked for.
"""

import threading
from dataclasses import dataclass, field

from cmc_graph.errors import EndpointError
from cmc_graph.llm.chat import Chat, Reply, Schema
from cmc_graph.llm.usage import Usage


class Witness:
    """A model that remembers who answered, and whether its endpoint failed for good.

    Args:
        chat: The model.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._lock = threading.Lock()
        self._models: dict[str, None] = {}
        self._broken = False

    @property
    def name(self) -> str:
        """The model, as the endpoint names it."""
        return self._chat.name

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._chat.usage

    @property
    def models(self) -> tuple[str, ...]:
        """The models that answered, as the endpoint named them, in the order of first answers."""
        with self._lock:
            return tuple(self._models)

    def is_broken(self) -> bool:
        """True once the endpoint failed in a way that every later call will share."""
        return self._broken

    def chat(
        self, system: str, user: str, *, schema: Schema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The model's answer.

        Raises:
            EndpointError: The endpoint failed for good.
        """
        try:
            reply = self._chat.chat(system, user, schema=schema, max_tokens=max_tokens)
        except EndpointError:
            self._broken = True
            raise
        with self._lock:
            self._models.setdefault(reply.model)
        return reply


@dataclass(frozen=True, slots=True)
class Limited:
    """A model whose answers have at most so many tokens, whoever asks for more."""

    witness: Witness
    most_tokens: int

    @property
    def name(self) -> str:
        """The model, as the endpoint names it."""
        return self.witness.name

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self.witness.usage

    def chat(
        self, system: str, user: str, *, schema: Schema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The model's answer.

        Raises:
            EndpointError: The endpoint failed for good.
        """
        most = self.most_tokens if max_tokens is None else min(max_tokens, self.most_tokens)
        return self.witness.chat(system, user, schema=schema, max_tokens=most)


@dataclass(frozen=True, slots=True)
class Absent:
    """A model of which only the name is known; asking it is an error."""

    name: str
    usage: Usage = field(default_factory=Usage)

    def chat(
        self, system: str, user: str, *, schema: Schema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """No answer.

        Raises:
            EndpointError: Always.
        """
        raise EndpointError(f"the model {self.name} is not asked here")
