"""Ctrl-C during an ingest: the batch at hand is finished, then the command ends.

An interrupt inside a database driver can come out as any error, or be swallowed by its clean-up, so
the first Ctrl-C is only noted and looked at between batches. The second one acts at once.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from cmc_graph.cli.common import note


@contextmanager
def between_batches() -> Iterator[Callable[[], None]]:
    """A check to call between batches: it raises KeyboardInterrupt once Ctrl-C was pressed.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed, also where something else failed after it.
    """
    pressed = threading.Event()

    def remember(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            signal.default_int_handler(number, frame)
        pressed.set()
        note("finishing the batch at hand; press Ctrl-C again to stop at once")

    def check() -> None:
        if pressed.is_set():
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield check  # only the main thread hears signals
        return
    before = signal.signal(signal.SIGINT, remember)
    try:
        yield check
    except Exception as error:
        if pressed.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, before)
