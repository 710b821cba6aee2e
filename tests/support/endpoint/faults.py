"""What goes wrong with models and their endpoints, one script for each (field reports A7 to A9).

A fault is a script for one request; the requests around it are answered rightly.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from tests.support.endpoint.annotator import Rows, annotator, right, written
from tests.support.endpoint.server import Answer, Request, Script

#: Seconds that a hanging endpoint does not answer; clients in tests wait less.
HANG = 3.0

Change = Callable[[Rows], Rows]


def changed(change: Change) -> Script:
    """The right answer with its rows changed."""

    def script(request: Request) -> Answer:
        key, rows = right(request)
        return Answer(text=written({key: change(rows)}))

    return script


def worded(wording: Callable[[str, Rows], str], **fields: object) -> Script:
    """The right rows in other words than those that were asked for."""

    def script(request: Request) -> Answer:
        return Answer(text=wording(*right(request)), **fields)  # type: ignore[arg-type]  # by name

    return script


def refusing(status: int, message: str, **headers: str) -> Script:
    """An error of the endpoint; ``message`` is also its code."""
    body = {"error": {"message": f"{message}: scripted", "code": message, "type": message}}
    return lambda _: Answer(status=status, body=body, headers=headers)


def _swapped(rows: Rows) -> Rows:
    """Object and subject in each other's place; of two names, the one in the other's."""
    return [[row[0], row[3], row[2], row[1]] if len(row) == 4 else row[::-1] for row in rows]


def _invented(rows: Rows) -> Rows:
    return [[*row[:-1], "Zorblax"] for row in rows]


def _paraphrased(rows: Rows) -> Rows:
    return [[row[0], f"a certain {row[1]}", *row[2:]] for row in rows]


def _rotated(rows: Rows) -> Rows:
    bodies = [row[1:] for row in rows]
    return [[row[0], *body] for row, body in zip(rows, bodies[1:] + bodies[:1], strict=True)]


def _of_another_batch(rows: Rows) -> Rows:
    return [[f"9{row[0]}", *row[1:]] for row in rows]


def _nineteen_of_twenty(rows: Rows) -> Rows:
    """Without the middle one, the first one twice, and one that nobody asked for."""
    middle = len(rows) // 2
    foreign = ["999999", *rows[0][1:]]
    return [*rows[:middle], rows[0], *rows[middle + 1 :], foreign]


_CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстуввхуз")


def _in_cyrillic(rows: Rows) -> Rows:
    return [[row[0], *(cell.lower().translate(_CYRILLIC) for cell in row[1:])] for row in rows]


def _schema(key: str, _: Rows) -> str:
    items = {"type": "array", "items": {"type": "string"}}
    return written({"type": "object", "properties": {key: {"type": "array", "items": items}}})


#: Wrappings that are understood (A7).
WRAPPED: Mapping[str, Script] = {
    "bare list": worded(lambda _, rows: written(rows)),
    "fenced": worded(lambda key, rows: f"Here:\n```json\n{written({key: rows})}\n```\nDone."),
    "thinking": worded(
        lambda key, rows: f"<think>Is [1] {{a}} fact?</think>\n{written({key: rows})}"
    ),
    "thinking, no opening": worded(
        lambda key, rows: f"So [1] is one.\n</think>\n\n{written({key: rows})}"
    ),
    "other key case": worded(lambda key, rows: written({key.upper(): rows})),
}

#: Answers that cannot be used, in part or as a whole (A7, A8, and worse).
WRONG: Mapping[str, Script] = {
    "the schema": worded(_schema),
    "prose": worded(lambda _, rows: f"I found {len(rows)} facts."),
    "broken JSON": worded(lambda key, rows: written({key: rows})[:-3]),
    "nothing": worded(lambda *_: ""),
    "refusal": lambda _: Answer(text=None, refusal="I'm sorry, I can't help with that."),
    "19 of 20": changed(_nineteen_of_twenty),
    "another batch": changed(_of_another_batch),
    "rotated": changed(_rotated),
    "swapped": changed(_swapped),
    "invented": changed(_invented),
    "paraphrased": changed(_paraphrased),
    "wrong script": changed(_in_cyrillic),
}

#: The endpoint fails, for this once (A9).
FAILING: Mapping[str, Script] = {
    "500": refusing(500, "server_error"),
    "429": refusing(429, "rate_limit_exceeded", **{"Retry-After": "0"}),
    "hang": lambda request: replace(annotator(request), seconds=HANG),
    "drop": lambda _: Answer(drop=True),
}

#: An answer that was cut off; asked for fewer records, the endpoint answers.
LENGTH: Script = worded(lambda key, rows: written({key: rows})[:100], finish="length")


def first(count: int, fault: Script, then: Script = annotator) -> Script:
    """The fault for the first requests, then right answers."""
    return lambda request: (fault if request.number < count else then)(request)


def always_for(words: str, fault: Script, other: Script = annotator) -> Script:
    """The fault whenever a request holds these words."""
    return lambda request: (fault if words in request.user else other)(request)


def sometimes(share: float, faults: Iterable[Script], other: Script = annotator) -> Script:
    """One of the faults for such a share of the requests, the right answer for the others.

    Which request gets which fault depends on what it says and on how often it was said before, not
    on timing; the same request is answered rightly in the end.
    """
    scripts = list(faults)

    def script(request: Request) -> Answer:
        mood = zlib.crc32(f"{request.occurrence} {request.user}".encode())
        if mood % 10_000 >= share * 10_000:
            return other(request)
        return scripts[mood // 10_000 % len(scripts)](request)

    return script
