"""The use case: look at a store and a history from the outside in, and mend what is proven.

Nothing is written unless asked for. This module must not know which store it looks at.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace

from cmc_graph.doctor import problems, server
from cmc_graph.doctor.problems import Diagnosis, Problem
from cmc_graph.errors import ConfigurationError, StoreError
from cmc_graph.stores import inspect_store, mend_store, open_store
from cmc_graph.stores.base import Store
from cmc_graph.stores.inspection import Inspection


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

    A repair creates missing rules and derives edges, ends, names and counters anew: only what the
    assertions prove. Records and assertions are never touched.

    Args:
        access: To the store.
        history: Its name.
        repair: Mend what can be.

    Raises:
        ConfigurationError: No store has such an address.
    """
    before = _look(access, history)
    if not repair or not any(each.command == problems.REPAIR for each in before.problems):
        return before
    try:
        mend_store(access.url, history, **access.credentials)
        with closing(open_store(access.url, **access.credentials)) as store:
            store.rebuild(history)
    except StoreError as error:
        return replace(before, problems=(*before.problems, problems.of_error(error)))
    after = _look(access, history)
    mended = tuple(each for each in before.problems if each not in after.problems)
    return replace(after, repaired=mended)


def _look(access: Access, history: str) -> Diagnosis:
    try:
        found = inspect_store(access.url, history, server.SETTINGS, **access.credentials)
    except ConfigurationError:
        raise
    except StoreError as error:
        return Diagnosis(checks=("connection",), problems=(problems.of_error(error),))
    settings = ["server settings"] if found.settings else []  # hosted servers show none
    checks = ["connection", found.server, *settings, "schema and indexes", "pieces"]
    wrong = [
        *server.problems(found),
        *problems.of_rules(found.missing),
        *problems.of_damages(found.damages),
    ]
    has_head = all(each.what != "history" for each in found.damages)
    if not found.is_new and not found.missing and has_head:  # else a look would write
        checks += ["ledger against projection", "accounting", "records and positions"]
        wrong += _ledger(access, history, found)
    return Diagnosis(checks=tuple(checks), problems=tuple(wrong))


def _ledger(access: Access, history: str, found: Inspection) -> Iterator[Problem]:
    try:
        with closing(open_store(access.url, **access.credentials)) as store:
            yield from _compared(store, history, found)
    except StoreError as error:
        yield problems.of_error(error)


def _compared(store: Store, history: str, found: Inspection) -> Iterator[Problem]:
    yield from problems.of_drift(store.verify(history))
    yield from problems.of_accounting(store.stats(history))
    if not any(each.what in ("record", "assertion") for each in found.damages):
        yield from problems.of_records(store.scan(history))
