"""How a sentence is read by patterns: the rules of the grammar frontend, on small packs."""

from pathlib import Path

import pytest

from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.model import Interpretation, Record, Status, Triple, Values
from tests.support.grammar import LIVES, facts, grammar, one, read

DATA = Path(__file__).parents[1] / "data" / "grammar"


def test_a_pattern_reads_a_sentence() -> None:
    """Subject and object are the spans of the slots, verbatim; the pack is named."""
    assert read("Lena Ortiz lives in Porto.", LIVES) == Interpretation(
        Status.FACTS, (Triple("Lena Ortiz", "residence", "Porto"),), frontend="grammar:pack0"
    )


def test_what_no_pattern_reads_is_unresolved() -> None:
    """A record that no pack reads stays visible, with the reason."""
    found = read("Lena likes tea.", LIVES, one("{S} works for {O}", "employer"))
    assert found == Interpretation(
        Status.UNRESOLVED, reason="no pattern reads it", frontend="grammar"
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Lena lives in Porto", "Porto"),
        ("Lena lives in Porto.", "Porto"),
        ("Lena lives in Porto!", "Porto"),
        ("Lena lives in Porto .", "Porto"),
        ("Lena lives in Washington, D.C..", "Washington, D.C."),
        ("Lena lives in Porto..", "Porto."),
        ("Lena lives in Porto!!", "Porto!"),
        ("Lena lives in Porto?", "Porto?"),
    ],
)
def test_exactly_one_final_mark_is_removed(text: str, place: str) -> None:
    """One final full stop or exclamation mark goes; the rest is part of the name."""
    assert facts(text, LIVES) == [("Lena", "residence", place)]


def test_white_space_is_folded() -> None:
    """White space of any kind reads like one space, line ends included."""
    text = " Lena\tOrtiz \u2028 lives\u00a0in\nPorto.\n"
    assert facts(text, LIVES) == [("Lena Ortiz", "residence", "Porto")]


def test_case_counts() -> None:
    """Capitals are not folded, so that the name of a work does not part a sentence."""
    assert facts("Lena Lives In Porto", LIVES) == []
    author = one("The author of {S} is {O}", "author")
    assert facts("The author of Tender Is the Night is Ann.", author) == [
        ("Tender Is the Night", "author", "Ann")
    ]


def test_the_first_letter_of_a_pattern_has_either_case() -> None:
    """A pattern's own first word may begin the sentence, or follow something left out."""
    author = one("The author of {S} is {O}", "author")
    assert facts("the author of Emma is Ann", author) == facts("The author of Emma is Ann", author)
    assert facts("THE author of Emma is Ann", author) == []


def test_typographic_apostrophes() -> None:
    """Both apostrophes are one in patterns and sentences, and stay as they are in names."""
    for pattern in ("{S}'s child is {O}", "{S}’s child is {O}"):
        pack = one(pattern, "child")
        assert facts("Lena’s child is Bo O’Neil.", pack) == [("Lena", "child", "Bo O’Neil")]
        assert facts("Lena's child is Bo O'Neil.", pack) == [("Lena", "child", "Bo O'Neil")]


def test_alternatives() -> None:
    """Alternatives are written out, an empty one included."""
    pack = one("{S} (|now |still )(lives|resides) in {O}", "residence")
    for verb in ("lives", "resides", "now lives", "still resides"):
        assert facts(f"Lena {verb} in Porto", pack) == [("Lena", "residence", "Porto")]
    assert facts("Lena now still lives in Porto", pack) == [("Lena now", "residence", "Porto")]


def test_slots_in_any_order_and_text_that_is_not_kept() -> None:
    """The object may come first, and {X} takes what is not kept."""
    pack = one("{O} replaced {X} as the owner of {S}", "owner")
    assert facts("Ann replaced Bo as the owner of Depot Nine.", pack) == [
        ("Depot Nine", "owner", "Ann")
    ]


def test_the_whole_record_is_read_or_nothing() -> None:
    """Text around a pattern is part of a slot, or the record is unresolved."""
    pack = one("The author of {S} is {O}", "author")
    assert facts("Well, the author of Emma is Ann.", pack) == []
    assert facts("Emma", pack) == facts("The author of  is Ann", pack) == []


# ---- which pattern counts


def test_more_literal_characters_win() -> None:
    """Of two patterns that read a sentence the one that settles more of it counts."""
    general, special = (
        one("The {S} is {O}", "officeholder"),
        one("The owner of {S} is {O}", "owner"),
    )
    for pack in (general + special, special + general):
        assert facts("The owner of Emma is Ann.", pack) == [("Emma", "owner", "Ann")]
        assert facts("The pope is Ann.", pack) == [("pope", "officeholder", "Ann")]


def test_an_open_relation_is_the_least_specific() -> None:
    """A pattern that fixes the relation counts before one that leaves it open, however short."""
    pack = one("{S}'s {R} is {O}") + one("{S} is {O:state}", "status")
    pack += '[kind.state]\nis = ["open"]\n'
    assert facts("Lena's shop is open.", pack) == [("Lena's shop", "status", "open")]
    assert facts("Lena's boss is Ann.", pack) == [("Lena", "boss", "Ann")]


def test_a_kind_of_relation_is_not_open() -> None:
    """A slot {R} with a kind fixes what the relation can be."""
    pack = one("{S}'s {R:coloring} is {O:color}") + one("{S} is {O:color}", "color")
    pack += '[kind.color]\nis = ["red"]\n[kind.coloring]\nholds = ["color"]\n'
    assert facts("Lena's favorite color is red", pack) == [("Lena", "favorite color", "red")]
    assert facts("Lena's car is red", pack) == [("Lena's car", "color", "red")]


def test_a_kind_is_more_specific_than_none() -> None:
    """Of two patterns with the same words the one with more kinds counts."""
    pack = one("{S} moved to {O}", "residence") + one("{S} moved to {O:venue}", "location")
    pack += '[kind.venue]\nholds = ["room"]\n'
    assert facts("Lena moved to Porto", pack) == [("Lena", "residence", "Porto")]
    assert facts("Lena moved to Room 4", pack) == [("Lena", "location", "Room 4")]


def test_equally_specific_patterns_that_differ() -> None:
    """A record that two equally specific patterns read differently is unresolved; both named."""
    pack = one("{S} backs {O}", "supports") + one("{S} backs {O}", "lies behind")
    found = read("Lena backs Ann.", pack + one("{S} is {O}", "is"))
    assert (found.status, found.frontend) == (Status.UNRESOLVED, "grammar:pack0")
    assert found.reason == "the pattern '{S} backs {O}' reads it in two ways"
    pack = one("{S} hit {O}", "struck") + one("{S} hi{O}", "met") + one("{S} (hit|met) {O}", "met")
    found = read("Lena hit Ann.", pack)
    assert found.reason == "the patterns '{S} hit {O}' and '{S} (hit|met) {O}' read it differently"


def test_equally_specific_patterns_that_agree() -> None:
    """Two patterns that read a record alike are no conflict."""
    pack = one("{S} lives in {O}", "residence") + one("{S} (lives|dwells) in {O}", "residence")
    assert facts("Lena lives in Porto", pack) == [("Lena", "residence", "Porto")]


def test_one_pattern_in_two_ways() -> None:
    """A record that one pattern fits at two places is unresolved."""
    found = read("Lena lives in Porto lives in Graz.", LIVES)
    assert found.reason == "the pattern '{S} lives in {O}' reads it in two ways"


def test_an_undecided_record_is_not_given_to_less_specific_patterns() -> None:
    """The most specific patterns decide; when they differ nothing else is asked."""
    tie = one("{S} backs {O}", "supports") + one("{S} backs {O}", "is behind")
    assert facts("Lena backs Ann", tie + one("{S} ba{O}", "is")) == []
    assert facts("Lena backs Ann", tie, one("{S} backs {O}", "supports")) == []


def test_the_first_pack_that_reads_a_record_wins() -> None:
    """Packs are asked in the order given, however specific their patterns are."""
    short, long = one("{S} is {O}", "is"), one("{S} is married to {O}", "spouse")
    assert facts("Lena is married to Bo", short, long) == [("Lena", "is", "married to Bo")]
    assert facts("Lena is married to Bo", long, short) == [("Lena", "spouse", "Bo")]
    assert read("Lena is tall", long, short).frontend == "grammar:pack1"


# ---- open relations


OPEN = one("The {R} of {S:name} is {O}") + '[kind.name]\ncapital = true\nbegins = ["the", "a"]\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The owner of Emma is Ann", ("Emma", "owner", "Ann")),
        ("The head of state of France is Ann", ("France", "head of state", "Ann")),
        ("The date of birth of Lena is 3 May", ("Lena", "date of birth", "3 May")),
        ("The owner of the house of cards is Ann", ("the house of cards", "owner", "Ann")),
        ("The owner of House of Cards is Ann", ("House of Cards", "owner", "Ann")),
        ("The length of 3 of them is 5 m", ("3 of them", "length", "5 m")),
        ("The co-founder of Acme is Ann", ("Acme", "co-founder", "Ann")),
        ("The CEO of Acme is Ann", ("Acme", "CEO", "Ann")),
    ],
)
def test_the_name_of_an_open_relation(text: str, expected: tuple[str, str, str]) -> None:
    """A relation's name has lower-case words or acronyms; a name begins behind its last "of"."""
    assert facts(text, OPEN) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "The owner of cards is Ann",  # no name
        "The new Owner of Emma is Ann",  # a name in the relation
        "The head of IT of Acme is Ann",  # IT of Acme, or head of IT
        "The very long and winding way home of Emma is Ann",
        "The 3rd of Emma is Ann",
        "The owner's of Emma is Ann",
    ],
)
def test_what_is_no_name_of_an_open_relation(text: str) -> None:
    """Where the relation's name cannot be told from the subject, the record is unresolved."""
    assert facts(text, OPEN) == []


def test_relations_are_renamed() -> None:
    """Other names and other spellings of a relation fill the slot of the one that counts."""
    pack = one("{S}'s {R} is {O}") + one("{S} works for {O}", "employer")
    pack += '[[relation]]\nname = "employer"\nalso = ["favorite firm"]\n'
    pack += '[relation_words]\nnever = ["best"]\nspelling = { favourite = "favorite" }\n'
    for text in (" works for Acme", "'s employer is Acme", "'s favourite firm is Acme"):
        assert facts(f"Lena{text}", pack) == [("Lena", "employer", "Acme")]
    assert facts("Lena's best friend is Ann", pack) == []


# ---- lists, retractions, relations


def test_several_objects() -> None:
    """Where a pattern says so, a list of objects is one triple each, in order."""
    pack = one("{S} speaks {O}", "speaks", "several = true")
    assert [t[2] for t in facts("Lena speaks Dutch, Basque, and Thai.", pack)] == [
        "Dutch",
        "Basque",
        "Thai",
    ]
    assert [t[2] for t in facts("Lena speaks Dutch and Thai.", pack)] == ["Dutch", "Thai"]
    assert facts("Lena speaks Dutch, , Thai", pack) == facts("Lena speaks , Thai", pack) == []
    single = one("{S} speaks {O}", "speaks")
    assert facts("Lena speaks Dutch and Thai", single) == [("Lena", "speaks", "Dutch and Thai")]


def test_retractions() -> None:
    """A pattern that retracts says so in its triples."""
    pack = LIVES + one("{S} no longer lives in {O}", "residence", "retracts = true")
    assert read("Ana no longer lives in Graz.", pack).triples == (
        Triple("Ana", "residence", "Graz", retracts=True),
    )
    assert read("Ana lives in Graz.", pack).triples == (Triple("Ana", "residence", "Graz"),)


def test_relations_a_pack_names() -> None:
    """Relations of patterns have one value unless an entry says many; between packs many wins."""
    many = '[[relation]]\nname = ["speaks", "knows"]\nvalues = "many"\n'
    assert grammar(LIVES + many).relations == {
        "residence": Values.ONE,
        "speaks": Values.MANY,
        "knows": Values.MANY,
    }
    single = one("{S} speaks {O}", "speaks") + one("{S} knows {O}", "knows")
    for packs in ((many + LIVES, single), (single, many + LIVES)):
        assert set(grammar(*packs).relations.values()) == {Values.ONE, Values.MANY}
        assert grammar(*packs).relations["speaks"] is Values.MANY


# ---- a person's own file


def test_a_pack_from_a_file() -> None:
    """A path of a file is a pack too, and reads what the shipped ones do not."""
    own = load_pack(str(DATA / "laboratory.toml"))
    found = Grammar([own, load_pack("general")]).interpret(
        [
            Record(text="Sample 12 was frozen by Ann Lee."),
            Record(text="Centrifuge Two needs rotor A."),
            Record(text="Centrifuge Two no longer needs rotor A."),
            Record(text="Lena lives in Porto."),
            Record(text="Sample 12 smells."),
        ]
    )
    assert [(item.frontend, item.triples) for item in found] == [
        ("grammar:laboratory", (Triple("Sample 12", "frozen by", "Ann Lee"),)),
        ("grammar:laboratory", (Triple("Centrifuge Two", "needs", "rotor A"),)),
        ("grammar:laboratory", (Triple("Centrifuge Two", "needs", "rotor A", retracts=True),)),
        ("grammar:general", (Triple("Lena", "residence", "Porto"),)),
        ("grammar", ()),
    ]
    assert own.relations == {"frozen by": Values.ONE, "needs": Values.MANY}
