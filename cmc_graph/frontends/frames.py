"""The literal frame of a reading: its record with subject and object taken out.

Records of the same frame say the same thing of others, so that their readings can be compared: the
subject stands on the same side in all of them. Pure. This module must not know where readings come
from.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cmc_graph.model import Triple
from cmc_graph.text import fold_space

_SUBJECT, _OBJECT = "{S}", "{O}"
#: How much more often one direction must occur to be taken for the right one.
_CLEAR = 2
#: Frames one record may have when its names occur in it several times.
_MOST_FRAMES = 16


def sentence(text: str) -> str:
    """The text with white space folded, without one final full stop or exclamation mark."""
    folded = fold_space(text)
    return folded[:-1].rstrip() if folded.endswith((".", "!")) else folded


@lru_cache(maxsize=65_536)
def frames(text: str, subject: str, object_: str) -> tuple[str, ...]:
    """The record's frames, as templates: ``{S} lives in {O}``.

    One, unless a name occurs more than once; none when the names overlap, or one of them ends with
    the full stop of the sentence.
    """
    whole = sentence(text)
    found: dict[str, None] = {}
    for start in _places(subject, whole):
        for other in _places(object_, whole):
            if start + len(subject) <= other:
                pieces = (start, len(subject), _SUBJECT), (other, len(object_), _OBJECT)
            elif other + len(object_) <= start:
                pieces = (other, len(object_), _OBJECT), (start, len(subject), _SUBJECT)
            else:
                continue
            found[_cut(whole, *pieces)] = None
            if len(found) == _MOST_FRAMES:
                return tuple(found)
    return tuple(found)


def reverse(template: str) -> str:
    """The same frame, read in the other direction."""
    return "{O}".join(part.replace(_OBJECT, _SUBJECT) for part in template.split(_SUBJECT))


def conflicting(readings: Mapping[str, Triple]) -> list[str]:
    """The texts that are read in another direction than others of the same frame.

    Where one direction occurs at least twice as often it is right, else all are in question.

    Args:
        readings: The one triple of each text.
    """
    found = {text: frames(text, triple.subject, triple.object) for text, triple in readings.items()}
    votes = Counter(of_text[0] for of_text in found.values() if len(of_text) == 1)
    against = {reverse(frame): count for frame, count in votes.items()}
    return [text for text, of_text in found.items() if _is_outvoted(of_text, votes, against)]


def _is_outvoted(
    found: tuple[str, ...], votes: Mapping[str, int], against: Mapping[str, int]
) -> bool:
    """True when some of the frames is read the other way by others, and none the same way."""
    if not any(frame in against for frame in found):
        return False
    return not any(
        (ours := votes.get(frame, 0)) and ours >= _CLEAR * against.get(frame, 0) for frame in found
    )


def _places(part: str, whole: str) -> Iterator[int]:
    at = whole.find(part)
    while part and at != -1:
        yield at
        at = whole.find(part, at + 1)


def _cut(whole: str, first: tuple[int, int, str], second: tuple[int, int, str]) -> str:
    (start, size, slot), (other, length, another) = first, second
    middle = whole[start + size : other]
    return f"{whole[:start]}{slot}{middle}{another}{whole[other + length :]}"
