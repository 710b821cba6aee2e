"""The screen for reference answers that an update has overtaken, and what they cost at worst.

Paper, appendix B.3: a reference is flagged when it is an earlier value of a key that the question
reaches, and none of the current values there. Flags need a person's verdict; the official score
keeps them all. Pure. This module must not know arms or readers.
"""

from collections.abc import Collection

from cmc_graph.evaluation.formats import Case
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.scoring.coverage import has_object


def is_superseded(case: Case, frozen: Frozen) -> bool:
    """True when a reference is an earlier value of a selected key, and none is a current value.

    Args:
        case: One question.
        frozen: The history it is about.
    """
    graph = frozen.graph
    selected = graph.closure(graph.anchors(case.question))
    earlier = [
        version.object_text
        for edge in selected
        for version in frozen.versions[edge.slot]
        if not version.retracts and version.position < edge.position
    ]
    current = [edge.object for edge in selected if not edge.ended]
    return has_object(case.references, earlier) and not has_object(case.references, current)


def lower_bound(
    ours: Collection[str], theirs: Collection[str], flagged: Collection[str], questions: int
) -> float:
    """The least advantage, in points, whatever the flagged questions' right answers are.

    Every flagged question counts as one that only the other arm has right.

    Args:
        ours: Questions this arm has right.
        theirs: Questions the other arm has right.
        flagged: Questions whose reference may be superseded.
        questions: How many there are in all, at least one.
    """
    doubtful = set(flagged)
    left = len(set(ours) - doubtful) - len(set(theirs) - doubtful) - len(doubtful)
    return 100 * left / questions
