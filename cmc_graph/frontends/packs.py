"""Pattern packs: sentence patterns as data, read from TOML files and checked.

Whatever is wrong with a file is one line that names the file and, where there is one, the pattern.
This module must not know how a sentence is read.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import ValidationError

from cmc_graph.errors import ConfigurationError
from cmc_graph.frontends.pack_file import (
    FrameEntry,
    KindEntry,
    NamesEntry,
    PackFile,
    PatternEntry,
    RelationEntry,
    explain,
)
from cmc_graph.frontends.phrasing import Ends, Frame, Phrase, by_ends, phrase
from cmc_graph.frontends.relations import Objects
from cmc_graph.frontends.templates import Template, slot_names, template
from cmc_graph.frontends.wording import Kind, Names, shape
from cmc_graph.model import Values
from cmc_graph.text import join_names, shorten

#: What reads records when nobody names a pack.
DEFAULT_PACKS = ("general",)

#: What an entry is about that names no relation.
_OTHERS = "every other relation"

_SHIPPED = files("cmc_graph.frontends") / "packs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Templates that say the same thing, and what they say.

    Attributes:
        templates: As the file has them, each with its forms.
        relation: The relation's name; None when the slot {R} gives it.
        retracts: The sentence says that the value holds no longer.
        is_event: The sentence tells what happened, so that it may also tell when.
        is_plural: The verb does not tell one subject from several.
        is_list: The object may be several values, joined by commas and "and".
        questions: Forms of questions for the object, with the slot {S}, and {R} where the relation
            is open.
        id: The relation's identifier elsewhere (Wikidata), for people.
    """

    templates: tuple[Template, ...]
    relation: str | None = None
    retracts: bool = False
    is_event: bool = False
    is_plural: bool = False
    is_list: bool = False
    questions: tuple[str, ...] = ()
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pack:
    """The sentence patterns of one sort of text; equal to itself alone, so that it can be a key.

    Attributes:
        name: What interpretations name it by.
        patterns: In the order of the file, which decides nothing.
        relations: How many values each relation has that the pack names.
        aliases: Other names of a relation, to its name.
        spelling: Words of an open relation's name, to the spelling that counts.
        banned: Words no open relation's name holds.
        kinds: Kinds of words, by name.
        objects: Of which kinds the objects of relations are.
        names: What a subject or an object can be; None: any text.
        frame: What may stand around a statement.
    """

    name: str
    patterns: tuple[Pattern, ...]
    relations: Mapping[str, Values] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    spelling: Mapping[str, str] = field(default_factory=dict)
    banned: frozenset[str] = frozenset()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    objects: Objects = field(default_factory=Objects)
    names: Names | None = None
    frame: Frame = field(default_factory=Frame)


@runtime_checkable
class BringsPacks(Protocol):
    """Records that say which packs read them: those of their loaders."""

    packs: tuple[str, ...]


def chosen_packs(named: Sequence[str] | None, records: object) -> tuple[str, ...]:
    """The packs to read records with: those named, else those they bring and then ``general``."""
    if named:
        return tuple(named)
    brought = records.packs if isinstance(records, BringsPacks) else ()
    return tuple(dict.fromkeys((*brought, *DEFAULT_PACKS)))


def load_pack(name: str) -> Pack:
    """The pack of that name (``general``, ``factconsolidation``), or the one in that file.

    Raises:
        ConfigurationError: There is no such pack or file, it cannot be read, or it is no pack; the
            message names the file and the pattern.
    """
    shipped = _shipped_names()
    source = _SHIPPED / f"{name}.toml" if name in shipped else Path(name)
    try:
        content = source.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"pattern pack {shorten(name)!r} cannot be read: {reason}; give a TOML file or one of "
            f"{join_names(shipped)}"
        ) from error
    return parse_pack(content, name)


@lru_cache(maxsize=16)  # reading a pack takes longer than reading a hundred records
def parse_pack(content: bytes, source: str) -> Pack:
    """The pack in the bytes of a TOML file.

    Args:
        content: UTF-8.
        source: Name of the file, for messages.

    Raises:
        ConfigurationError: The content is no pack; the message names source and pattern.
    """
    try:
        return _pack(PackFile.model_validate(tomllib.loads(content.decode("utf-8-sig"))))
    except ValueError as error:  # all that decoding, TOML, pydantic and templates raise
        raise ConfigurationError(f"pattern pack {source}: {_problem(error)}") from error


def _problem(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is no UTF-8; save the file as UTF-8"
    if isinstance(error, tomllib.TOMLDecodeError):
        return f"no valid TOML: {error}"
    return explain(error) if isinstance(error, ValidationError) else str(error)


@cache
def _shipped_names() -> tuple[str, ...]:
    found = (item.name for item in _SHIPPED.iterdir())
    return tuple(sorted(n.removesuffix(".toml") for n in found if n.endswith(".toml")))


def _pack(file: PackFile) -> Pack:
    kinds = {name: _kind(name, entry, file.words) for name, entry in file.kind.items()}
    relations, aliases = _relations(file.relation)
    patterns = tuple(
        _pattern(number, entry, kinds) for number, entry in enumerate(file.pattern, start=1)
    )
    named = (pattern.relation for pattern in patterns if pattern.relation)
    return Pack(
        name=file.name,
        patterns=patterns,
        relations=dict.fromkeys(named, Values.ONE) | relations,
        aliases=aliases,
        spelling=file.relation_words.spelling,
        banned=file.relation_words.never,
        kinds=kinds,
        objects=_objects(file, kinds),
        names=_names(file),
        frame=_frame(file.frame, kinds),
    )


def _pattern(number: int, entry: PatternEntry, kinds: Mapping[str, Kind]) -> Pattern:
    try:
        templates = tuple(_template(text, entry, kinds) for text in entry.text)
        is_open = entry.relation is None
        asked = {"S", "R"} if is_open else {"S"}
        for question in entry.questions:
            if set(slot_names(question)) != asked:
                slots = join_names(f"{{{name}}}" for name in sorted(asked))
                raise ValueError(f"the question {question!r} must have {slots} and no other slot")
    except ValueError as error:
        raise ValueError(f"pattern {number}: {error}") from error
    return Pattern(
        templates=templates,
        relation=entry.relation,
        retracts=entry.retracts,
        is_event=entry.event,
        is_plural=entry.plural or entry.event,
        is_list=entry.several,
        questions=tuple(entry.questions),
        id=entry.id,
    )


def _template(text: str, entry: PatternEntry, kinds: Mapping[str, Kind]) -> Template:
    compiled = template(text)
    if ("R" in slot_names(text)) == (entry.relation is not None):
        raise ValueError(f"{text!r} must have either a relation or the slot {{R}}")
    for form in compiled.forms:
        for slot in form.slots:
            if slot.kind is not None and slot.kind not in kinds:
                raise ValueError(f"{text!r} names the kind {slot.kind!r}, which is not defined")
    return compiled


def _relations(entries: list[RelationEntry]) -> tuple[dict[str, Values], dict[str, str]]:
    values: dict[str, Values] = {}
    aliases: dict[str, str] = {}
    for number, entry in enumerate(entries, start=1):
        if entry.also and len(entry.name) > 1:
            raise ValueError(
                f"relation {number}: other names (also) need one relation they stand for"
            )
        for name in entry.name:
            if name in values:
                raise ValueError(f"relation {number}: {name!r} is described twice")
            values[name] = entry.values
        for other in entry.also:
            if other in aliases:
                raise ValueError(f"relation {number}: {other!r} stands for {aliases[other]!r} too")
            aliases[other] = entry.name[0]
    if both := aliases.keys() & values.keys():
        raise ValueError(f"relation {min(both)!r} has an entry and stands for another one")
    return values, aliases


def _objects(file: PackFile, kinds: Mapping[str, Kind]) -> Objects:
    of: dict[str, tuple[Kind, ...]] = {}
    for number, entry in enumerate(file.object, start=1):
        table = f"object {number}"
        if unknown := [name for name in entry.kinds if name not in kinds]:
            raise ValueError(f"{table}: the kind {unknown[0]!r} is not defined")
        for name in _words(table, entry.of, file.words) or {_OTHERS}:
            if name in of:
                raise ValueError(f"{table}: {name!r} has an entry already")
            of[name] = tuple(kinds[name] for name in entry.kinds)
    otherwise = of.pop(_OTHERS, ())
    return Objects(of, otherwise)


def _names(file: PackFile) -> Names | None:
    if file.names is None:
        return None
    fields = _spelled_out("names", file.names, file.words)
    for name in ("first", "never"):  # an adverb is no part of a name
        fields[name] |= file.frame.adverbs
    fields["adverbs"] = tuple(sorted(fields["adverbs"]))  # as str.endswith takes them
    return Names(**fields)


def _kind(name: str, entry: KindEntry, words: Mapping[str, frozenset[str]]) -> Kind:
    fields: dict[str, Any] = {
        test: frozenset(map(shape, value)) if isinstance(value, frozenset) else value
        for test, value in _spelled_out(f"kind.{name}", entry, words).items()
    }
    return Kind(**fields)


def _spelled_out(
    table: str, entry: KindEntry | NamesEntry, words: Mapping[str, frozenset[str]]
) -> dict[str, Any]:
    """The fields of a table, with the words of a list where ``{name}`` stands for it."""
    return {
        name: _words(table, value, words) if isinstance(value, frozenset) else value
        for name, value in entry
    }


def _words(
    table: str, items: frozenset[str], words: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """The items, with the words of a list where ``{name}`` stands for it."""
    found: set[str] = set()
    for item in items:
        if not item.startswith("{"):
            found.add(item)
        elif item[1:-1] in words:
            found |= words[item[1:-1]]
        else:
            raise ValueError(f"{table}: there is no list of words {item}")
    return frozenset(found)


def _frame(entry: FrameEntry, kinds: Mapping[str, Kind]) -> Frame:
    def phrases(texts: list[str], event_texts: list[str]) -> dict[Ends, tuple[Phrase, ...]]:
        plain = [phrase(text, kinds, is_event=False) for text in texts]
        return by_ends(plain + [phrase(text, kinds, is_event=True) for text in event_texts])

    try:
        return Frame(
            phrases(entry.before, entry.event_before),
            phrases(entry.after, entry.event_after),
            entry.adverbs,
        )
    except ValueError as error:
        raise ValueError(f"frame: {error}") from error
