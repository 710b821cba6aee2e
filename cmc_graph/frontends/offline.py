"""The frontend that asks no model: triples that records bring first, then pattern packs.

This module must not know what a pattern looks like.
"""

from collections.abc import Sequence

from cmc_graph.frontends import Frontend
from cmc_graph.frontends.given import Given
from cmc_graph.frontends.grammar import Grammar
from cmc_graph.frontends.packs import load_pack


def grammar_frontend(
    packs: Sequence[str], *, literal: bool = True, inner: Frontend | None = None
) -> Frontend:
    """The frontend of an ingest: given triples first, then ``inner`` or the named packs."""
    return Given(inner or Grammar([load_pack(name) for name in packs]), literal=literal)
