"""Keys, tokens and spans (read contract, section 1)."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.text import (
    count,
    fold_space,
    join_names,
    key,
    key_length,
    shorten,
    tokens,
    utf8_length,
)

WORDS = st.text(st.characters(codec="utf-8"), max_size=40)


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("the weekly meeting", "weekly meeting"),
        ("The weekly meeting", "weekly meeting"),
        ("a bank", "bank"),
        ("An engineer", "engineer"),
        ("  the  weekly   meeting ", "weekly meeting"),
        ("The Who", "the who"),
        ("The Hague", "the hague"),
        ("The Team", "the team"),
        ("A Wizard of Earthsea", "a wizard of earthsea"),
        ("the 3rd floor", "the 3rd floor"),
        ("theatre", "theatre"),
        ("the", "the"),
        ("an", "an"),
    ],
)
def test_leading_article(surface: str, expected: str) -> None:
    """A leading article is no part of a name before a lower-case word, and only there."""
    assert key(surface) == expected


def test_questions_keep_their_articles() -> None:
    """The article rule is one of names in records; the tokens of a question are all kept."""
    assert tokens("Where is the weekly meeting?") == ("where", "is", "the", "weekly", "meeting")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lena's employer", "lena employer"),
        ("Lena’s employer", "lena employer"),
        ("LENA'S employer", "lena employer"),
        ("James' employer", "james employer"),
        ("A Hard Day's Night", "a hard day night"),
        ('"Free as a Bird"\'s author', "free as a bird author"),
        ("it'sn't", "it sn t"),
        ("Chang'an", "chang an"),
        ("rock 'n' roll", "rock n roll"),
        ("'s", "s"),
    ],
)
def test_possessive(text: str, expected: str) -> None:
    """A possessive 's at the end of a token is dropped; any other apostrophe is punctuation."""
    assert tokens(text) == tuple(expected.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C", "c"),
        ("C#", "c#"),
        ("C++", "c++"),
        ("AT&T", "at&t"),
        ("Barnes & Noble", "barnes noble"),
        ("100%", "100%"),
        ("5 % of it", "5 of it"),
        ("@lena", "@lena"),
        ("#42", "#42"),
        ("# 42", "42"),
        ("€5 and 5 €", "€5 and 5 €"),
        ("I ♥ tea", "i ♥ tea"),
        ("Washington, D.C.", "washington d c"),
        ("Winnie-the-Pooh", "winnie the pooh"),
        ("Stratford_upon_Avon", "stratford upon avon"),
        ("2016–17", "2016 17"),
        ("lena@example.com", "lena@example com"),
        ("Straße", "strasse"),
        ("Лена́", "лена́"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zerowidth"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\u2028b\x0cc\u00a0d", "a b c d"),
    ],
)
def test_tokens(text: str, expected: str) -> None:
    """Letters, digits, marks, symbols and the touching signs make tokens; the rest parts them."""
    assert tokens(text) == tuple(expected.split(" "))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京支社", ("東", "京", "支", "社")),
        ("ハルです", ("ハ", "ル", "で", "す")),
        ("Room東", ("room", "東")),
        ("ไทย", ("ไ", "ท", "ย")),
        ("서울 지사", ("서울", "지사")),
        ("Зоя Климова", ("зоя", "климова")),
        ("々〇", ("々", "〇")),
    ],
)
def test_scripts_without_spaces(text: str, expected: tuple[str, ...]) -> None:
    """Each character of a script written without spaces is a token; other scripts have words."""
    assert tokens(text) == expected


def test_a_name_is_found_inside_a_sentence_without_spaces() -> None:
    """The key of a name is a run of tokens of a question that writes it without any space."""
    question = " ".join(tokens("東京支社の責任者は誰ですか"))
    assert f" {key('責任者')} " in f" {question} "


def test_composed_and_decomposed_names_are_one() -> None:
    """NFC comes first: the same letters in another encoding have the same key."""
    assert key(unicodedata.normalize("NFD", "Malmö")) == key("Malmö") == "malmö"


def test_names_of_punctuation_stay_apart() -> None:
    """Where the rules leave nothing, the case-folded surface is the key."""
    assert (key("..."), key("?!"), key(" — ")) == ("...", "?!", "—")


def test_distinct_names_stay_distinct() -> None:
    """What folds together is only what the rules name."""
    names = ["C", "C#", "C++", "U2", "1", "24", "AT&T", "AT T", "The Who", "who", "...", "?!"]
    assert len({key(name) for name in names}) == len(names)


@given(WORDS)
def test_a_key_is_the_tokens_of_the_name(surface: str) -> None:
    """A key is tokens joined by single spaces, or the folded surface where there are none."""
    words = key(surface).split(" ")
    if tokens(surface):
        assert tuple(words) in (tokens(surface), tokens(surface)[1:])
        assert all(words)
        assert key_length(key(surface)) == len(words)


@given(st.text(st.characters(codec="utf-8", exclude_characters="#&%@"), max_size=40))
def test_tokens_of_a_key_are_the_key(surface: str) -> None:
    """A question that writes a key finds it: the rules leave it as it is.

    Signs apart: beside a character that is a token of its own ("&東") a sign becomes one too.
    """
    if tokens(surface):
        joined = " ".join(tokens(surface))
        assert " ".join(tokens(joined)) == joined


@given(WORDS)
def test_a_question_that_names_an_entity_holds_its_key(surface: str) -> None:
    """Whatever the name, its key is a run of the tokens of a question that writes it."""
    if tokens(surface):
        question = " ".join(tokens(f"Since when is {surface} there?"))
        assert f" {key(surface)} " in question


@given(WORDS, WORDS)
def test_white_space_of_any_kind_parts_tokens(one: str, other: str) -> None:
    """White space of any kind reads like one space."""
    assert tokens(f"{one}\t\u2003\n{other}") == tokens(f"{one} {other}")


def test_tokens_are_linear() -> None:
    """A text ten times as long takes about ten times as long, whatever is in it."""
    for unit in ("a's ", "#&%@", "'s's", "東", "the "):
        start = time.process_time()
        tokens(unit * 100_000)
        assert time.process_time() - start < 2


def test_one_thing_is_singular() -> None:
    """Messages count one record, but two and no records."""
    assert [count(number, "record") for number in range(3)] == [
        "0 records",
        "1 record",
        "2 records",
    ]


def test_fold_space() -> None:
    """Every run of white space is one space, and there is none at the ends."""
    assert fold_space(" a\u00a0\u2028 b\t\x0cc\n") == "a b c"
    spaces = [c for c in map(chr, range(0x3100)) if c.isspace()]
    assert len(spaces) > 20
    for space in spaces:
        assert fold_space(f"a{space}b") == fold_space(f"{space}a b{space}") == "a b"


def test_utf8_length() -> None:
    """The size is counted in UTF-8 bytes."""
    assert [utf8_length(text) for text in ("", "abc", "ä", "東", "😀")] == [0, 3, 2, 3, 4]


def test_messages() -> None:
    """Texts in messages are on one line and cut; names are joined by commas."""
    assert shorten("a\nb", 10) == "a b"
    assert shorten("abcdef", 4) == "abc…"
    assert join_names(["b", 2]) == "b, 2"
