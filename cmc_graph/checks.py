"""Checks of single values that come from outside, each with the message a person needs.

Pure. This module must not know what the values are for.
"""

import datetime as dt
import reprlib

from cmc_graph.errors import SourceError


def check_text(text: object) -> None:
    """Refuse anything but a text that is not blank and that a store can encode.

    Raises:
        SourceError: It is not.
    """
    if not isinstance(text, str) or not text.strip():
        raise SourceError("a record needs a text that is not blank")
    check_encodable("text", text)


def check_optional_text(name: str, value: object, *, most: int | None = None) -> None:
    """Refuse anything but None or a text that a store can encode, within ``most`` UTF-8 bytes.

    Raises:
        SourceError: It is not.
    """
    if value is None:
        return
    if not isinstance(value, str):
        raise SourceError(f"{name} must be text, not {type(value).__name__}")
    check_encodable(name, value)
    if most is not None and len(value.encode("utf-8")) > most:
        raise SourceError(f"{name} is longer than {most} bytes: {shown(value)}")


def check_encodable(name: str, value: str) -> None:
    """Refuse a lone surrogate, which has no UTF-8 form.

    Raises:
        SourceError: It is not.
    """
    if value.isascii():
        return
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise SourceError(
            f"{name} holds a lone surrogate at character {error.start}, which no store can encode"
        ) from error


def check_number(name: str, value: object, *, least: int, most: int) -> None:
    """Refuse anything but None or a whole number from ``least`` to ``most``.

    Raises:
        SourceError: It is not.
    """
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise SourceError(f"{name} must be a whole number, not {shown(value)}")
    if not least <= value <= most:
        raise SourceError(f"{name} must be from {least} to {most}, not {shown(value)}")


def iso_time(value: object) -> str | None:
    """The value as ISO 8601 text, unchanged when it is one already; None stays None.

    Raises:
        SourceError: It is not.
    """
    if value is None:
        return None
    if isinstance(value, dt.date):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, str):
        check_encodable("observed_at", value)
    try:
        if isinstance(value, str) and dt.datetime.fromisoformat(value):
            return value
    except ValueError as error:
        raise SourceError(f"observed_at must be an ISO 8601 time, not {shown(value)}") from error
    raise SourceError(f"observed_at must be an ISO 8601 time, not {type(value).__name__}")


def shown(value: object) -> str:
    """Any value in a few characters, for a message."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to write out an integer of thousands of digits
        return f"a huge {type(value).__name__}"
