"""Looks at a Neo4j database as it is, and clears edges that stand in the way of a rebuild.

This module must not know what a finding means.
"""

from collections.abc import Sequence

from cmc_graph.errors import StoreError
from cmc_graph.stores import neo4j_schema as schema
from cmc_graph.stores.inspection import Damage, Inspection
from cmc_graph.stores.neo4j_link import Link


def inspect(link: Link, history: str, settings: Sequence[str]) -> Inspection:
    """What is found, without writing.

    Args:
        link: To the database.
        history: Whose pieces are looked at.
        settings: Names of the server's settings to look up.

    Raises:
        SchemaMismatch: The database is of another version, or not ours.
        StoreError: It cannot be read.
    """
    (component,) = link.read("components")
    is_new = not schema.check_version(link)
    damages = link.read("damaged", history=history)
    return Inspection(
        server=f"Neo4j {component['version']} {component['edition']}",
        is_new=is_new,
        missing=() if is_new else tuple(map(str, schema.missing(link).values())),
        settings=_settings(link, settings),
        damages=tuple(Damage(row["what"], row["place"], row["detail"]) for row in damages),
    )


def mend(link: Link, history: str) -> None:
    """Delete damaged edges and give the history its node back; the rest is derived afterwards."""
    link.run("restore_head", history=history)
    link.run("clear_damaged_edges", history=history)


def _settings(link: Link, names: Sequence[str]) -> dict[str, str]:
    try:
        rows = link.read("settings", names=list(names))
    except StoreError:  # not every user may look, and hosted servers show none
        return {}
    return {row["name"]: row["value"] for row in rows if row["value"] is not None}
