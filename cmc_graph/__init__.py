"""A memory store for agents: resolve updates first, then traverse, then show the records.

>>> from cmc_graph import Memory, Record
>>> with Memory.open("sqlite:///:memory:") as memory:
...     report = memory.ingest([Record(text="The weekly meeting is in Room B.")])
...     memory.read("Where is the weekly meeting?").records[0].text
'The weekly meeting is in Room B.'
"""

from cmc_graph.errors import CmcError
from cmc_graph.memory import Memory
from cmc_graph.model import Edge, Evidence, IngestReport, Record, Triple

__version__ = "0.1.0"

__all__ = ["CmcError", "Edge", "Evidence", "IngestReport", "Memory", "Record", "Triple"]
