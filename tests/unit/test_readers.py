"""The path reader on small closures: which path, what it answers, when it says nothing."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from cmc_graph.closure import MAX_HOPS, depths
from cmc_graph.errors import ConfigurationError, UsageError
from cmc_graph.model import Edge, Evidence, Record
from cmc_graph.readers import Answer, open_reader
from cmc_graph.readers.learned import LearnedJudge
from cmc_graph.readers.lexicon import english
from cmc_graph.readers.path import TRUSTED, PathReader
from cmc_graph.readers.paths import paths
from cmc_graph.readers.training import Lesson, learn, lessons
from cmc_graph.readers.weights import dump, load, parse
from tests.support.builders import edge

FORMS = {"capital": ["What is the capital of {S}?"]}


def evidence(anchors: Iterable[str], *edges: Edge, texts: Iterable[str] = ()) -> Evidence:
    """Evidence with this closure; the texts are those of the records from position 1 on."""
    return Evidence(
        text="",
        records=tuple(Record(position=n, text=text) for n, text in enumerate(texts, 1)),
        edges=depths(anchors, edges, MAX_HOPS),
        anchors=tuple(anchors),
        unresolved=(),
        fallback=None if edges else "history",
        omitted=0,
        version=1,
    )


def ask(question: str, read: Evidence) -> Answer:
    return open_reader("path").answer(question, read)


MEETING = evidence(
    ["weekly meeting"],
    edge("The weekly meeting", "location", "Room B", 4),
    edge("Room B", "floor", "5", 3),
    edge("Room B", "key holder", "Finn", 7),
)


def test_the_answer_is_at_the_end_of_the_path_that_is_meant() -> None:
    """The path is followed as far as the question talks, and given with its records."""
    answer = ask("On which floor is the weekly meeting?", MEETING)
    assert answer.text == "5"
    assert [e.relation for e in answer.path] == ["location", "floor"]
    assert answer.records == (3, 4)
    assert answer.evidence is MEETING
    assert answer.usage.calls == 0
    assert answer.confidence is not None
    assert TRUSTED < answer.confidence <= 1
    assert ask("Where is the weekly meeting?", MEETING).text == "Room B"
    assert ask("Who holds the key of the room of the weekly meeting?", MEETING).text == "Finn"


@pytest.mark.parametrize(
    "question",
    [
        "Who leads the weekly meeting?",
        "What is the budget of the weekly meeting?",
        "Who is the assistant of the key holder of the room of the weekly meeting?",
    ],
)
def test_nothing_is_said_where_the_closure_has_not_what_is_asked_for(question: str) -> None:
    """Without support there is no text; the path that comes nearest is given all the same."""
    answer = ask(question, MEETING)
    assert answer.text is None
    assert answer.path
    assert answer.confidence is not None
    assert answer.confidence < TRUSTED


def test_a_question_word_alone_is_no_support() -> None:
    """The word "who" asks for a person, but the other word has to speak of the path too."""
    room = evidence(["room b"], edge("Room B", "key holder", "Finn", 1))
    assert ask("Who cleans Room B?", room).text is None
    assert ask("Who holds the key of Room B?", room).text == "Finn"


def test_an_empty_closure_answers_nothing() -> None:
    """Without any edge there is no text, no path and no confidence."""
    answer = ask("Where is the weekly meeting?", evidence(["weekly meeting"]))
    assert (answer.text, answer.path, answer.confidence) == (None, (), None)


def test_the_order_of_the_question_decides() -> None:
    """Words nearer the anchor belong to earlier steps."""
    both_ways = evidence(
        ["ibis"],
        edge("Ibis", "owner", "Lena", 1),
        edge("Lena", "manager", "Omar", 2),
        edge("Ibis", "manager", "Tess", 3),
        edge("Tess", "owner", "Bran", 4),
        edge("Omar", "residence", "Cork", 5),
        edge("Bran", "residence", "Derry", 6),
    )
    assert ask("Who is the manager of the owner of Ibis?", both_ways).text == "Omar"
    assert ask("Who is the owner of the manager of Ibis?", both_ways).text == "Bran"
    assert ask("Who is Ibis's owner's manager?", both_ways).text == "Omar"
    assert ask("Where does the manager of the owner of Ibis live?", both_ways).text == "Cork"
    assert ask("Where does the owner of the manager of Ibis live?", both_ways).text == "Derry"


def test_all_values_that_hold_are_the_answer() -> None:
    """Where several values hold, all are given in source order; what ended is not."""
    knows = evidence(
        ["oskar"],
        edge("Oskar", "knows", "Rust", 1, member="rust"),
        edge("Oskar", "knows", "Perl", 2, member="perl", ended=True),
        edge("Oskar", "knows", "Go", 3, member="go"),
    )
    answer = ask("What does Oskar know?", knows)
    assert answer.text == "Rust, Go"
    assert answer.records == (1, 3)


def test_what_ended_is_no_answer() -> None:
    """A value that holds no longer gives no text; its record is shown, and nothing goes through."""
    ended = evidence(
        ["bo"],
        edge("Bo", "residence", "Lund", 3, ended=True),
        edge("Lund", "location", "Sweden", 1),
    )
    answer = ask("Where does Bo live?", ended)
    assert answer.text is None
    assert answer.records == (3,)
    assert ask("In which country does Bo live?", ended).text is None


def test_the_path_leaves_out_what_does_not_lead_to_the_answer() -> None:
    """Of several values on the way, only those that lead on are part of the path."""
    visited = evidence(
        ["lou"],
        edge("Lou", "visited", "Quito", 1, member="quito"),
        edge("Lou", "visited", "Lima", 2, member="lima"),
        edge("Lima", "mayor", "Rosa", 3),
    )
    answer = ask("Who is the mayor of the city that Lou visited?", visited)
    assert answer.text == "Rosa"
    assert answer.records == (2, 3)


def test_what_an_anchor_possesses_comes_first() -> None:
    """What Kim's teacher plays is not what Kim plays."""
    kim = evidence(
        ["kim"],
        edge("Kim", "plays", "the cello", 1),
        edge("Kim", "teacher", "Olga", 2),
        edge("Olga", "residence", "Minsk", 3),
    )
    assert ask("What does Kim play?", kim).text == "the cello"
    assert ask("What does Kim's teacher play?", kim).text is None
    assert ask("Where does Kim's teacher live?", kim).text == "Minsk"


def test_a_country_is_the_outermost_place() -> None:
    """Where places lie within each other, a country is not the city within it."""
    places = evidence(
        ["vault"],
        edge("The vault", "location", "Maple House", 1),
        edge("Maple House", "location", "Warsaw", 2),
        edge("Warsaw", "location", "Poland", 3),
    )
    assert ask("In which country is the vault?", places).text == "Poland"
    assert ask("Where is the vault?", places).text == "Maple House"


def test_relations_no_pack_knows_are_called_what_their_records_say() -> None:
    """A history with relation names of its own is read by its names and its records' words."""
    read = evidence(
        ["hull"],
        edge("Hull", "rel_17", "Kato", 1),
        edge("Hull", "skipper_name", "Ines", 2),
        texts=["Hull was welded by Kato.", "Ines is at the helm of Hull."],
    )
    assert ask("Who welded Hull?", read).text == "Kato"
    assert ask("What is the skipper name of Hull?", read).text == "Ines"


def test_a_word_of_a_name_speaks_of_the_step_that_leads_there() -> None:
    """A thing may be called after what it is, as a room or a party."""
    politics = evidence(
        ["ruth"],
        edge("Ruth", "member", "the Green Party", 1),
        edge("Ruth", "lead", "Sue", 2),
        edge("The Green Party", "lead", "Ida", 3),
    )
    assert ask("Who is the leader of the party of Ruth?", politics).text == "Ida"


def test_of_two_anchors_the_one_that_is_meant_counts() -> None:
    """A question word that happens to be an entity does not lead astray."""
    two = evidence(
        ["center", "ana"],
        edge("center", "sport", "rugby", 1),
        edge("Ana", "country of citizenship", "Norland", 2),
        edge("Norland", "capital", "Iceford", 3),
    )
    question = "Which city is the center of government in the country of which Ana is a citizen?"
    assert ask(question, two).text == "Iceford"


def test_cycles_end() -> None:
    """A path does not go on from an entity it has been at, but may lead back to one."""
    circle = [
        edge("Ana", "spouse", "Bo", 1),
        edge("Bo", "spouse", "Ana", 2),
        edge("Bo", "manager", "Bo", 3),
    ]
    found = [path.relations for path in paths(["ana"], circle, MAX_HOPS, lambda _: True)]
    assert found == [("spouse",), ("spouse", "spouse"), ("spouse", "manager")]
    read = evidence(["ana"], *circle)
    assert ask("Who is the spouse of the spouse of Ana?", read).text == "Ana"


def test_a_dense_closure_costs_no_more_than_a_bounded_number_of_paths() -> None:
    """Paths are bounded where everything leads to everything, the shorter ones first."""
    names = [f"n{number}" for number in range(12)]
    dense = [
        edge(one, f"to {other}", other, number)
        for number, (one, other) in enumerate((a, b) for a in names for b in names if a != b)
    ]
    found = list(paths(["n0"], dense, MAX_HOPS, lambda _: True))
    assert 100 < len(found) < 1_000
    lengths = [len(path.relations) for path in found]
    assert lengths == sorted(lengths)


def test_the_same_evidence_gives_the_same_answer() -> None:
    """Equal reads give equal answers, edge order within a depth aside."""
    shuffled = replace(MEETING, edges=MEETING.edges[:1] + MEETING.edges[:0:-1])
    question = "On which floor is the weekly meeting?"
    assert ask(question, MEETING) == ask(question, MEETING)
    assert ask(question, shuffled).path == ask(question, MEETING).path


@pytest.mark.parametrize(
    "question",
    ["On which floor is the weekly meeting?", "Who leads the weekly meeting?"],
)
def test_what_nothing_was_learned_about_is_read_plainly(question: str) -> None:
    """On a closure of relations it never saw, the learned variant is the plain one."""
    assert open_reader("path-learned").answer(question, MEETING) == ask(question, MEETING)


def capital(country: str, city: str) -> Evidence:
    return evidence(
        [country.casefold()],
        edge(country, "capital", city, 1),
        edge(country, "continent", "Asia", 2),
        edge(city, "mayor", "Rosa", 3),
    )


def taught() -> list[Lesson]:
    """Twelve questions that call a capital a "gleeb"."""
    countries = [(f"Land{n}", f"Town{n}") for n in range(12)]
    return [
        lesson
        for number, (country, city) in enumerate(countries)
        for lesson in lessons(
            f"What gleeb has {country}?", capital(country, city), [city], FORMS, number
        )
    ]


def test_words_are_learned_from_questions_with_known_answers() -> None:
    """After training, the reader knows a word that no lexicon has, on entities it never saw."""
    question, read = "What gleeb has Norland?", capital("Norland", "Iceford")
    reader = PathReader(LearnedJudge(learn(taught(), "test"), english()))
    assert ask(question, read).text is None
    assert reader.answer(question, read).text == "Iceford"


def test_a_closure_teaches_to_stop_and_to_say_nothing() -> None:
    """Lessons have the right path, single steps, and closures without the answer."""
    found = taught()
    assert {lesson.right is None for lesson in found} == {True, False}
    assert {lesson.paths[lesson.right][0] for lesson in found if lesson.right is not None} == {
        ("capital",)
    }
    assert not list(lessons("What?", capital("Norland", "Iceford"), ["elsewhere"], FORMS, 0))


def test_training_is_reproducible() -> None:
    """The same lessons give the same file, and the file gives the same weights."""
    first, again = dump(learn(taught(), "test")), dump(learn(taught(), "test"))
    assert first == again
    assert dump(parse(first.encode(), "again")) == first
    assert parse(first.encode(), "again").source == "test"


NO_WORDS = '"source": "", "fit": 1, "nothing": {}, "follows": {}, "ends": {}}'


@pytest.mark.parametrize(
    "content", ["", "{}", '{"format": 1, "follows": 3}', '{"format": 2, ' + NO_WORDS]
)
def test_a_file_without_weights_is_refused(content: str, tmp_path: Path) -> None:
    """A file that holds no weights is one line that names it."""
    path = tmp_path / "weights.json"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match="holds no weights"):
        load(path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load(tmp_path / "nowhere.json")
    path.write_text('{"format": 1, ' + NO_WORDS)
    assert load(path).follows == {}


def test_unknown_readers_are_refused() -> None:
    """Only the readers there are can be opened, and only the learned one takes weights."""
    with pytest.raises(UsageError, match="no reader 'psychic'; choose one of path, path-learned"):
        open_reader("psychic")
    with pytest.raises(UsageError, match="takes no weights"):
        open_reader("path", Path("weights.json"))
