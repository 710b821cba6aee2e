"""Lines of an export to what a history holds, each checked, one after the other.

In memory are the names of relations and one line. Pure. This module must not know a store.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from cmc_graph.compile import entry as interpreted
from cmc_graph.compile import oversize
from cmc_graph.errors import SourceError
from cmc_graph.exchange.lines import (
    VERSION,
    AnyLine,
    EndLine,
    FormatLine,
    PatternLine,
    RecordLine,
    RelationLine,
    read,
)
from cmc_graph.model import Interpretation, Pattern, Record, Relation, Status, Triple
from cmc_graph.stores.base import Entry
from cmc_graph.text import count, shorten

#: What an export brings: relations by name, then patterns in their order, then records with their
#: verdicts and what they assert, ascending by position.
Item = Relation | Pattern | Entry

#: The order in which kinds of lines come.
_ORDER = (FormatLine, RelationLine, PatternLine, RecordLine, EndLine)


def parse(exported: Iterable[str], name: str = "the export") -> Iterator[Item]:
    """What the lines of an export hold, in their order; how many slots a relation has is not said.

    Args:
        exported: With or without line ends; blank ones are passed over.
        name: What errors call it, such as its file.

    Raises:
        SourceError: This is no whole export, or a line says what a history cannot hold; names the
            line, counted from 1. What was given out before is then part of nothing.
    """
    export, number = _Export(), 0
    for number, text in enumerate(exported, 1):
        if not text.strip():
            continue
        try:
            item = export.take(read(text))
        except SourceError as error:
            raise SourceError(
                f"{name}, line {number}: {error}; export the history again"
            ) from error.__cause__
        if item is not None:
            yield item
    if not export.is_whole:
        raise SourceError(
            f"{name} breaks off after line {number}: its last line, which counts the others, is "
            "missing; export the history again"
        )


class _Export:
    """What was seen of an export so far."""

    def __init__(self) -> None:
        self._stage = -1
        self._relations: dict[str, Relation] = {}
        self._last_position = -1
        self._counts: Counter[str] = Counter()

    @property
    def is_whole(self) -> bool:
        """The last line was there."""
        return self._stage == len(_ORDER) - 1

    def take(self, line: AnyLine) -> Item | None:
        """What the line brings, if anything.

        Raises:
            SourceError: It cannot come here, or says what a history cannot hold.
        """
        self._stage = _next(self._stage, line)
        match line:
            case FormatLine():
                _check_format(line)
                return None
            case RelationLine():
                return self._relation(line)
            case PatternLine():
                self._counts["patterns"] += 1
                return Pattern(line.template, line.relation, line.support, line.answers)
            case RecordLine():
                return self._entry(line)
            case EndLine():
                _check_merges(self._relations)
                _check_counts(self._counts, line)
                return None

    def _relation(self, line: RelationLine) -> Relation:
        if line.name in self._relations:
            raise SourceError(f"the relation {shorten(line.name)!r} came before")
        if problem := oversize("", line.name, ""):
            raise SourceError(problem)
        self._counts["relations"] += 1
        self._relations[line.name] = Relation(
            name=line.name,
            values=line.values,
            set_by=line.set_by,
            slots=0,
            merged_into=line.merged_into,
        )
        return self._relations[line.name]

    def _entry(self, line: RecordLine) -> Entry:
        if not self._counts["records"]:
            _check_merges(self._relations)
        elif line.position <= self._last_position:
            raise SourceError(f"position {line.position} does not come after {self._last_position}")
        self._last_position = line.position
        self._counts["records"] += 1
        self._counts["assertions"] += len(line.assertions)
        return _entry(line, self._relations)


def _next(stage: int, line: AnyLine) -> int:
    """The place of the line in the order of kinds, if it may come now."""
    place = _ORDER.index(type(line))
    if stage < 0 and place:
        raise SourceError("is not the first one of an export, which names the format")
    if place < stage or (place == stage and _ORDER[place] in (FormatLine, EndLine)):
        raise SourceError(f"{line.kind!r} cannot come here")
    return place


def _check_format(line: FormatLine) -> None:
    if line.format != VERSION:
        raise SourceError(
            f"is of format {line.format}, this cmc-graph reads {VERSION}: use the release that "
            "wrote it"
        )


def _check_merges(names: Mapping[str, Relation]) -> None:
    """Every merged relation counts as one that is there and counts itself."""
    for relation in names.values():
        root = relation.merged_into
        if root is not None and (root not in names or names[root].merged_into is not None):
            raise SourceError(
                f"the relation {shorten(relation.name)!r} is merged into {shorten(root)!r}, which "
                "is none that counts"
            )


def _entry(line: RecordLine, names: Mapping[str, Relation]) -> Entry:
    record = Record(**line.model_dump(exclude={"kind", "assertions"}))
    said = line.assertions
    if (line.status is Status.FACTS) != bool(said):
        raise SourceError(f"has status {line.status} with {count(len(said), 'assertion')}")
    for each in said:
        relation = names.get(each.relation)
        if relation is None or relation.merged_into is not None:
            raise SourceError(f"the relation {shorten(each.relation)!r} is none that counts")
        if not each.subject.strip() or not each.object.strip():
            raise SourceError("an assertion needs a subject and an object that are not blank")
    triples = tuple(Triple(e.subject, e.relation, e.object, e.retracts) for e in said)
    loose = frozenset(number for number, each in enumerate(said) if not each.literal)
    made = interpreted(record, Interpretation(line.status, triples, line.reason, "", loose))
    if made.status is not line.status:
        raise SourceError(made.reason or "cannot be stored")
    assertions = (
        one._replace(frontend=each.frontend, relation=each.relation)
        for one, each in zip(made.assertions, said, strict=True)
    )
    return made._replace(assertions=tuple(assertions))


def _check_counts(counted: Mapping[str, int], line: EndLine) -> None:
    for name in ("relations", "patterns", "records", "assertions"):
        if counted[name] != getattr(line, name):
            raise SourceError(
                f"counts {getattr(line, name)} {name}, but there are {counted[name]}: lines were "
                "lost or added"
            )
