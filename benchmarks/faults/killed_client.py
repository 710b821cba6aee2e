"""SIGKILL of the client at random moments of an ingest, then the same command again.

Rule: whenever an ingest is killed, whole batches are there, ledger and projection agree, and the
same command again leaves a history whose export is byte-identical to that of an uninterrupted run.
A reader beside it never sees half a batch, nor an older state than before.

Every round begins with an empty history. The real history is ingested by a process of its own,
which is killed at a random moment, one in each equal part of the run: a reader counts the batches
that are there, and the rest of the moment is a part of the time that one batch takes.
"""

from collections import Counter

import harness
from common import note
from harness import Place, Reference, Watched, Watcher, none

from tests.acceptance.running import Workspace, finish


def main() -> None:
    """Kill as often as asked for, and judge."""
    chosen = harness.options(__doc__ or "", rounds=50).parse_args()
    with harness.place(chosen.store) as place:
        size = harness.size_for(place.kind, chosen.size)
        reference = Reference.of(place, size)
        moments = harness.moments(chosen.seed, chosen.rounds, reference.batches)
        found, watched = Counter[str](), Watched()
        for number, moment in enumerate(moments, 1):
            note(f"round {number} of {chosen.rounds}: killed {moment:.2f} batches after its start")
            with place.workspace() as workspace:
                found.update(_round(workspace, reference, moment, watched))
        _conclude(place, found, watched, seed=chosen.seed, size=size, rounds=chosen.rounds)


def _round(
    workspace: Workspace, reference: Reference, moment: float, watched: Watched
) -> Counter[str]:
    """What was found around one kill."""
    with Watcher(workspace, reference) as watcher:
        process = workspace.start("ingest", reference.path)
        harness.wait(process, watcher, moment)
        killed = harness.killed(process)
        held = harness.exported(workspace)
        drift = workspace.drift()
        again = finish(workspace.start("ingest", reference.path))
    watched.add(watcher)
    count = len(harness.records_of(held))
    whole = len(harness.records_of(reference.export))
    return Counter(
        {
            "while it wrote": 0 < count < whole,
            "before the first batch": count == 0,
            "after the last batch": count == whole,
            "ended by itself": not killed,
            "half": not reference.begins_with(held),
            "drift": bool(drift),
            "failed": again.code != 0,
            "unlike": harness.exported(workspace) != reference.export,
        }
    )


def _conclude(
    place: Place, found: Counter[str], watched: Watched, *, seed: int, size: str, rounds: int
) -> None:
    named = ("while it wrote", "before the first batch", "after the last batch", "ended by itself")
    rows = [("rounds", rounds), *((name, found[name]) for name in named), *watched.rows()]
    limits = [
        none("exports unlike the uninterrupted one", found["unlike"]),
        none("kills that left half a batch", found["half"]),
        none("kills after which ledger and projection differ", found["drift"]),
        none("second runs that failed", found["failed"]),
        *watched.limits(),
        harness.Limit("kills while it wrote", found["while it wrote"], rounds // 10, at_least=True),
    ]
    rule = "a killed ingest, run again, equals one that was never killed"
    said = dict(watched.errors)
    harness.conclude(rule, place, rows, limits, seed=seed, history=size, said=said)


if __name__ == "__main__":
    main()
