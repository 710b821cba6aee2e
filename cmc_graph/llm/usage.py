"""What model calls use, and the limits a run keeps to.

This module must not know how a model is called.
"""

import threading
from dataclasses import dataclass
from typing import Self

from cmc_graph.errors import EndpointError


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a run cost; tokens as the endpoint reports them.

    Attributes:
        calls: Answered calls.
        retries: Attempts beyond the first one of each call.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    retries: int = 0

    def __add__(self, other: Self) -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            retries=self.retries + other.retries,
        )

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may take.

    Attributes:
        calls: Answered calls at most.
        tokens: Input and output tokens at most.
        timeout: Seconds without a sign of life after which a request is given up.
        patience: Seconds a call waits in all while the endpoint asks it to come back later.
    """

    calls: int | None = None
    tokens: int | None = None
    timeout: float = 120.0
    patience: float = 300.0


class Meter:
    """Adds up what a run uses and stops it before a limit is passed; for several threads."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._used = Usage()
        self._open: dict[int, Usage] = {}
        self._tickets = 0

    @property
    def used(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._used

    def begin(self, expected: Usage) -> int:
        """A ticket for a call that will use about so much.

        Raises:
            EndpointError: With it, and with the calls under way, a limit would be passed.
        """
        with self._lock:
            total = sum(self._open.values(), self._used) + expected
            for name, limit, needed in (
                ("calls", self._limits.calls, total.calls),
                ("tokens", self._limits.tokens, total.tokens),
            ):
                if limit is not None and needed > limit:
                    raise EndpointError(f"the budget of {limit} {name} is used up (--max-{name})")
            self._tickets += 1
            self._open[self._tickets] = expected
            return self._tickets

    def end(self, ticket: int, used: Usage) -> None:
        """The call of this ticket is over and used so much."""
        with self._lock:
            del self._open[ticket]
            self._used += used

    def add(self, used: Usage) -> None:
        """So much more was used, by calls that were not waited for or that had to be repeated."""
        with self._lock:
            self._used += used
