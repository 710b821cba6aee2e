"""One module per source format, found through the entry-point group ``cmc_graph.loaders``.

A loader is a module (or object) with

- ``accepts(name, head)``: True when a file of this name (without ``.gz``) that begins with these
  bytes (unpacked, without byte order mark) is of the format; cheap, never raises;
- ``records(path)``: its records, lazily and in source order; raises ``SourceError``, which names
  file and line;
- ``cases(path)``, where the format has questions: its cases;
- ``PACKS``, where the format has sentence forms of its own: names of the grammar packs for them.

Other packages bring loaders by the same entry-point group. Loaders must not know frontends, stores
or each other.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question that a source asks about its own records.

    Attributes:
        question: As the source words it.
        answers: Every answer the source counts as right, the main one first.
        id: Unique in the source.
        source: The source of the records it is about, as ``Record.source`` names it.
    """

    question: str
    answers: tuple[str, ...]
    id: str
    source: str
