"""``cmc-graph export`` and ``load``: a history as text, and back."""

from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from cmc_graph.cli.common import NOTHING_THERE, JsonOption, note, out, with_memory
from cmc_graph.cli.ingest import print_report
from cmc_graph.cli.interrupt import between_batches
from cmc_graph.memory import Memory
from cmc_graph.sources import keep_stdin
from loaders.lines import lines

_STDIN = "-"
#: Lines written at once.
_BLOCK = 1_000


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    for command in (export, load):
        app.command()(with_memory(command))


def export(
    memory: Memory,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option(help="jsonl, which load takes back, or graphml for other tools.")
    ] = "jsonl",
) -> None:
    """Print a history, complete and in a stable order, for another store or another tool."""
    exported = memory.export(format)
    while block := "".join(islice(exported, _BLOCK)):
        out(block, end="")
    if not memory.stats().version:
        note(NOTHING_THERE)


def load(
    memory: Memory,
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export, or - for input.")],
    json: JsonOption = False,
) -> None:
    """Take an export into an empty history; the same command completes an interrupted one."""
    with ExitStack() as kept:
        path = keep_stdin(kept) if file == _STDIN else Path(file)
        with between_batches() as check:
            exported = (line for _, line in lines(path))
            report = memory.load(exported, on_progress=lambda _: check())
    print_report(report, as_json=json)
