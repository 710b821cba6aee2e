"""From findings to problems: each with a code, a sentence, and the command that repairs it. Pure.

This module must not know where findings come from.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal, get_args

from cmc_graph.doctor.commands import CONFIG, START, Commands, Place
from cmc_graph.errors import (
    CmcError,
    DatabaseMissing,
    SchemaMismatch,
    StoreBusy,
    StoreRefused,
    StoreUnreachable,
)
from cmc_graph.model import Drift, LostWord, Stats
from cmc_graph.stores.inspection import Damage
from cmc_graph.text import count

#: Records are gone with all that they said, so that older values look like the last word.
LOST = "lost-records"

#: A record lacks something that it said.
NO_ASSERTION = "no-assertion"

#: The difference of an assertion without record, which an inspection tells of record by record.
_LOST_RECORD = "record"


#: What a command does, in the order that works: what is given up cannot be restored.
Step = Literal["restore by hand", "restore", "repair", "give up"]
_STEPS: tuple[Step, ...] = get_args(Step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        code: The kind, for programs: stable.
        place: Where it is; with the code, it says which problem this is.
        sentence: What is wrong, and what the command does where that needs words.
        command: What repairs it, to be run as it stands.
        run_in: Where it is run.
        step: What it does.
    """

    code: str
    place: str
    sentence: str
    command: str
    run_in: Place = "shell"
    step: Step = "restore"


def in_order(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems in the order in which their commands work, those of one command together."""
    listed = sorted(found, key=lambda each: _STEPS.index(each.step))
    by_command: dict[str, list[Problem]] = {}
    for each in listed:
        by_command.setdefault(each.command, []).append(each)
    return tuple(chain.from_iterable(by_command.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was examined and what is wrong; truthy when something is.

    Attributes:
        checks: What was looked at, in order; what could not be looked at is missing.
        problems: What is wrong now, in the order in which the commands work.
        repaired: What was wrong, and is not found any more by a second look at all of it.
        notes: What else there is to know: that there is nothing to look at, or what was not done.
    """

    checks: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.problems)


_ERRORS: tuple[tuple[type[CmcError], str], ...] = (
    (StoreUnreachable, "unreachable"),
    (StoreRefused, "refused"),
    (DatabaseMissing, "no-database"),
    (SchemaMismatch, "other-schema"),
    (StoreBusy, "busy"),
    (CmcError, "failed"),
)


#: The codes of a store, or a part of it, that could not be looked at.
NOT_SEEN = frozenset(code for _, code in _ERRORS)

#: What is wrong between pieces; the kind of the damage is the code.
_BETWEEN = {
    "no-record": "the record {place} is not there, but assertions are of it",
    "verdict": "the record {place} has {detail}",
    NO_ASSERTION: "the record {place} lacks one of its assertions",
    "position": "{detail} records are at position {place}",
    "no-history": "of {place}, this many belong to no history: {detail}",
}
#: What is wrong with pieces themselves, by kind and detail, where they do not just lack a property.
_OF_PIECES = {
    ("slot", ""): "the slot {place} has {detail} edges",
    ("relation", "node"): "the relation {place} is not there, but assertions are of it",
    ("file", ""): "{place}: {detail}",
}
_AGAIN = (
    "forget the record, then ingest its source again: one that gives positions puts it back in its "
    "place, from another one it comes back as the newest"
)
_ACCEPTED = "ingest the source again; the command takes what is there as all"
_LACKS = "the {what} {place} has no right {detail}"


def of_error(error: CmcError, commands: Commands) -> Problem:
    """The problem of a store that cannot be looked at."""
    code = next(code for kind, code in _ERRORS if isinstance(error, kind))
    match code:
        case "unreachable" if commands.is_local:
            command = START
        case "busy":
            command = commands.of("doctor")
        case "failed":
            command = commands.of("doctor", "--verbose")
        case _:
            command = CONFIG
    return Problem(code=code, place=commands.url, sentence=str(error), command=command)


def of_rules(missing: Iterable[str], commands: Commands) -> Iterator[Problem]:
    """What is not there of the schema, not as it should be, or not ready."""
    for rule in missing:
        yield Problem(
            code="no-rule",
            place=rule,
            sentence=f"the {rule} is missing, not ready or not as it should be",
            command=commands.repair,
            step="repair",
        )


def of_damages(damages: Iterable[Damage], commands: Commands) -> Iterator[Problem]:
    """Pieces that are not whole."""
    for each in damages:
        code, sentence = _described(each)
        place = f"{each.place} {each.detail}"
        if each.is_derived:
            yield Problem(
                code=code, place=place, sentence=sentence, command=commands.repair, step="repair"
            )
        elif each.by_hand or each.position is None:
            yield Problem(
                code=code,
                place=place,
                sentence=f"{sentence}; the command of the database {each.hint}",
                command=each.by_hand,
                run_in=commands.by_hand_in,
                step="give up" if each.gives_up else "restore by hand",
            )
        else:
            sentence, command = f"{sentence}; {_AGAIN}", commands.forget(each.position)
            yield Problem(code=code, place=place, sentence=sentence, command=command)


def _described(damage: Damage) -> tuple[str, str]:
    """Code and sentence."""
    what, place, detail, *_ = damage
    if sentence := _BETWEEN.get(what):
        return what, sentence.format(place=place, detail=detail)
    sentence = _OF_PIECES.get((what, detail)) or _OF_PIECES.get((what, "")) or _LACKS
    return f"damaged-{what}", sentence.format(what=what, place=place, detail=detail)


def of_drift(drift: Drift, damages: Iterable[Damage], commands: Commands) -> Iterator[Problem]:
    """Where ledger and projection disagree, and whether that is for what was lost without a trace.

    Args:
        drift: The differences.
        damages: What is damaged: of these records something is left.
        commands: For the history.
    """
    lost = _lost(drift) - sum(each.what in ("no-record", "record") for each in damages)
    if lost > 0:
        yield Problem(
            code=LOST,
            place="records",
            sentence=f"{count(lost, 'record')} that the history counted, and what they said, "
            f"is gone: {_ACCEPTED}",
            command=commands.accept,
            step="give up",
        )
    yield from _of_lost_words(drift.lost, commands)
    is_lost = lost > 0 or any(not each.has_record for each in drift.lost)
    command = commands.accept if is_lost else commands.repair  # no other one resolves anything then
    step: Step = "give up" if is_lost else "repair"
    for each in drift.findings:
        if each.kind != _LOST_RECORD:
            yield Problem(
                code=f"projection-{each.kind.replace('_', '-')}",
                place=each.where,
                sentence=f"{each.where}: there is {each.found}, the assertions say {each.expected}",
                command=command,
                step=step,
            )
    if (more := drift.differences - len(drift.findings)) > 0:
        yield Problem(
            code="projection-more",
            place="",
            sentence=f"and {more} more differences",
            command=command,
            step=step,
        )


def _of_lost_words(lost: Iterable[LostWord], commands: Commands) -> Iterator[Problem]:
    """Slots without the word that projection and older versions tell of."""
    for each in lost:
        said = f"what record [{each.position}] said of {each.slot} is lost"
        yield Problem(
            code=NO_ASSERTION if each.has_record else LOST,
            place=f"[{each.position}] {each.slot}",
            sentence=f"{said}; {_AGAIN}" if each.has_record else f"{said} with it: {_ACCEPTED}",
            command=commands.forget(each.position) if each.has_record else commands.accept,
            step="restore" if each.has_record else "give up",
        )


def _lost(drift: Drift) -> int:
    """How many records fewer there are than the history counted."""
    for each in drift.findings:
        if (each.kind, each.where) == ("counter", "records") and each.found.isdecimal():
            return int(each.found) - int(each.expected)
    return 0


def of_flaws(flaws: Iterable[tuple[int, str]], commands: Commands) -> Iterator[Problem]:
    """Records with something in them that no record may have."""
    for position, flaw in flaws:
        yield Problem(
            code="damaged-record",
            place=f"[{position}]",
            sentence=f"the record [{position}] {flaw}; {_AGAIN}",
            command=commands.forget(position),
        )


def of_accounting(stats: Stats, commands: Commands) -> Iterator[Problem]:
    """Sums that do not add up."""
    verdicts = stats.facts + stats.unresolved + stats.no_fact
    if stats.records != verdicts:
        yield Problem(
            code="accounting",
            place="records",
            sentence=f"{stats.records} records, but facts, unresolved and no_fact add up to "
            f"{verdicts}",
            command=commands.of("recompile"),
            step="repair",
        )
    words = stats.current + stats.ended + stats.superseded
    if stats.assertions != words or stats.superseded < 0:
        yield Problem(
            code="accounting",
            place="assertions",
            sentence=f"{stats.assertions} assertions, but {stats.current} current and "
            f"{stats.ended} ended slots",
            command=commands.repair,
            step="repair",
        )
