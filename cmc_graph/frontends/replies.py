"""Reads what a model answers: rows of texts in JSON, in whatever wrapping models put around it.

Understood are a code fence, thinking before the answer, the list without its object, and the key in
another case. JSON that is broken stays unread: it is asked for again, never mended. Pure. This
module must not know what the rows say.
"""

import json
import re
from collections.abc import Iterator

from cmc_graph.llm.chat import Reply
from cmc_graph.text import shorten

Row = list[str]

_THINKING = re.compile(r"^.*</think(?:ing)?>", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
#: Places at which JSON is looked for; an answer has its own near the beginning.
_MOST_OPENINGS = 50


class Unreadable(ValueError):
    """The answer holds no rows; the message says what it is instead."""


def rows(reply: Reply, key: str) -> list[Row]:
    """The rows of the answer, each a list of texts, in the order of the answer.

    Args:
        reply: What the model said, not cut off.
        key: Where the rows stand in the JSON object that was asked for.

    Raises:
        Unreadable: There are none; the model refused, said nothing, or something else.
    """
    if reply.finish == "refusal":
        raise Unreadable(f"the model refused: {shorten(reply.text)}")
    text = _THINKING.sub("", reply.text)
    if not text.strip():
        raise Unreadable("the model said nothing")
    for value in _values(text):
        found = _rows(value, key)
        if found is not None:
            return found
    raise Unreadable(f"the model did not answer in rows: {shorten(text)}")


def _values(text: str) -> Iterator[object]:
    """What JSON the text holds, outer values first."""
    decoder = json.JSONDecoder()
    for number, opening in enumerate(_OPENING.finditer(text)):
        if number == _MOST_OPENINGS:
            return
        try:
            yield decoder.raw_decode(text, opening.start())[0]
        except (ValueError, RecursionError):  # no JSON, or a number of thousands of digits
            continue


def _rows(value: object, key: str) -> list[Row] | None:
    if isinstance(value, dict):
        value = next((v for k, v in value.items() if k.casefold() == key), None)
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        return None
    return [[str(cell) for cell in row] for row in value]
