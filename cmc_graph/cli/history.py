"""The commands that look at a history or maintain it, apart from reading and ingesting."""

import dataclasses
import re
from collections.abc import Sequence
from typing import Annotated

import typer

from cmc_graph.cli.common import (
    NOTHING_THERE,
    JsonOption,
    note,
    out,
    print_json,
    print_table,
    with_memory,
)
from cmc_graph.errors import UsageError
from cmc_graph.memory import Memory
from cmc_graph.text import count, shorten

#: A range is written out; a mistyped one must not fill the memory.
_MOST_POSITIONS = 1_000_000
_RANGE = re.compile(r"([0-9]{1,19})(?:-([0-9]{1,19}))?")


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    for command in (stats, histories, rebuild, forget):
        app.command()(with_memory(command))


def stats(memory: Memory, json: JsonOption = False) -> None:
    """Count what a history holds."""
    found = memory.stats()
    if json:
        print_json(found)
    else:
        print_table(("what", "count"), dataclasses.asdict(found).items())
    if found.version == 0:
        note(NOTHING_THERE)


def histories(memory: Memory, json: JsonOption = False) -> None:
    """List the histories of the store."""
    found = memory.histories()
    if json:
        print_json(found)
    else:
        rows = ((each.name, each.records, each.version) for each in found)
        print_table(("history", "records", "version"), rows)


def rebuild(
    memory: Memory,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss",
            help="Also of a ledger that lost something: older values may become current.",
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Derive the current and ended edges anew from the assertions alone."""
    slots = memory.rebuild(accept_loss=accept_loss)
    if json:
        print_json({"slots": slots})
    else:
        out(f"{slots} slots resolved")


def forget(
    memory: Memory,
    position: Annotated[
        list[str] | None,
        typer.Option("--position", metavar="N|N-M", help="Position or range. Repeatable."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="All records of a source as records name it, or of a file with its parts.",
        ),
    ] = None,
    entity: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="All records that name it in a fact or their text, or as speaker."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Remove nothing; say what would go.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Remove records and all that came of them; current values fall back to what remains."""
    positions = None if position is None else positions_of(position)
    forgotten = memory.forget(positions, source=source, entity=entity, dry_run=dry_run)
    if json:
        print_json(forgotten)
        return
    out(
        f"{count(forgotten.records, 'record')}, {count(forgotten.assertions, 'assertion')} and "
        f"{count(forgotten.entities, 'entity', 'entities')} "
        f"{'would be ' if dry_run else ''}forgotten, "
        f"{count(forgotten.slots_changed, 'slot')} changed"
    )
    if not forgotten.records:
        note("no record is meant: nothing of the history has that position, source or entity")
    if dry_run and forgotten.positions:
        out(f"records: {', '.join(map(str, forgotten.positions))}")


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
