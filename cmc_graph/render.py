"""Stage 5: records to evidence text within a budget (paper, section 3; read contract, section 4).

Pure. This module must not know how the records were selected.
"""

import re
from collections.abc import Iterable, Mapping

from cmc_graph.model import Record

DEFAULT_BUDGET = 60_000
PREFIX = "Records in source order; a larger number in brackets is newer.\n"

#: A record is one line. Only line feeds and carriage returns end a line, here as in the loaders.
_LINE_BREAKS = re.compile(r"[\r\n]+")

#: Beyond any hop cap.
_FARTHEST = 1_000


def line(position: int, text: str) -> str:
    """One record as a line of evidence, with its line end."""
    if "\n" in text or "\r" in text:
        text = _LINE_BREAKS.sub(" ", text)
    return f"[{position}] {text}\n"


def evidence(
    records: Iterable[Record], budget: int, nearness: Mapping[int, int] | None = None
) -> tuple[str, tuple[Record, ...], int]:
    """The evidence text, the records it shows in source order, and how many were left out.

    Each position is shown once. On overflow the newest contiguous suffix of whole records stays,
    or, where ``nearness`` is given, the nearest and among them the newest; nothing is cut inside a
    record, and none that comes after one without room stays.

    Args:
        records: Stored records (each has a position), in any order.
        budget: Characters, the prefix and the line ends included.
        nearness: Hops from the question by position; a record without hops comes last.
    """
    found = {r.position or 0: r for r in records}
    ordered = sorted(found)
    lines = {position: line(position, found[position].text) for position in ordered}
    text = PREFIX + "".join(lines.values())
    if len(text) <= budget:
        return text, tuple(found[position] for position in ordered), 0
    ranked = ordered[::-1]
    if nearness is not None:
        ranked.sort(key=lambda position: nearness.get(position, _FARTHEST))
    room = budget - len(PREFIX)
    shown: list[int] = []
    for position in ranked:
        room -= len(lines[position])
        if room < 0:
            break
        shown.append(position)
    shown.sort()
    text = PREFIX + "".join(lines[position] for position in shown)
    return text, tuple(found[position] for position in shown), len(ordered) - len(shown)
