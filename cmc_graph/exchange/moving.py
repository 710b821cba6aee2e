"""The use cases: a history of a store to lines of text, and lines to a history.

This module must not know which store it reads or writes, nor what a line looks like.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple
from typing import Literal, get_args

from cmc_graph.compile import Progress, batches, bounded
from cmc_graph.errors import StoreError, UsageError
from cmc_graph.exchange import graphml, lines
from cmc_graph.model import IngestReport, Pattern, Relation
from cmc_graph.stores import wholeness
from cmc_graph.stores.base import Applied, Batch, Kept, Store
from cmc_graph.text import shorten

#: ``jsonl`` is what ``load`` takes back, ``graphml`` is for other tools.
ExportFormat = Literal["jsonl", "graphml"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

_Renderer = Callable[[Iterable[Relation], Iterable[Pattern], Iterable[Kept]], Iterator[str]]
_RENDERERS: dict[str, _Renderer] = {"jsonl": lines.render, "graphml": graphml.render}


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
    leaves it. All lines are checked before the first one is written.

    Args:
        store: Where to write.
        history: Name of the history.
        exported: The lines of an export.
        on_progress: Called with the number of records done so far.

    Raises:
        SourceError: The lines are no whole export.
        UsageError: The history holds something else.
        StoreError: The store failed; the same lines given again go on from there.
    """
    started = time.perf_counter()
    contents = lines.parse(exported)
    _check_target(store, history, contents)
    store.declare(history, contents.relations)
    applied: list[Applied] = []
    done = 0
    for some in batches(contents.entries):
        applied += (store.append(history, Batch(entries)) for entries in bounded(some))
        done += len(some)
        if on_progress is not None:
            on_progress(done)
    if contents.patterns:
        store.keep_patterns(history, contents.patterns)
    names = ("facts", "unresolved", "no_fact", "skipped", "assertions", "slots_changed")
    sums = {name: sum(getattr(each, name) for each in applied) for name in names}
    seconds = time.perf_counter() - started
    return IngestReport(records=len(contents.entries), seconds=seconds, **sums)


def _rendered(store: Store, history: str, renderer: _Renderer) -> Iterator[str]:
    relations, patterns = store.relations(history), store.patterns(history)
    for pattern in patterns:
        if None in astuple(pattern):
            raise StoreError(
                f"a pattern of history {history!r} is damaged; find them anew with cmc-graph "
                "recompile --frontend hybrid"
            )
    held_back = ""  # all is known to be there once the scan ends
    for line in renderer(relations, patterns, wholeness.scan(store, history)):
        if held_back:
            yield held_back
        held_back = line
    yield held_back


def _check_target(store: Store, history: str, contents: lines.Contents) -> None:
    """Refuse a history that holds what the export does not."""
    relations = set(map(lines.relation_line, contents.relations))
    is_ours = all(lines.relation_line(each) in relations for each in store.relations(history))
    entries = {each.record.position: each for each in contents.entries}
    for kept in store.scan(history) if is_ours else ():
        entry = entries.get(kept.record.position)
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
