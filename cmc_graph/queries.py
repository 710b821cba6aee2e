"""Loads statements by name from files of their own language, one statement per file.

The head comment of a statement is its contract: purpose, parameters, returned columns. The text is
trusted only here, and parameters are checked when a statement is bound. This module must not know
what a statement means, nor run one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, LiteralString

_PARAMETER = re.compile(r"\$([a-z_]+)")
_COMMENT = re.compile(r"//[^\n]*")

#: The one thing that can't be a parameter: the bound of a variable-length pattern. A statement
#: marks it like this, so that the file as it stands runs with the default of five hops.
_BOUND = re.compile(r"\*0\.\.4\b")


#: The subfolder of what is for Neo4j Browser alone.
BROWSER = "browser"


@dataclass(frozen=True, slots=True)
class Statement:
    """One named Cypher statement.

    Attributes:
        name: File name without ending.
        text: The whole file, head comment included.
        parameters: Names of the parameters the text uses.
    """

    name: str
    text: LiteralString
    parameters: frozenset[str]

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Refuse parameters the statement does not name, or a missing one.

        Raises:
            TypeError: A programming error in the calling store.
        """
        if parameters.keys() != self.parameters:
            raise TypeError(
                f"statement {self.name} takes {sorted(self.parameters)}, not {sorted(parameters)}"
            )


@cache
def statement(name: str, hops: int | None = None) -> Statement:
    """The Cypher statement of that name from ``cypher/``.

    Args:
        name: File name without ``.cypher``.
        hops: For a traversal, how many hops at most: 1 to 10.

    Raises:
        ValueError: ``hops`` is out of range, or the statement has no bound to set.
    """
    text = (root() / f"{name}.cypher").read_text("utf-8")
    if hops is not None:
        if not 1 <= hops <= 10 or not _BOUND.search(text):
            raise ValueError(f"statement {name} cannot be bounded by {hops} hops")
        text = _BOUND.sub(f"*0..{hops - 1}", text)
    parameters = frozenset(_PARAMETER.findall(_COMMENT.sub("", text)))
    return Statement(name, text, parameters)


def names() -> tuple[str, ...]:
    """The names of all Cypher statements, sorted."""
    return _statements(root())


def favourites() -> tuple[str, ...]:
    """The names of the statements for Neo4j Browser, like ``browser/hubs``, sorted."""
    return tuple(f"{BROWSER}/{name}" for name in _statements(root() / BROWSER))


def root() -> Traversable:
    """The folder ``cypher``, wherever it is."""
    packaged = files("cmc_graph") / "cypher"  # installed wheel, zip too
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "cypher"  # checkout


def _statements(folder: Traversable) -> tuple[str, ...]:
    found = (item.name for item in folder.iterdir())
    return tuple(sorted(name.removesuffix(".cypher") for name in found if name.endswith(".cypher")))
