"""``cmc-graph export`` and ``load``: a history as text, and back."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice, repeat
from pathlib import Path
from typing import Annotated

import typer

from cmc_graph.cli.common import (
    NOTHING_THERE,
    JsonOption,
    note,
    out,
    running_bar,
    with_memory,
)
from cmc_graph.cli.ingest import print_report
from cmc_graph.cli.interrupt import between_batches
from cmc_graph.memory import Memory
from cmc_graph.sources import called, keep_stdin
from loaders.lines import lines, shown

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
    done = 0
    with running_bar("export", hidden=sys.stdout is None or sys.stdout.isatty()) as tick:
        while block := list(islice(exported, _BLOCK)):
            out("".join(block), end="")
            done += len(block)
            tick(done)
    if done < _BLOCK and not memory.stats().version:
        note(NOTHING_THERE)


def load(
    memory: Memory,
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export, or - for input.")],
    json: JsonOption = False,
) -> None:
    """Take an export into an empty history; the same command completes an interrupted one."""
    with ExitStack() as kept:
        is_stdin = file == _STDIN
        path = keep_stdin(kept) if is_stdin else Path(file)
        exported = _Lines(path, "stdin" if is_stdin else shown(path))
        with between_batches() as check, running_bar("load") as tick:

            def progress(done: int) -> None:
                tick(done)
                check()

            report = memory.load(exported, on_progress=progress)
    print_report(report, as_json=json)


class _Lines:
    """The lines of a file, blank ones included, as often as they are asked for.

    Attributes:
        name: What errors call the file.
    """

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self.name = name

    def __iter__(self) -> Iterator[str]:
        with called(self._path, self.name):
            last = 0
            for number, line in lines(self._path):
                yield from repeat("", number - last - 1)
                yield line
                last = number
