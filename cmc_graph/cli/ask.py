"""``cmc-graph ask``: one answer, and the records it rests on."""

from pathlib import Path
from typing import Annotated

import typer

from cmc_graph.cli.common import JsonOption, note, out, print_json, with_memory
from cmc_graph.cli.model_options import ModelOption
from cmc_graph.closure import DEFAULT_HOPS
from cmc_graph.errors import UsageError
from cmc_graph.memory import Memory
from cmc_graph.models import opened_reader
from cmc_graph.readers import READERS, Answer
from cmc_graph.render import DEFAULT_BUDGET
from cmc_graph.text import join_names


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(with_memory(ask))


def ask(
    memory: Memory,
    question: Annotated[str, typer.Argument(help="In plain English; entities by their names.")],
    reader: Annotated[
        str, typer.Option(metavar="NAME", help=f"What answers: {join_names(READERS)}.")
    ] = "path",
    weights: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For path-learned: what scripts/train_reader learned from you."
        ),
    ] = None,
    model: ModelOption = None,
    hops: Annotated[int, typer.Option(help="Hop cap, 1 to 10.")] = DEFAULT_HOPS,
    budget: Annotated[int, typer.Option(help="Characters of evidence.")] = DEFAULT_BUDGET,
    as_of: Annotated[
        int | None, typer.Option("--as-of", metavar="POSITION", help="As it stood after POSITION.")
    ] = None,
    fallback: Annotated[
        str, typer.Option(help="When nothing is found: history or latest_state.")
    ] = "history",
    json: JsonOption = False,
) -> None:
    """Answer a question from the records that bear on it; without a model unless it is asked for.

    Prints the answer, then the positions of the records it rests on. When the evidence does not
    say, standard output has only the records that come nearest, and standard error says so.
    """
    if model is not None and reader != "openai":
        raise UsageError(f"the reader {reader} asks no model; openai does")
    with opened_reader(reader, weights, model) as opened:
        answer = memory.ask(
            question,
            reader=opened,
            hops=hops,
            budget=budget,
            as_of=as_of,
            fallback=fallback,  # type: ignore[arg-type]  # Memory checks it
        )
    if json:
        print_json(answer)
        return
    _print(answer)


def _print(answer: Answer) -> None:
    if answer.text is not None:
        out(answer.text)
    elif answer.path and all(edge.ended for edge in answer.path[-1:]):
        note("the evidence does not say: what it had holds no longer")
    else:
        note("the evidence does not say")
    out(f"records: {join_names(answer.records)}".rstrip())
