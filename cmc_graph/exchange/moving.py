"""The use cases: a history of a store to lines of text, and lines to a history.

This module must not know which store it reads or writes, nor what a line looks like.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, field
from typing import Literal, get_args

from cmc_graph.compile import Progress, batches, bounded
from cmc_graph.errors import StoreError, UsageError
from cmc_graph.exchange import graphml, lines
from cmc_graph.exchange.parsing import Item, parse
from cmc_graph.exchange.spooling import repeatable
from cmc_graph.model import IngestReport, Pattern, Relation
from cmc_graph.stores import wholeness
from cmc_graph.stores.base import Batch, Entry, Kept, Store
from cmc_graph.text import shorten

#: ``jsonl`` is what ``load`` takes back, ``graphml`` is for other tools.
ExportFormat = Literal["jsonl", "graphml"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

_Renderer = Callable[[Iterable[Relation], Iterable[Pattern], Iterable[Kept]], Iterator[str]]
_RENDERERS: dict[str, _Renderer] = {
    "jsonl": lines.render,
    "graphml": lambda relations, patterns, kept: graphml.render(kept),
}
#: What the reports of batches add up to.
_SUMMED = ("facts", "unresolved", "no_fact", "skipped", "assertions", "slots_changed")


def export(store: Store, history: str, form: ExportFormat | str = "jsonl") -> Iterator[str]:
    """The lines of an export, line ends included, read as they are consumed.

    Args:
        store: Where the history is.
        history: Its name.
        form: One of ``FORMATS``.

    Raises:
        UsageError: No such format.
        StoreBusy: The history was written to meanwhile; the lines are then cut off before the last
            one, and ``load`` refuses them.
        StoreError: The store failed, or something in the history is damaged or lost; the same
            holds.
    """
    renderer = _RENDERERS.get(form)
    if renderer is None:
        raise UsageError(f"an export is {' or '.join(FORMATS)}, not {shorten(str(form))!r}")
    return _rendered(store, history, renderer)


def load(
    store: Store, history: str, exported: Iterable[str], *, on_progress: Progress | None = None
) -> IngestReport:
    """What was written of an export.

    Into an empty history, or one that holds a part of the same export, as an interrupted load
    leaves it. All lines are checked before the first one is written, so that they are read twice:
    what comes only once is kept in a temporary file meanwhile. In memory is one batch.

    Args:
        store: Where to write.
        history: Name of the history.
        exported: The lines of an export; its attribute ``name``, if it has one, is in errors.
        on_progress: Called with the number of records done so far.

    Raises:
        SourceError: The lines are no whole export; nothing is written.
        UsageError: The history holds something else; nothing is written.
        StoreError: The store failed; the same lines given again go on from there.
    """
    started = time.perf_counter()
    name = str(getattr(exported, "name", "the export"))
    with repeatable(exported) as lines_again:
        contents = _Contents()
        for item in parse(lines_again, name):
            contents.take(item)
        _check_target(store, history, contents, _entries(lines_again, name))
        store.declare(history, contents.relations)
        sums: Counter[str] = Counter()
        done = 0
        for some in batches(_entries(lines_again, name)):
            for entries in bounded(some):
                applied = store.append(history, Batch(entries))
                sums.update({each: getattr(applied, each) for each in _SUMMED})
            done += len(some)
            if on_progress is not None:
                on_progress(done)
        if contents.patterns:
            store.keep_patterns(history, contents.patterns)
    return IngestReport(
        records=done,
        facts=sums["facts"],
        unresolved=sums["unresolved"],
        no_fact=sums["no_fact"],
        skipped=sums["skipped"],
        assertions=sums["assertions"],
        slots_changed=sums["slots_changed"],
        seconds=time.perf_counter() - started,
    )


@dataclass(slots=True)
class _Contents:
    """What an export holds beside its records, which are many."""

    relations: list[Relation] = field(default_factory=list)
    patterns: list[Pattern] = field(default_factory=list)

    def take(self, item: Item) -> None:
        match item:
            case Relation():
                self.relations.append(item)
            case Pattern():
                self.patterns.append(item)


def _entries(exported: Iterable[str], name: str) -> Iterator[Entry]:
    return (item for item in parse(exported, name) if isinstance(item, Entry))


def _rendered(store: Store, history: str, renderer: _Renderer) -> Iterator[str]:
    head = wholeness.head(store, history)
    relations, patterns = store.relations(history), store.patterns(history)
    for pattern in patterns:
        if None in astuple(pattern):
            raise StoreError(
                f"a pattern of history {history!r} is damaged; find them anew with cmc-graph "
                "recompile --frontend hybrid"
            )
    held_back = ""  # all is known to be there once the scan ends
    for line in renderer(relations, patterns, wholeness.scan(store, history, head)):
        if held_back:
            yield held_back
        held_back = line
    yield held_back


def _check_target(
    store: Store, history: str, contents: _Contents, entries: Iterator[Entry]
) -> None:
    """Refuse a history that holds what the export does not.

    Args:
        store: Where the history is.
        history: Its name.
        contents: Relations and patterns of the export.
        entries: Its records, ascending; consumed beside those of the history.
    """
    relations = set(map(lines.relation_line, contents.relations))
    is_ours = store.patterns(history) in ([], contents.patterns) and all(
        lines.relation_line(each) in relations for each in store.relations(history)
    )
    for kept in store.scan(history) if is_ours else ():
        position = kept.record.position or 0
        entry = next((each for each in entries if (each.record.position or 0) >= position), None)
        is_ours = entry is not None and lines.record_line(
            kept.record, kept.assertions
        ) == lines.record_line(entry.record, entry.assertions)
        if not is_ours:
            break
    if not is_ours:
        raise UsageError(
            f"history {history!r} holds something else than this export; load it into a history of "
            "its own (--history NAME)"
        )
