"""Latest-wins of the SQLite store: the statement ``resolve``, and what follows from it.

Whoever changes the ledger notes the slots concerned in the table ``touched`` and then calls
``resolve``. This module must not know why a slot was touched.
"""

import sqlite3
from typing import NamedTuple

from cmc_graph.stores.sqlite_statements import execute


class Resolved(NamedTuple):
    """What resolving changed.

    Attributes:
        slots: Slots that have another last word than before, new ones included.
        ends: Assertions that end elsewhere than before.
    """

    slots: int
    ends: int


def resolve(connection: sqlite3.Connection, history: int) -> Resolved:
    """Resolve the touched slots, which are none afterwards."""
    execute(connection, "resolve", history=history)
    ends = execute(connection, "set_ends", history=history).rowcount
    slots = execute(connection, "set_slots").rowcount
    execute(connection, "clear_touched")
    execute(connection, "clear_resolved")
    return Resolved(slots, ends)
