"""Stage 5: records to evidence text within a budget (paper, section 3; read contract, section 4).

Pure. This module must not know how the records were selected.
"""

import re
from collections.abc import Iterable

from cmc_graph.model import Record

DEFAULT_BUDGET = 60_000
PREFIX = "Records in source order; a larger number in brackets is newer.\n"

#: A record is one line. Only line feeds and carriage returns end a line, here as in the loaders.
_LINE_BREAKS = re.compile(r"[\r\n]+")


def line(position: int, text: str) -> str:
    """One record as a line of evidence, with its line end."""
    if "\n" in text or "\r" in text:
        text = _LINE_BREAKS.sub(" ", text)
    return f"[{position}] {text}\n"


def evidence(records: Iterable[Record], budget: int) -> tuple[str, tuple[Record, ...], int]:
    """The evidence text, the records it shows in source order, and how many were left out.

    Each position is shown once. On overflow the newest contiguous suffix of whole records stays;
    nothing is cut inside a record.

    Args:
        records: Stored records (each has a position), in any order.
        budget: Characters, the prefix and the line ends included.
    """
    ordered = sorted({r.position: r for r in records}.items(), key=lambda item: item[0] or 0)
    room = budget - len(PREFIX)
    shown: list[Record] = []
    lines: list[str] = []
    for position, record in reversed(ordered):
        rendered = line(position or 0, record.text)
        room -= len(rendered)
        if room < 0:
            break
        shown.append(record)
        lines.append(rendered)
    text = PREFIX + "".join(reversed(lines))
    return text, tuple(reversed(shown)), len(ordered) - len(shown)
