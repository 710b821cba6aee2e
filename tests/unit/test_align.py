"""Alignment: names that mean the same become one, from records alone, and stay so."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cmc_graph.frontends.align import Established, Names, Taken
from cmc_graph.interpretations import Interpretations
from cmc_graph.llm.client import ChatModel
from cmc_graph.llm.usage import Limits
from tests.support.endpoint import Answer, Endpoint, Request, Script, annotator
from tests.support.endpoint.annotator import right, written
from tests.support.endpoint.extracting import extract, told
from tests.support.endpoint.faults import WRONG, first
from tests.support.endpoint.sentences import sentences

AUTHOR = Taken("The author of Emma is Austen.", "Emma", "Austen")
CAPITAL = Taken("The capital of Peru is Lima.", "Peru", "Lima")
CREATOR = Taken("Bond was created by Fleming.", "Bond", "Fleming")


class Aligner:
    """Names in a run against an endpoint."""

    def __init__(self, endpoint: Endpoint, path: Path) -> None:
        self.endpoint = endpoint
        self._kept = Interpretations(path)
        self._chat = ChatModel("small", base_url=endpoint.url, limits=Limits(timeout=2))

    def names(self, established: Established | None = None) -> Names:
        """The names of a new run."""
        return Names(self._chat, self._kept, "small", established or Established())

    def close(self) -> None:
        self._chat.close()
        self._kept.close()


@pytest.fixture
def aligner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Aligner]:
    """An aligner whose endpoint speaks the script of the test, else that of the annotator."""
    script: Script = getattr(request, "param", annotator)
    with Endpoint(script) as endpoint:
        found = Aligner(endpoint, tmp_path / "interpretations.db")
        yield found
        found.close()


def test_names_of_one_meaning_become_the_first_of_them(aligner: Aligner) -> None:
    """Of new names the one that occurs first counts; names of other meanings stay apart."""
    names = aligner.names()
    names.learn({"writer": [AUTHOR], "capital": [CAPITAL], "author": [AUTHOR], "maker": [CREATOR]})
    assert [names.name(name) for name in ("writer", "author", "capital", "maker")] == [
        "writer",
        "writer",
        "capital",
        "maker",
    ]
    assert names.mapping() == {"author": "writer"}
    assert names.catalogue() == ["writer", "capital", "maker"]


def test_later_names_join_those_in_use(aligner: Aligner) -> None:
    """What a name counts as does not change when others come, and only new names are asked for."""
    names = aligner.names()
    names.learn({"author": [AUTHOR]})
    names.learn({"author": [AUTHOR], "writer": [AUTHOR], "capital": [CAPITAL]})
    names.learn({"author": [AUTHOR], "writer": [AUTHOR], "capital": [CAPITAL]})
    assert names.name("writer") == "author"
    assert aligner.endpoint.calls == 3
    assert "New names:\nwriter" in aligner.endpoint.log[1].request.user


def test_names_of_the_history_come_first(aligner: Aligner) -> None:
    """A name the history uses is kept, and new ones join it."""
    names = aligner.names(Established(in_use={"written by": [AUTHOR]}))
    names.learn({"author": [AUTHOR]})
    names.look_again({"author": [AUTHOR], "written by": [AUTHOR]})
    assert names.name("author") == "written by"


def test_what_a_person_merged_is_not_asked_for(aligner: Aligner) -> None:
    """The history's own merges hold, whatever a model would say."""
    established = Established(in_use={"made by": ()}, merged={"author": "made by"})
    names = aligner.names(established)
    names.learn({"author": [AUTHOR]})
    assert names.name("author") == "made by"
    assert aligner.endpoint.calls == 0


def test_what_a_person_merged_stays_in_that_history(aligner: Aligner) -> None:
    """Other histories learn what the model said of the names, not what a person did to one."""
    merging = Established(in_use={"capital": [CAPITAL]}, merged={"author": "capital"})
    names = aligner.names(merging)
    examples = {"author": [AUTHOR], "capital": [CAPITAL]}
    names.learn(examples)
    names.keep(examples)
    other = aligner.names()
    other.learn(examples)
    assert names.name("author") == "capital"
    assert other.name("author") == "author"


def test_what_was_learnt_is_kept_for_other_histories(aligner: Aligner) -> None:
    """After a run the names of a model are known; another run in a new history asks nothing."""
    examples = {"writer": [AUTHOR], "author": [AUTHOR]}
    names = aligner.names()
    names.learn(examples)
    names.keep(examples)
    calls = aligner.endpoint.calls
    other = aligner.names()
    other.learn({"author": [AUTHOR]})
    assert other.name("author") == "writer"
    assert other.catalogue() == ["writer"]
    assert aligner.endpoint.calls == calls


def test_known_names_join_those_of_a_history_of_another_origin(aligner: Aligner) -> None:
    """A history whose names come from elsewhere keeps them: known names are compared with them."""
    names = aligner.names()
    names.learn({"author": [AUTHOR]})
    names.keep({"author": [AUTHOR]})
    other = aligner.names(Established(in_use={"author of work": [AUTHOR], "seat": [CAPITAL]}))
    other.learn({"author": [AUTHOR]})
    assert other.name("author") == "author of work"


def reversing(request: Request) -> Answer:
    """Says of the first of two new names that it is the second."""
    key, rows = right(request)
    if len(rows) == 2:
        rows = [[rows[0][0], rows[1][0]], [rows[1][0], rows[1][0]]]
    return Answer(text=written({key: rows}))


@pytest.mark.parametrize("aligner", [reversing], indirect=True)
def test_the_order_of_occurrence_decides_not_that_of_the_answer(aligner: Aligner) -> None:
    """Two names are the same whichever of them the answer names first."""
    names = aligner.names()
    names.learn({"writer": [AUTHOR], "author": [AUTHOR]})
    assert names.name("author") == names.name("writer") == "writer"


@pytest.mark.parametrize(
    "aligner", [first(1, WRONG[name]) for name in WRONG], ids=WRONG, indirect=True
)
def test_a_bad_answer_is_asked_for_again(aligner: Aligner) -> None:
    """Rows that name no name shown are dropped, and names without a row are asked for again."""
    names = aligner.names()
    examples = {"writer": [AUTHOR], "capital": [CAPITAL], "author": [AUTHOR], "made": [CREATOR]}
    names.learn(examples)
    names.look_again(examples)
    assert names.mapping() == {"author": "writer"}


def mixing(request: Request) -> Answer:
    """Says at first that all names are the same, asked about these alone the truth."""
    key, rows = right(request)
    if "(none)" in request.user:
        rows = [[row[0], rows[0][0]] for row in rows]
    return Answer(text=written({key: rows}))


@pytest.mark.parametrize("aligner", [mixing], indirect=True)
def test_two_answers_are_needed_for_names_to_become_one(aligner: Aligner) -> None:
    """One wrong answer merges nothing: it would mix up values of different relations."""
    names = aligner.names()
    names.learn({"writer": [AUTHOR], "capital": [CAPITAL], "author": [AUTHOR]})
    assert names.mapping() == {"author": "writer"}


@pytest.mark.parametrize("aligner", [WRONG["invented"]], indirect=True)
def test_names_that_are_never_aligned_stay_as_they_are(aligner: Aligner) -> None:
    """Asking is bounded; a name without an answer counts as itself."""
    names = aligner.names()
    names.learn({"writer": [AUTHOR], "author": [AUTHOR]})
    assert names.mapping() == {}
    assert aligner.endpoint.calls == 3


def test_the_same_question_is_not_paid_for_twice(aligner: Aligner) -> None:
    """A run that was stopped before it kept its names repeats no alignment call."""
    for _ in range(2):
        names = aligner.names()
        names.learn({"writer": [AUTHOR], "author": [AUTHOR]})
        assert names.name("author") == "writer"
    assert aligner.endpoint.calls == 2


def test_many_names_are_asked_for_in_portions(aligner: Aligner) -> None:
    """A call has a bounded number of new names, and later ones see the earlier ones in use."""
    examples = {f"name {n}": [AUTHOR if n % 2 else CAPITAL] for n in range(250)}
    names = aligner.names()
    names.learn(examples)
    assert aligner.endpoint.calls == 2 * 3
    assert {names.name(name) for name in examples} == {"name 0", "name 1"}


def test_a_second_look_finds_what_the_first_missed(aligner: Aligner) -> None:
    """Names in use are compared once more at the end, when better examples are known."""
    backwards = Taken(AUTHOR.text, AUTHOR.object, AUTHOR.subject)
    names = aligner.names()
    names.learn({"author": [AUTHOR], "writer": [backwards]})
    assert names.mapping() == {}
    names.look_again({"author": [AUTHOR], "writer": [AUTHOR]})
    assert names.mapping() == {"writer": "author"}


def test_questions_never_take_part(tmp_path: Path) -> None:
    """All that an alignment prompt holds comes from records."""
    texts = sentences(100)
    with Endpoint(annotator) as endpoint:
        extraction = extract(endpoint, tmp_path / "i.db", texts)
        prompts = [e.request.user for e in endpoint.log if "New names" in e.request.user]
    shown = [
        line.partition(" | ")[2]
        for prompt in prompts
        for line in prompt.splitlines()
        if line.startswith("  ")
    ]
    assert shown
    assert set(shown) <= set(texts)
    names = {relation for each in told(extraction, texts) for _, relation, _ in each}
    assert extraction.merged
    assert names.isdisjoint(extraction.merged)
    assert set(extraction.merged.values()) <= names
