"""``cmc-graph server``: a local Neo4j server of one's own."""

import shlex
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter

from cmc_graph import server, settings
from cmc_graph.cli.common import (
    JsonOption,
    QuietOption,
    VerboseOption,
    note,
    out,
    print_json,
    set_verbosity,
    terminal_bar,
)
from cmc_graph.errors import ServerError, UsageError
from cmc_graph.server import OnProgress, Progress, ServerInfo, assets

app = typer.Typer(help="Run a local Neo4j server.", no_args_is_help=True)

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="Its folder. Else one in the user's data folder."),
]
PortOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=65535, help="Else the last one, or a free one."),
]


def register(root: typer.Typer) -> None:
    """Add the commands to the application."""
    root.add_typer(app, name="server")


@app.command()
def start(
    home: HomeOption = None,
    no_auth: Annotated[
        bool, typer.Option("--no-auth", help="Ask for no password; for tests.")
    ] = False,
    bolt_port: PortOption = None,
    http_port: PortOption = None,
    json: JsonOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Start the server, on the loopback address only, and print how to use it."""
    set_verbosity(verbose=verbose, quiet=quiet)
    java_home = settings.load().java_home
    with _progress(quiet=quiet) as on_progress:
        info = server.start(
            home,
            auth=not no_auth,
            bolt_port=bolt_port,
            http_port=http_port,
            java_home=Path(java_home) if java_home else None,
            on_progress=on_progress,
        )
    _print(info, as_json=json)


@app.command()
def status(
    home: HomeOption = None,
    json: JsonOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Print how to use the server; exit code 1 when it is not running."""
    set_verbosity(verbose=verbose, quiet=quiet)
    info = server.status(home)
    if info is not None:
        _print(info, as_json=json)
        return
    if json:
        print_json({"running": False})
    else:
        out("not running")
    raise typer.Exit(1)


@app.command()
def stop(
    home: HomeOption = None, verbose: VerboseOption = False, quiet: QuietOption = False
) -> None:
    """Stop the server; its data stay."""
    set_verbosity(verbose=verbose, quiet=quiet)
    out("stopped" if server.stop(home) else "not running")


@app.command()
def browser(
    home: HomeOption = None,
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the address, open nothing.")
    ] = False,
    guide: Annotated[
        bool,
        typer.Option("--guide", help="With a guide, the style and the favourites; until Ctrl-C."),
    ] = False,
    files: Annotated[
        Path | None,
        typer.Option(
            "--files",
            metavar="DIR",
            help="Only write style and favourites there, to be dropped onto any Neo4j Browser.",
        ),
    ] = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Open Neo4j Browser on the server."""
    set_verbosity(verbose=verbose, quiet=quiet)
    if files is not None:
        _write_assets(files)
        return
    info = server.status(home)
    if info is None:
        raise ServerError("the server is not running: start it with cmc-graph server start")
    if info.password_file:
        note(f"user {info.username}, password in {info.password_file}")
    if not guide:
        note("a style, favourites and a guide to them: cmc-graph server browser --guide")
        _open(server.browser_url(info), only_print=only_print)
        return
    with server.serving() as address, suppress(KeyboardInterrupt):
        _open(server.browser_url(info, f"{address}/guide.html"), only_print=only_print)
        note("serving the guide until Ctrl-C")
        Event().wait()


def _open(url: str, *, only_print: bool) -> None:
    """Open the address; print it when that is asked for, or nothing opens it."""
    if only_print or not webbrowser.open(url):
        out(url)


def _write_assets(folder: Path) -> None:
    """Write style and favourites, and say what to do with them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in ((assets.STYLE, assets.style()), (assets.ARCHIVE, assets.archive())):
            (folder / name).write_bytes(content)
            out(f"written: {folder / name}")
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from error
    note("drop each onto the window of Neo4j Browser, one at a time")


def _print(info: ServerInfo, *, as_json: bool) -> None:
    """Print a server as JSON, or as lines that a shell can evaluate."""
    if as_json:
        values: dict[str, Any] = TypeAdapter(ServerInfo).dump_python(info, mode="json")
        print_json({"running": True, **values})
        return
    out(f"# Neo4j {info.version} runs in {info.home}, process {info.pid}")
    out(f"# Browser: {server.browser_url(info)}")
    out(f"export NEO4J_URI={info.bolt}")
    if info.password_file:
        out(f"export NEO4J_USERNAME={info.username}")
        out(f'export NEO4J_PASSWORD="$(cat {shlex.quote(str(info.password_file))})"')


@contextmanager
def _progress(*, quiet: bool) -> Iterator[OnProgress]:
    """A bar on standard error when a person is looking at it, else one line a step."""
    with terminal_bar(quiet=quiet) as bar:
        if bar is None:
            yield _lines()
            return
        task = bar.add_task("starting", total=None)
        yield lambda at: bar.update(
            task, description=at.step, completed=at.done, total=at.total or None
        )


def _lines() -> OnProgress:
    """Says each step once."""
    told = set[str]()

    def tell(progress: Progress) -> None:
        if progress.step not in told:
            told.add(progress.step)
            note(progress.step)

    return tell
