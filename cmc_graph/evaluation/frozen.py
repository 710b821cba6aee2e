"""One interpretation, frozen and shared by all arms: what a history's records were read as.

``Frozen`` is a pure index over what ``Store.scan`` returned: records, the versions of each slot,
the current graph. ``Graph`` anchors and traverses like a read does; a test holds it to the stores.
This module must not know stores, arms or questions' answers.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256

from pydantic import TypeAdapter, ValidationError

from cmc_graph import closure
from cmc_graph.anchors import longest_matches, spans
from cmc_graph.errors import SourceError
from cmc_graph.model import Edge, Record, Status
from cmc_graph.stores.base import Kept, Version
from cmc_graph.stores.slots import resolve
from cmc_graph.text import key_length, tokens

#: What can be overwritten: subject key, relation, and in a many-valued relation the object's key.
Slot = tuple[str, str, str]

_LINE = TypeAdapter(Kept)


class Graph:
    """At most one edge per slot, anchored in and traversed like the current graph of a store.

    Args:
        edges: In any order.
    """

    def __init__(self, edges: Iterable[Edge]) -> None:
        self.edges: Mapping[Slot, Edge] = {edge.slot: edge for edge in edges}
        self._outgoing: dict[str, list[Edge]] = defaultdict(list)
        for edge in self.edges.values():
            self._outgoing[edge.subject_key].append(edge)
        self._longest = max(map(key_length, self._outgoing), default=0)

    def anchors(self, question: str) -> tuple[str, ...]:
        """Keys of the subjects that the question names, longest match (read contract, 2)."""
        words = tokens(question)
        named = {key for key in spans(words, self._longest) if key in self._outgoing}
        return longest_matches(words, named)

    def closure(self, anchors: Sequence[str], hops: int = closure.DEFAULT_HOPS) -> tuple[Edge, ...]:
        """The edges within the hop cap, with their depths (read contract, 3)."""
        reached = list(dict.fromkeys(anchors))
        seen = set(reached)
        for key in reached:  # grows while it is walked
            for edge in self._outgoing.get(key, ()):
                if not edge.ended and edge.object_key not in seen:
                    seen.add(edge.object_key)
                    reached.append(edge.object_key)
        near = [edge for key in reached for edge in self._outgoing.get(key, ())]
        return closure.depths(anchors, near, hops)


class Frozen:
    """A history as one frontend read it.

    Args:
        kept: Every record with its assertions, ascending by position.

    Attributes:
        records: By position, ascending.
        said: The assertions of each record, by position.
        versions: The assertions of each slot, oldest first.
        current: The last word of each slot (graph model, "What takes a slot").
        unresolved: The records that no frontend could turn into facts.
    """

    def __init__(self, kept: Iterable[Kept]) -> None:
        rows = tuple(kept)
        self.records: Mapping[int, Record] = {r.record.position or 0: r.record for r in rows}
        self.said: Mapping[int, tuple[Version, ...]] = {
            row.record.position or 0: row.assertions for row in rows
        }
        self.versions: Mapping[Slot, tuple[Version, ...]] = _by_slot(
            version for row in rows for version in row.assertions
        )
        self.current: Mapping[Slot, Version] = _last_words(self.versions)
        self.unresolved: tuple[Record, ...] = tuple(
            record for record in self.records.values() if record.status is Status.UNRESOLVED
        )

    @cached_property
    def graph(self) -> Graph:
        """The current graph."""
        return Graph(map(edge_of, self.current.values()))

    @cached_property
    def fingerprint(self) -> str:
        """Names this interpretation: another one has another fingerprint."""
        found = sha256()
        for position, record in self.records.items():
            found.update(f"{position} {record.text} {self.said[position]}\n".encode())
        return found.hexdigest()

    @cached_property
    def prior(self) -> Graph:
        """The constructed prior graph: each slot with its most recent different value.

        Not a snapshot of any moment (paper, appendix G).
        """
        return Graph(edge_of(self.different(slot)) for slot in self.current)

    def preceding(self, slot: Slot) -> Version:
        """The value stated immediately before the slot's last word; that itself if there is none.

        The stale closure and the stale state of the paper (appendices B.1 and C) take this one.
        """
        return next(self._before(slot), self.current[slot])

    def different(self, slot: Slot) -> Version:
        """The most recent earlier value that is another one; the last word if there is none.

        MQuAKE-MemStream's stale closure and the constructed prior graph (appendices F and G).
        """
        last = self.current[slot]
        return next(
            (earlier for earlier in self._before(slot) if earlier.object != last.object), last
        )

    def shown_graph(self, positions: Iterable[int]) -> Graph:
        """The graph that the records at these positions alone tell, the newest one winning."""
        said = _by_slot(version for p in sorted(positions) for version in self.said[p])
        return Graph(map(edge_of, _last_words(said).values()))

    def objects(self, positions: Iterable[int]) -> set[str]:
        """The objects that the records at these positions state, as they write them."""
        return {v.object_text for p in positions for v in self.said[p] if not v.retracts}

    def _before(self, slot: Slot) -> Iterator[Version]:
        """The values stated before the slot's last word, the newest first."""
        last = self.current[slot]
        for version in reversed(self.versions[slot]):
            is_before = (version.position, version.ordinal) < (last.position, last.ordinal)
            if is_before and not version.retracts:
                yield version


def edge_of(version: Version) -> Edge:
    """The edge that a version is when it is its slot's last word."""
    return Edge(
        subject=version.subject_text,
        relation=version.relation,
        object=version.object_text,
        subject_key=version.subject,
        object_key=version.object,
        member=version.member,
        position=version.position,
        ordinal=version.ordinal,
        ended=version.retracts,
    )


def dump(kept: Iterable[Kept]) -> str:
    """The interpretation as JSON Lines, the same for the same records wherever they came from."""
    return "".join(f"{_LINE.dump_json(_bare(row)).decode()}\n" for row in kept)


def load(text: str, where: str) -> list[Kept]:
    """The interpretation that ``dump`` wrote.

    Args:
        text: JSON Lines.
        where: What the text is, for the message.

    Raises:
        SourceError: It is no such text.
    """
    try:
        return [_LINE.validate_json(line) for line in text.split("\n") if line]
    except ValidationError as error:
        raise SourceError(f"{where}: is no frozen interpretation; run into a new folder") from error


def _bare(kept: Kept) -> Kept:
    """Without what only says where and when it was read."""
    record = kept.record
    bare = Record(
        text=record.text, position=record.position, status=record.status, reason=record.reason
    )
    return Kept(bare, kept.assertions)


def _by_slot(versions: Iterable[Version]) -> dict[Slot, tuple[Version, ...]]:
    found: dict[Slot, list[Version]] = defaultdict(list)
    for version in versions:
        found[version.subject, version.relation, version.member].append(version)
    return {slot: tuple(claims) for slot, claims in found.items()}


def _last_words(versions: Mapping[Slot, Sequence[Version]]) -> dict[Slot, Version]:
    return {slot: claims[resolve(claims).winner] for slot, claims in versions.items()}
