"""What was learned about the words of questions, as weights in a file.

This module must not know how they were learned.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from cmc_graph.errors import ConfigurationError
from cmc_graph.text import shorten

Words = Mapping[str, float]

_SHIPPED = "mquake.json"
_FORMAT = 1
#: The file has whole numbers, hundredths, and leaves out what is nearly nothing.
_SCALE, _LEAST = 100, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each word of a question speaks for following a relation.

    Attributes:
        follows: By relation, for any step of a path.
        ends: By relation, in addition, for the last step.
        nothing: For the closure not having what is asked for.
        fit: What one point of the plain fit counts.
        source: What was learned from, for people.
    """

    follows: Mapping[str, Words]
    ends: Mapping[str, Words]
    nothing: Words
    fit: float
    source: str


@cache
def shipped() -> Weights:
    """The weights learned from the multi-hop questions of MQuAKE-CF-3k."""
    return parse((files("cmc_graph.readers") / _SHIPPED).read_bytes(), _SHIPPED)


def load(path: Path) -> Weights:
    """The weights in a file that ``dump`` wrote.

    Raises:
        ConfigurationError: It cannot be read, or is no such file.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"weights {shorten(str(path))!r} cannot be read: {error.strerror}"
        ) from error
    return parse(content, str(path))


def parse(content: bytes, name: str) -> Weights:
    """The weights in the bytes of a file.

    Raises:
        ConfigurationError: They are no weights.
    """
    try:
        data = json.loads(content)
        if data["format"] != _FORMAT:
            raise ValueError(f"format {data['format']!r}")
        return Weights(
            follows={relation: _scaled(words) for relation, words in data["follows"].items()},
            ends={relation: _scaled(words) for relation, words in data["ends"].items()},
            nothing=_scaled(data["nothing"]),
            fit=data["fit"] / _SCALE,
            source=data["source"],
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"{shorten(name)!r} holds no weights of this version ({error}); "
            "learn them with scripts/train_reader"
        ) from error


def dump(weights: Weights) -> str:
    """The weights as the text of a file, always the same for the same weights."""
    data = {
        "format": _FORMAT,
        "source": weights.source,
        "fit": round(weights.fit * _SCALE),
        "nothing": _rounded(weights.nothing),
        "follows": {name: _rounded(words) for name, words in sorted(weights.follows.items())},
        "ends": {name: _rounded(words) for name, words in sorted(weights.ends.items())},
    }
    lines = json.dumps(data, ensure_ascii=False, indent=0, separators=(",", ":"))
    return lines + "\n"


def _scaled(words: Mapping[str, int]) -> dict[str, float]:
    return {word: weight / _SCALE for word, weight in words.items()}


def _rounded(words: Words) -> dict[str, int]:
    found = {word: round(weight * _SCALE) for word, weight in sorted(words.items())}
    return {word: weight for word, weight in found.items() if abs(weight) >= _LEAST}
