"""Which records of a batch are new, where they go, and what a relation becomes: pure rules.

Both stores decide by these functions under their own lock. This module must not know a database.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from cmc_graph.errors import PositionConflict, SourceError, StoreError
from cmc_graph.model import MAX_POSITION, Record, SetBy, Status, Values
from cmc_graph.stores.base import Batch, Declared, Entry, Known
from cmc_graph.text import count, shorten, shorten_path

_position = attrgetter("record.position")

#: How many conflicting positions a PositionConflict names.
_SHOWN_CONFLICTS = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """Which entries of a batch are new, each with its position, and how many are there already."""

    entries: tuple[Entry, ...]
    skipped: int
    next_position: int


def plan(batch: Batch, known: Known, next_position: int) -> Plan:
    """Which entries are new and at which position, decided without a database.

    Entries with a position keep it; the others get the next free ones in order (those the batch
    itself brings are not free), unless their source line is known. The same text again is skipped.

    Args:
        batch: Entries in source order.
        known: What the history holds at their positions and source lines.
        next_position: The history's first position after its greatest.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
        SourceError: The history has no position left.
    """
    taken = {e.record.position for e in batch.entries if e.record.position is not None}
    if len(taken) == len(batch.entries) and taken.isdisjoint(known.texts):  # each a new place
        return Plan(batch.entries, 0, max([next_position - 1, *taken]) + 1)
    texts, lines = dict(known.texts), dict(known.lines)
    new: list[Entry] = []
    conflicts: dict[int, str] = {}
    for entry in batch.entries:
        record = entry.record
        while next_position in taken:
            next_position += 1
        position, held = _held(record, texts, lines, next_position)
        if held is None:
            _check_position(position)
            is_placed = record.position is not None
            new.append(entry if is_placed else entry._replace(record=record.placed(position)))
            texts[position] = record.text
            next_position = max(next_position, position + 1)
            if line := _line_of(record):
                lines.setdefault(line, (position, record.text))
        elif held != record.text:
            conflicts.setdefault(position, _conflict(position, record, held))
    if conflicts:
        raise _conflict_error(conflicts)
    return Plan(tuple(new), len(batch.entries) - len(new), next_position)


def fresh(records: Sequence[Record], known: Known) -> list[Record]:
    """The records a history does not have yet, in order, so that only these are interpreted.

    A conflict among the records themselves is found too, before anything of them is written.

    Raises:
        PositionConflict: A position, or a line of a known source, holds another text.
    """
    texts, lines = dict(known.texts), dict(known.lines)
    unknown: list[Record] = []
    conflicts: dict[int, str] = {}
    for record in records:
        position, held = _held(record, texts, lines)
        if held is None:
            unknown.append(record)
            if record.position is not None:
                texts[position] = record.text
            elif line := _line_of(record):
                lines[line] = (position, record.text)
        elif held != record.text:
            conflicts.setdefault(position, _conflict(position, record, held))
    if conflicts:
        raise _conflict_error(conflicts)
    return unknown


def sought(records: Iterable[Record], below: int) -> tuple[list[int], list[tuple[str, int]]]:
    """Where a history may hold these records: their positions, and lines of sources of the others.

    Args:
        records: What to look for.
        below: The history's first position after its greatest.
    """
    positions: list[int] = []
    lines: list[tuple[str, int]] = []
    for record in records:
        if record.position is not None:
            if record.position < below:
                positions.append(record.position)
        elif line := _line_of(record):
            lines.append(line)
    return positions, lines


def verdicts(entries: Iterable[Entry]) -> dict[str, int]:
    """How many entries have each verdict, by its name in ``Applied``."""
    counts = Counter(entry.status for entry in entries)
    return {status.value: counts[status] for status in Status}


def settle(
    declared: Mapping[str, Declared], stored: Mapping[str, Declared], used: Iterable[str]
) -> dict[str, Declared]:
    """What to store for each relation a batch uses, where it differs from what is stored.

    A person's word beats the others; between packs and frontends many wins, and at equal values
    the pack is named. Independent of the order in which batches come.
    """
    default = Declared(Values.ONE, SetBy.FRONTEND)
    changed: dict[str, Declared] = {}
    for name in used:
        new, old = declared.get(name, default), stored.get(name)
        if old is None or stronger(old, new) is not old:
            changed[name] = new
    return changed


def persons(stored: Mapping[str, Declared]) -> dict[str, Declared]:
    """What persons said of relations, of all that is stored."""
    return {name: said for name, said in stored.items() if said.set_by is SetBy.PERSON}


def stronger(old: Declared, new: Declared) -> Declared:
    """The one of two opinions on a relation that counts; the old one where they are equal."""
    return new if _weight(new) > _weight(old) else old


def fit(
    records: Iterable[Record], chars: int, line: Callable[[int, str], str], total: int
) -> tuple[tuple[Record, ...], int]:
    """The newest records that fill a number of characters, ascending, and how many are left.

    The first record that no longer fits is the last one taken: with it at hand, the renderer finds
    the exact cut also among other records.

    Args:
        records: Newest first; consumed only as far as needed.
        chars: Room for the lines, their line ends included.
        line: Renders position and text to a line of evidence.
        total: How many records there are in all.
    """
    taken: list[Record] = []
    for record in records:
        taken.append(record)
        chars -= len(line(record.position or 0, record.text))
        if chars < 0:
            break
    return tuple(reversed(taken)), total - len(taken)


def first_mentions(entries: Iterable[Entry]) -> dict[str, tuple[str, int]]:
    """For each key the first surface that names it, and its position; it gives the entity's name.

    First by position, then ordinal; within an assertion the subject comes before the object.

    Args:
        entries: Placed, in any order.
    """
    named: dict[str, tuple[str, int]] = {}
    for entry in sorted(entries, key=_position):
        position = entry.record.position or 0
        for said in sorted(entry.assertions):  # by ordinal
            if said.subject not in named:
                named[said.subject] = (said.subject_text, position)
            if said.object not in named:
                named[said.object] = (said.object_text, position)
    return named


def check_lost(lost: Iterable[int], gone: Iterable[int]) -> None:
    """Refuse to forget beside lost last words: their slots would fall back past what is lost.

    Args:
        lost: Positions of the last words that the slots concerned remember, and do not have.
        gone: Positions of the records that are forgotten.

    Raises:
        StoreError: One of the last words is not forgotten with them.
    """
    if left := sorted({*lost} - {*gone}):
        raise StoreError(
            f"what record [{left[0]}] said is lost, and what is forgotten spoke of the same slot: "
            "an older value would become current; cmc-graph doctor says what to do"
        )


def still_counted(records: int, next_position: int, gone: Iterable[int]) -> int:
    """How many records a history counts after forgetting, at least; fewer are there after a loss.

    Args:
        records: How many it counted before.
        next_position: Its first position after its greatest, then.
        gone: Positions to forget, also of what was lost.
    """
    return records - sum(position < next_position for position in set(gone))


def latest(as_of: int | None) -> int:
    """The position up to which to read: no position is greater than the greatest."""
    return MAX_POSITION if as_of is None else min(as_of, MAX_POSITION)


def _line_of(record: Record) -> tuple[str, int] | None:
    if record.source is None or record.source_line is None:
        return None
    return (record.source, record.source_line)


def _weight(declared: Declared) -> tuple[bool, bool, bool]:
    return (
        declared.set_by is SetBy.PERSON,
        declared.values is Values.MANY,
        declared.set_by is SetBy.PACK,
    )


def _held(
    record: Record,
    texts: Mapping[int, str],
    lines: Mapping[tuple[str, int], tuple[int, str]],
    free: int = 0,
) -> tuple[int, str | None]:
    """The record's position, ``free`` when it has none yet, and the text held there, if any."""
    if record.position is not None:
        return record.position, texts.get(record.position)
    line = _line_of(record)
    return lines.get(line, (free, None)) if line else (free, None)


def _check_position(position: int) -> None:
    if position > MAX_POSITION:
        raise SourceError(
            f"the history has no free position after {MAX_POSITION}; give positions yourself"
        )


def _conflict(position: int, record: Record, held: str) -> str:
    where = f" ({shorten_path(record.source)}, line {record.source_line})" if record.source else ""
    return f"{position}{where}: has {shorten(held, 40)!r}, not {shorten(record.text, 40)!r}"


def _conflict_error(conflicts: Mapping[int, str]) -> PositionConflict:
    shown = "; ".join(list(conflicts.values())[:_SHOWN_CONFLICTS])
    more = len(conflicts) - _SHOWN_CONFLICTS
    return PositionConflict(
        f"another text is already at {count(len(conflicts), 'position')}: {shown}"
        + (f"; and {more} more" if more > 0 else "")
        + "; records never change: append a new record, or forget the old one first",
        list(conflicts),
    )
