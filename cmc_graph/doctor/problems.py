"""From findings to problems: each with a code, a sentence, and the command that repairs it. Pure.

This module must not know where findings come from.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cmc_graph.errors import (
    CmcError,
    DatabaseMissing,
    SchemaMismatch,
    StoreBusy,
    StoreRefused,
    StoreUnreachable,
)
from cmc_graph.model import Drift, Stats, Status
from cmc_graph.stores.base import Kept
from cmc_graph.stores.inspection import Damage

REPAIR = "cmc-graph doctor --repair"
_CHECK = "cmc-graph config show"
_FORGET = "cmc-graph forget --position {}, then ingest its source again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        code: The kind, for programs: stable.
        sentence: What is wrong, and where.
        command: What repairs it.
    """

    code: str
    sentence: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was examined and what is wrong; truthy when something is.

    Attributes:
        checks: What was looked at, in order; what could not be looked at is missing.
        problems: What is wrong now.
        repaired: What was wrong and is no longer.
    """

    checks: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Problem, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.problems)


_ERRORS: tuple[tuple[type[CmcError], str, str], ...] = (
    (StoreUnreachable, "unreachable", f"cmc-graph server start, or {_CHECK}"),
    (StoreRefused, "refused", _CHECK),
    (DatabaseMissing, "no-database", _CHECK),
    (SchemaMismatch, "other-schema", "cmc-graph doctor --store URL of another store"),
    (StoreBusy, "busy", "cmc-graph doctor, when no ingest runs"),
    (CmcError, "failed", "cmc-graph doctor -v"),
)


def of_error(error: CmcError) -> Problem:
    """The problem of a store that cannot be looked at."""
    code, command = next((c, todo) for kind, c, todo in _ERRORS if isinstance(error, kind))
    return Problem(code=code, sentence=str(error), command=command)


def of_rules(missing: Iterable[str]) -> Iterator[Problem]:
    """Constraints and indexes that are not there or not ready."""
    for rule in missing:
        yield Problem(
            code="no-rule", sentence=f"the {rule} is missing or not ready", command=REPAIR
        )


def of_damages(damages: Iterable[Damage]) -> Iterator[Problem]:
    """Pieces that are not whole."""
    for what, place, detail in damages:
        match what:
            case "history":
                sentence, command = f"the history {place} has no right {detail}", REPAIR
            case "edge":
                sentence, command = f"the edge {place} has no {detail}", REPAIR
            case "slot":
                sentence, command = f"the slot {place} has {detail} edges", REPAIR
            case "entity":
                sentence = f"the entity {place} has no {detail}"
                is_derived = detail in ("name", "name_position")
                command = REPAIR if is_derived else "go back to a copy, or to an export"
            case "record" | "assertion":
                sentence = f"the {what} {place} has no {detail}"
                command = _FORGET.format(_position(place))
            case _:
                sentence, command = f"{place}: {detail}", "go back to a copy, or to an export"
        yield Problem(code=f"damaged-{what}", sentence=sentence, command=command)


def of_drift(drift: Drift) -> Iterator[Problem]:
    """Where ledger and projection disagree."""
    for each in drift.findings:
        lost = each.expected == "a record"
        yield Problem(
            code="no-record" if lost else f"projection-{each.kind.replace('_', '-')}",
            sentence=f"{each.where}: there is {each.found}, the assertions say {each.expected}",
            command=_FORGET.format(_position(each.where)) if lost else REPAIR,
        )
    if (more := drift.differences - len(drift.findings)) > 0:
        yield Problem(
            code="projection-more", sentence=f"and {more} more differences", command=REPAIR
        )


def of_accounting(stats: Stats) -> Iterator[Problem]:
    """Sums that do not add up."""
    verdicts = stats.facts + stats.unresolved + stats.no_fact
    if stats.records != verdicts:
        yield Problem(
            code="accounting",
            sentence=f"{stats.records} records, but facts, unresolved and no_fact add up to "
            f"{verdicts}",
            command="cmc-graph recompile",
        )
    words = stats.current + stats.ended + stats.superseded
    if stats.assertions != words or stats.superseded < 0:
        yield Problem(
            code="accounting",
            sentence=f"{stats.assertions} assertions, but {stats.current} current and "
            f"{stats.ended} ended slots",
            command=REPAIR,
        )


def of_records(kept: Iterable[Kept]) -> Iterator[Problem]:
    """Records whose verdict does not fit what they assert, and positions that are none."""
    last = -1
    for each in kept:
        position, status = each.record.position, each.record.status
        if position is None or position <= last:
            yield Problem(
                code="position",
                sentence=f"position {position} comes after {last}",
                command=_FORGET.format(position),
            )
            continue
        last = position
        if (status is Status.FACTS) != bool(each.assertions):
            yield Problem(
                code="verdict",
                sentence=f"record [{position}] has status {status} with "
                f"{len(each.assertions)} assertions",
                command=_FORGET.format(position),
            )
        elif [said.ordinal for said in each.assertions] != list(range(len(each.assertions))):
            yield Problem(
                code="no-assertion",
                sentence=f"record [{position}] lacks one of its assertions",
                command=_FORGET.format(position),
            )


def _position(place: str) -> str:
    """The position in a text like ``ana / city [7].0``."""
    found = re.search(r"\[(\d+)\]", place)
    return found[1] if found else "N"
