"""What a look at a database finds before anything is opened, set up or written. Pure.

This module must not know any database.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple, TypeVar

#: How many damages of each kind a look tells of.
SHOWN = 200

#: What slots are made of. While one of these is lost, a slot may lack its last word, and an older
#: value must not take its place.
_LEDGER: Mapping[str, frozenset[str]] = {
    "assertion": frozenset(
        (
            *("history", "position", "ordinal", "subject", "relation", "member", "retracts"),
            *("object", "subject, or subject_text", "object, or object_text"),
        )
    ),
    "entity": frozenset(("history", "key")),
    "relation": frozenset(("name", "node", "values")),
}

_Item = TypeVar("_Item")


class Damage(NamedTuple):
    """One thing that is not whole.

    Attributes:
        what: ``history``, ``record``, ``entity``, ``assertion``, ``relation``, ``pattern`` or
            ``edge`` that lacks a property or has a wrong one; ``slot`` with several edges;
            ``position`` of several records; ``no-record``, ``verdict`` and ``no-assertion`` where
            a record and its assertions do not fit; ``no-history`` for what belongs to none;
            ``file`` for what the database itself finds.
        place: Which one, readable.
        detail: The property, or what else is wrong.
        position: Of the record that is to be forgotten and ingested again; None where that does
            not help.
        is_derived: What it ought to be follows from what else is stored.
        by_hand: A command of the database's own that helps where nothing else does.
        hint: What that command does.
        gives_up: It throws something away.
    """

    what: str
    place: str
    detail: str
    position: int | None = None
    is_derived: bool = False
    by_hand: str = ""
    hint: str = ""
    gives_up: bool = False

    @property
    def is_of_ledger(self) -> bool:
        """The last word of a slot may be lost, or be in another slot."""
        return self.what in ("verdict", "no-assertion") or self.detail in _LEDGER.get(
            self.what, frozenset()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What was found.

    Attributes:
        server: Name and version of the database.
        is_new: Nothing was ever written there.
        has_history: Something was written to the history; None where that cannot be seen.
        missing: What is not there of constraints, indexes, tables and views, or not ready.
        settings: Settings of the server, by name; those that may not be read are left out.
        damages: Of one history, and of what belongs to none.
        is_cut: There are more damages.
    """

    server: str
    is_new: bool = False
    has_history: bool | None = False
    missing: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    damages: tuple[Damage, ...] = ()
    is_cut: bool = False


def first(found: Iterable[_Item]) -> list[_Item]:
    """As many as are shown, and one more where there are more."""
    return list(islice(found, SHOWN + 1))
