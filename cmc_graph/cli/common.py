"""What every command shares: the store options, verbosity, and how things are printed.

The only place of the command line that opens a memory and that sets up logging.
"""

import dataclasses
import functools
import inspect
import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec

import typer

from cmc_graph.errors import CmcError, UsageError
from cmc_graph.memory import Memory
from cmc_graph.model import Evidence
from cmc_graph.text import escaped, visible

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

P = ParamSpec("P")

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="sqlite:///file.db, bolt://host:port, neo4j+s://host. Else CMC_STORE, else NEO4J_URI, "
        "else sqlite:///cmc.db.",
    ),
]
HistoryOption = Annotated[
    str | None,
    typer.Option("--history", metavar="NAME", help="Else CMC_HISTORY, else default."),
]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Also say what is done.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Say only what goes wrong.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document.")]
QuestionArgument = Annotated[str, typer.Argument(help="In plain English; entities by their names.")]
HopsOption = Annotated[int, typer.Option(help="Hop cap, 1 to 10.")]
BudgetOption = Annotated[int, typer.Option(help="Characters of evidence.")]
AsOfOption = Annotated[
    int | None, typer.Option("--as-of", metavar="POSITION", help="As it stood after POSITION.")
]
AsOfDateOption = Annotated[
    str | None,
    typer.Option(
        "--as-of-date",
        metavar="DATE",
        help="As it stood then, where records carry dates (ISO 8601).",
    ),
]
FallbackOption = Annotated[
    str, typer.Option(help="When nothing is found: history or latest_state.")
]
OverflowOption = Annotated[
    str, typer.Option(help="What stays when not all fits: the newest or the nearest records.")
]

_SHARED: dict[str, Any] = {
    "store": StoreOption,
    "history": HistoryOption,
    "verbose": VerboseOption,
    "quiet": QuietOption,
}

#: What to say of a history that does not exist, which is no error.
NOTHING_THERE = "the history is empty: nothing was ever written under this name"

_log = logging.getLogger("cmc_graph.cli")


def with_memory(
    command: Callable[Concatenate[Memory, P], None],
) -> Callable[..., None]:
    """The command with the shared options added, given an open memory as its first argument."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        shared = {name: kwargs.pop(name) for name in _SHARED}
        set_verbosity(verbose=shared["verbose"], quiet=shared["quiet"])
        with Memory.open(shared["store"], shared["history"]) as memory:
            command(memory, *args, **kwargs)

    own = list(inspect.signature(command).parameters.values())[1:]
    defaults = {name: False if name in ("verbose", "quiet") else None for name in _SHARED}
    set_parameters(wrapped, [*own, *parameters(_SHARED, defaults)])
    return wrapped


def position_of(memory: Memory, as_of: int | None, date: str | None) -> int | None:
    """The position to read as of: the one given, or the one a date means, which is said.

    Raises:
        UsageError: Both are given, or no record is dated up to then.
    """
    if date is None:
        return as_of
    if as_of is not None:
        raise UsageError("say either --as-of or --as-of-date")
    position = memory.position_at(date)
    note(f"as of position {position}: dated up to {date}, and nothing before it is dated later")
    return position


def parameters(
    annotations: Mapping[str, Any], defaults: Mapping[str, Any]
) -> list[inspect.Parameter]:
    """Options to add to a command, by name."""
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults[name],
            annotation=annotation,
        )
        for name, annotation in annotations.items()
    ]


def set_parameters(command: Callable[..., None], found: Sequence[inspect.Parameter]) -> None:
    """Give a wrapped command the options that typer is to offer, those with ``*`` last."""
    ordered = sorted(found, key=lambda parameter: parameter.kind)
    command.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]  # read by typer


def set_verbosity(*, verbose: bool, quiet: bool) -> None:
    """Send the library's log, and the notes of the command line, to standard error.

    Raises:
        UsageError: Both are wanted.
    """
    if verbose and quiet:
        raise UsageError("say either -v or -q")
    logger = logging.getLogger("cmc_graph")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.handlers = [handler]
    logger.propagate = False
    logger.setLevel(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO)


def note(text: str) -> None:
    """Say something on standard error, unless the command is quiet."""
    _log.info(text)


@contextmanager
def terminal_bar(*, quiet: bool) -> "Iterator[Bar | None]":
    """A progress bar on standard error when a person is looking at it, else None."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only for a terminal
    from rich.progress import Progress as Bar  # noqa: PLC0415 - same

    # standard output is data, and stays what it is
    with Bar(console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        yield bar


@contextmanager
def running_bar(name: str, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """What to call with how much is done: moves a bar without an end, if a person is there."""
    with terminal_bar(quiet=hidden or not _log.isEnabledFor(logging.INFO)) as bar:
        task = None if bar is None else bar.add_task(name, total=None)

        def tick(done: int) -> None:
            if bar is not None and task is not None:
                bar.update(task, completed=done, description=f"{name} {done}")

        yield tick


def warn(text: str) -> None:
    """Say something on standard error, also when the command is quiet."""
    _log.warning(text)


def warn_of_damage(evidence: Evidence) -> None:
    """Say what is damaged among what a read selected."""
    for each in evidence.damage:
        warn(f"damaged: {each}; 'cmc-graph doctor' says what to do")


def out(text: str, end: str = "\n") -> None:
    """Print data on standard output: untouched into a pipe, harmless on a terminal.

    Raises:
        CmcError: Standard output cannot be written.
    """
    if sys.stdout is None:
        raise CmcError("cannot write standard output: it is closed")
    shown = visible(text) if sys.stdout.isatty() else text
    try:
        sys.stdout.write(shown + end)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CmcError(f"cannot write standard output: {error.strerror}") from error


def print_json(value: object) -> None:
    """Print one JSON document: a frozen value, a list of them, or plain data."""
    out(json.dumps(_plain(value), ensure_ascii=False, indent=2))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows in aligned columns under a header; numbers to the right."""
    cells = [list(header), *([_one_line(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        aligned = (
            cell.rjust(width) if cell.isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        )
        out("  ".join(aligned).rstrip())


def _one_line(cell: object) -> str:
    return re.sub(r"[\t\n]", escaped, str(cell))


def _plain(value: Any) -> Any:
    """Values with named fields as mappings, tuples with names among them."""
    match value:
        case dict():
            return {name: _plain(each) for name, each in value.items()}
        case list() | tuple():
            named = getattr(value, "_asdict", None)
            return _plain(named()) if named else [_plain(each) for each in value]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        case _:
            return value
