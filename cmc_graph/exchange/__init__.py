"""Whole histories as text: the export, which another store takes back, and GraphML for other tools.

``lines``, ``parsing`` and ``graphml`` are pure, ``moving`` reads and writes a store.
"""

from cmc_graph.exchange.moving import FORMATS, ExportFormat, export, load

__all__ = ["FORMATS", "ExportFormat", "export", "load"]
