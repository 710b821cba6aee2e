"""The use case: look at a store and a history from the outside in, and mend what is proven.

Nothing is written unless asked for. This module must not know which store it looks at.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice

from cmc_graph.doctor import problems, server
from cmc_graph.doctor.commands import Commands
from cmc_graph.doctor.problems import Diagnosis, Problem
from cmc_graph.errors import StoreError
from cmc_graph.stores import inspect_store, mend_store, open_store, wholeness
from cmc_graph.stores.inspection import SHOWN, Inspection

_NOT_COMPARED = (
    "ledger and projection are neither compared nor repaired while the ledger is damaged: an older "
    "value could become current"
)
_NOT_RESOLVED = (
    "no slot is repaired while the last word of one is lost: an older value would become current"
)
_NOTHING_REPAIRED = (
    "nothing is repaired while records are lost: an older value would become current"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where a store is and who asks; the password is never shown."""

    url: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None

    @property
    def credentials(self) -> dict[str, str | None]:
        """What the store is opened with beside its address."""
        return {
            "username": self.username,
            "password": self.password,
            "database": self.database,
        }


def examine(access: Access, history: str, *, repair: bool = False) -> Diagnosis:
    """What is wrong, after the repair where one is asked for.

    A repair creates what the schema lacks, and derives anew what follows from what is whole: edges,
    ends, names and counters; of an assertion its history, its subject and its slot; of a relation
    how many values it takes. Records are never touched, and what an assertion says never is. While
    an assertion is lost or damaged beyond that, no slot is resolved; while records are lost with
    their assertions, nothing is.

    Args:
        access: To the store.
        history: Its name.
        repair: Mend what can be.

    Raises:
        ConfigurationError: No store has such an address.
    """
    commands = Commands(access.url, history)
    before, _ = _look(access, commands)
    if repair and any(each.code == problems.LOST for each in before.problems):
        return replace(before, notes=(*before.notes, _NOTHING_REPAIRED))
    if not repair or not any(each.command == commands.repair for each in before.problems):
        return before
    try:
        if mend_store(access.url, history, **access.credentials):
            with closing(open_store(access.url, **access.credentials)) as store:
                store.rebuild(history)
    except StoreError as error:
        failed = problems.of_error(error, commands)
        return replace(before, problems=problems.in_order((failed, *before.problems)))
    after, is_complete = _look(access, commands)
    if not is_complete or not set(before.checks) <= set(after.checks):
        return after
    left = {(each.code, each.place) for each in after.problems}
    mended = tuple(each for each in before.problems if (each.code, each.place) not in left)
    return replace(after, repaired=mended)


def _look(access: Access, commands: Commands) -> tuple[Diagnosis, bool]:
    """What is found, and whether that is all there is."""
    history = commands.history
    try:
        found = inspect_store(access.url, history, server.SETTINGS, **access.credentials)
    except StoreError as error:
        problem = problems.of_error(error, commands)
        return Diagnosis(checks=("connection",), problems=(problem,)), False
    settings = ["server settings"] if found.settings else []  # hosted servers show none
    checks, notes = ["connection", found.server, *settings], []
    wrong = [
        *server.problems(found),
        *problems.of_rules(found.missing, commands),
        *problems.of_damages(found.damages, commands),
    ]
    has_head = all(each.what != "history" for each in found.damages)
    if found.is_new:
        notes.append(f"there is no store at {access.url} yet: nothing was ever written there")
    else:
        checks.append("schema and indexes")
    if found.has_history:
        checks += ["pieces", *([] if found.missing else ["records and verdicts"])]
    elif found.has_history is not None and not found.is_new:
        notes.append(f"history {history!r} is empty: nothing was ever written to it")
    if found.is_cut:
        notes.append(f"of each kind of damage, the first {SHOWN} are shown")
    is_complete = not found.is_cut
    if any(each.is_of_ledger for each in found.damages):
        notes.append(_NOT_COMPARED)
    elif found.has_history and not found.missing and has_head:  # else a look would write
        compared = list(_compared(access, commands, found))
        wrong += compared
        if any(each.code == problems.NO_ASSERTION for each in compared):
            notes.append(_NOT_RESOLVED)
        failed = any(each.code in problems.NOT_SEEN for each in compared)
        checks += [] if failed else ["ledger against projection", "accounting"]
        is_complete &= all(each.code != "projection-more" for each in compared)
    ordered = problems.in_order(wrong)
    return Diagnosis(checks=tuple(checks), problems=ordered, notes=tuple(notes)), is_complete


def _compared(access: Access, commands: Commands, found: Inspection) -> Iterator[Problem]:
    try:
        with closing(open_store(access.url, **access.credentials)) as store:
            yield from problems.of_drift(store.verify(commands.history), found.damages, commands)
            if all(each.what != "record" for each in found.damages):
                yield from problems.of_accounting(store.stats(commands.history), commands)
            if not found.damages:
                flaws = islice(wholeness.flaws(store, commands.history), SHOWN)
                yield from problems.of_flaws(flaws, commands)
    except StoreError as error:
        yield problems.of_error(error, commands)
