"""``cmc-graph doctor``: what is wrong with the store and a history, and how to mend it."""

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
)
from cmc_graph.memory import Memory
from cmc_graph.text import count

#: Exit code of a check that found something.
_FOUND = 1


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(doctor)


def doctor(
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what the assertions prove, and nothing else.")
    ] = False,
    json: JsonOption = False,
    store: StoreOption = None,
    history: HistoryOption = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Check store, schema, server and history; exit code 1 when something is wrong."""
    set_verbosity(verbose=verbose, quiet=quiet)
    found = Memory.doctor(store, history, repair=repair)
    if json:
        print_json(found)
    else:
        note(f"looked at: {', '.join(found.checks)}")
        for said in found.notes:
            note(said)
        for each in found.repaired:
            out(f"repaired  {each.code}: {each.sentence}")
        for each in found.problems:
            out(f"{each.code}: {each.sentence}\n    {each.command}")
        out(f"{count(len(found.problems), 'problem')} found")
    if found:
        raise typer.Exit(_FOUND)
