"""Several calls at once, results in order."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from cmc_graph.errors import EndpointError
from cmc_graph.llm.parallel import in_order


def test_results_come_in_the_order_of_the_items() -> None:
    """However long each takes."""

    def slow(number: int) -> int:
        time.sleep(0.02 * (number % 3 == 0))
        return number * number

    assert list(in_order(slow, range(20), 8)) == [n * n for n in range(20)]
    assert list(in_order(slow, [], 8)) == []
    assert list(in_order(slow, [2], 1)) == [4]


def test_no_more_than_so_many_run_at_once() -> None:
    """The number of workers bounds the calls under way."""
    running, most = 0, 0
    lock = threading.Lock()

    def call(_: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    list(in_order(call, range(20), 4))
    assert most == 4


def test_an_error_stops_what_has_not_begun_and_waits_for_what_has() -> None:
    """The first error in order is raised; calls under way end first, later ones never begin."""
    ended: list[int] = []

    def call(number: int) -> int:
        if number == 1:
            time.sleep(0.02)  # the others have begun
            raise EndpointError("no quota")
        time.sleep(0.05)
        ended.append(number)
        return number

    results = in_order(call, range(100), 4)
    assert next(results) == 0
    with pytest.raises(EndpointError, match="no quota"):
        list(results)
    count = len(ended)
    assert 3 <= count <= 4
    time.sleep(0.1)
    assert len(ended) == count


def test_an_interrupt_waits_for_nothing() -> None:
    """Ctrl-C ends the process at once, though calls are under way."""
    program = (
        "import time\nfrom cmc_graph.llm.parallel import in_order\n"
        "def call(n):\n    print(n, flush=True); time.sleep(30)\n"
        "list(in_order(call, range(9), 4))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
    assert time.monotonic() - started < 5
