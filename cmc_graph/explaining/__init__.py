"""Why a read shows what it shows, what slots were before, and what changed between positions.

``explain``, ``timeline`` and ``changed`` ask a store and hand back frozen values; what is decided
about them is decided in the pure modules of this package, and so is how they are drawn.
"""

from cmc_graph.explaining.asking import changed, explain, position_at, timeline
from cmc_graph.explaining.values import (
    Anchor,
    Change,
    Diff,
    Explanation,
    Hidden,
    Reached,
    Replaced,
    Shown,
    Timeline,
    TimelineEntry,
)

__all__ = [
    "Anchor",
    "Change",
    "Diff",
    "Explanation",
    "Hidden",
    "Reached",
    "Replaced",
    "Shown",
    "Timeline",
    "TimelineEntry",
    "changed",
    "explain",
    "position_at",
    "timeline",
]
