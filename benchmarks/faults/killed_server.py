"""SIGKILL of the Neo4j server in the middle of an ingest and of reads.

Rule: the client waits for a bounded time. When the server is back within it, the command goes on
and leaves a history whose export is byte-identical to that of an undisturbed run, and a read that
was waiting answers. When it is not, command and read end with one clear line, and after the next
start of the server the same command completes.

The server is one of the script's own, in a temporary folder. ``--rounds`` are those in which it
comes back; unless told otherwise, one more follows in which it stays away until the client has
given up.
"""

import time
from dataclasses import dataclass

import harness
from common import note
from harness import Limit, Place, Reference, Watched, Watcher, none

from cmc_graph import server
from cmc_graph.errors import StoreUnreachable
from tests.acceptance.running import Ran, finish

#: Seconds a command may take to give up: its longest wait, one last attempt, a busy machine.
LONGEST_WAIT = 60.0
#: Seconds within which a server has to be back for the client to have to go on.
SOON = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """What happened around one kill of the server.

    Attributes:
        away: Seconds until the server answered again; None: it stayed away.
        ingest: How the ingest ended.
        seconds: How long after the kill.
        watcher: What a reader saw; it had read before.
        is_same: After the same command again, the export is that of an undisturbed run.
    """

    away: float | None
    ingest: Ran
    seconds: float
    watcher: Watcher
    is_same: bool

    @property
    def went_on(self) -> bool:
        """Ingest and reads all did what they were asked."""
        return self.ingest.code == 0 and not self.watcher.errors

    @property
    def was_soon(self) -> bool:
        """The server was back while the client certainly still waited."""
        return self.away is not None and self.away < SOON

    @property
    def is_clear(self) -> bool:
        """Whatever failed said in one line that the server gives no answer."""
        said = list(self.watcher.errors)
        if self.ingest.code:
            said.append(self.ingest.err.removesuffix("\n"))
        has_code = self.ingest.code in (0, StoreUnreachable.exit_code)
        return has_code and all("Neo4j" in each and "\n" not in each for each in said)

    @property
    def waited(self) -> float:
        """The longest wait for an answer: from the kill to the ingest's end, or of a read."""
        gave_up = self.seconds if self.ingest.code else 0.0
        return max([gave_up, *self.watcher.seconds])


def main() -> None:
    """Kill the server as often as asked for, and judge."""
    parser = harness.options(__doc__ or "", rounds=4, stores=False)
    parser.add_argument("--only-back", action="store_true", help="leave out where it stays away")
    chosen = parser.parse_args()
    with harness.own_server() as place:
        size = harness.size_for(place.kind, chosen.size)
        reference = Reference.of(place, size)
        moments = harness.moments(chosen.seed, chosen.rounds, reference.batches - 1)
        kills = [_round(place, reference, moment, comes_back=True) for moment in moments]
        if not chosen.only_back:
            kills.append(_round(place, reference, moments[-1], comes_back=False))
        _conclude(place, kills, seed=chosen.seed, size=size)


def _round(place: Place, reference: Reference, moment: float, *, comes_back: bool) -> Kill:
    fate = "comes back" if comes_back else "stays away"
    note(f"killed {moment:.2f} batches after the start of an ingest; it {fate}")
    with place.workspace() as workspace:
        process = workspace.start("ingest", reference.path)
        with Watcher(workspace, reference) as watcher:
            harness.wait(process, watcher, max(moment, 1.0))
            harness.kill_server(place.folder)
            killed = time.perf_counter()
            if comes_back:
                server.start(place.folder, auth=False)
            away = time.perf_counter() - killed if comes_back else None
            ingest = finish(process)
            seconds = time.perf_counter() - killed
            while not comes_back and not watcher.errors:
                time.sleep(0.1)
        if not comes_back:
            server.start(place.folder, auth=False)
        again = finish(workspace.start("ingest", reference.path))
        same = again.code == 0 and harness.exported(workspace) == reference.export
        is_same = same and not workspace.drift()
    return Kill(away=away, ingest=ingest, seconds=seconds, watcher=watcher, is_same=is_same)


def _conclude(place: Place, kills: list[Kill], *, seed: int, size: str) -> None:
    watched = Watched()
    for kill in kills:
        watched.add(kill.watcher)
    back = [kill.away for kill in kills if kill.away is not None]
    rows = [
        ("server kills", len(kills)),
        ("of them it came back", len(back)),
        ("longest away and back, s", max(back)),
        ("client went on", sum(kill.went_on for kill in kills)),
        ("longest wait, s", max(kill.waited for kill in kills)),
        ("reads meanwhile", watched.reads),
    ]
    limits = [
        none("exports unlike the undisturbed one", sum(not kill.is_same for kill in kills)),
        none("gave up though it was back soon", sum(k.was_soon and not k.went_on for k in kills)),
        none("unclear errors", sum(not kill.is_clear for kill in kills)),
        none("reads of half a batch", watched.torn),
        none("reads of an older state than before", watched.backward),
        Limit("longest wait, s", max(kill.waited for kill in kills), LONGEST_WAIT),
    ]
    rule = "a server killed mid-ingest and mid-read: wait a bounded time, then go on or say so"
    said = sorted({kill.ingest.err.strip() for kill in kills if kill.ingest.code})
    harness.conclude(rule, place, rows, limits, seed=seed, history=size, said=said)


if __name__ == "__main__":
    main()
