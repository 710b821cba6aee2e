"""What callers of ``Memory`` give, checked before anything is done with it.

This module must not know stores.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

from cmc_graph import checks, closure, render
from cmc_graph.errors import UsageError
from cmc_graph.model import MAX_POSITION, Fallback, Overflow, ReadOptions, Record

_FALLBACKS, _OVERFLOWS = get_args(Fallback), get_args(Overflow)


def check_read(question: str, options: ReadOptions) -> None:
    """Refuse what a read cannot use.

    Raises:
        UsageError: An argument is blank or out of range.
    """
    if not isinstance(question, str) or not question.strip():
        raise UsageError("the question is empty; ask for something in words")
    check_range("hops", options.hops, closure.MIN_HOPS, closure.MAX_HOPS)
    # The first line of the evidence alone takes this much.
    check_range("budget", options.budget, len(render.PREFIX), MAX_POSITION)
    if options.as_of is not None:
        check_range("as_of", options.as_of, 0, MAX_POSITION)
    check_choice("fallback", options.fallback, _FALLBACKS)
    check_choice("overflow", options.overflow, _OVERFLOWS)


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse what is none of these.

    Raises:
        UsageError: It is not.
    """
    if value not in choices:
        raise UsageError(f"{name} must be {' or '.join(choices)}, not {checks.shown(value)}")


def check_words(name: str, value: object) -> None:
    """Refuse anything but a text that is not blank.

    Raises:
        UsageError: It is something else.
    """
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name} must be a text that is not blank, not {checks.shown(value)}")


def check_address(url: object) -> None:
    """Refuse anything but None or a text where a store's address belongs.

    Raises:
        UsageError: It is something else, a path for instance.
    """
    if url is not None and not isinstance(url, str):
        raise UsageError(
            f"a store's address is a text like sqlite:///team.db, not {checks.shown(url)}"
        )


def check_range(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number within a range.

    Raises:
        UsageError: It is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise UsageError(
            f"{name} must be a whole number from {least} to {most}, not {checks.shown(value)}"
        )


def checked_record(record: Record) -> Record:
    """The record, if it is one.

    Raises:
        UsageError: It is not.
    """
    if not isinstance(record, Record):
        raise UsageError(f"ingest takes Records, not {checks.shown(record)}: use Record(text=…)")
    return record


def check_several(name: str, value: object) -> None:
    """Refuse a single value where several belong; a text is one, though it has characters.

    Raises:
        UsageError: It is one.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise UsageError(f"{name} takes several values: give a list, not {checks.shown(value)}")
