"""Words: the lexicon of general English, what relations are called, and what a question asks."""

import tomllib
from importlib.resources import files

import pytest

from cmc_graph.frontends.packs import load_pack, parse_pack
from cmc_graph.readers.form import form
from cmc_graph.readers.labels import Label, Labels
from cmc_graph.readers.lexicon import Lexicon, Word, base, english, parse, stem
from cmc_graph.readers.question import around
from cmc_graph.text import tokens

LEXICON = parse("""
[words]
silent = ["is", "the", "of", "was", "in", "does", "what", "which"]
faint = ["called"]
past = ["before", "first", "original"]
where = ["location"]
beginning = ["birth"]
[words.asking]
who = ["person"]
where = ["place"]
[kind.person]
words = ["person"]
leads = ["author"]
[kind.place]
words = ["place"]
[kind.city]
is = ["place"]
words = ["city"]
[kind.country]
is = ["place"]
words = ["country"]
outermost = true
[[meaning]]
words = ["die", "died", "pass away", "death"]
near = ["killed"]
[[meaning]]
words = ["head of state", "president"]
""")


def word(text: str, lexicon: Lexicon = LEXICON) -> Word:
    (found,) = lexicon.words(tokens(text))
    return found


def label(relation: str, *sentences: str) -> Label:
    return Labels([], LEXICON).label(relation, sentences)


@pytest.mark.parametrize(
    "forms",
    [
        ("found", "founds", "founded", "founder", "founding", "founders"),
        ("member", "members", "membership", "memberships"),
        ("originate", "originates", "originated", "originally", "origin"),
        ("develop", "developer", "development", "developed"),
        ("study", "studies", "studied"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    """Inflected and derived forms have one stem, and a stem keeps at least three letters."""
    assert len({stem(form) for form in forms}) == 1
    assert stem("use") == "use"
    assert stem("king") == "king"
    assert stem("party") != stem("part")


def test_only_inflected_forms_have_one_base() -> None:
    """What somebody manages is not a manager, though both have one stem."""
    assert base("manages") == base("managed") == base("manage")
    assert base("manager") != base("manages")
    assert stem("manager") == stem("manages")


def test_the_longest_phrase_is_one_word() -> None:
    """A phrase of the lexicon is found whole, in any form; silent words are left out."""
    found = LEXICON.words(tokens("the heads of states was passing away in the city"))
    assert [item.text for item in found] == ["heads of states", "passing away", "city"]


def test_how_much_a_word_matters() -> None:
    """Sure meanings matter most, then unsure ones, then unknown words; faint ones not at all."""
    weights = [word(text).weight for text in ("death", "killed", "xylophone", "called")]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == 1
    assert weights[-1] == 0


def test_an_unknown_noun_before_of_matters() -> None:
    """In "the xylophone of" an unknown word must be a relation's."""
    (before_of,) = LEXICON.words(tokens("the xylophone of"))
    assert before_of.weight > word("xylophone").weight


def test_a_name_says_more_than_its_forms_and_synonyms() -> None:
    """The name itself says most, then other forms of it, then synonyms, then the kind of things."""
    death = label("place of death")
    strengths = [death.strength(word(text)) for text in ("deaths", "died", "killed", "xylophone")]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] == 1
    assert strengths[-1] == 0
    assert 0 < label("author").strength(word("who")) < 1  # an author is a person


def test_a_country_is_no_city() -> None:
    """A relation that leads to cities leads to places, and not to countries."""
    work = label("work city")
    assert work.strength(word("place")) > 0
    assert work.strength(word("country")) == 0
    assert work.is_contrary(word("country"))
    assert not work.is_contrary(word("place"))
    assert not label("work place").is_contrary(word("country"))


def test_sentences_count_where_no_pack_knows_the_relation() -> None:
    """A history's own relation is also called what its records say beside subject and object."""
    assert label("rel_17", ". passed away in .").strength(word("death")) > 0
    assert label("rel_17").strength(word("death")) == 0


def test_packs_say_what_relations_are_called() -> None:
    """Other names, sentences and question forms of a pack count; a name more than a sentence."""
    pack = parse_pack(
        b"""
name = "small"
[[pattern]]
text = "{S} (sleeps|naps) at {O}"
relation = "bed"
questions = ["Where does {S} snore?"]
[[relation]]
name = "bed"
also = ["bunk"]
""",
        "small",
    )
    bed = Labels([pack], LEXICON).label("bed", ["ignored words"])
    for other in ("sleep", "nap", "snore", "where"):
        assert 0 < bed.strength(word(other)) < bed.strength(word("bunk")) == 1
    assert bed.strength(word("ignored")) == 0


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("Which city is the capital of Norland?", "city"),
        ("What is the capital of Norland?", "capital"),
        ("Who is the president of Norland?", "president"),
        ("Who was Norland founded by?", "who"),
        ("Where is the person born who leads Norland?", "where"),
        ("What does the sister of Norland like?", "like"),
        ("What does Norland's sister like?", "like"),
        ("Norland was founded in which city?", "city"),
        ("Name the capital of Norland.", "capital"),
    ],
)
def test_what_is_asked_for(question: str, head: str) -> None:
    """The head of a question is the word that says what the answer is."""
    found = around("norland", question, english()).head
    assert found is not None
    assert found.text == head


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("Where does Ana live?", True),
        ("How old is Ana?", True),
        ("How is Ana doing?", True),
        ("Why does Ana live in Lund?", False),
        ("How does Ana work?", False),
        ("Where does Ana live and who is her manager?", False),
        ("Who leads Ana and Bo?", False),
        ("Who leads the team of Ana, and what is the budget of that team?", True),
    ],
)
def test_a_question_asks_for_one_value(question: str, *, one: bool) -> None:
    """A reason is no value, and two questions are not one; one that goes on from another is."""
    assert form(question, ["ana", "bo"], english()).asks_one is one


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("Where did Ana live?", []),
        ("Where did Ana live in 2010?", ["2010"]),
        ("Where did Ana live before?", ["before"]),
        ("Who used to manage Ana?", ["used"]),
        ("Where did Ana use to live?", ["use"]),
        ("What is the language used to write Ana?", []),
        ("Who was the first manager of Ana?", ["first"]),
        ("Who owns First Ana 1984?", []),
    ],
)
def test_words_that_ask_for_the_past(question: str, past: list[str]) -> None:
    """Years and words for what held earlier ask for the past; not so within a name."""
    found = form(question, ["ana", "first ana 1984"], english())
    assert [item.text for item in found.past] == past


@pytest.mark.parametrize(
    ("question", "yes_no"),
    [
        ("Does Ana like tea?", True),
        ("Is Bo Ana's manager?", True),
        ("Who manages Ana?", False),
        ("Do you know the manager of Ana?", False),
        ("Could somebody tell me where Ana lives?", False),
        ("Tell me the manager of Ana.", False),
    ],
)
def test_a_yes_or_no_question(question: str, *, yes_no: bool) -> None:
    """One that asks whether something is so, and not for a value."""
    assert form(question, ["ana"], english()).is_yes_no is yes_no


def test_words_around_an_anchor_come_nearest_first() -> None:
    """On both sides, the words nearer to the anchor come first."""
    question = around(
        "norland", "Which city is the capital of Norland where the president died?", LEXICON
    )
    assert [item.text for item in question.before] == ["capital", "city"]
    assert [item.text for item in question.after] == ["where", "president", "died"]


@pytest.mark.parametrize(
    ("question", "possessed"),
    [
        ("What does Ana's sister like?", "sister"),
        ("What does Ana’s sister like?", "sister"),
        ('What is "Ana"\'s home town?', "home"),
        ("What does the sister of Ana like?", None),
        ("What does Ana like of Bo's songs?", None),
    ],
)
def test_what_an_anchor_possesses(question: str, possessed: str | None) -> None:
    """The word behind a possessive is about the anchor, if the anchor is in the possessive."""
    found = around("ana", question, english()).possessed
    assert (found and found.text) == possessed


def test_the_lexicon_says_one_thing_of_each_word() -> None:
    """No word is silent and something else too; a word that is silent is part of phrases only."""
    data = tomllib.loads((files("cmc_graph.readers") / "english.toml").read_text("utf-8"))
    lexicon = english()
    assert not lexicon.silent & lexicon.faint
    listed = [word for entry in data["meaning"] for word in entry["words"] + entry.get("near", [])]
    listed += [word for entry in data["kind"].values() for word in entry["words"]]
    assert not lexicon.silent.intersection(listed)
    assert not lexicon.asking.keys() & {*listed, *lexicon.silent, *lexicon.faint}
    for entry in data["meaning"]:
        assert not set(entry["words"]) & set(entry.get("near", ()))


def test_every_relation_of_the_packs_has_a_label() -> None:
    """Each relation a shipped pack names is spoken of by its own name, if that says anything."""
    lexicon = english()
    packs = [load_pack("general"), load_pack("factconsolidation")]
    labels = Labels(packs, lexicon)
    relations = {name for pack in packs for name in pack.relations}
    dumb = {name for name in relations if not lexicon.words(tokens(name))}
    assert dumb == {"is a"}
    for relation in relations - dumb:
        words = lexicon.words(tokens(relation))
        assert any(labels.label(relation).strength(item) == 1 for item in words), relation
