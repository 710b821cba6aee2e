"""The ways through a closure from its anchors, by the relations they follow.

Pure. This module must not know questions or words.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cmc_graph.model import Edge

#: Most paths that are looked at, the shortest first; a question is about a few steps only.
_MOST_PATHS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """All edges that are reached from one anchor by following the same relations.

    Attributes:
        anchor: Key of the entity where it starts.
        relations: In the order they are followed.
        steps: The edges of each step, in source order; more than one where several values hold.
        seen: Keys of the entities on the way.
    """

    anchor: str
    relations: tuple[str, ...] = ()
    steps: tuple[tuple[Edge, ...], ...] = ()
    seen: frozenset[str]

    @property
    def ends(self) -> tuple[str, ...]:
        """Keys of the entities it leads to and that still hold."""
        if not self.steps:
            return (self.anchor,)
        return tuple(dict.fromkeys(edge.object_key for edge in self.steps[-1] if not edge.ended))

    @property
    def last(self) -> tuple[Edge, ...]:
        """The edges of the last step: those that still hold, or all when none does."""
        return tuple(edge for edge in self.steps[-1] if not edge.ended) or self.steps[-1]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges that lead from the anchor to those of the last step, in that order."""
        found = [self.last]
        for step in self.steps[-2::-1]:
            needed = {edge.subject_key for edge in found[-1]}
            found.append(tuple(e for e in step if not e.ended and e.object_key in needed))
        return tuple(edge for step in reversed(found) for edge in step)


def paths(
    anchors: Iterable[str], edges: Iterable[Edge], longest: int, may_follow: Callable[[Path], bool]
) -> Iterator[Path]:
    """The paths of at least one step, the shorter ones first.

    An ended edge ends its path, and no path goes on from an entity it has been at.

    Args:
        anchors: Keys of the entities the question names.
        edges: The closure.
        longest: Steps of the longest path.
        may_follow: Whether a path is worth going on from.
    """
    outgoing: dict[str, dict[str, list[Edge]]] = defaultdict(lambda: defaultdict(list))
    for edge in edges:
        outgoing[edge.subject_key][edge.relation].append(edge)
    level = [Path(anchor=anchor, seen=frozenset((anchor,))) for anchor in anchors]
    left = _MOST_PATHS
    for _ in range(longest):
        found = [longer for path in level for longer in _longer(path, outgoing)][:left]
        left -= len(found)
        yield from found
        level = [path for path in found if path.ends and may_follow(path)]


def _longer(path: Path, outgoing: Mapping[str, Mapping[str, Sequence[Edge]]]) -> Iterator[Path]:
    """The path with one more step, for each relation of the entities it ends at."""
    starts = [key for key in path.ends if not path.steps or key not in path.seen]
    following: dict[str, list[Edge]] = {}
    for key in starts:
        for relation, edges in outgoing.get(key, {}).items():
            following.setdefault(relation, []).extend(edges)
    for relation, edges in following.items():
        step = tuple(sorted(edges, key=lambda edge: (edge.position, edge.ordinal)))
        yield Path(
            anchor=path.anchor,
            relations=(*path.relations, relation),
            steps=(*path.steps, step),
            seen=path.seen.union(starts),
        )
