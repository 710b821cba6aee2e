"""``cmc-graph recompile``: the stored records, read again by another frontend."""

import typer

from cmc_graph.cli.common import (
    HistoryOption,
    JsonOption,
    QuietOption,
    StoreOption,
    VerboseOption,
    set_verbosity,
)
from cmc_graph.cli.ingest import GrammarOption, print_report
from cmc_graph.cli.interrupt import between_batches
from cmc_graph.cli.model_options import (
    FrontendOption,
    reading_bar,
    with_model,
)
from cmc_graph.extractor import ModelOptions
from cmc_graph.memory import Memory


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(with_model(recompile))


def recompile(
    options: ModelOptions,
    frontend: FrontendOption = "grammar",
    grammar: GrammarOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
    history: HistoryOption = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Read the stored records again with another frontend.

    Readers see the old state or the new one. Records that brought their own triples keep them.
    """
    set_verbosity(verbose=verbose, quiet=quiet)
    with Memory.open(store, history) as memory:
        if frontend == "grammar":
            chosen = None
        else:
            with memory.extractor(frontend, options) as extractor, reading_bar(quiet=quiet) as tick:
                chosen = extractor.read_again(on_progress=tick)
        with between_batches():
            report = memory.recompile(frontend=chosen, grammar=grammar)
    print_report(report, as_json=json)
