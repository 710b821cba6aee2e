"""Whether a question supports a path: all its steps, where it ends, and all that is asked.

The path that fits best may still be about a neighbour of what is asked about. Pure. This module
must not know packs, stores or how well a path fits.
"""

from collections.abc import Container, Iterator, Sequence

from cmc_graph.model import Edge
from cmc_graph.readers.fit import Speech
from cmc_graph.readers.form import Form
from cmc_graph.readers.lexicon import Word
from cmc_graph.readers.paths import Path
from cmc_graph.readers.question import Question, is_of

#: A word that speaks of a step less than this does not support it.
_SUPPORTING = 0.2


def supports_steps(question: Question, relations: Sequence[str], speech: Speech) -> bool:
    """True when each step has a word of its own that speaks of it, and the other way round.

    "The boss of the manager" is two steps, though both words mean the same. Where a country, a city
    or a floor is asked for, steps that say where a thing is need no word. "Where" and "when" speak
    of the last step; "who" of a single one, since anybody is somebody.

    Args:
        question: As seen from the anchor where the path starts.
        relations: In the order they are followed.
        speech: What the words say.
    """
    words = (*question.before, *question.after)
    last = len(relations) - 1
    speaking = [
        [
            number
            for number, word in enumerate(words)
            if not (word.asks and (step < last or (last and "person" in word.kinds)))
            and _speaks(word, relation, speech, question.head)
        ]
        for step, relation in enumerate(relations)
    ]
    if question.asks_around and speaking[last]:
        speaking = [
            heard
            for step, heard in enumerate(speaking)
            if step == last or not speech.is_where(relations[step])
        ]
    owned = question.possessed
    if owned and owned.is_sure and not any(speech.says(owned, r) for r in relations):
        return False
    if not _each_has_one(speaking):
        return False
    twice = [
        [step for step, relation in enumerate(relations) if speech.says(word, relation)]
        for word in _said_twice(question, words)
    ]
    return _each_has_one([steps for steps in twice if steps])


def supports_end(form: Form, path: Path, anchors: Container[str]) -> bool:
    """True when the path leads to something new, or to what a yes-or-no question names.

    Args:
        form: Of the question.
        path: Where it leads counts.
        anchors: Keys of the entities the question names.
    """
    return any(_is_named(edge, form, path, anchors) for edge in path.last) == form.is_yes_no


def explains(form: Form, relations: Sequence[str], speech: Speech) -> bool:
    """True when the relations are all that is asked: one thing, and as it is now.

    A word for what held earlier may be part of what a relation is called, as in "original
    broadcaster", or belong to one that tells of a beginning.

    Args:
        form: Of the question.
        relations: Those of the path.
        speech: What the words say.
    """
    begins = any(map(speech.is_beginning, relations))
    words = (*form.joined, *(() if begins else form.past))
    return form.asks_one and all(
        any(speech.says(word, relation) >= _SUPPORTING for relation in relations) for word in words
    )


def _speaks(word: Word, relation: str, speech: Speech, head: Word | None) -> bool:
    """True when the word supports the relation; one that says what is asked for counts fully."""
    weight = 1.0 if word is head else speech.weighs(word)
    return weight * speech.says(word, relation) >= _SUPPORTING


def _said_twice(question: Question, words: Sequence[Word]) -> Iterator[Word]:
    """The words that stand for steps of their own, though another one means the same."""
    for word in words:
        if any(_are_two_steps(word, other, question) for other in words):
            yield word


def _are_two_steps(one: Word, other: Word, question: Question) -> bool:
    """True in "the boss of the manager" and "Ana's manager reports to"; not in "boss or head"."""
    sure = {number for number, much in one.meanings.items() if much == 1}
    if one.text == other.text or not any(other.meanings.get(number) == 1 for number in sure):
        return False
    first, second = sorted((one, other), key=lambda word: word.start)
    between = question.text[first.stop : second.start]
    alternatives = set(between) <= {"or"} and question.possessed != first
    return not alternatives and (_is_owned(first, question) or _is_owned(second, question))


def _is_owned(word: Word, question: Question) -> bool:
    """True for "boss" in "the boss of Ana" and "Ana's boss"."""
    return word == question.possessed or is_of(word, question.text)


def _is_named(edge: Edge, form: Form, path: Path, anchors: Container[str]) -> bool:
    key = edge.object_key
    return form.names(key) or (key != path.anchor and key in anchors)


def _each_has_one(choices: Sequence[Sequence[int]]) -> bool:
    """True when each list can be given one of its numbers that no other list is given."""
    owner: dict[int, int] = {}

    def give(number: int, tried: set[int]) -> bool:
        for choice in choices[number]:
            if choice not in tried:
                tried.add(choice)
                if choice not in owner or give(owner[choice], tried):
                    owner[choice] = number
                    return True
        return False

    return all(give(number, set()) for number in range(len(choices)))
