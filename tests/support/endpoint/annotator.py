"""A script that answers as a careful model would, for the sentences of FactConsolidation.

Written apart from the package's own reading of sentences, so that a shared mistake shows. It is
right about subject and object, but names relations freely: each relation has several names, and
which one it takes changes from batch to batch, whatever the list of known names says. Asked which
names mean the same, it looks at nothing but the records shown with them.
"""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.endpoint.server import Answer, Request

#: One line per relation: an expression with the groups s and o, and the names it goes by.
_FORMS = r"""
(?P<s>.+) is a citizen of (?P<o>.+) :: citizenship, nationality, country of citizenship, citizen of
(?P<s>.+) is associated with the sport of (?P<o>.+) :: sport, associated sport, sport practised
(?P<s>.+) is affiliated with the religion of (?P<o>.+) :: religion, faith, religious affiliation
The author of (?P<s>.+) is (?P<o>.+) :: author, writer, written by
(?P<s>.+) plays the position of (?P<o>.+) :: position, playing position, field position
(?P<s>.+) was created in the country of (?P<o>.+) :: country of origin, origin, country of creation
(?P<s>.+) was created by (?P<o>.+) :: creator, created by, maker
(?P<s>.+) speaks the language of (?P<o>.+) :: language, spoken language, language spoken, speaks
The type of music that (?P<s>.+) plays is (?P<o>.+) :: genre, music genre, music style
(?P<s>.+) is married to (?P<o>.+) :: spouse, married to, partner
(?P<s>.+) was developed by (?P<o>.+) :: developer, developed by, software developer
(?P<s>.+) was founded by (?P<o>.+) :: founder, founded by, established by
(?P<s>.+) was born in the city of (?P<o>.+) :: birthplace, place of birth, birth city, born in
The headquarters of (?P<s>.+) is located in the city of (?P<o>.+) :: headquarters, head office, seat
The univeristy where (?P<s>.+) was educated is (?P<o>.+) :: alma mater, university, educated at
(?P<s>.+) died in the city of (?P<o>.+) :: place of death, death city, died in
(?P<s>.+) was performed by (?P<o>.+) :: performer, performed by, recording artist
The company that produced (?P<s>.+) is (?P<o>.+) :: manufacturer, producer, production company
(?P<s>.+) is employed by (?P<o>.+) :: employer, employed by, works for
The origianl broadcaster of (?P<s>.+) is (?P<o>.+) :: broadcaster, original network, channel
(?P<s>.+) works in the field of (?P<o>.+) :: occupation, field of work, profession, field
(?P<s>.+) worked in the city of (?P<o>.+) :: work location, work city, place of work
(?P<s>.+) is located in the continent of (?P<o>.+) :: continent, part of the world
(?P<s>.+) is famous for (?P<o>.+) :: notable work, famous for, known for
The official language of (?P<s>.+) is (?P<o>.+) :: official language, state language
The capital of (?P<s>.+) is (?P<o>.+) :: capital, capital city, seat of government
(?P<s>.+) was written in the language of (?P<o>.+) :: language of work, written in, text language
The name of the current head of the (?P<s>.+) government is (?P<o>.+) :: head of government, leader
The chairperson of (?P<s>.+) is (?P<o>.+) :: chairperson, chair, chairman
(?P<s>.+) was founded in the city of (?P<o>.+) :: founding place, place of foundation, founded in
The name of the current head of state in (?P<s>.+) is (?P<o>.+) :: head of state, sovereign
The head coach of (?P<s>.+) is (?P<o>.+) :: head coach, coach, trainer
The chief executive officer of (?P<s>.+) is (?P<o>.+) :: chief executive, ceo, managing director
(?P<s>.+)'s child is (?P<o>.+) :: child, offspring, parent of
The director of (?P<s>.+) is (?P<o>.+) :: director, head, directed by
The original language of (?P<s>.+) is (?P<o>.+) :: original language, source language
The (?P<s>.+) is (?P<o>.+) :: officeholder, holder, incumbent
"""
_CHOICES = [line.rsplit(" :: ", 1) for line in _FORMS.strip().splitlines()]
_READERS = [(re.compile(form), names.split(", ")) for form, names in _CHOICES]

_RECORD = re.compile(r"(\d+)\. (.*)")
_EXAMPLE = re.compile(r"  (.+?) -> (.+?) \| (.+)")

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says; ``relation`` is the number of its form, whatever its name."""

    subject: str
    relation: int
    object: str


def understood(text: str) -> Reading | None:
    """What the sentence says; None when it has none of the forms."""
    sentence = text.removesuffix(".")
    for number, (form, _) in enumerate(_READERS):  # the last one fits much of the others
        if found := form.fullmatch(sentence):
            return Reading(found["s"], number, found["o"])
    return None


def names_of_relations() -> list[list[str]]:
    """The names each relation goes by."""
    return [names for _, names in _READERS]


def annotator(request: Request) -> Answer:
    """The right answer to any prompt of the package."""
    key, rows = right(request)
    return Answer(text=written({key: rows}))


def right(request: Request) -> tuple[str, Rows]:
    """The name under which the answer's rows stand, and the rows."""
    if "\nNew names:\n" in request.user:
        return "same", list(_aligned(request.user))
    return "records", list(_annotated(request.user))


def written(value: object) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def records_of(user: str) -> list[tuple[str, str]]:
    """Number and text of the records a prompt asks for."""
    _, _, rest = user.partition("Records:\n")
    lines = rest.partition("\n\n")[0].splitlines()
    return [(found[1], found[2]) for line in lines if (found := _RECORD.fullmatch(line))]


def _annotated(user: str) -> Iterator[list[str]]:
    asked = records_of(user)
    for number, text in asked:
        reading = understood(text)
        if reading is None:
            yield [number, "unresolved", "unclear"]
            continue
        names = _READERS[reading.relation][1]
        mood = zlib.crc32(f"{asked[0][0]} {reading.relation}".encode())  # one name per batch
        yield [number, reading.subject, names[mood % len(names)], reading.object]


def _aligned(user: str) -> Iterator[list[str]]:
    _, _, known = user.partition("Names in use:\n")
    known, _, new = known.partition("\nNew names:\n")
    used = [(name, meaning) for name, meaning in _meanings(known) if name != "(none)"]
    for name, meaning in _meanings(new):
        same = [other for other, its in used if its == meaning and meaning is not None]
        yield [name, same[0] if same else name]
        used.append((name, meaning))


def _meanings(section: str) -> Iterator[tuple[str, int | None]]:
    """Each name with the form of its first record; None when it has none."""
    name, meaning = "", None
    for line in section.splitlines():
        if found := _EXAMPLE.fullmatch(line):
            reading = understood(found[3])
            said = reading and (reading.subject, reading.object)
            if meaning is None and reading and said == found.group(1, 2):
                meaning = reading.relation
        elif line:
            if name:
                yield name, meaning
            name, meaning = line, None
    if name:
        yield name, meaning
