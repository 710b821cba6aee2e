"""What the general pack reads in ordinary English, and which sentences fill one slot."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.frontends.packs import Pattern
from cmc_graph.frontends.templates import slot_names
from cmc_graph.model import Record, Triple, Values
from cmc_graph.text import key

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data/grammar"
PACK = load_pack("general")
GRAMMAR = Grammar([PACK])


def read(text: str) -> tuple[Triple, ...]:
    (found,) = GRAMMAR.interpret([Record(text=text)])
    return found.triples


def sentences() -> Iterator[tuple[str, str]]:
    """The sentences of the tables, each with what it says."""
    for name in ("sentences.txt", "values.txt"):
        for line in (DATA / name).read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                text, said = line.split(" => ")
                yield text, said


def written(triples: tuple[Triple, ...]) -> str:
    """Triples as the table writes them."""
    prefix = "no longer: " if any(triple.retracts for triple in triples) else ""
    parts = (f"{t.subject} | {t.relation} | {t.object}" for t in triples)
    return prefix + "; ".join(parts) if triples else "-"


@pytest.mark.parametrize(("text", "said"), [*sentences()])
def test_sentences(text: str, said: str) -> None:
    """Each sentence of the tables says what stands beside it, or nothing that can be kept."""
    assert written(read(text)) == said


def test_a_true_value_is_not_lost_to_a_remark() -> None:
    """Half of the table of values are remarks; the other half, what they must not overwrite."""
    lines = (DATA / "values.txt").read_text("utf-8").splitlines()
    said = [line.split(" => ")[1] for line in lines if line and not line.startswith("#")]
    remarks = said.count("-")
    assert remarks >= 60
    assert len(said) - remarks >= 60


def groups(name: str) -> Iterator[list[str]]:
    """The groups of sentences in a file: one sentence a line, groups parted by blank lines."""
    for block in (DATA / name).read_text("utf-8").strip().split("\n\n"):
        if texts := [line for line in block.splitlines() if not line.startswith("#")]:
            yield texts


def slot(text: str) -> tuple[str, str, str]:
    """What a sentence overwrites: subject key, relation, and the object where many values hold."""
    (triple,) = read(text)
    is_many = PACK.relations.get(triple.relation) is Values.MANY
    return key(triple.subject), triple.relation, key(triple.object) if is_many else ""


@pytest.mark.parametrize("texts", [*groups("one_slot.txt")])
def test_sentences_that_fill_one_slot(texts: list[str]) -> None:
    """Forms that say the same thing fill one slot, so that the newer one counts."""
    assert len({slot(text) for text in texts}) == 1


@pytest.mark.parametrize("texts", [*groups("own_slots.txt")])
def test_sentences_that_fill_slots_of_their_own(texts: list[str]) -> None:
    """Different aspects never share a slot, so that neither overwrites the other."""
    assert len({slot(text) for text in texts}) == len(texts)


@pytest.mark.parametrize("name", ["speaks", "likes", "knows", "visited", "plays", "manages"])
def test_relations_with_many_values(name: str) -> None:
    """What one can do or have several of has many values."""
    assert PACK.relations[name] is Values.MANY


#: Something for each slot and each kind.
FILLERS = {
    "S": "Alma Quist", "O": "Orbit", "R": "badge", "X": "Umbra",
    "name": "Alma Quist", "thing": "the blue van", "venue": "Room 9", "surface": "the shelf",
    "condition": "danger", "phase": "review", "state": "open", "outcome": "cancelled",
    "lock": "locked", "fill": "empty", "availability": "away", "health": "ill",
    "diet": "vegan", "marital": "single", "color": "dark blue", "coloring": "hair color",
    "nationality": "Danish", "occupation": "nurse", "team": "Team Nine",
    "group": "the north group", "department": "sales", "companion": "cat",
    "occasion": "deadline", "month": "May 2026", "date": "Friday", "clock": "10:30",
    "any": "Alma Quist", "place": "Orbit", "home": "home", "street": "12 Low Road",
    "floor": "5", "storey": "5", "ordinal": "third", "firm": "Orbit", "matter": "Orbit",
    "language": "Basque", "format": "PDF", "vacancy": "vacant", "unsettled": "unknown",
    "post": "the post", "idiom": "the loop",
    "town": "Orbit", "gathering": "the demo", "online": "Zoom", "company": "Orbit Ltd",
    "circle": "Orbit", "amount": "12 kg", "sum": "12 euros",
    "holding": "Orbit Group", "worker": "Alma Quist",
    "agent": "Orbit", "known": "the red barn", "someone": "Alma Quist", "outfit": "the bakery",
    "matters": "a boat", "chief": "Orbit", "people": "our director", "artifact": "Orbit",
    "count": "12", "number": "12 kg", "span": "3 hours", "code": "Rust",
}  # fmt: skip


@pytest.mark.parametrize("pattern", PACK.patterns, ids=lambda p: p.templates[0].text)
def test_every_form_says_what_its_pattern_says(pattern: Pattern) -> None:
    """A sentence made from any form of any template is read, and says what the pattern says."""
    for form in (form for template in pattern.templates for form in template.forms):
        values = {slot.name: FILLERS[slot.kind or slot.name] for slot in form.slots}
        parts = [*chain(*zip(form.literals, values.values(), strict=False)), form.literals[-1]]
        relation = pattern.relation or PACK.aliases.get(values["R"], values["R"])
        said = Triple(values["S"], relation, values["O"], pattern.retracts)
        assert read("".join(parts) + ".") == (said,), parts


def test_questions_ask_for_what_the_patterns_say() -> None:
    """Question forms have the slot of the subject, and end as questions do."""
    questions = [(p, question) for p in PACK.patterns for question in p.questions]
    assert len(questions) > 30
    for pattern, question in questions:
        assert question.endswith("?")
        assert set(slot_names(question)) == ({"S"} if pattern.relation else {"S", "R"})


def test_the_example_history_is_read() -> None:
    """Of the team history of the examples only the lines that state nothing are unresolved."""
    lines = (ROOT / "examples/team-history.txt").read_text("utf-8").splitlines()
    texts = [re.sub(r"^\[\d+\] ", "", line) for line in lines if line.strip()]
    unread = [text for text in texts if not read(text)]
    assert len(texts) > 150
    assert 0 < len(unread) < 12
    assert not [text for text in unread if re.search(r" (lives|works|speaks|is in) ", text)]
