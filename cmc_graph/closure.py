"""Stage 4: how far each selected edge is from the question (paper, section 3; read contract, 3).

Pure breadth-first bookkeeping over the edges a store returned. This module must not know stores.
"""

from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter

from cmc_graph.model import Edge

MIN_HOPS, DEFAULT_HOPS, MAX_HOPS = 1, 5, 10

_SOURCE_ORDER = attrgetter("position", "ordinal")


def depths(anchors: Iterable[str], edges: Iterable[Edge], hops: int) -> tuple[Edge, ...]:
    """The edges within the hop cap, each with its shortest depth, by depth, then source order.

    Depth 1 are the edges of the anchors. Each slot appears once, ended edges are never walked, and
    cycles end because an entity is expanded only once.

    Args:
        anchors: Keys of the entities the question names.
        edges: Current and ended edges, at least those within the hop cap, in any order.
        hops: 1 to 10.
    """
    outgoing: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        outgoing[edge.subject_key].append(edge)
    reached: list[Edge] = []
    frontier = list(dict.fromkeys(anchors))
    expanded = set(frontier)
    for depth in range(1, hops + 1):
        level = [edge.at(depth) for key in frontier for edge in outgoing[key]]
        if not level:
            break
        level.sort(key=_SOURCE_ORDER)
        reached += level
        frontier = []
        for edge in level:
            if not edge.ended and edge.object_key not in expanded:
                expanded.add(edge.object_key)
                frontier.append(edge.object_key)
    return tuple(reached)
