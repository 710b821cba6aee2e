"""The commands that doctor names, whole, for the store and history that were looked at. Pure.

This module must not know what is wrong.
"""

import shlex
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

_LOCAL = ("localhost", "127.0.0.1", "::1")

#: Where a command is run.
Place = Literal["shell", "Neo4j Browser"]

#: Shows which store is used, and where that was said.
CONFIG = "cmc-graph config show"
START = "cmc-graph server start"


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands for one store and one history, quoted for a shell.

    Attributes:
        url: Address of the store.
        history: Name of the history.
    """

    url: str
    history: str

    @property
    def repair(self) -> str:
        """Derives anew what can be."""
        return self.of("doctor", "--repair")

    @property
    def accept(self) -> str:
        """Derives the projection anew from what is left of the ledger."""
        return self.of("rebuild", "--accept-loss")

    @property
    def is_local(self) -> bool:
        """The store is a server on this machine."""
        return urlsplit(self.url).hostname in _LOCAL

    @property
    def by_hand_in(self) -> Place:
        """Where commands of the database itself are run; SQLite's call its own shell."""
        return "shell" if urlsplit(self.url).scheme == "sqlite" else "Neo4j Browser"

    def forget(self, position: int) -> str:
        """Forgets the record at a position."""
        return self.of("forget", "--position", str(position))

    def of(self, *words: str) -> str:
        """A command of cmc-graph with its words and options."""
        return shlex.join(["cmc-graph", *words, "--store", self.url, "--history", self.history])


def setting(name: str, value: str) -> str:
    """Writes a setting into the configuration of a Neo4j server."""
    of_name = name.replace(".", r"\.")
    return f"sed -i -e '/^{of_name}=/d' -e '$a {name}={value}' \"$NEO4J_HOME/conf/neo4j.conf\""
