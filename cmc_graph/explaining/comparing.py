"""What became of slots between two positions, and which position a date means.

Pure. This module must not know stores.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cmc_graph.errors import UsageError
from cmc_graph.explaining.telling import Slot, known_at, slot
from cmc_graph.explaining.values import Change, Kind
from cmc_graph.model import Record
from cmc_graph.stores.base import Version
from cmc_graph.text import shorten

_Instant = dt.datetime


class Dated(NamedTuple):
    """A record's position and when it was observed."""

    position: int
    observed_at: str


def changes(versions: Iterable[Version], after: int, upto: int) -> tuple[Change, ...]:
    """The slots whose last word differs, by the place of the newer one.

    Args:
        versions: The assertions of the window and what held before it in their slots, oldest first.
        after: The earlier position.
        upto: The later one.
    """
    slots: defaultdict[Slot, list[Version]] = defaultdict(list)
    for version in known_at(versions, upto):
        if version.superseded_at != version.position:  # it had effect
            slots[slot(version)].append(version)
    found = [_change(each, after) for each in slots.values() if _differs(each, after)]
    return tuple(sorted(found, key=lambda change: (change.after.position, change.after.ordinal)))


def position_at(dated: Iterable[Dated], date: str) -> int:
    """The position the memory had reached by a date: that of the last record dated up to it.

    Nothing dated later is before it: positions decide what is newer, so a record that is dated up
    to then but stands after a later one does not count. A date without a time is its whole day; a
    time without an offset is UTC.

    Args:
        dated: The records that carry a date, the newest first.
        date: ISO 8601.

    Raises:
        UsageError: No date, or no record is dated up to it.
    """
    limit = _instant(date, ends_day=True)
    reached: int | None = None
    later: Dated | None = None
    for each in dated:
        if _instant(each.observed_at) > limit:
            reached, later = None, each
        elif reached is None:
            reached = each.position
    if reached is not None:
        return reached
    if later is not None:
        raise UsageError(
            f"no record is dated up to {shorten(date, 40)} and stands before record "
            f"{later.position}, which is dated {later.observed_at}"
        )
    raise UsageError("no record of the history carries a date: give a position instead")


def dated(records: Iterable[Record]) -> Iterator[Dated]:
    """The records that carry a date, in the order given."""
    return (Dated(r.position or 0, r.observed_at) for r in records if r.observed_at is not None)


def _differs(versions: Sequence[Version], after: int) -> bool:
    """Something was said since; what ends a slot that held nothing changes nothing."""
    since = [version for version in versions if version.position > after]
    before = versions[: len(versions) - len(since)]
    held_nothing = not before or before[-1].retracts
    return bool(since) and not (held_nothing and all(version.retracts for version in since))


def _change(versions: Sequence[Version], after: int) -> Change:
    """What became of one slot, from its versions with effect, oldest first."""
    first, last = versions[0], versions[-1]
    before = first if first.position <= after else None
    return Change(
        subject=last.subject,
        relation=last.relation,
        member=last.member,
        kind=_kind(before, last),
        before=before,
        after=last,
        versions=len(versions) - (before is not None),
    )


def _kind(before: Version | None, after: Version) -> Kind:
    if after.retracts:
        return "ended"
    if before is None or before.retracts:
        return "new"
    return "restated" if before.object == after.object else "changed"


def _instant(text: str, *, ends_day: bool = False) -> _Instant:
    try:
        found = _Instant.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"a date is written like 2026-03-01 or 2026-03-01T09:00:00Z, not {shorten(text, 40)!r}"
        ) from error
    if ends_day and _is_day(text):
        found = found.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def _is_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True
