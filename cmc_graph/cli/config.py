"""``cmc-graph config``: which settings are in force, and why."""

import typer

from cmc_graph import settings
from cmc_graph.cli.common import (
    HistoryOption,
    JsonOption,
    QuietOption,
    StoreOption,
    VerboseOption,
    print_json,
    print_table,
    set_verbosity,
)

app = typer.Typer(help="Show the settings in force.", no_args_is_help=True)


@app.callback()
def _config() -> None:
    """Show the settings in force."""


def register(root: typer.Typer) -> None:
    """Add the commands to the application."""
    root.add_typer(app, name="config")


@app.command()
def show(
    json: JsonOption = False,
    store: StoreOption = None,
    history: HistoryOption = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Print every setting, its value and where it comes from; secrets are masked."""
    set_verbosity(verbose=verbose, quiet=quiet)
    found = list(settings.choices(settings.load(), store, history))
    if json:
        print_json(
            {
                each.name: {"value": each.value, "from": each.origin, "why": each.why}
                for each in found
            }
        )
    else:
        rows = ((each.name, each.value, each.origin, each.why) for each in found)
        print_table(("setting", "value", "from", "why"), rows)
