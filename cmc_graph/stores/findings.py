"""What ``verify`` tells of a store: differences counted, and the first of them in words. Pure.

This module must not know where expected and found values come from.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from cmc_graph.model import Drift, Finding, LostWord

#: How many findings, and how many lost words, a drift shows.
_SHOWN = 100


@dataclass(slots=True)
class Tally:
    """How many slots were compared, how many differences there are, and the first of them."""

    slots: int = 0
    differences: int = 0
    findings: list[Finding] = field(default_factory=list)
    lost: tuple[LostWord, ...] = ()

    def add(self, found: Iterable[Finding]) -> None:
        """Count these findings, and keep them while there is room."""
        for each in found:
            self.differences += 1
            if len(self.findings) < _SHOWN:
                self.findings.append(each)

    def lose(self, words: Iterable[LostWord]) -> None:
        """Keep the first of the lost words."""
        self.lost = tuple(islice(words, _SHOWN))

    def drift(self) -> Drift:
        """The result."""
        return Drift(
            slots=self.slots,
            differences=self.differences,
            findings=tuple(self.findings),
            lost=self.lost,
        )


def finding(kind: str, where: str, expected: object, found: object) -> Finding:
    """One difference; see ``Finding``."""
    return Finding(kind=kind, where=where, expected=str(expected), found=str(found))


def place(position: int, ordinal: int) -> str:
    """Which assertion, for people."""
    return f"[{position}].{ordinal}"


def named(name: str | None, position: int | None) -> str:
    """An entity's name and where it comes from, for people; None: nothing names it."""
    return "no entity" if name is None else f"{name!r} [{position}]"
