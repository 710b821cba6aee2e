"""The released measures of one answer (MemoryAgentBench; paper, appendix B.3).

Each measure says what it is, what a missing answer counts, and where it misleads. Several
references: the best one counts. Pure. This module must not know cases, arms or readers.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_ANSWER = re.compile(r"answer:", re.IGNORECASE)

#: Against these whole answers nothing counts as half right.
_ALL_OR_NOTHING = ("yes", "no", "noanswer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How right one output is.

    Attributes:
        substring: Substring exact match, the score of the paper's tables.
        strict: The parsed answer equals a reference.
        f1: Overlap of words, 0 to 1.
    """

    substring: bool
    strict: bool
    f1: float


#: What a question without an answer gets: it stays in the denominator.
NOTHING = Marks(substring=False, strict=False, f1=0.0)


def mark(output: str | None, references: Sequence[str]) -> Marks:
    """The three measures of an output.

    As released, substring and F1 take the better of the complete output and its parsed answer;
    the strict match takes the parsed answer alone.

    Args:
        output: What the reader said, whole; None: it failed or abstained.
        references: At least one right answer; none makes every output wrong.
    """
    if output is None:
        return NOTHING
    answer = parsed(output)
    texts = (output, answer)
    return Marks(
        substring=any(_best(substring_exact_match, text, references) for text in texts),
        strict=bool(_best(exact_match, answer, references)),
        f1=max(_best(f1, text, references) for text in texts),
    )


def normalised(text: str) -> str:
    """The text as every measure compares it.

    Lower-cased, ASCII punctuation deleted (not turned into spaces: "rock-pop" is "rockpop"), the
    words a, an and the left out, white space collapsed. Accents and typographic punctuation stay.
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def parsed(output: str) -> str:
    """The answer within an output: the rest of the line after the first "Answer:", of any case.

    Without one it is the first line. An "Answer:" repeated at its start is removed once. An answer
    that only begins on the line below is not found, as released.
    """
    found = _ANSWER.search(output)
    rest = output[found.end() :] if found else output
    line = rest.partition("\n")[0].strip()
    again = _ANSWER.match(line)
    return line[again.end() :].strip() if again else line


def substring_exact_match(prediction: str, reference: str) -> bool:
    """True when the normalised reference is part of the normalised prediction.

    A test of characters, not words: "Jerome" is right for "Rome". A prediction shorter than its
    reference is wrong. A reference that normalises to nothing is part of everything.
    """
    return normalised(reference) in normalised(prediction)


def exact_match(prediction: str, reference: str) -> bool:
    """True when both are the same after normalisation."""
    return normalised(prediction) == normalised(reference)


def f1(prediction: str, reference: str) -> float:
    """Harmonic mean of the shares of words in common, each word as often as it occurs, 0 to 1.

    Order does not count: "Park Central" is as right as "Central Park".
    """
    said, right = normalised(prediction), normalised(reference)
    if said != right and (said in _ALL_OR_NOTHING or right in _ALL_OR_NOTHING):
        return 0.0
    words, wanted = Counter(said.split()), Counter(right.split())
    common = (words & wanted).total()
    return 2 * common / (words.total() + wanted.total()) if common else 0.0


def _best(
    measure: Callable[[str, str], float], prediction: str, references: Sequence[str]
) -> float:
    return max((measure(prediction, reference) for reference in references), default=0.0)
