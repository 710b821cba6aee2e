"""The endpoint for tests does what its scripts promise."""

import json

from cmc_graph.frontends.grammar import Grammar, load_pack
from cmc_graph.model import Record
from tests.support.endpoint import Request, annotator
from tests.support.endpoint.annotator import names_of_relations, understood
from tests.support.endpoint.tokens import count

SENTENCES = [
    "The author of Orange Is the New Black is Tara Herman.",
    "The Hague is located in the continent of Europe.",
    "The Mayor of London is Sadiq Khan.",
    "Amy Lee died in the city of Washington, D.C..",
    "The name of the current head of the Pittsburgh government is Bill Peduto.",
    "The capital of Luxembourg is Luxembourg.",
]


def test_the_annotator_reads_as_the_grammar_does() -> None:
    """Two readers written apart agree on subject and object."""
    grammar = Grammar([load_pack("factconsolidation")])
    verdicts = grammar.interpret([Record(text=text) for text in SENTENCES])
    for text, verdict in zip(SENTENCES, verdicts, strict=True):
        reading, triple = understood(text), verdict.triples[0]
        assert reading is not None
        assert (reading.subject, reading.object) == (triple.subject, triple.object)


def test_no_two_relations_share_a_name() -> None:
    """Otherwise no alignment could tell them apart; and most have several names."""
    names = names_of_relations()
    assert len(names) == 37
    assert len({name for each in names for name in each}) == sum(map(len, names))
    assert all(len(each) >= 2 for each in names)


def rows(user: str) -> list[list[str]]:
    body = {"messages": [{"content": "…"}, {"content": user}]}
    answer = annotator(Request(0, 0, body, {}))
    found: list[list[str]] = next(iter(json.loads(answer.text or "").values()))
    return found


def test_it_names_relations_as_it_likes() -> None:
    """The name differs between batches, not within one, and the list it is given is ignored."""
    names = {
        rows(f"Relations: author\n\nRecords:\n{n}. The author of A is B.")[0][2] for n in range(50)
    }
    assert names == {"author", "writer", "written by"}
    one = rows("Relations: x\n\nRecords:\n1. The author of A is B.\n2. The author of C is D.")
    assert one[0][2] == one[1][2]


def test_it_aligns_by_the_records_shown() -> None:
    """Names of the same form are the same, whatever they are; a wrong reading helps nothing."""
    assert rows(
        "Names in use:\nx\n  A -> B | The author of A is B.\n\nNew names:\n"
        "author\n  C -> D | C was created by D.\n"
        "y\n  E -> F | The author of E is F.\n"
        "z\n  G -> H | G was created by H.\n"
        "w\n  J -> I | The author of I is J."
    ) == [["author", "author"], ["y", "x"], ["z", "author"], ["w", "w"]]


def test_tokens_are_counted_on_the_high_side() -> None:
    """About as byte-pair encoders count: more letters, digits and signs are more tokens."""
    assert count("") == 0
    assert count("The author of A is B.") == 8
    assert count('["12","A","author","B"],') == 10
