"""The populations a question is counted in (paper, appendices B.1 and G).

Known from the sources alone, before any score. Pure. This module must not know readers.
"""

from collections.abc import Iterator

from cmc_graph.evaluation.formats import Case
from cmc_graph.evaluation.frozen import Frozen

#: Every question that counts.
ALL = "all"
#: Histories whose raw text fits the reader's window in the paper, and the name of their questions.
SHORT_LENGTHS = ("6k", "32k", "64k")
NON_OVERFLOW = "non-overflow"
#: Whether the update changes which keys a read needs.
KEYS_CHANGE, KEYS_STAY = "keys change", "keys stay"


def populations(case: Case, frozen: Frozen) -> Iterator[str]:
    """The names of the populations, each once: all, the group, the cell, and parts of the group.

    Args:
        case: One question.
        frozen: The history it is about.
    """
    yield from dict.fromkeys((ALL, case.group, case.cell))
    if case.length in SHORT_LENGTHS:
        yield f"{case.group}, {NON_OVERFLOW}"
    changes = keys_change(case.question, frozen)
    yield f"{case.group}, {KEYS_CHANGE if changes else KEYS_STAY}"


def keys_change(question: str, frozen: Frozen) -> bool:
    """True when reading the constructed prior graph selects other keys than the current one.

    Args:
        question: As it is asked.
        frozen: The history it is about.
    """
    anchors = frozen.graph.anchors(question)
    current = {edge.slot for edge in frozen.graph.closure(anchors)}
    return current != {edge.slot for edge in frozen.prior.closure(anchors)}
