"""Frames, patterns found in examples, and the pack they are written as; all pure."""

import tomllib
from pathlib import Path

import pytest

from cmc_graph.frontends.frames import conflicting, frames, reverse
from cmc_graph.frontends.grammar import Grammar
from cmc_graph.frontends.induce import (
    Example,
    Pattern,
    admitted,
    disputed,
    found_in,
    grammar,
    merged,
    outvoted,
    pack_text,
)
from cmc_graph.frontends.packs import load_pack
from cmc_graph.model import Record, Status, Triple


@pytest.mark.parametrize(
    ("text", "subject", "obj", "expected"),
    [
        ("Ana lives in Porto.", "Ana", "Porto", ["{S} lives in {O}"]),
        ("Ana lives in Porto!", "Ana", "Porto", ["{S} lives in {O}"]),
        ("Ana  lives\nin Porto", "Ana", "Porto", ["{S} lives in {O}"]),
        ("The author of Emma is Austen.", "Emma", "Austen", ["The author of {S} is {O}"]),
        ("Austen wrote Emma.", "Emma", "Austen", ["{O} wrote {S}"]),
        ("Amy died in Washington, D.C..", "Amy", "Washington, D.C.", ["{S} died in {O}"]),
        ("Amy works at Acme Inc.", "Amy", "Acme Inc.", []),
        ("Peru is Peru.", "Peru", "Peru", ["{S} is {O}", "{O} is {S}"]),
        ("New York is in New York City.", "New York", "New York City", ["{S} is in {O}"]),
        (
            "Ana and Ana met Bo.",
            "Ana",
            "Bo",
            ["{S} and Ana met {O}", "Ana and {S} met {O}"],
        ),
    ],
)
def test_a_frame_is_the_text_without_the_two_names(
    text: str, subject: str, obj: str, expected: list[str]
) -> None:
    """Every way to take the names out, without the final stop; none when they overlap."""
    assert list(frames(text, subject, obj)) == expected


def test_a_text_full_of_its_names_has_few_frames() -> None:
    """Repetition does not make the number of frames grow without bound."""
    assert len(frames("a b " * 500, "a", "b")) == 16


def test_reverse_exchanges_the_slots() -> None:
    """A frame read backwards, twice, is itself."""
    assert reverse("{S} wrote {O}") == "{O} wrote {S}"
    assert reverse(reverse("x {O} y {S}")) == "x {O} y {S}"


def reading(text: str, *, backwards: bool = False) -> Triple:
    """The triple of a text of three words: subject, verb, object; or read backwards."""
    first, _, last = text.removesuffix(".").split(" ")
    return Triple(last, "r", first) if backwards else Triple(first, "r", last)


def test_the_rarer_direction_conflicts() -> None:
    """One record read backwards among its like is in conflict; records of other forms are not."""
    texts = ["A met B.", "C met D.", "E met F.", "E saw F."]
    readings = {text: reading(text) for text in texts}
    assert conflicting(readings) == []
    readings["E met F."] = reading("E met F.", backwards=True)
    readings["E saw F."] = reading("E saw F.", backwards=True)
    assert conflicting(readings) == ["E met F."]


def test_without_a_clear_majority_all_conflict() -> None:
    """One against one says nothing about who is right."""
    readings = {"A met B.": reading("A met B."), "C met D.": reading("C met D.", backwards=True)}
    assert conflicting(readings) == ["A met B.", "C met D."]


def test_a_record_that_holds_a_name_twice_is_judged_by_the_others() -> None:
    """It has two frames; it conflicts when one of them is known backwards and none forwards."""
    readings = {text: reading(text) for text in ("A met B.", "C met D.")}
    readings["Bo-Bo met E."] = Triple("Bo", "r", "E")  # "Bo-{S} met {O}", "{S}-Bo met {O}"
    readings["Lu met Lu."] = Triple("Lu", "r", "Lu")
    assert conflicting(readings) == []


def example(text: str, relation: str = "r", answer: str = "1", **options: bool) -> Example:
    """A text of the form ``A verb B.`` as it was read in an answer."""
    triple = reading(text, **options)
    return Example((Triple(triple.subject, relation, triple.object),), answer)


LIVES = {
    f"{name} inhabits {city}.": example(f"{name} inhabits {city}.", "home", str(number))
    for number, (name, city) in enumerate([("Ana", "Porto"), ("Bo", "Graz"), ("Cy", "Lund")])
}


def test_what_is_found_is_counted_by_texts_and_answers() -> None:
    """Each frame and relation with its support; texts with several facts or frames do not count."""
    several = {"Ana met Bo.": Example((Triple("Ana", "r", "Bo"),) * 2, "9")}
    twofold = {"Lu inhabits Lu.": example("Lu inhabits Lu.", "home")}
    none = {"Hello.": Example((), "9")}
    found = [Pattern("{S} inhabits {O}", "home", 3, 3)]
    assert found_in(LIVES | several | twofold | none) == found
    assert admitted(found, LIVES) == found


def test_a_pattern_needs_support_of_several_answers() -> None:
    """Two texts are too few, and so are three of one answer, which may be wrong as a whole."""
    assert admitted([Pattern("{S} inhabits {O}", "home", 2, 2)], {}) == []
    assert admitted([Pattern("{S} inhabits {O}", "home", 9, 1)], {}) == []
    assert len(admitted([Pattern("{S} inhabits {O}", "home", 3, 2)], {})) == 1


@pytest.mark.parametrize(
    "other", [Pattern("{S} inhabits {O}", "city", 1, 1), Pattern("{O} inhabits {S}", "home", 1, 1)]
)
def test_a_pattern_has_one_relation_and_one_direction(other: Pattern) -> None:
    """A single reading to the contrary keeps a pattern from being used."""
    assert admitted([Pattern("{S} inhabits {O}", "home", 9, 9), other], {}) == []


def test_a_general_pattern_is_no_pattern_beside_a_special_one() -> None:
    """``The {S} is {O}`` would misread what ``The author of {S} is {O}`` reads, known or not."""
    general, special = (
        Pattern("The {S} is {O}", "office", 9, 9),
        Pattern("The author of {S} is {O}", "author", 1, 1),
    )
    assert admitted([general], {}) == [general]
    assert admitted([general, special], {}) == []


@pytest.mark.parametrize(
    "triples", [(), (Triple("Ana", "home", "Porto"), Triple("Ana", "job", "baker"))]
)
def test_a_pattern_misreads_no_example(triples: tuple[Triple, ...]) -> None:
    """A text the model left open, or found more in, keeps the patterns that fit it from use."""
    pattern = Pattern("{S} inhabits {O}", "home", 9, 9)
    examples = {"Ana inhabits Porto as a baker.": Example(triples, "1")}
    assert grammar([pattern]).interpret([Record(text="Ana inhabits Porto.")])
    assert admitted([pattern], LIVES) == [pattern]
    hearsay = {"Ana inhabits Porto.": Example(triples, "1")}
    assert admitted([pattern], examples | hearsay) == []


@pytest.mark.parametrize("template", ["{S}{O}", "{S} (once) met {O}", "{S} a|b {O}"])
def test_what_a_pack_cannot_hold_is_no_pattern(template: str) -> None:
    """Templates have signs of their own, and need a word between their slots."""
    assert admitted([Pattern(template, "r", 9, 9)], {}) == []


def test_disagreement_is_found() -> None:
    """The frames with several relations, and the texts that most others disagree with."""
    texts = {**LIVES, "Di inhabits Rome.": example("Di inhabits Rome.", "capital")}
    patterns = found_in(texts)
    assert disputed(patterns) == {("{S} inhabits {O}", "home"), ("{S} inhabits {O}", "capital")}
    assert outvoted(patterns, texts) == ["Di inhabits Rome."]
    assert disputed(found_in(LIVES)) == set()
    assert outvoted(found_in(LIVES), LIVES) == []


def test_counts_of_one_pattern_are_not_added_up() -> None:
    """Two runs may have counted the same texts, so the larger count stands."""
    one, two = Pattern("{S} a {O}", "r", 3, 2), Pattern("{S} a {O}", "r", 5, 2)
    assert merged([two, one, Pattern("{S} b {O}", "r", 1, 1)]) == [
        two,
        Pattern("{S} b {O}", "r", 1, 1),
    ]


PATTERNS = [
    Pattern("{S} inhabits {O}", "home", 3, 3),
    Pattern('The "seat" of {S} is {O}', "seat — city", 7, 2),
]


def test_a_pack_reads_as_its_patterns_do(tmp_path: Path) -> None:
    """The TOML file that is printed is the grammar that was used, rules for names included."""
    path = tmp_path / "induced.toml"
    path.write_text(pack_text(PATTERNS), "utf-8")
    assert tomllib.loads(path.read_text("utf-8"))["name"] == "induced"
    pack = load_pack(str(path))
    assert pack.names == load_pack("general").names
    records = [
        Record(text=text)
        for text in (
            "Ana inhabits Porto.",
            'The "seat" of Acme is Graz.',
            "Ana said that Bo inhabits Graz.",
            "She inhabits Porto.",
            "Nobody knows.",
        )
    ]
    read = [verdict.triples for verdict in Grammar([pack]).interpret(records)]
    assert read == [verdict.triples for verdict in grammar(PATTERNS).interpret(records)]
    assert read == [
        (Triple("Ana", "home", "Porto"),),
        (Triple("Acme", "seat — city", "Graz"),),
        (),
        (),
        (),
    ]


def test_without_patterns_nothing_is_read() -> None:
    """No pattern yet is no error."""
    [verdict] = grammar([]).interpret([Record(text="Ana inhabits Porto.")])
    assert verdict.status is Status.UNRESOLVED
