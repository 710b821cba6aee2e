"""``cmc-graph read``: the evidence for a question."""

from typing import Annotated

import typer

from cmc_graph.cli.common import JsonOption, note, print_json, with_memory
from cmc_graph.closure import DEFAULT_HOPS
from cmc_graph.memory import Memory
from cmc_graph.render import DEFAULT_BUDGET


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(with_memory(read))


def read(
    memory: Memory,
    question: Annotated[str, typer.Argument(help="In plain words; entities by their names.")],
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
    """Print the original records that bear on a question: resolved first, then traversed."""
    evidence = memory.read(
        question,
        hops=hops,
        budget=budget,
        as_of=as_of,
        fallback=fallback,  # type: ignore[arg-type]  # Memory checks it
    )
    if json:
        print_json(evidence)
        return
    typer.echo(evidence.text, nl=False)
    if evidence.fallback:
        what = "no entity with facts" if not evidence.anchors else "no fact"
        shown = "the history itself" if evidence.fallback == "history" else "the latest state"
        note(f"{what} found for this question: this is {shown}")
    if evidence.omitted:
        note(f"{evidence.omitted} older records did not fit into {budget} characters")
