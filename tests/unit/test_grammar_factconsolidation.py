"""The FactConsolidation pack: on sentences of its own, and on the real files where they are."""

import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.model import Record, Status, Triple
from cmc_graph.text import key

PACK = load_pack("factconsolidation")
GRAMMAR = Grammar([PACK])

DATA = Path(os.environ.get("CMC_SHARED") or Path(__file__).parents[3] / "shared") / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no benchmark data in {DATA}")

#: Relation, and how many of the 18,336 distinct statements of the four histories are of it.
COUNTS = {
    "country of citizenship": 2908, "sport": 1819, "religion": 1531, "author": 1012,
    "position played": 855, "country of origin": 711, "creator": 600, "language spoken": 581,
    "music genre": 540, "spouse": 534, "developer": 518, "founder": 513, "place of birth": 492,
    "headquarters city": 482, "educated at": 455, "place of death": 412, "performer": 406,
    "manufacturer": 398, "employer": 382, "original broadcaster": 378, "field of work": 270,
    "work city": 268, "continent": 265, "notable work": 245, "official language": 224,
    "capital": 209, "language of work": 192, "head of government": 181, "chairperson": 151,
    "founding city": 133, "head of state": 123, "officeholder": 121, "head coach": 119,
    "chief executive": 114, "child": 89, "director": 55, "original language": 50,
}  # fmt: skip

#: Of MQuAKE's other relations those whose sentence is theirs alone.
MQUAKE_ALONE = {
    "country": "P17", "owner": "P127", "twinned administrative body": "P190",
    "record label": "P264", "member of": "P463",
}  # fmt: skip

#: Records, current edges, overwritten slots and distinct subjects (read contract, section 6).
HISTORIES = {
    "sh_6k.json": (455, 294, 161, 275),
    "mh_32k.json": (2_310, 1_473, 837, 1_355),
    "history_64k.json.gz": (4_580, 2_889, 1_691, 2_620),
    "history_262k.json.gz": (18_332, 11_095, 7_236, 9_499),
}


def load(path: Path) -> Any:
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def statements(name: str) -> list[str]:
    """The statements of a history, in order, without their numbers."""
    lines = load(DATA / "factconsolidation" / name)["context"].splitlines()[1:]
    return [line.split(". ", 1)[1] for line in lines]


def read(text: str) -> Triple:
    """The one triple the pack reads in a statement."""
    (found,) = GRAMMAR.interpret([Record(text=text)])
    assert found.status is Status.FACTS, (text, found.reason)
    (triple,) = found.triples
    return triple


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Robert A. Heinlein is a citizen of United States of America.",
            ("Robert A. Heinlein", "country of citizenship", "United States of America"),
        ),
        (
            "The univeristy where Galileo Galilei was educated is University of Pisa.",
            ("Galileo Galilei", "educated at", "University of Pisa"),
        ),
        (
            "The origianl broadcaster of 666 Park Avenue is American Broadcasting Company.",
            ("666 Park Avenue", "original broadcaster", "American Broadcasting Company"),
        ),
        (
            "Pedro Pierluisi worked in the city of Washington, D.C..",
            ("Pedro Pierluisi", "work city", "Washington, D.C."),
        ),
        (
            "Walter Chrysler's child is Walter Percy Chrysler Jr..",
            ("Walter Chrysler", "child", "Walter Percy Chrysler Jr."),
        ),
        (
            "The Prime Minister of Sweden is Stefan Löfven.",
            ("Prime Minister of Sweden", "officeholder", "Stefan Löfven"),
        ),
        (
            "The Hague is located in the continent of Europe.",
            ("The Hague", "continent", "Europe"),
        ),
        (
            "The author of Tender Is the Night is F. Scott Fitzgerald.",
            ("Tender Is the Night", "author", "F. Scott Fitzgerald"),
        ),
        (
            "The name of the current head of state in United Kingdom is Elizabeth II.",
            ("United Kingdom", "head of state", "Elizabeth II"),
        ),
        (
            "The name of the current head of the Pittsburgh government is Bill Peduto.",
            ("Pittsburgh", "head of government", "Bill Peduto"),
        ),
        (
            "The headquarters of University of Minnesota is located in the city of Minneapolis.",
            ("University of Minnesota", "headquarters city", "Minneapolis"),
        ),
        ("Emma was created by Ann.", ("Emma", "creator", "Ann")),
        (
            "cricket was created in the country of England.",
            ("cricket", "country of origin", "England"),
        ),
        ("The Shard is located in the country of Qatar.", ("The Shard", "country", "Qatar")),
    ],
)
def test_statements(text: str, expected: tuple[str, str, str]) -> None:
    """The specific form counts, names stay verbatim, and one final full stop is no part of them."""
    assert read(text) == Triple(*expected)


def test_the_pack_has_the_forms_it_says() -> None:
    """37 forms of FactConsolidation and five of MQuAKE, each with a question and an identifier."""
    relations = [pattern.relation for pattern in PACK.patterns]
    assert len(relations) == len(set(relations)) == 42
    assert set(relations) == {*COUNTS, *MQUAKE_ALONE}
    assert all(pattern.questions and pattern.id for pattern in PACK.patterns)
    found = {pattern.relation: pattern.id for pattern in PACK.patterns}
    assert found.items() >= MQUAKE_ALONE.items()


def test_every_form_is_read_as_itself() -> None:
    """A statement built from a form is read by that form and no other."""
    for pattern in PACK.patterns:
        (template,) = pattern.templates
        text = template.text.replace("{S}", "Emma Woodhouse").replace("{O}", "Acme Inc.")
        assert read(f"{text}.") == Triple("Emma Woodhouse", pattern.relation or "", "Acme Inc.")


@needs_data
@pytest.mark.parametrize("name", HISTORIES)
def test_histories(name: str) -> None:
    """Every statement is read, and latest wins gives the numbers of the read contract."""
    texts = statements(name)
    slots = Counter((key(t.subject), t.relation) for t in map(read, texts))
    overwritten = sum(versions > 1 for versions in slots.values())
    subjects = len({subject for subject, _ in slots})
    assert (len(texts), len(slots), overwritten, subjects) == HISTORIES[name]


@needs_data
def test_relations_of_the_histories() -> None:
    """The distinct statements of all histories fall into relations as counted."""
    distinct = {text for name in HISTORIES for text in statements(name)}
    assert Counter(read(text).relation for text in distinct) == COUNTS


@needs_data
def test_statements_are_read_back() -> None:
    """What a pattern read can be put into its form again: nothing was lost or moved."""
    forms = {pattern.relation: pattern.templates[0].text for pattern in PACK.patterns}
    for text in statements("history_262k.json.gz"):
        triple = read(text)
        form = forms[triple.relation]
        assert form.replace("{S}", triple.subject).replace("{O}", triple.object) + "." == text


@needs_data
def test_question_forms_are_those_of_the_questions() -> None:
    """Every single-hop question is one of the pack's question forms, about a subject it has."""
    forms = [(question, p.relation) for p in PACK.patterns for question in p.questions]
    for name in ("sh_6k.json", "sh_32k.json"):
        subjects = {(t.subject, t.relation) for t in map(read, statements(name))}
        asked = {
            form.replace("{S}", subject) for subject, r in subjects for form, of in forms if r == of
        }
        questions = load(DATA / "factconsolidation" / name)["questions"]
        assert [question for question in questions if question not in asked] == []


@needs_data
def test_mquake_templates() -> None:
    """The pack has MQuAKE's own sentences and questions, but for the two that share one."""
    cloze = load(DATA / "mquake" / "cloze_templates.json")
    questions = load(DATA / "mquake" / "question_templates.json")
    assert {p.id for p in PACK.patterns} == set(cloze) - {"P131", "P276"}
    assert cloze["P131"] == cloze["P276"]
    for pattern in PACK.patterns:
        text = pattern.templates[0].text.replace("{S}", "[X]").replace("{O}", "__")
        assert text == cloze[pattern.id]
        assert pattern.questions[0].replace("{S}", "[X]") == questions[pattern.id]


def _mquake_statements() -> Iterator[tuple[str, str]]:
    """Every statement MQuAKE-CF-3k can make, with its object."""
    for case in load(DATA / "mquake" / "MQuAKE-CF-3k.json.gz"):
        for hop in (*case["single_hops"], *case["new_single_hops"]):
            yield f"{hop['cloze']} {hop['answer']}", hop["answer"]
        for edit in case["requested_rewrite"]:
            prompt = edit["prompt"].format(edit["subject"])
            for target in (edit["target_true"], edit["target_new"]):
                yield f"{prompt} {target['str']}", target["str"]


@needs_data
def test_mquake_statements() -> None:
    """All statements of MQuAKE-CF-3k are read, each with its own object."""
    distinct = set(_mquake_statements())
    assert len({text for text, _ in distinct}) == 7_181
    found = [(text, answer, read(f"{text}.").object) for text, answer in distinct]
    assert [item for item in found if item[1] != item[2]] == []


@needs_data
def test_the_large_history_is_read_in_less_than_a_second() -> None:
    """18,332 statements take well under a second of processor time."""
    records = [Record(text=text) for text in statements("history_262k.json.gz")]
    started = time.process_time()
    assert sum(found.status is Status.FACTS for found in GRAMMAR.interpret(records)) == 18_332
    assert time.process_time() - started < 1
