"""What the tests of the stores are given: a database to open, and names of histories."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from cmc_graph.stores import open_store
from cmc_graph.stores.base import Store

#: Does to a history what is said in SQL or in Cypher, where it is ``$h``.
Damage = Callable[[str, str, str], None]


@dataclass(frozen=True, slots=True)
class Database:
    """One database to open stores on, as often as a test wants."""

    kind: Literal["sqlite", "neo4j"]
    url: str
    options: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> Store:
        """A store of its own on this database, set up; the caller closes it."""
        store = open_store(self.url, **self.options)
        store.setup()
        return store


class NewHistory(Protocol):
    """Gives the name of a history nobody else uses, around the given text."""

    def __call__(self, text: str = "history") -> str: ...
