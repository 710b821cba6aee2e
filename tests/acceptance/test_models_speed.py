"""Calls run side by side."""

import time
from pathlib import Path

from cmc_graph.llm.usage import Limits
from tests.support.endpoint.extracting import extract
from tests.support.endpoint.process import EndpointProcess
from tests.support.endpoint.sentences import sentences

LATENCY = 0.2
STATEMENTS = 10_280


def test_eight_calls_at_once_are_five_times_as_fast(tmp_path: Path) -> None:
    """On an endpoint with 200 ms latency, against the time that one call after the other takes."""
    texts = sentences(STATEMENTS)
    with EndpointProcess(LATENCY) as endpoint:
        started = time.monotonic()
        extract(endpoint, tmp_path / "answers.db", texts, workers=8, limits=Limits())
        seconds = time.monotonic() - started
        one_by_one = endpoint.counts.calls * LATENCY  # and what it takes besides
    assert seconds <= one_by_one / 5, (seconds, one_by_one)
