"""The commands that look at a history or maintain it, apart from reading and ingesting."""

import dataclasses
import re
from collections.abc import Sequence
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
from cmc_graph.memory import Memory
from cmc_graph.model import Values
from cmc_graph.text import count, shorten

#: A range is written out; a mistyped one must not fill the memory.
_MOST_POSITIONS = 1_000_000
_RANGE = re.compile(r"([0-9]{1,19})(?:-([0-9]{1,19}))?")

relations_app = typer.Typer(help="List relations, or say how many values one takes.")


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    for command in (stats, histories, rebuild, forget):
        app.command()(with_memory(command))
    relations_app.command("set")(with_memory(set_relation))
    app.add_typer(relations_app, name="relations")


def stats(memory: Memory, json: JsonOption = False) -> None:
    """Count what a history holds."""
    found = memory.stats()
    if json:
        print_json(found)
    else:
        print_table(("what", "count"), dataclasses.asdict(found).items())


def histories(memory: Memory, json: JsonOption = False) -> None:
    """List the histories of the store."""
    found = memory.histories()
    if json:
        print_json(found)
    else:
        rows = ((each.name, each.records, each.version) for each in found)
        print_table(("history", "records", "version"), rows)


@relations_app.callback(invoke_without_command=True)
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
        rows = ((each.name, each.values, each.set_by, each.slots) for each in found)
        print_table(("relation", "values", "set by", "slots"), rows)


def set_relation(
    memory: Memory,
    name: Annotated[str, typer.Argument(help="As `relations` lists it.")],
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


def rebuild(memory: Memory, json: JsonOption = False) -> None:
    """Derive the current and ended edges anew from the assertions alone."""
    slots = memory.rebuild()
    if json:
        print_json({"slots": slots})
    else:
        out(f"{slots} slots resolved")


def forget(
    memory: Memory,
    position: Annotated[
        list[str],
        typer.Option("--position", metavar="N|N-M", help="Position or range. Repeatable."),
    ],
    json: JsonOption = False,
) -> None:
    """Remove records and all that came of them; current values fall back to what remains."""
    forgotten = memory.forget(positions_of(position))
    if json:
        print_json(forgotten)
    else:
        out(
            f"{count(forgotten.records, 'record')}, {count(forgotten.assertions, 'assertion')} and "
            f"{count(forgotten.entities, 'entity', 'entities')} forgotten, "
            f"{count(forgotten.slots_changed, 'slot')} changed"
        )


def positions_of(ranges: Sequence[str]) -> list[int]:
    """The positions that texts like ``7`` or ``10-19`` name, ends included.

    Raises:
        UsageError: Not of this form, the range runs backwards, or it names too many.
    """
    positions: list[int] = []
    for text in ranges:
        found = _RANGE.fullmatch(text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            raise UsageError(
                f"--position takes a number or a range like 10-19, not {shorten(text, 30)!r}"
            )
        if last - first >= _MOST_POSITIONS:
            raise UsageError(f"--position {text} names more than {_MOST_POSITIONS} positions")
        positions.extend(range(first, last + 1))
    return positions
