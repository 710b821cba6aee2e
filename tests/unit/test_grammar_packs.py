"""Pattern packs as files: what is in them, and what is said about a file that is none."""

from pathlib import Path

import pytest

from cmc_graph.errors import ConfigurationError
from cmc_graph.frontends.packs import load_pack, parse_pack
from cmc_graph.model import Values

PATTERN = '[[pattern]]\ntext = "{S} lives in {O}"\nrelation = "residence"\n'


def fault(text: str) -> str:
    """What is said about a pack file of this content."""
    with pytest.raises(ConfigurationError) as caught:
        parse_pack(text.encode(), "my.toml")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("pattern pack my.toml: ")
    return message.removeprefix("pattern pack my.toml: ")


def pattern_fault(text: str, more: str = 'relation = "r"') -> str:
    """What is said about a file whose second pattern is this one."""
    return fault(f'name = "my"\n{PATTERN}[[pattern]]\ntext = "{text}"\n{more}\n')


def test_a_pack_holds_what_its_file_says() -> None:
    """Patterns keep texts, relation, questions and identifier; nothing is lost on the way."""
    pack = parse_pack(
        b"""
        name = "my"
        [[pattern]]
        text = ["{S} lives in {O}", "{S} (resides|dwells) in {O}"]
        relation = "residence"
        questions = ["Where does {S} live?"]
        id = "P551"
        [[pattern]]
        text = "{S}'s {R} is {O}"
        questions = ["What is {S}'s {R}?"]
        [[relation]]
        name = "speaks"
        values = "many"
        also = ["language"]
        """,
        "my.toml",
    )
    lives, any_relation = pack.patterns
    assert (pack.name, lives.relation, any_relation.relation) == ("my", "residence", None)
    assert [t.text for t in lives.templates] == [
        "{S} lives in {O}",
        "{S} (resides|dwells) in {O}",
    ]
    assert [len(t.forms) for t in lives.templates] == [1, 2]
    assert (lives.questions, lives.id) == (("Where does {S} live?",), "P551")
    assert any_relation.questions == ("What is {S}'s {R}?",)
    assert pack.relations == {"residence": Values.ONE, "speaks": Values.MANY}
    assert pack.aliases == {"language": "speaks"}
    assert pack.names is None


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("{S} lives", 'relation = "r"', "pattern 2: '{S} lives' has no {O}"),
        ("lives in {O}", 'relation = "r"', "pattern 2: 'lives in {O}' has no {S}"),
        ("{S} in {O} in {O}", 'relation = "r"', "pattern 2: '{S} in {O} in {O}' has {O} more than"),
        ("{S} in {P} in {O}", 'relation = "r"', "pattern 2: '{S} in {P} in {O}': a slot is {S}"),
        ("{S} in {O", 'relation = "r"', "pattern 2: '{S} in {O': a slot is {S}"),
        ("{S} in {o}", 'relation = "r"', "pattern 2: '{S} in {o}': a slot is {S}"),
        ("{S}{O}", 'relation = "r"', "pattern 2: '{S}{O}': two slots stand side by side"),
        ("{S} (a|b in {O}", 'relation = "r"', "pattern 2: '{S} (a|b in {O}': alternatives are"),
        ("{S} a|b {O}", 'relation = "r"', "pattern 2: '{S} a|b {O}': alternatives are"),
        ("{S} (a|(b|c)) {O}", 'relation = "r"', "pattern 2: '{S} (a|(b|c)) {O}': alternatives"),
        ("{S} (|now) in {O}", 'relation = "r"', "pattern 2: '{S} (|now) in {O}': spaces are doub"),
        ("{S}  in {O}", 'relation = "r"', "pattern 2: '{S}  in {O}': spaces are doubled"),
        ("{S} in {O:town}", 'relation = "r"', "pattern 2: '{S} in {O:town}' names the kind 'town'"),
        ("{S} in {O}", "", "pattern 2: '{S} in {O}' must have either a relation or the slot {R}"),
        ("{S} {R} {O}", 'relation = "r"', "pattern 2: '{S} {R} {O}' must have either a relation"),
        ("{S} in {O}", 'relatoin = "r"', "pattern 2.relatoin: there is no such field"),
        ("{S} in {O}", 'relation = ""', "pattern 2.relation: string should match"),
        ("{S} in {O}", 'relation = "r"\nretracts = "yes"', "pattern 2.retracts: input should be a"),
        ("", 'relation = "r"', "pattern 2.text.0: string should match"),
        (" {S} in {O}", 'relation = "r"', "pattern 2.text.0: string should match"),
        (
            "{S} in {O}",
            'relation = "r"\nquestions = ["Where is {O}?"]',
            "pattern 2: the question 'Where is {O}?' must have {S} and no other slot",
        ),
        (
            "{S}'s {R} is {O}",
            'questions = ["Where is {S}?"]',
            "pattern 2: the question 'Where is {S}?' must have {R}, {S} and no other slot",
        ),
    ],
)
def test_a_faulty_pattern_is_named(text: str, more: str, message: str) -> None:
    """Whatever is wrong with a pattern is one line that says which one and what to change."""
    assert pattern_fault(text, more).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "name: is missing (and 1 more)"),
        (PATTERN, "name: is missing"),
        ('name = "my"', "pattern: is missing"),
        ('name = "my"\npattern = []', "pattern: list should have at least 1 item"),
        (f'name = ""\n{PATTERN}', "name: string should match"),
        (f"name = 5\n{PATTERN}", "name: input should be a valid string, not 5"),
        ('name = "my"\n[[pattern]]\nrelation = "r"', "pattern 1.text: is missing"),
        ('name = "my', "no valid TOML: "),
    ],
)
def test_a_file_that_is_no_pack(text: str, message: str) -> None:
    """A pack has a name and at least one pattern with a text."""
    assert fault(text).startswith(message)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[[patern]]", "patern: there is no such field"),
        ('[[relation]]\nvalues = "many"', "relation 1.name: is missing"),
        ('[[relation]]\nname = "a"\nvalues = "2"', "relation 1.values: input should be 'one' or"),
        ('[[relation]]\nname = ["a", "a"]', "relation 1: 'a' is described twice"),
        ('[[relation]]\nname = ["a", "b"]\nalso = ["c"]', "relation 1: other names (also) need"),
        (
            '[[relation]]\nname = "a"\nalso = ["c"]\n[[relation]]\nname = "b"\nalso = ["c"]',
            "relation 2: 'c' stands for 'a' too",
        ),
        (
            '[[relation]]\nname = "a"\nalso = ["b"]\n[[relation]]\nname = "b"',
            "relation 'b' has an entry and stands for another one",
        ),
        ("[[object]]", "object 1.kinds: is missing"),
        ('[[object]]\nkinds = ["a"]', "object 1: the kind 'a' is not defined"),
        ('[[object]]\nof = ["{b}"]\nkinds = ["a"]\n[kind.a]', "object 1: there is no list of"),
        (
            '[[object]]\nof = ["b"]\nkinds = ["a"]\n' * 2 + "[kind.a]",
            "object 2: 'b' has an entry already",
        ),
        (
            '[[object]]\nkinds = ["a"]\n' * 2 + "[kind.a]",
            "object 2: 'every other relation' has an entry already",
        ),
        ('[kind.a]\nbegin = ["b"]', "kind.a.begin: there is no such field"),
        ('[kind.a]\nonly = ["{b}"]', "kind.a: there is no list of words {b}"),
        ("[names]\nlongest = 0", "names.longest: input should be greater"),
        ('[frame]\nafter = ["in {year}"]', "frame: 'in {year}' needs one kind"),
    ],
)
def test_a_faulty_table_is_explained(table: str, message: str) -> None:
    """Whatever is wrong in the other tables is one line that names the field."""
    assert fault(f'name = "my"\n{PATTERN}{table}\n').startswith(message)


def test_the_first_fault_is_shown_and_the_others_are_counted() -> None:
    """A file with many faults gives one line."""
    text = 'name = "my"\n' + "[[pattern]]\nx = 1\n" * 3
    assert fault(text) == "pattern 1.text: is missing (and 5 more)"


def test_a_file_that_is_no_text() -> None:
    """Bytes that are no UTF-8 are named by their place; a byte order mark is no fault."""
    with pytest.raises(ConfigurationError, match=r"my\.toml: byte 8 is no UTF-8"):
        parse_pack(b'name = "\xff"', "my.toml")
    assert parse_pack(b"\xef\xbb\xbf" + f'name = "my"\n{PATTERN}'.encode(), "my.toml").name == "my"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("generall", "No such file"),
        ("no/such/file.toml", "No such file"),
        ("", "directory"),
        ("nul\0l", "null"),
        ("x" * 5_000, "File name too long"),
    ],
)
def test_a_pack_that_is_not_there(name: str, message: str) -> None:
    """A name that is neither a pack nor a readable file: one line that lists the packs."""
    with pytest.raises(ConfigurationError, match=message) as caught:
        load_pack(name)
    assert str(caught.value).endswith("give a TOML file or one of factconsolidation, general")
    assert len(str(caught.value)) < 300


def test_a_pack_in_a_file(tmp_path: Path) -> None:
    """A file is read where it is; a fault in it is told with its name."""
    path = tmp_path / "my pack.toml"
    path.write_text(f'name = "my"\n{PATTERN}', "utf-8")
    assert load_pack(str(path)).name == "my"
    path.write_text("name = 1", "utf-8")
    with pytest.raises(ConfigurationError, match=r"my pack\.toml: name: "):
        load_pack(str(path))


@pytest.mark.parametrize("name", ["general", "factconsolidation"])
def test_shipped_packs_load(name: str) -> None:
    """The shipped packs are found by name, and each pattern has its own text."""
    pack = load_pack(name)
    texts = [template.text for pattern in pack.patterns for template in pattern.templates]
    assert pack.name == name
    assert len(texts) == len(set(texts))


def test_the_shipped_packs_can_be_used_together() -> None:
    """A relation with one value in FactConsolidation has one in the general pack as well."""
    single, general = load_pack("factconsolidation"), load_pack("general")
    assert set(single.relations.values()) == {Values.ONE}
    shared = single.relations.keys() & general.relations.keys()
    assert {general.relations[name] for name in shared} == {Values.ONE}
    assert {"employer", "spouse", "author", "capital"} - shared == {"capital"}
