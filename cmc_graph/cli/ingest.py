"""``cmc-graph ingest``: files into a history."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from cmc_graph.cli.common import (
    HistoryOption,
    JsonOption,
    QuietOption,
    StoreOption,
    VerboseOption,
    note,
    out,
    print_json,
    set_verbosity,
    terminal_bar,
)
from cmc_graph.cli.interrupt import between_batches
from cmc_graph.cli.model_options import (
    BatchApiOption,
    FrontendOption,
    print_estimate,
    print_submitted,
    reading_bar,
    with_model,
)
from cmc_graph.compile import Progress, preview
from cmc_graph.errors import UsageError
from cmc_graph.extractor import Extractor, ModelOptions
from cmc_graph.frontends.extraction import Extraction
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.frontends.packs import chosen_packs
from cmc_graph.memory import Memory
from cmc_graph.model import IngestReport
from cmc_graph.sources import Sources, open_sources
from cmc_graph.stores.base import Entry
from cmc_graph.text import count, shorten

#: Unresolved records a dry run lists, so that a person sees which patterns are missing.
_LISTED = 20

LoaderOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="auto, text, jsonl, factconsolidation, mquake, "
        "longmemeval, or one that another package brings.",
    ),
]
GrammarOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Pattern pack: general, factconsolidation, a file. Repeatable.",
    ),
]
LiteralOption = Annotated[
    bool,
    typer.Option(
        "--literal/--no-literal", help="Triples that records bring must be spans of their text."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(with_model(ingest))


def ingest(
    options: ModelOptions,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Files, globs, folders, or - for input.")
    ],
    loader: LoaderOption = "auto",
    frontend: FrontendOption = "grammar",
    grammar: GrammarOption = None,
    literal: LiteralOption = True,
    batch_api: BatchApiOption = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Only parse, or estimate what a model will cost; open no store."
        ),
    ] = False,
    json: JsonOption = False,
    store: StoreOption = None,
    history: HistoryOption = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Read records, turn them into facts, and resolve what they overwrite."""
    set_verbosity(verbose=verbose, quiet=quiet)
    sources = open_sources(paths, loader)
    packs = chosen_packs(grammar, sources)
    if batch_api and frontend != "direct":
        raise UsageError("--batch-api goes with --frontend direct")
    if dry_run:
        if frontend == "grammar":
            print_report(_dry_run(sources, packs, literal=literal), as_json=json)
        else:
            print_estimate(sources, options, at_most=frontend == "hybrid", as_json=json)
        return
    with Memory.open(store, history) as memory:
        chosen = None
        if frontend != "grammar":
            with memory.extractor(frontend, options) as extractor:
                if batch_api == "submit":
                    print_submitted(extractor.submit(sources), as_json=json)
                    return
                chosen = _read(extractor, sources, collect=batch_api == "collect", quiet=quiet)
        with (
            between_batches() as check,
            _progress(sources.count, check, quiet=quiet) as tick,
        ):
            report = memory.ingest(
                sources, grammar=packs, literal=literal, frontend=chosen, on_progress=tick
            )
    print_report(report, as_json=json)


def _read(extractor: Extractor, sources: Sources, *, collect: bool, quiet: bool) -> Extraction:
    """What the model makes of the records; outside ``between_batches``, so that Ctrl-C acts."""
    if collect:
        extractor.collect(sources)
    with reading_bar(quiet=quiet) as tick:
        return extractor.extract(sources, on_progress=tick)


def _dry_run(sources: Sources, packs: tuple[str, ...], *, literal: bool) -> IngestReport:
    unread: list[Entry] = []
    report = preview(grammar_frontend(packs, literal=literal), sources, unread.append)
    for entry in unread[:_LISTED]:
        line = "" if entry.record.source_line is None else f"line {entry.record.source_line}, "
        note(f"unresolved: {line}{shorten(entry.record.text, 80)} ({entry.reason})")
    if len(unread) > _LISTED:
        note(f"unresolved: and {len(unread) - _LISTED} more")
    return report


def print_report(report: IngestReport, *, as_json: bool) -> None:
    """Print what was done, and what it cost, as text or as JSON."""
    if as_json:
        print_json(report)
        return
    out(
        f"{count(report.records, 'record')} = {report.facts} facts + "
        f"{report.unresolved} unresolved + {report.no_fact} no_fact + {report.skipped} skipped"
    )
    out(
        f"{count(report.assertions, 'assertion')}, {count(report.slots_changed, 'slot')} changed, "
        f"{report.seconds:.2f} s"
    )
    if report.calls:
        out(
            f"{count(report.calls, 'model call')}, {report.input_tokens} input and "
            f"{report.output_tokens} output tokens, {report.retries} retried"
        )
    for reason, times in report.reasons:
        note(f"unresolved: {times} × {reason}")


@contextmanager
def _progress(total: int, check: Callable[[], None], *, quiet: bool) -> Iterator[Progress]:
    """What to call after each batch: looks for Ctrl-C, and moves a bar if a person is there."""
    with terminal_bar(quiet=quiet) as bar:
        task = None if bar is None else bar.add_task("ingest", total=total)

        def tick(done: int) -> None:
            if bar is not None and task is not None:
                bar.update(task, completed=done)
            check()

        yield tick
