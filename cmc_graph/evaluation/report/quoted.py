"""The paper's own figures, from a file; shown beside ours and never instead of them.

This module must not know scores.
"""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

_FILE = "paper.toml"


class Quoted(BaseModel):
    """Figures of the paper that share a place, a frontend and a reader.

    Attributes:
        data: The data set, as ``Scores.data`` names it.
        reader: The paper's model; none of ours.
        where: Section, table or appendix.
        accuracy: Percent by substring exact match, by population and arm.
        strict: Percent of parsed answers that equal a reference.
        tokens: Mean reader-input tokens.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: str
    frontend: str
    reader: str
    where: str
    accuracy: dict[str, dict[str, float]] = {}
    strict: dict[str, dict[str, float]] = {}
    tokens: dict[str, dict[str, float]] = {}


class Paper(BaseModel):
    """What is quoted.

    Attributes:
        names: What each data set is called beside its figures.
        notes: What has to be said beside each figure of an arm or a reader.
        quoted: The figures, the main comparison of each data set first.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: dict[str, str]
    notes: dict[str, str]
    quoted: tuple[Quoted, ...]

    def about(self, data: str) -> tuple[Quoted, ...]:
        """The figures about a data set."""
        return tuple(each for each in self.quoted if each.data == data)

    def labelled(self, name: str) -> str:
        """The name of an arm or a reader with what has to be said beside it."""
        return f"{name} ({self.notes[name]})" if name in self.notes else name


@cache
def paper() -> Paper:
    """The figures that are shipped."""
    text = (files("cmc_graph.evaluation.report") / _FILE).read_text("utf-8")
    return Paper.model_validate(tomllib.loads(text))
