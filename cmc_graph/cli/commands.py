"""The commands by name; the module of one is imported when it is used, not before.

So ``--help`` and completion answer at once, however much the commands need. It must not know what
a command does.
"""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

#: Name: the module of ``cmc_graph.cli`` that registers it, and what the list of commands says.
COMMANDS = {
    "ingest": ("ingest", "Read records and resolve what they say."),
    "read": ("read", "Print the records that bear on a question."),
    "ask": ("ask", "Answer a question from the records that bear on it."),
    "explain": ("explain", "Tell why each record is shown, and others are not."),
    "timeline": ("explain", "Print every version of what was said of an entity."),
    "diff": ("explain", "Print which slots changed between two positions."),
    "stats": ("history", "Count what a history holds."),
    "histories": ("history", "List the histories of the store."),
    "rebuild": ("history", "Derive the current edges anew from the assertions."),
    "forget": ("history", "Remove records and all that came of them."),
    "recompile": ("recompile", "Read the stored records again, otherwise."),
    "export": ("exchange", "Print a history, complete and in a stable order."),
    "load": ("exchange", "Take an export into an empty history."),
    "doctor": ("doctor", "Check store, schema, server and history; repair."),
    "relations": ("relations", "List relations, merge them, set how many values."),
    "server": ("server", "Run a local Neo4j server."),
    "config": ("config", "Show the settings in force."),
    "eval": ("evaluate", "Compare what a reader is shown."),
}


class Commands(TyperGroup):
    """The group of all commands, each a name and a line until it is used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, line) in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The name, the whole command and the arguments left, its module imported."""
        name = args[0]
        if name in COMMANDS:
            self.add_command(whole(name), name)
        return super().resolve_command(ctx, args)


def whole(name: str) -> Any:
    """The command of this name with its options, as typer builds it."""
    app = typer.Typer(rich_markup_mode=None)
    import_module(f"cmc_graph.cli.{COMMANDS[name][0]}").register(app)
    return get_group(app).commands[name]
