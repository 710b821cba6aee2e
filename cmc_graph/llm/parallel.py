"""Several calls at once, results in order: what comes out does not depend on timing.

This module must not know what is called.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeVar

from cmc_graph.errors import CmcError

T = TypeVar("T")
R = TypeVar("R")


def in_order(function: Callable[[T], R], items: Sequence[T], workers: int) -> Iterator[R]:
    """The results of the calls, in the order of the items; so many calls run at once.

    After an error no further call begins. The first error in the order of the items is raised,
    once the calls under way have ended, so that what they cost is not lost; an interrupt waits for
    nothing. The threads do not keep the process alive.
    """
    futures: list[Future[R]] = [Future() for _ in items]
    work = iter(list(zip(items, futures, strict=True)))
    next_one = threading.Lock()
    stop = threading.Event()

    def worker() -> None:
        while not stop.is_set():
            with next_one:
                pair = next(work, None)
            if pair is None:
                return
            item, future = pair
            try:
                future.set_result(function(item))
            except BaseException as error:  # noqa: BLE001 - raised where the result is taken
                stop.set()
                future.set_exception(error)

    count = min(workers, len(items))
    threads = [threading.Thread(target=worker, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        for future in futures:
            yield future.result()
    except CmcError:
        for thread in threads:
            thread.join()
        raise
    finally:
        stop.set()
