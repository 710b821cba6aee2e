"""The endpoint as a process of its own, for measurements: it takes no time from the client's."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.endpoint.annotator import annotator
from tests.support.endpoint.server import Endpoint

_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What an endpoint counted so far."""

    calls: int
    input_tokens: int
    output_tokens: int


class EndpointProcess:
    """The annotator behind an address; a context manager.

    Args:
        latency: Seconds every answer takes at least.
    """

    def __init__(self, latency: float = 0.0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(latency)],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url: str = self._line()

    @property
    def counts(self) -> Counts:
        """What it counted so far."""
        if self._process.stdin is None:
            raise ValueError("the process has no standard input")
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return Counts(**json.loads(self._line()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def _line(self) -> str:
        if self._process.stdout is None:
            raise ValueError("the process has no standard output")
        return self._process.stdout.readline().strip()


def main() -> None:
    """Serve until standard input ends; each line of it asks for the counts."""
    with Endpoint(annotator, latency=float(sys.argv[1])) as endpoint:
        _say(endpoint.url)
        for _ in sys.stdin:
            counts = {
                name: getattr(endpoint, name) for name in ("calls", "input_tokens", "output_tokens")
            }
            _say(json.dumps(counts))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
