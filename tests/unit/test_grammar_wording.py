"""What may stand around a statement and in its slots: frames and kinds of words."""

import pytest

from tests.support.grammar import LIVES, facts, one

FRAME = """
[kind.tag]
only = ["ops", "and", "infra"]
[kind.date]
only = ["of", "##"]
needs = ["may", "monday"]
[frame]
before = ["Update:", "FYI", "As of {date}", "-", "[{tag}]", "{date}:"]
after = ["these days", "since {date}"]
event_before = ["On {date}", "In {date}"]
event_after = ["in {date}"]
adverbs = ["now", "still"]
"""


@pytest.mark.parametrize(
    "text",
    [
        "Update: Lena lives in Porto.",
        "update: Lena lives in Porto.",
        "FYI, Lena lives in Porto.",
        "As of Monday, Lena lives in Porto.",
        "As of Monday Lena lives in Porto.",
        "[ops] Lena lives in Porto.",
        "[Ops and infra] Lena lives in Porto.",
        "12 May: Lena lives in Porto.",
        "- [ops] 12 May: Lena lives in Porto.",
        "Lena lives in Porto these days.",
        "Lena lives in Porto, these days.",
        "Lena lives in Porto since May.",
        "Update: Lena lives in Porto since 12 May.",
        "Lena now lives in Porto.",
        "Now Lena lives in Porto.",
        "Now, Lena lives in Porto.",
        "Lena lives in Porto now.",
        "Lena lives in Porto, now.",
        "Update: Lena still lives in Porto since May!",
    ],
)
def test_what_says_nothing_of_its_own_is_left_out(text: str) -> None:
    """Phrases around a sentence and adverbs inside are no part of a name."""
    pack = LIVES + FRAME + "[names]\n"
    assert facts(text, pack) == [("Lena", "residence", "Porto")]


@pytest.mark.parametrize(
    "text",
    [
        "[draft] Lena lives in Porto.",
        "[] Lena lives in Porto.",
        "[ops Lena lives in Porto.",
        "12 May Lena lives in Porto.",
        "Bo: Lena lives in Porto.",
        "- - - - Lena lives in Porto.",
    ],
)
def test_what_the_frame_does_not_know_is_not_left_out(text: str) -> None:
    """A tag that is not listed may say that the line is no fact; such a line is not read."""
    assert facts(text, LIVES + FRAME + '[names]\nsigns = "[]:-"\nfirst = ["12"]\n') == []


def test_when_something_happened_is_left_out_of_events_only() -> None:
    """With "lives in" a time says when it holds, which a triple cannot: no pattern reads it."""
    pack = LIVES + one("{S} moved to {O}", "residence", "event = true") + FRAME + "[names]\n"
    for text in ("Lena moved to Porto in May.", "On Monday, Lena moved to Porto."):
        assert facts(text, pack) == [("Lena", "residence", "Porto")]
    for text in ("Lena lives in Porto in May.", "On Monday, Lena lives in Porto."):
        assert facts(text, pack) == []


def test_a_slot_never_spans_what_was_left_out() -> None:
    """Every name stays a literal span: an adverb inside a slot is not cut out of it."""
    pack = LIVES + FRAME + "[names]\n"
    assert facts("Lena lives in New now York.", pack) == []
    assert facts("Lena now Ortiz lives in Porto.", pack) == []


def test_a_date_that_goes_on_is_not_left_out() -> None:
    """In "In May 1999 Lena …" only a part of the date is a phrase; such a line is not read."""
    pack = (
        one("{S} moved to {O}", "residence", "event = true") + FRAME + '[names]\nfirst = ["in"]\n'
    )
    assert facts("In May 1999 Lena moved to Porto.", pack) == []


def test_what_looks_like_an_end_can_be_the_object() -> None:
    """With "now" inside, "in May" may be when something is rather than when it happened."""
    pack = one("{S} is in {O:date}", "date") + FRAME + "[names]\n"
    assert facts("The fair is now in May.", pack) == [("The fair", "date", "May")]


# ---- names

NAMES = """
[names]
marks = "@"
adverbs = ["ically"]
object_never = ["with"]
particles = ["of"]
joining = ["and"]
compounds = ["sons"]
suffixes = ["Inc"]
[[object]]
of = ["employer"]
kinds = ["any"]
[kind.any]
"""
WORKS = one("{S} works for {O}", "employer") + one("{S}'s {R} is {O}")


@pytest.mark.parametrize(
    "text",
    [
        "Lena works for @acme.",
        "Heroically works for Acme.",
        "Lena works for Smith and Sons.",
        "Lena works for the School of Arts and Crafts.",
        "Lena works for One Two Three Four and Globex.",
        "Lena's film is Acme and Globex.",
    ],
)
def test_what_is_one_name(text: str) -> None:
    """An "and" is part of a known compound, of a long name, or of a value of whatever sort."""
    assert len(facts(text, WORKS + NAMES)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "@lena works for Acme.",
        "Lena heroically works for Acme.",
        "Heroically Lena works for Acme.",
        "Lena works for Acme heroically.",
        "Lena works for Acme and Globex.",
        "Lena works for Acme with Bo.",
    ],
)
def test_what_is_more_than_one_name(text: str) -> None:
    """No mention or adverb is part of a name; two names are not one value of a known relation."""
    assert facts(text, WORKS + NAMES) == []


def test_a_name_at_the_end_is_whole_whatever_its_slot() -> None:
    """What belongs to the sentence is no part of its last name, not of a subject either."""
    pack = one("{O} leads {S}", "lead") + NAMES
    assert facts("Lena leads Heron.", pack) == [("Heron", "lead", "Lena")]
    assert facts("Lena leads Heron with Bo.", pack) == []


def test_a_list_is_not_cut_within_a_name() -> None:
    """The comma in "Acme, Inc." parts no two values."""
    pack = one("{S} likes {O}", "likes", "several = true") + NAMES
    assert len(facts("Lena likes Acme, Birch and Bo.", pack)) == 3
    assert facts("Lena likes Acme, Inc. and Bo.", pack) == []


# ---- kinds


KINDS = """
[words]
units = ["kg", "g"]
[kind.is]
is = ["out of order", "open"]
[kind.only]
only = ["#+", "{units}"]
needs = ["{units}"]
[kind.begins]
begins = ["the"]
[kind.holds]
holds = ["room", "##:##"]
[kind.capital]
capital = true
[kind.unless]
unless = ["cat"]
[kind.named]
named = ["the", "city", "of"]
[kind.digit]
digit = true
[kind.endings]
endings = ["ful"]
[kind.not_first]
holds = ["flat"]
not_first = ["a"]
[kind.unless_all]
capital = true
unless_all = ["happy", "day", "##"]
[kind.acronyms]
named = ["the"]
acronyms = ["UK"]
[kind.sign]
is = ['c\\#']
[kind.either]
begins = ["the"]
holds = ["room"]
unless = ["cat"]
"""


@pytest.mark.parametrize(
    ("kind", "fitting", "others"),
    [
        ("is", ["open", "Open", "out of order"], ["open door", "order"]),
        ("only", ["5 kg", "1,500.5 g", "kg"], ["5", "5 kg apples", "five kg"]),
        ("begins", ["the cat", "The cat"], ["a cat", "cat the"]),
        ("holds", ["Room 4", "the room", "at 10:30"], ["rooms", "at 9:30"]),
        ("capital", ["Lena", "3rd", "iPhone", "日本", '"Emma"'], ["lena Ortiz", "the Cat"]),
        ("unless", ["dog", "the cats"], ["the cat", "Cat"]),
        (
            "named",
            ["Lena", "the Azores", "the city of Porto", "Lena's Volvo", "C5", "3M", "京都"],
            ["lena", "the cat", "the old Azores", "Lena's turn", "Lena’s turn", "city of", "50"],
        ),
        ("digit", ["eu-west-1", "the 2nd"], ["two", "the cat"]),
        ("endings", ["the cat", "a fully open door"], ["beautiful", "A Careful cat"]),
        ("not_first", ["the flat", "A flat", "Flat A"], ["a flat", "a"]),
        ("unless_all", ["Happy Valley", "Day 123"], ["Happy", "Happy day", "Day 12", "happy"]),
        ("acronyms", ["UK", "the UK", "Uk", "C5", "CI Tower"], ["CI", "QA", "uk"]),
        ("sign", ["C#", "c#"], ["C5", "c1"]),
        ("either", ["the dog", "a room"], ["the cat", "a room, cat", "a dog"]),
    ],
)
def test_kinds(kind: str, fitting: list[str], others: list[str]) -> None:
    """One test that holds is enough; needs and unless must hold besides."""
    pack = one(f"{{S}} has {{O:{kind}}}", "has") + KINDS
    assert [facts(f"It has {value}.", pack) for value in fitting] == [
        [("It", "has", value)] for value in fitting
    ]
    assert [facts(f"It has {value}.", pack) for value in others] == [[] for _ in others]
