"""``cmc-graph relations``: what a history calls its relations, and what is said of them."""

from typing import Annotated

import typer

from cmc_graph.cli.common import (
    HistoryOption,
    JsonOption,
    QuietOption,
    StoreOption,
    VerboseOption,
    out,
    print_json,
    print_table,
    with_memory,
)
from cmc_graph.errors import UsageError
from cmc_graph.frontends.induce import pack_text
from cmc_graph.memory import Memory
from cmc_graph.model import Values
from cmc_graph.text import count

NameArgument = Annotated[str, typer.Argument(help="As `relations` lists it.")]

app = typer.Typer(help="List relations, merge them, or say how many values one takes.")


def register(root: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command("set")(with_memory(set_relation))
    app.command("merge")(with_memory(merge_relation))
    app.command("patterns")(with_memory(patterns))
    root.add_typer(app, name="relations")


@app.callback(invoke_without_command=True)
def relations(
    context: typer.Context,
    json: JsonOption = False,
    store: StoreOption = None,
    history: HistoryOption = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """List the relations of a history with how many values each takes, and who said so."""
    if context.invoked_subcommand is None:
        list_relations(json=json, store=store, history=history, verbose=verbose, quiet=quiet)
    elif json or store or history or verbose or quiet:
        raise UsageError(f"give the options after `relations {context.invoked_subcommand}`")


@with_memory
def list_relations(memory: Memory, json: bool) -> None:
    """Print the relations as a table or as JSON."""
    found = memory.relations()
    if json:
        print_json(found)
    else:
        is_merged = any(each.merged_into for each in found)
        header = ("relation", "values", "set by", "slots", *["merged into"] * is_merged)
        rows = ([e.name, e.values, e.set_by, e.slots, e.merged_into or ""] for e in found)
        print_table(header, (row[: len(header)] for row in rows))


def set_relation(
    memory: Memory,
    name: NameArgument,
    one: Annotated[bool, typer.Option("--one", help="A new value replaces the old one.")] = False,
    many: Annotated[bool, typer.Option("--many", help="Values stand beside each other.")] = False,
    json: JsonOption = False,
) -> None:
    """Say how many values a relation takes; its slots are resolved anew."""
    if one == many:
        raise UsageError("say either --one or --many")
    values = Values.ONE if one else Values.MANY
    slots = memory.set_relation(name, values)
    if json:
        print_json({"relation": name, "values": values, "slots": slots})
    else:
        out(f"{name}: {values} value{'s' if many else ''}, {slots} slots")


def merge_relation(
    memory: Memory,
    name: NameArgument,
    into: Annotated[str, typer.Argument(help="The relation that counts from now on.")],
    json: JsonOption = False,
) -> None:
    """Make one relation another name of the other; their slots are resolved as one."""
    slots = memory.merge_relation(name, into)
    if json:
        print_json({"relation": name, "into": into, "slots": slots})
    else:
        out(f"{name} counts as {into}: {count(slots, 'slot')}")


def patterns(memory: Memory, json: JsonOption = False) -> None:
    """Print the sentence patterns found by the hybrid frontend, as a file for --grammar."""
    found = memory.patterns()
    if json:
        print_json(found)
    else:
        out(pack_text(found))
