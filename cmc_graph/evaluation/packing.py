"""Records in runs of whole ones: blocks and chunks that retrieval ranks.

Pure. This module must not know how they are ranked.
"""

from collections.abc import Callable, Iterable

from cmc_graph import render
from cmc_graph.model import Record


def runs(
    records: Iterable[Record], most: int, size: Callable[[str], int] = len
) -> list[list[Record]]:
    """The records in runs of at most a size; a longer record is a run of its own.

    Args:
        records: In source order.
        most: Of a run's lines together.
        size: Measures a line, in characters if nothing else is said.
    """
    found: list[list[Record]] = []
    room = 0
    for record in records:
        taken = size(render.line(record.position or 0, record.text))
        if not found or taken > room:
            found.append([])
            room = most
        found[-1].append(record)
        room -= taken
    return found
