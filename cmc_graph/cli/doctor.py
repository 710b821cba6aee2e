"""``cmc-graph doctor``: what is wrong with the store and a history, and how to mend it."""

from collections.abc import Mapping
from itertools import groupby
from operator import attrgetter
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
from cmc_graph.doctor.commands import Place
from cmc_graph.memory import Memory
from cmc_graph.text import count

_PLACES: Mapping[Place, str] = {"shell": "a shell", "Neo4j Browser": "Neo4j Browser"}

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
        for (place, command), some in groupby(found.problems, key=attrgetter("run_in", "command")):
            for each in some:
                out(f"{each.code}: {each.sentence}")
            out(f"  in {_PLACES[place]}:\n    {command}")
        out(f"{count(len(found.problems), 'problem')} found")
    if found:
        raise typer.Exit(_FOUND)
