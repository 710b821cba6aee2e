"""``cmc-graph ask``: one answer, and the records it rests on."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast

import typer

from cmc_graph.cli.common import (
    NOTHING_THERE,
    AsOfDateOption,
    AsOfOption,
    BudgetOption,
    FallbackOption,
    HopsOption,
    JsonOption,
    OverflowOption,
    QuestionArgument,
    note,
    out,
    position_of,
    print_json,
    warn_of_damage,
    with_memory,
)
from cmc_graph.cli.model_options import ModelOption
from cmc_graph.closure import DEFAULT_HOPS
from cmc_graph.errors import UsageError
from cmc_graph.memory import Memory
from cmc_graph.model import Fallback, Overflow
from cmc_graph.models import opened_reader
from cmc_graph.readers import READERS, Answer
from cmc_graph.render import DEFAULT_BUDGET
from cmc_graph.text import join_names


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(with_memory(ask))


def ask(
    memory: Memory,
    question: QuestionArgument,
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
    hops: HopsOption = DEFAULT_HOPS,
    budget: BudgetOption = DEFAULT_BUDGET,
    as_of: AsOfOption = None,
    as_of_date: AsOfDateOption = None,
    fallback: FallbackOption = "history",
    overflow: OverflowOption = "newest",
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
            as_of=position_of(memory, as_of, as_of_date),
            fallback=cast(Fallback, fallback),  # Memory refuses others, in one line
            overflow=cast(Overflow, overflow),
        )
    warn_of_damage(answer.evidence)
    if json:
        print_json(asdict(answer) | {"records": answer.records})
        return
    _print(answer)


def _print(answer: Answer) -> None:
    if answer.text is not None:
        out(answer.text)
    elif answer.path and all(edge.ended for edge in answer.path[-1:]):
        note("the evidence does not say: what it had holds no longer")
    elif answer.evidence.version == 0:
        note(NOTHING_THERE)
    else:
        note("the evidence does not say")
    out(f"records: {join_names(answer.records)}".rstrip())
