"""What a look at a database finds before anything is opened, set up or written. Pure.

This module must not know any database.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Damage(NamedTuple):
    """One thing that is not whole.

    Attributes:
        what: ``history``, ``record``, ``entity``, ``assertion`` or ``edge`` that lacks a property,
            ``slot`` with several edges, ``reference`` to something that is not there, or ``file``.
        place: Which one, readable.
        detail: The property, or what else is wrong.
    """

    what: str
    place: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What was found.

    Attributes:
        server: Name and version of the database.
        is_new: Nothing was ever written there.
        missing: Constraints and indexes that are not there or not ready.
        settings: Settings of the server, by name; those that may not be read are left out.
        damages: Of one history, and of what belongs to none; the first thousand.
    """

    server: str
    is_new: bool = False
    missing: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    damages: tuple[Damage, ...] = ()
