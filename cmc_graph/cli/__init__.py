"""The command line: parse, call ``Memory``, print.

Data on standard output, everything else on standard error. ``main`` turns every error of the tree
into one line and its exit code. No command decides anything a Python caller could not.
"""

import logging
import sys
from collections.abc import Sequence

import typer

from cmc_graph._version import __version__
from cmc_graph.cli.commands import Commands
from cmc_graph.errors import CmcError

INTERRUPTED = 130

app = typer.Typer(
    name="cmc-graph",
    cls=Commands,
    help="A memory store for agents: resolve updates first, then traverse, then show the records.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _root(
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),  # noqa: FBT003 - typer's way to say an option
) -> None:
    if version:
        print(__version__)
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one command (the table in ``errors``; 130 when interrupted).

    Args:
        arguments: Without the program's name; None: those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app(args=None if arguments is None else list(arguments), prog_name="cmc-graph")
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else int(done.code is not None)
        if code == INTERRUPTED:  # typer turns KeyboardInterrupt into this exit
            print("interrupted; what was committed is kept", file=sys.stderr)
        return code
    except CmcError as error:
        return _fail(error)
    except Exception as error:  # noqa: BLE001 - the rim: a person gets a line, -v the traceback
        return _fail(CmcError(f"internal error, please report it: {error!r}"), cause=error)
    return 0


def _fail(error: CmcError, cause: Exception | None = None) -> int:
    print(f"cmc-graph: {error}", file=sys.stderr)
    logging.getLogger(__name__).debug("", exc_info=cause or error)
    return error.exit_code
