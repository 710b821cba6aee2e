"""How far a figure may be from the truth (paper, appendix C): Wilson, and the bootstrap by query.

Pure: the same input gives the same interval. This module must not know arms or readers.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from cmc_graph.evaluation.optional import library

REPLICATES = 10_000
SEED = 20260907

#: Standard normal quantile of 97.5 %.
_Z = 1.959963984540054


class Interval(NamedTuple):
    """A 95 % interval, in the unit of what it is about."""

    low: float
    high: float


def wilson(right: int, questions: int) -> Interval:
    """The Wilson score interval of a share, from 0 to 1.

    Args:
        right: How many are right.
        questions: Of how many; without any question the share may be anything.
    """
    if not questions:
        return Interval(0.0, 1.0)
    share, room = right / questions, _Z * _Z / questions
    middle = (share + room / 2) / (1 + room)
    reach = math.sqrt(room * share * (1 - share) + room * room / 4) / (1 + room)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


def bootstrap(
    differences: Iterable[tuple[Hashable, float]],
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Interval:
    """The percentile bootstrap interval of a mean, whole clusters being drawn.

    Clusters of equal sum and size are interchangeable, so that a replicate is one multinomial draw
    over the kinds of clusters.

    Args:
        differences: Each value with its cluster: the same question asked of several histories is
            one cluster, since its answers stand and fall together.
        replicates: How often the clusters are drawn.
        seed: Of the draws.

    Raises:
        ConfigurationError: numpy is not installed.
    """
    clusters: dict[Hashable, list[float]] = defaultdict(list)
    for cluster, value in differences:
        clusters[cluster].append(value)
    if not clusters:
        return Interval(0.0, 0.0)
    np = library("numpy", "eval")
    kinds = Counter((sum(values), len(values)) for values in clusters.values())
    ordered = sorted(kinds)  # whatever the order of the questions
    sums, sizes = np.array(ordered, dtype=float).T
    shares = np.array([kinds[kind] for kind in ordered]) / len(clusters)
    draws = np.random.default_rng(seed).multinomial(len(clusters), shares, size=replicates)
    low, high = np.percentile((draws @ sums) / (draws @ sizes), [2.5, 97.5])
    return Interval(float(low), float(high))
