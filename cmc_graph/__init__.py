"""A memory store for agents: resolve updates first, then traverse, then show the records.

>>> from cmc_graph import Memory, Record
>>> with Memory.open("sqlite:///:memory:") as memory:
...     report = memory.ingest([Record(text="The weekly meeting is in Room B.")])
...     memory.read("Where is the weekly meeting?").records[0].text
'The weekly meeting is in Room B.'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cmc_graph._version import __version__
from cmc_graph.errors import (
    CmcError,
    ConfigurationError,
    DatabaseMissing,
    ExtractionError,
    PositionConflict,
    SchemaMismatch,
    SourceError,
    StoreBusy,
    StoreError,
    StoreRefused,
    StoreUnreachable,
    UsageError,
)
from cmc_graph.model import (
    Drift,
    Edge,
    Evidence,
    Finding,
    Forgotten,
    History,
    IngestReport,
    Record,
    Relation,
    SetBy,
    Stats,
    Status,
    Triple,
    Values,
)

if TYPE_CHECKING:
    from cmc_graph.explaining import Diff, Explanation, Timeline
    from cmc_graph.extractor import ModelOptions
    from cmc_graph.memory import Memory
    from cmc_graph.readers import Answer

__all__ = [
    "Answer",
    "CmcError",
    "ConfigurationError",
    "DatabaseMissing",
    "Diff",
    "Drift",
    "Edge",
    "Evidence",
    "Explanation",
    "ExtractionError",
    "Finding",
    "Forgotten",
    "History",
    "IngestReport",
    "Memory",
    "ModelOptions",
    "PositionConflict",
    "Record",
    "Relation",
    "SchemaMismatch",
    "SetBy",
    "SourceError",
    "Stats",
    "Status",
    "StoreBusy",
    "StoreError",
    "StoreRefused",
    "StoreUnreachable",
    "Timeline",
    "Triple",
    "UsageError",
    "Values",
    "__version__",
]

#: Where the heavier names live. Each is imported when it is first asked for, so that
#: ``cmc-graph --help`` does not wait for what it does not use.
_HOMES = {
    "Answer": "cmc_graph.readers",
    "Diff": "cmc_graph.explaining",
    "Explanation": "cmc_graph.explaining",
    "Memory": "cmc_graph.memory",
    "ModelOptions": "cmc_graph.extractor",
    "Timeline": "cmc_graph.explaining",
}


def __getattr__(name: str) -> object:
    """The public name, from its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
