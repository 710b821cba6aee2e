"""Keeps forks apart from what other threads do in SQLite.

A child inherits SQLite's own locks as they are. One that another thread held at that moment is
never released, since the child has no such thread, and whoever needs it waits for ever. So a fork
waits until the verbs of the other threads have ended, and verbs that begin meanwhile wait for it.
This module must not know connections.
"""

import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds a fork waits at most: longer than a batch takes. A listing that is read in pauses may
#: take longer, and between its rows it holds no lock.
_PATIENCE = 10.0


class _Gate:
    """Lets verbs in at any time but around a fork.

    Args:
        before: Done in the parent right before it forks, when no other thread runs a verb.
    """

    def __init__(self, before: Callable[[], None]) -> None:
        self._before = before
        self._inside: Counter[int] = Counter()  # how many verbs each thread runs, one in another
        self._is_closed = False
        self._changed = threading.Condition()

    @contextmanager
    def verb(self) -> Iterator[None]:
        """No fork happens in another thread within the block, unless the block takes too long."""
        thread = threading.get_ident()
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed or self._inside[thread] > 0)
            self._inside[thread] += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside[thread] -= 1
                if not self._inside[thread]:
                    del self._inside[thread]
                self._changed.notify_all()

    def close(self) -> None:
        """Wait for the others, and keep the gate's own lock until the fork is done."""
        self._changed.acquire()
        self._changed.wait_for(lambda: not self._is_closed)
        self._is_closed = True
        thread = threading.get_ident()
        self._changed.wait_for(lambda: self._inside.keys() <= {thread}, _PATIENCE)
        self._before()

    def open(self) -> None:
        """Let everybody in again."""
        self._is_closed = False
        self._changed.notify_all()
        self._changed.release()

    def open_in_child(self) -> None:
        """Begin anew, with the verbs of the one thread that there is."""
        thread = threading.get_ident()
        own = self._inside[thread]
        self._inside = Counter({thread: own} if own else {})
        self._is_closed = False
        self._changed = threading.Condition()


def gate(before: Callable[[], None]) -> _Gate:
    """A gate that every fork of this process passes.

    Args:
        before: Done in the parent right before it forks, when no other thread runs a verb.
    """
    made = _Gate(before)
    if sys.platform != "win32":
        os.register_at_fork(
            before=made.close,
            after_in_parent=made.open,
            after_in_child=made.open_in_child,
        )
    return made
