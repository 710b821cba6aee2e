"""What takes a slot: the resolution rule, pure, for ``verify`` to check both stores against.

Both stores resolve in their own language (Cypher, SQL); this is the rule those statements are held
to. Where a whole history is laid out at once (``projection``), it decides itself. It must not know
any database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Claim(Protocol):
    """The part of an assertion that resolution looks at."""

    @property
    def position(self) -> int:
        """Position of the record."""
        ...

    @property
    def object(self) -> str:
        """Key of the object."""
        ...

    @property
    def retracts(self) -> bool:
        """The claim says that the value holds no longer."""
        ...


@dataclass(frozen=True, slots=True)
class Resolved:
    """How one slot stands.

    Attributes:
        winner: Index of the slot's last word among the claims.
        superseded_at: One per claim: the position of the next claim with effect, None for the last
            word, the own position for a retraction without effect.
    """

    winner: int
    superseded_at: tuple[int | None, ...]


def resolve(claims: Sequence[Claim]) -> Resolved:
    """The slot's last word and every claim's end (graph model, "What takes a slot").

    An assertion always has effect; a retraction only if the slot is empty or its last word is an
    assertion of the same object.

    Args:
        claims: All assertions of one slot, ascending by (position, ordinal), at least one.
    """
    ends: list[int | None] = [claim.position for claim in claims]
    last: int | None = None
    for index, claim in enumerate(claims):
        if claim.retracts and last is not None:
            word = claims[last]
            if word.retracts or word.object != claim.object:
                continue
        if last is not None:
            ends[last] = claim.position
        ends[index] = None
        last = index
    if last is None:
        raise ValueError("a slot has at least one claim")
    return Resolved(last, tuple(ends))
