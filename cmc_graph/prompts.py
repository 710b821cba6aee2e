"""Prompts are files: what a model is told, word for word, each with a hash that names it.

They stand in the folder ``prompts/`` of the part that uses them. This module must not know what
they are for.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt.

    Attributes:
        hash: Names the text; another text is another prompt, whose answers are others.
    """

    text: str
    hash: str


@cache
def prompt(part: str, name: str) -> Prompt:
    """The prompt in the file of that name.

    Args:
        part: Folder of the package, such as ``frontends``.
        name: Of the file, without its ending.
    """
    file = files("cmc_graph").joinpath(part, "prompts", f"{name}.txt")
    text = file.read_text("utf-8").strip()
    return Prompt(text, sha256(text.encode()).hexdigest()[:16])
