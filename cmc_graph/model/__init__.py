"""The frozen values that travel between the stages, the stores and the client.

Words are those of the paper and of the README: a *record* is what a source said at one *position*;
an *interpretation* is a frontend's verdict on it; a *slot* is what can be overwritten. This package
must not know how anything is parsed, stored or printed.
"""

from cmc_graph.model.reading import (
    Edge,
    Evidence,
    Fallback,
    Interpretation,
    Overflow,
    ReadOptions,
)
from cmc_graph.model.record import (
    MAX_POSITION,
    MAX_SOURCE_BYTES,
    Record,
    Status,
    Triple,
    TripleLike,
)
from cmc_graph.model.reports import (
    Drift,
    Finding,
    Forgotten,
    History,
    IngestReport,
    LostWord,
    Pattern,
    Relation,
    SetBy,
    Stats,
    Values,
)

__all__ = [
    "MAX_POSITION",
    "MAX_SOURCE_BYTES",
    "Drift",
    "Edge",
    "Evidence",
    "Fallback",
    "Finding",
    "Forgotten",
    "History",
    "IngestReport",
    "Interpretation",
    "LostWord",
    "Overflow",
    "Pattern",
    "ReadOptions",
    "Record",
    "Relation",
    "SetBy",
    "Stats",
    "Status",
    "Triple",
    "TripleLike",
    "Values",
]
