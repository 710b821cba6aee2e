"""Records that bring their own verdict, and the validation of what others extracted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.errors import ExtractionError
from cmc_graph.frontends.given import Given
from cmc_graph.frontends.validate import MAX_TRIPLES, interpretation
from cmc_graph.model import Interpretation, Record, Status, Triple, Values

TEXT = "The weekly meeting is in Room B."
MEETING = ("weekly meeting", "location", "Room B")


@dataclass
class Echo:
    """A frontend that answers with the text it was asked about, or with too few answers."""

    missing: int = 0
    asked: list[list[str]] = field(default_factory=list)

    @property
    def relations(self) -> Mapping[str, Values]:
        return {"speaks": Values.MANY}

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        self.asked.append([record.text for record in records])
        kept = records[: len(records) - self.missing]
        return (Interpretation(Status.UNRESOLVED, reason=record.text) for record in kept)


def verdict(record: Record, *, literal: bool = True) -> Interpretation:
    (found,) = Given(Echo(), literal=literal).interpret([record])
    return found


def test_own_triples_are_used_as_given() -> None:
    """A record's own triples are its facts, in their order, and no frontend is asked."""
    echo = Echo()
    triples = [MEETING, {"subject": "Room B", "relation": "in use", "object": "weekly meeting"}]
    (found,) = Given(echo).interpret([Record(text=TEXT, triples=triples)])
    assert found == Interpretation(
        Status.FACTS,
        (Triple(*MEETING), Triple("Room B", "in use", "weekly meeting")),
        frontend="given",
    )
    assert echo.asked == [[]]


def test_a_given_retraction_stays_one() -> None:
    """A triple that retracts is passed on as a retraction."""
    triple = Triple(*MEETING, retracts=True)
    assert verdict(Record(text=TEXT, triples=[triple])).triples == (triple,)


def test_the_other_records_are_asked_about_once_and_in_order() -> None:
    """The inner frontend sees the records without a verdict, all at once; the order stays."""
    echo = Echo()
    records = [
        Record(text="a"),
        Record(text=TEXT, triples=[MEETING]),
        Record(text="b"),
        Record(text="c", status="no_fact"),
        Record(text="d"),
    ]
    found = list(Given(echo).interpret(records))
    assert echo.asked == [["a", "b", "d"]]
    assert [item.reason for item in found] == ["a", None, "b", None, "d"]
    assert [item.status for item in found] == [
        "unresolved",
        "facts",
        "unresolved",
        "no_fact",
        "unresolved",
    ]


@pytest.mark.parametrize("missing", [1, 2])
def test_too_few_answers_of_the_inner_frontend_are_an_error(missing: int) -> None:
    """Interpretations that cannot be told apart any more end the run, before any is given out."""
    records = [Record(text="a"), Record(text="b")]
    with pytest.raises(ExtractionError, match=f"interpreted {2 - missing} of 2 records"):
        next(Given(Echo(missing)).interpret(records))


def test_relations_are_those_of_the_inner_frontend() -> None:
    """Records declare nothing of their relations."""
    assert Given(Echo()).relations == {"speaks": Values.MANY}


@pytest.mark.parametrize(
    ("fields", "status", "reason"),
    [
        ({"status": "no_fact"}, "no_fact", None),
        ({"status": "no_fact", "triples": []}, "no_fact", None),
        ({"status": "unresolved"}, "unresolved", "its source left it unresolved"),
        ({"status": "unresolved", "triples": []}, "unresolved", "its source left it unresolved"),
        ({"status": "unresolved", "reason": "half a sentence"}, "unresolved", "half a sentence"),
        ({"triples": []}, "unresolved", "brings no triples and no status"),
        ({"status": "facts"}, "unresolved", TEXT),
    ],
)
def test_verdicts_without_triples(
    fields: dict[str, object], status: str, reason: str | None
) -> None:
    """A verdict without triples counts; facts without triples are the frontend's to find."""
    found = verdict(Record(text=TEXT, **fields))  # type: ignore[arg-type]  # mixed values
    assert (found.status, found.reason, found.triples) == (status, reason, ())


@pytest.mark.parametrize(
    ("triple", "reason"),
    [
        (("", "location", "Room B"), "triple 2 has a blank subject"),
        (("weekly meeting", " \t", "Room B"), "triple 2 has a blank relation"),
        (("weekly meeting", "location", "\u2003"), "triple 2 has a blank object"),
        (("the meeting", "location", "Room B"), "triple 2: the subject 'the meeting' is no span"),
        (("weekly meeting", "location", "room b"), "triple 2: the object 'room b' is no span"),
        (("She", "location", "Room B"), "triple 2: the subject 'She' is no span of the text"),
    ],
)
def test_a_triple_that_does_not_fit_leaves_the_record_unresolved(
    triple: tuple[str, str, str], reason: str
) -> None:
    """One bad triple among good ones: the whole record stays visible, with the reason."""
    found = verdict(Record(text=TEXT, triples=[MEETING, triple, MEETING]))
    assert found.status is Status.UNRESOLVED
    assert found.reason is not None
    assert found.reason.startswith(reason)
    assert found.triples == ()


def test_white_space_is_folded() -> None:
    """Names and relations are compared and kept with their white space folded."""
    record = Record(
        text="The weekly\u00a0meeting is in\nRoom B.",
        triples=[("weekly \t meeting", " location\n", "in Room   B")],
    )
    assert verdict(record).triples == (Triple("weekly meeting", "location", "in Room B"),)


def test_names_that_are_no_spans_are_accepted_on_request_and_marked() -> None:
    """With literal=False agents may resolve pronouns; the interpretation tells which did."""
    pronoun = Record(text="She lives in Porto.", triples=[("Lena", "residence", "Porto")])
    found = verdict(pronoun, literal=False)
    assert (found.status, found.loose) == (Status.FACTS, {0})
    assert verdict(Record(text=TEXT, triples=[MEETING]), literal=False).loose == frozenset()
    both = Record(text=TEXT, triples=[MEETING, ("Lena", "residence", "Porto")])
    assert verdict(both, literal=False).loose == {1}
    blank = Record(text=TEXT, triples=[("Lena", "", "Porto")])
    assert verdict(blank, literal=False).reason == "triple 1 has a blank relation"


def test_the_number_of_triples_is_bounded() -> None:
    """1,000 triples pass, more do not, and are not even looked at."""
    assert len(verdict(Record(text=TEXT, triples=[MEETING] * MAX_TRIPLES)).triples) == 1_000
    found = verdict(Record(text=TEXT, triples=[("", "", "")] * 10_000))
    assert found.reason == "brings 10000 triples; 1000 is the limit"


@given(
    text=st.text(min_size=1).filter(str.strip),
    triples=st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=5),
    literal=st.booleans(),
)
def test_nothing_raises_and_facts_are_literal(
    *, text: str, triples: list[tuple[str, str, str]], literal: bool
) -> None:
    """Whatever comes in: facts whose names are spans, or an unresolved record with a reason."""
    said = [Triple(*triple) for triple in triples]
    found = interpretation(text, said, frontend="test", literal=literal)
    if found.status is Status.FACTS:
        assert len(found.triples) == len(triples) > 0
        folded = " ".join(text.split())
        loose = {
            n
            for n, t in enumerate(found.triples)
            if not (t.subject in folded and t.object in folded)
        }
        assert found.loose == loose
        assert not (loose and literal)
    else:
        assert found.reason
        assert found.triples == ()
