"""A memory store for agents: resolve updates first, then traverse, then show the records.

>>> from cmc_graph import Memory, Record
>>> with Memory.open("sqlite:///:memory:") as memory:
...     report = memory.ingest([Record(text="The weekly meeting is in Room B.")])
...     memory.read("Where is the weekly meeting?").records[0].text
'The weekly meeting is in Room B.'
"""

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
from cmc_graph.explaining import Diff, Explanation, Timeline
from cmc_graph.extractor import ModelOptions
from cmc_graph.memory import Memory
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
