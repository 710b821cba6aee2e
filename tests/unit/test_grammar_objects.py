"""What a relation asks of its objects, so that nothing else overwrites one."""

import pytest

from tests.support.grammar import facts, one

PACK = (
    one("The {R} of {S:person} is {O}")
    + one("{S} is led by {O}", "lead")
    + one("{S} is run by {O:any}", "lead")
    + one("{S} is in {O}", "location")
    + """
[[relation]]
name = "lead"
also = ["boss"]
[[object]]
of = ["lead", "head"]
kinds = ["person", "post"]
[[object]]
of = ["place of birth"]
kinds = ["town"]
[[object]]
kinds = ["value"]
[kind.any]
[kind.person]
capital = true
[kind.post]
holds = ["intern"]
[kind.town]
is = ["porto"]
[kind.value]
unless = ["beautiful"]
"""
)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("The lead of Kestrel is Ann.", "lead"),
        ("The lead of Kestrel is our intern.", "lead"),
        ("The boss of Kestrel is Ann.", "lead"),
        ("The tech lead of Kestrel is Ann.", "tech lead"),
        ("The head of state of Kestrel is Ann.", "head of state"),
        ("The place of birth of Kestrel is Porto.", "place of birth"),
        ("The colour of Kestrel is blue.", "colour"),
        ("Kestrel is led by Ann.", "lead"),
        ("Kestrel is run by whoever comes first.", "lead"),
        ("Kestrel is in beautiful.", "location"),
    ],
)
def test_what_can_be_an_object(text: str, relation: str) -> None:
    """One of the kinds is enough; a kind in the template counts instead; others take anything."""
    assert [found[1] for found in facts(text, PACK)] == [relation]


@pytest.mark.parametrize(
    "text",
    [
        "The lead of Kestrel is leaving.",
        "The boss of Kestrel is happy.",
        "The tech lead of Kestrel is new.",
        "The head of state of Kestrel is busy.",
        "The place of birth of Kestrel is Ann.",
        "The colour of Kestrel is beautiful.",
        "Kestrel is led by example.",
    ],
)
def test_what_can_be_no_object(text: str) -> None:
    """What is none of the kinds that the relation has, or others have, is not read."""
    assert facts(text, PACK) == []


def test_each_value_of_a_list_is_asked() -> None:
    """A list is read only when all its values can be objects."""
    pack = one("The {R} of {S} are {O}", more="several = true")
    pack += '[[object]]\nkinds = ["name"]\n[kind.name]\ncapital = true\n'
    assert len(facts("The owners of Kestrel are Ann and Bo.", pack)) == 2
    assert facts("The owners of Kestrel are Ann and happy.", pack) == []
