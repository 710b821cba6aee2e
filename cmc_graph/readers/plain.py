"""The plain variant: the best fit, trusted when the question talks about it and about little else.

This module must not know how a fit is measured.
"""

import math
from collections.abc import Sequence

from cmc_graph.readers.candidates import Candidate, Verdict
from cmc_graph.readers.fit import Fit

#: Below this, a relation that is what is asked for may also lead to something within it.
_SURELY = 0.5


def judge(candidates: Sequence[Candidate]) -> Verdict:
    """The best fit and how likely it is the path that is meant.

    Args:
        candidates: At least one, the best fit first.
    """
    best = next((one for one in candidates if one.is_supported), candidates[0])
    return Verdict(_outermost(best, candidates), confidence(best.fit), best.is_supported)


def _outermost(best: Candidate, candidates: Sequence[Candidate]) -> Candidate:
    """The country, not the city within it, where places lie within each other."""
    further = {candidate.path.relations: candidate for candidate in candidates}
    while best.question.asks_outermost and 0 < best.fit.asked < _SURELY:
        relations = best.path.relations
        wider = further.get((*relations, relations[-1]))
        if wider is None or wider.path.anchor != best.path.anchor:
            break
        best = wider
    return best


def confidence(fit: Fit) -> float:
    """How likely a path that fits like this is the one that is meant, from 0 to 1."""
    said = fit.said + max(0.0, fit.asked)
    share = (said - fit.unsaid - fit.unspoken) / (said + fit.unsaid + 0.1)
    return 1 / (1 + math.exp(2.25 - 3.6 * share - 2.4 * fit.asked))
