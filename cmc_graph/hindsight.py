"""The part of ``Memory`` that tells why a read shows what it shows, and what was said before.

What it tells is found and decided in ``explaining``. This module must not know a database.
"""

import datetime as dt

from cmc_graph import closure, explaining, render
from cmc_graph.arguments import check_range, check_read, check_words
from cmc_graph.errors import UsageError
from cmc_graph.explaining import Diff, Explanation, Timeline
from cmc_graph.model import MAX_POSITION, Fallback, Overflow, ReadOptions
from cmc_graph.retrieval import Retrieval
from cmc_graph.stores.base import Store


class Hindsight:
    """Explanations, timelines and comparisons of one history in one store.

    Args:
        store: Where the history is.
        history: Its name.
    """

    def __init__(self, store: Store, history: str) -> None:
        self._store = store
        self._history = history
        self._retrieval = Retrieval(store, history)

    def explain(
        self,
        question: str,
        *,
        hops: int = closure.DEFAULT_HOPS,
        budget: int = render.DEFAULT_BUDGET,
        as_of: int | None = None,
        fallback: Fallback = "history",
        overflow: Overflow = "newest",
    ) -> Explanation:
        """Why a read shows what it shows, what that replaced, and what it does not show.

        Args:
            question: As for ``read``, like the rest.
            hops: 1 to 10.
            budget: Characters.
            as_of: A position; None: now.
            fallback: ``"history"`` or ``"latest_state"``.
            overflow: ``"newest"`` or ``"nearest"``.

        Raises:
            UsageError: An argument is out of range.
            StoreError: The store failed.
        """
        options = ReadOptions(hops, budget, as_of, fallback, overflow)
        check_read(question, options)
        return explaining.explain(self._store, self._history, self._retrieval, question, options)

    def timeline(
        self, entity: str, relation: str | None = None, *, as_of: int | None = None
    ) -> Timeline:
        """Every version of what was said of an entity as subject, oldest first.

        Args:
            entity: Any surface of it.
            relation: One of its relations, by any name it has; None: all of them.
            as_of: As it stood after this position; None: now.

        Raises:
            UsageError: An argument is no text, or out of range.
            StoreError: The store failed.
        """
        check_words("entity", entity)
        if relation is not None:
            check_words("relation", relation)
        if as_of is not None:
            check_range("as_of", as_of, 0, MAX_POSITION)
        return explaining.timeline(self._store, self._history, entity, relation, as_of)

    def diff(self, after: int | None, upto: int) -> Diff:
        """The slots whose last word at ``upto`` is not the one they had at ``after``.

        Args:
            after: A position; None: before the first record, so that all is new.
            upto: A position, not before ``after``.

        Raises:
            UsageError: Not positions, or the first is the later one.
            StoreError: The store failed.
        """
        if after is not None:
            check_range("after", after, 0, MAX_POSITION)
        check_range("upto", upto, 0, MAX_POSITION)
        if after is not None and after > upto:
            raise UsageError(f"changes go from the earlier position on, not from {after} to {upto}")
        return explaining.changed(self._store, self._history, after, upto)

    def position_at(self, date: str | dt.date) -> int:
        """The position the history had reached by a date, for ``as_of``.

        It is that of the last record dated up to then; nothing dated later comes before it.

        Args:
            date: ISO 8601 text, a date or a datetime. A date is its whole day; UTC where no offset
                is given.

        Raises:
            UsageError: No date, or no record is dated up to it.
            StoreError: The store failed.
        """
        text = date.isoformat() if isinstance(date, dt.date) else date
        check_words("date", text)
        return explaining.position_at(self._store, self._history, text)
