"""The shape of a pattern pack's TOML file: which tables and fields there are, and their types.

Unknown fields are refused: a misspelt one must not silently do nothing. What the fields mean is
described in the head comment of ``packs/general.toml``. This module must not know templates.
"""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from cmc_graph.model import Values
from cmc_graph.text import shorten


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Line = Annotated[str, Field(pattern=r"^\S(.*\S)?$")]
Lines = Annotated[list[Line], BeforeValidator(_as_list), Field(min_length=1)]
Words = Annotated[frozenset[Line], Field(strict=False)]
_NONE: frozenset[str] = frozenset()


class PatternEntry(_Strict):
    """``[[pattern]]``: one or several templates that say the same thing."""

    text: Lines
    relation: Line | None = None
    retracts: bool = False
    event: bool = False
    plural: bool = False
    several: bool = False
    questions: list[Line] = []
    id: Line | None = None


class RelationEntry(_Strict):
    """``[[relation]]``: how many values it has, and by which other names it goes."""

    name: Lines
    values: Annotated[Values, Field(strict=False)] = Values.ONE
    also: Words = _NONE


class KindEntry(_Strict):
    """``[kind.NAME]``: a class of words."""

    is_: Words = Field(default=_NONE, alias="is")
    only: Words = _NONE
    begins: Words = _NONE
    holds: Words = _NONE
    needs: Words = _NONE
    unless: Words = _NONE
    unless_all: Words = _NONE
    acronyms: Words = _NONE
    endings: Words = _NONE
    not_first: Words = _NONE
    named: Words = _NONE
    capital: bool = False
    digit: bool = False


class ObjectEntry(_Strict):
    """``[[object]]``: of which kinds the objects of some relations are, or of all others."""

    of: Words = _NONE
    kinds: Lines


class NamesEntry(_Strict):
    """``[names]``: what a subject or an object can be."""

    longest: int = Field(default=12, ge=1)
    signs: str = ""
    marks: str = ""
    alone: Words = _NONE
    first: Words = _NONE
    last: Words = _NONE
    never: Words = _NONE
    object_never: Words = _NONE
    determiners: Words = _NONE
    links: Words = _NONE
    particles: Words = _NONE
    joining: Words = _NONE
    adverbs: Words = _NONE
    compounds: Words = _NONE
    abbreviations: Words = _NONE
    suffixes: Words = _NONE


class FrameEntry(_Strict):
    """``[frame]``: what may stand around a statement, and inside."""

    before: list[Line] = []
    after: list[Line] = []
    event_before: list[Line] = []
    event_after: list[Line] = []
    adverbs: Words = _NONE


class RelationWordsEntry(_Strict):
    """``[relation_words]``: what the name of an open relation is made of."""

    never: Words = _NONE
    spelling: dict[Line, Line] = {}


class PackFile(_Strict):
    """A whole file."""

    name: Line
    pattern: list[PatternEntry] = Field(min_length=1)
    relation: list[RelationEntry] = []
    words: dict[Line, Words] = {}
    kind: dict[Line, KindEntry] = {}
    object: list[ObjectEntry] = []
    names: NamesEntry | None = None
    frame: FrameEntry = FrameEntry()
    relation_words: RelationWordsEntry = RelationWordsEntry()


def explain(error: ValidationError) -> str:
    """The first thing wrong with a file, in one line, and how many more there are."""
    first, *more = error.errors(include_url=False)
    place, *fields = first["loc"]
    if place in ("pattern", "relation", "object") and fields:
        place = f"{place} {int(fields.pop(0)) + 1}"  # people count from 1
    where = ".".join(str(part) for part in (place, *fields))
    if first["type"] == "extra_forbidden":
        problem = "there is no such field"
    elif first["type"] == "missing":
        problem = "is missing"
    else:
        problem = f"{first['msg'][0].lower()}{first['msg'][1:]}, not {first['input']!r:.60}"
    rest = f" (and {len(more)} more)" if more else ""
    return shorten(f"{where}: {problem}{rest}", 300)
