"""Eight processes at once: interleaved parts of one history, then eight histories of their own.

Rule: the exports equal those of the same files ingested one after the other; no process ends with
an error or complains; a reader beside them is never blocked: its slowest read stays below a bound,
and no read shows two values of a slot or an edge without its record.

The real history is dealt out line by line to the processes, each share in several files, so that
their batches touch the same slots.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import harness
from common import Limit, note, percentile
from harness import Place, none

from cmc_graph.errors import CmcError
from tests.acceptance import real
from tests.acceptance.running import Workspace, finish

PROCESSES, FILES = 8, 4

#: Seconds: a reader that waited for writers would wait for all that queue for the history.
SLOWEST_READ = 5.0

#: Names entities of every real history.
QUESTION = "United Kingdom, Italy, Australia, France, Germany, Japan, England, Soviet Union?"

#: Ingests several files, one command after the other, in one process.
PROGRAM = """
import sys
from cmc_graph.cli import main
paths, flags = sys.argv[1:-4], ["--grammar", "factconsolidation", *sys.argv[-4:]]
sys.exit(max(main(["ingest", path, *flags]) for path in paths))
"""


@dataclass(slots=True)
class Seen:
    """What a reader beside the processes saw.

    Attributes:
        seconds: How long each read took.
        wrong: Reads with two values of one slot, or with an edge whose record is missing.
        errors: What reads failed with.
    """

    seconds: list[float] = field(default_factory=list)
    wrong: int = 0
    errors: list[str] = field(default_factory=list)


def main() -> None:
    """Run both, and judge."""
    chosen = harness.options(__doc__ or "", rounds=1).parse_args()
    with harness.place(chosen.store) as place:
        size = chosen.size or "64k"
        shares = _shares(real.lines(size), place.folder)
        everything = [path for share in shares for path in share]
        note("one process after the other")
        one, *eight = (_at_once(place, [share])[0][0] for share in (everything, *shares))
        differ, seen, said = 0, [], list[str]()
        for number in range(1, chosen.rounds + 1):
            note(f"round {number}: eight processes, one history; eight processes, eight histories")
            for expected, histories in (([one], 1), (eight, PROCESSES)):
                exports, reads, complaints = _at_once(place, shares, histories)
                differ += exports != expected
                seen.append(reads)
                said += complaints
        _conclude(place, differ, seen, said, size=size)


def _shares(lines: Sequence[str], folder: Path) -> list[list[str]]:
    """The files of each process: line n goes to process n modulo eight."""
    shares = []
    for process in range(PROCESSES):
        share = lines[process::PROCESSES]
        step = -(-len(share) // FILES)
        paths = [folder / f"{process}-{part}.txt" for part in range(FILES)]
        for part, path in enumerate(paths):
            path.write_text("".join(share[part * step : (part + 1) * step]), "utf-8")
        shares.append([str(path) for path in paths])
    return shares


def _at_once(
    place: Place, shares: list[list[str]], histories: int = 1
) -> tuple[list[str], Seen, list[str]]:
    """The exports after all shares went in at once, what a reader saw, and what processes said."""
    with ExitStack() as opened:
        first = opened.enter_context(place.workspace())
        others = [opened.enter_context(place.workspace()) for _ in range(histories - 1)]
        spaces = [first, *(first.on(each.history) for each in others)]
        with _reader(first) as seen:
            processes = [
                spaces[number % histories].start(*share, program=PROGRAM)
                for number, share in enumerate(shares)
            ]
            runs = [finish(process) for process in processes]
        said = [f"{ran.code}: {ran.err.strip()}" for ran in runs if ran.code or ran.err]
        said += [str(drift) for space in spaces if (drift := space.drift())]
        return [harness.exported(space) for space in spaces], seen, said


@contextmanager
def _reader(workspace: Workspace) -> Iterator[Seen]:
    """Reads within the block, again and again."""
    seen, done = Seen(), threading.Event()

    def watch() -> None:
        with workspace.memory() as memory:
            while not done.wait(0.005):
                started = time.perf_counter()
                try:
                    evidence = memory.read(QUESTION, hops=2)
                except CmcError as error:
                    seen.errors.append(str(error))
                    continue
                seen.seconds.append(time.perf_counter() - started)
                slots = {edge.slot for edge in evidence.edges}
                shown = {record.position for record in evidence.records}
                missing = {edge.position for edge in evidence.edges} - shown
                seen.wrong += len(slots) != len(evidence.edges) or bool(missing)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join()


def _conclude(place: Place, differ: int, seen: list[Seen], said: list[str], *, size: str) -> None:
    seconds = [second for each in seen for second in each.seconds]
    errors = [error for each in seen for error in each.errors]
    rows = [
        ("reads meanwhile", len(seconds)),
        ("median read, s", percentile(seconds, 50)),
        ("99 of 100 reads below, s", percentile(seconds, 99)),
        ("slowest read, s", max(seconds)),
    ]
    limits = [
        none("exports unlike the serial ones", differ),
        none("processes that failed, complained or left drift", len(said)),
        none("reads that failed", len(errors)),
        none("reads with two values or without a record", sum(each.wrong for each in seen)),
        Limit("slowest read, s", max(seconds), SLOWEST_READ),
    ]
    rule = "eight processes at once equal one after the other, and nobody waits to read"
    harness.conclude(rule, place, rows, limits, history=size, said=sorted({*said, *errors}))


if __name__ == "__main__":
    main()
