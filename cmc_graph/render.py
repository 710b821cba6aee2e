"""Stage 5: records to evidence text within a budget (paper, section 3; read contract, section 4).

Pure. This module must not know how the records were selected.
"""

import re
from collections.abc import Iterable, Mapping
from operator import itemgetter

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
    ordered = sorted({r.position or 0: r for r in records}.items(), key=itemgetter(0))
    ranked = ordered[::-1]
    if nearness is not None:
        ranked.sort(key=lambda item: nearness.get(item[0], _FARTHEST))
    room = budget - len(PREFIX)
    shown: list[tuple[int, str]] = []
    for position, record in ranked:
        rendered = line(position, record.text)
        room -= len(rendered)
        if room < 0:
            break
        shown.append((position, rendered))
    shown.sort(key=itemgetter(0))
    found = dict(ordered)
    text = PREFIX + "".join(rendered for _, rendered in shown)
    return text, tuple(found[position] for position, _ in shown), len(ordered) - len(shown)
