"""``cmc-graph read``: the evidence for a question."""

from typing import cast

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
from cmc_graph.closure import DEFAULT_HOPS
from cmc_graph.memory import Memory
from cmc_graph.model import Fallback, Overflow
from cmc_graph.render import DEFAULT_BUDGET
from cmc_graph.text import count


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(with_memory(read))


def read(
    memory: Memory,
    question: QuestionArgument,
    hops: HopsOption = DEFAULT_HOPS,
    budget: BudgetOption = DEFAULT_BUDGET,
    as_of: AsOfOption = None,
    as_of_date: AsOfDateOption = None,
    fallback: FallbackOption = "history",
    overflow: OverflowOption = "newest",
    json: JsonOption = False,
) -> None:
    """Print the original records that bear on a question: resolved first, then traversed."""
    evidence = memory.read(
        question,
        hops=hops,
        budget=budget,
        as_of=position_of(memory, as_of, as_of_date),
        fallback=cast(Fallback, fallback),  # Memory refuses others, in one line
        overflow=cast(Overflow, overflow),
    )
    if json:
        print_json(evidence)
        return
    out(evidence.text, end="")
    warn_of_damage(evidence)
    if evidence.version == 0:
        note(NOTHING_THERE)
    elif evidence.fallback:
        what = "no fact" if evidence.anchors else "no entity with facts"
        shown = "the history itself" if evidence.fallback == "history" else "the latest state"
        note(f"{what} found for this question: this is {shown}")
    if evidence.omitted:
        which = (
            "older" if evidence.overflow == "newest" or evidence.fallback else "farther or older"
        )
        note(f"{count(evidence.omitted, f'{which} record')} did not fit into {budget} characters")
