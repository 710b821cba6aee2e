"""LongMemEval: questions, each with its own haystack of dated chat sessions, as one JSON list.

A turn is a record; who spoke, in which session and when are kept. Each question's haystack is a
source of its own, named ``<file>#<question id>``; its turns are numbered through as
``source_line``, the sessions in the order of their dates, and the history gives the positions.
"""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cmc_graph.errors import SourceError
from cmc_graph.model import Record
from loaders import Case, documents
from loaders.lines import shown, source_of

_ITEM_FIELD = re.compile(rb'"question_id"\s*:')
_WEEKDAY = re.compile(r" \([^)]*\)")


class _Turn(BaseModel):
    """What one side said."""

    model_config = ConfigDict(strict=True)

    role: str
    content: str


class _Item(BaseModel):
    """What is read of one question and its haystack."""

    model_config = ConfigDict(strict=True)

    question_id: str
    question: str
    answer: str | int
    haystack_dates: list[str]
    haystack_session_ids: list[str]
    haystack_sessions: list[list[_Turn]]


_FILE = TypeAdapter(list[_Item])


def accepts(name: str, head: bytes) -> bool:
    """True for a list with a question's id near its beginning."""
    return head.lstrip().startswith(b"[") and _ITEM_FIELD.search(head) is not None


def records(path: Path) -> Iterator[Record]:
    """The turns, haystack by haystack; turns without content are counted, not kept.

    Raises:
        SourceError: Not such a file, a date that is none, or sessions that have no date or id.
    """
    for item in documents.read(path, _FILE):
        dated = _sessions(path, item)
        turns = ((date, session, turn) for date, session, turns in dated for turn in turns)
        for number, (date, session, turn) in enumerate(turns, 1):
            if turn.content.strip():
                yield Record(
                    text=turn.content,
                    source=_haystack(path, item),
                    source_line=number,
                    observed_at=date.isoformat(),
                    speaker=turn.role,
                    session=session,
                )


def cases(path: Path) -> Iterator[Case]:
    """The questions, one per haystack.

    Raises:
        SourceError: Not such a file.
    """
    for item in documents.read(path, _FILE):
        yield Case(
            question=item.question,
            answers=(str(item.answer),),
            id=item.question_id,
            source=_haystack(path, item),
        )


def _haystack(path: Path, item: _Item) -> str:
    return f"{source_of(path)}#{item.question_id}"


def _sessions(path: Path, item: _Item) -> list[tuple[dt.datetime, str, list[_Turn]]]:
    """The sessions by date; those of one date in the order of the file."""
    where = f"{shown(path)}, question {item.question_id!r}"
    dates, ids, sessions = item.haystack_dates, item.haystack_session_ids, item.haystack_sessions
    if not len(dates) == len(ids) == len(sessions):
        raise SourceError(
            f"{where}: {len(sessions)} sessions, {len(dates)} dates and {len(ids)} ids "
            "do not belong together"
        )
    dated = [_date(where, date) for date in dates]
    return sorted(zip(dated, ids, sessions, strict=True), key=lambda session: session[0])


def _date(where: str, text: str) -> dt.datetime:
    try:
        return dt.datetime.strptime(_WEEKDAY.sub("", text), "%Y/%m/%d %H:%M")
    except ValueError as error:
        raise SourceError(
            f"{where}: {text!r:.60} is no date like '2023/05/25 (Thu) 20:21'"
        ) from error
