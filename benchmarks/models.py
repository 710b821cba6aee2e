"""What reading the four histories of the benchmark costs with a model, and what it brings.

A script answers in the model's place: it is right about subjects and objects, but names relations
freely, so that what is measured is everything but a model's own mistakes. Calls and tokens are
those its endpoint counts.

- ``direct``: a model reads every distinct statement once.
- ``hybrid``: a model reads some, patterns found in what it read the rest.
- ``speed``: the same statements with one and with eight calls under way, 200 ms each.

Every fact is compared with that of the grammar, every read of the 400 questions with the grammar's.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from cmc_graph.llm.usage import Limits
from tests.acceptance.real import HISTORIES
from tests.support import model_runs
from tests.support.endpoint.extracting import extract
from tests.support.endpoint.process import EndpointProcess
from tests.support.endpoint.sentences import sentences

Figures = Mapping[str, float]

LATENCY = 0.2
SPEED_STATEMENTS = 10_280


def main() -> None:
    """Measure what was asked for; the table to standard error, JSON to standard output."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("what", nargs="*", choices=[*_MEASURED, []], help="default: all")
    chosen = options.parse_args().what or list(_MEASURED)
    found = {name: _MEASURED[name]() for name in chosen}
    for name, figures in found.items():
        for figure, value in figures.items():
            print(f"{name:8} {figure:40} {value:12,.3f}", file=sys.stderr)
    print(json.dumps(found, indent=2))


def _reading(frontend: str) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        run = model_runs.run(frontend, Path(folder))
        seconds = time.perf_counter() - started
        relations = {
            size: len(model_runs.renaming(run.extractions[size], size)) for size in HISTORIES
        }
        reads = sum(
            model_runs.same_reads(run.extractions[size], size, Path(folder))
            for size in ("6k", "32k")
        )
    distinct = model_runs.statements()
    return {
        "distinct statements": distinct,
        "records with the grammar's fact": sum(len(model_runs.records(s)) for s in HISTORIES),
        "relations": max(relations.values()),
        "questions with the same evidence": reads,
        "statements asked for": run.asked,
        "calls": run.counts.calls,
        "calls per statement": run.counts.calls / distinct,
        "input tokens": run.counts.input_tokens,
        "input tokens per statement": run.counts.input_tokens / distinct,
        "output tokens": run.counts.output_tokens,
        "output tokens per statement": run.counts.output_tokens / distinct,
        "seconds": seconds,
    }


def _speed() -> Figures:
    texts = sentences(SPEED_STATEMENTS)
    seconds: dict[int, float] = {}
    for workers in (1, 8):
        with EndpointProcess(LATENCY) as endpoint, tempfile.TemporaryDirectory() as folder:
            answers = Path(folder) / "answers.db"
            started = time.perf_counter()
            extract(endpoint, answers, texts, workers=workers, limits=Limits())
            seconds[workers] = time.perf_counter() - started
    return {
        "seconds, 1 call at a time": seconds[1],
        "seconds, 8 calls at a time": seconds[8],
        "times as fast": seconds[1] / seconds[8],
    }


_MEASURED: Mapping[str, Callable[[], Figures]] = {
    "direct": lambda: _reading("direct"),
    "hybrid": lambda: _reading("hybrid"),
    "speed": _speed,
}


if __name__ == "__main__":
    main()
