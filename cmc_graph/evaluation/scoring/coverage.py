"""Whether the evidence has the answer at all: the ceiling of any reader (paper, section 4.1).

Two views of it. Pure. This module must not know arms or readers.
"""

from collections.abc import Iterable, Sequence

from cmc_graph.evaluation.scoring.metrics import normalised
from cmc_graph.text import key


def has_object(references: Iterable[str], objects: Iterable[str]) -> bool:
    """True when a reference is the object of a fact in the evidence; compared as entity keys.

    Args:
        references: The right answers.
        objects: Objects of the facts shown, as their records write them.
    """
    return not {key(reference) for reference in references}.isdisjoint(map(key, objects))


def has_string(references: Sequence[str], records: Iterable[str]) -> bool:
    """True when a reference, normalised as released, is somewhere in a record of the evidence.

    It counts chance matches too: "Rome" is in "Jerome".

    Args:
        references: The right answers.
        records: Texts of the records shown, normalised.
    """
    wanted = [normalised(reference) for reference in references]
    return any(reference in record for record in records for reference in wanted)
