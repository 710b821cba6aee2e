"""The options of every command that asks a model, and what is said while it is asked."""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Concatenate, Literal, ParamSpec

import typer

from cmc_graph import models
from cmc_graph.cli.common import note, out, parameters, print_json, set_parameters
from cmc_graph.extractor import MOST_CONCURRENT, ModelOptions
from cmc_graph.frontends.asking import Progress
from cmc_graph.frontends.deferred import Submitted
from cmc_graph.llm.dialect import Format
from cmc_graph.model import Record
from cmc_graph.text import count, join_names

P = ParamSpec("P")

AnyFrontend = Literal["grammar", "direct", "hybrid"]

FrontendOption = Annotated[
    AnyFrontend,
    typer.Option(
        help="What reads records that bring no triples: sentence patterns (grammar), a model "
        "(direct), or a model and the patterns found in what it read (hybrid)."
    ),
]
ModelOption = Annotated[str | None, typer.Option("--model", metavar="NAME", help="Else CMC_MODEL.")]
ConcurrencyOption = Annotated[
    int, typer.Option(min=1, max=MOST_CONCURRENT, help="Model calls under way at once.")
]
MaxCallsOption = Annotated[
    int | None, typer.Option("--max-calls", min=0, help="Stop before more model calls.")
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option("--max-tokens", min=0, help="Stop before more input and output tokens."),
]
ResponseFormatOption = Annotated[
    Format,
    typer.Option(help="How the model is asked for JSON; auto finds out what it knows."),
]
BatchApiOption = Annotated[
    Literal["submit", "collect"] | None,
    typer.Option(
        "--batch-api",
        help="direct only: submit the records to be answered within a day, at a lower price; "
        "collect the answers and go on.",
    ),
]


_SHARED: dict[str, Any] = {
    "model": ModelOption,
    "concurrency": ConcurrencyOption,
    "max_calls": MaxCallsOption,
    "max_tokens": MaxTokensOption,
    "response_format": ResponseFormatOption,
}
_DEFAULTS: dict[str, Any] = {
    name: getattr(ModelOptions(), "name" if name == "model" else name) for name in _SHARED
}


def with_model(command: Callable[Concatenate[ModelOptions, P], None]) -> Callable[..., None]:
    """The command with the options that say how a model is asked, given as its first argument."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        said = {name: kwargs.pop(name) for name in _SHARED}
        options = ModelOptions(name=said.pop("model"), **said)
        command(options, *args, **kwargs)

    own = list(inspect.signature(command).parameters.values())[1:]
    set_parameters(wrapped, [*own, *parameters(_SHARED, _DEFAULTS)])
    return wrapped


@contextmanager
def reading_bar(*, quiet: bool) -> Iterator[Progress]:
    """What to call with the number of statements read: a counter, if a person is there."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - only when there is a terminal

    with Console(stderr=True).status("asking the model") as status:
        yield lambda done: status.update(f"asking the model: {done} statements read")


def print_estimate(
    records: Iterable[Record], options: ModelOptions, *, at_most: bool, as_json: bool
) -> None:
    """Print what a model would cost; neither key nor endpoint is needed.

    Args:
        records: Those to be ingested.
        options: How the model would be asked.
        at_most: It may cost less, since patterns read some of the records.
        as_json: Print one JSON document.
    """
    found = models.estimated(records, options)
    if as_json:
        print_json(found)
        return
    out(
        f"{'at most' if at_most else 'about'} {count(found.calls, 'call')}, "
        f"{found.input_tokens} input and {found.output_tokens} output tokens"
    )
    out(f"{count(found.statements, 'distinct statement')}, {found.known} of them known")


def print_submitted(submitted: Submitted, *, as_json: bool) -> None:
    """Print what waits to be collected."""
    if as_json:
        print_json(submitted)
        return
    out(
        f"{count(submitted.statements, 'statement')} in {count(submitted.calls, 'call')} wait in "
        f"{join_names(submitted.batches) or 'no batch'}"
    )
    note("the same command with --batch-api collect fetches the answers and ingests")
