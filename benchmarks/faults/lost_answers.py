"""A cable that breaks right after a commit was sent: the server writes, and its answer is lost.

Rule: no assertion twice, none lost. The writer finds out that its batch is there, or ends with 6
and one line; the same command again does the rest, and the export is byte-identical to that of an
undisturbed run. Every round cuts the connection at the commit of a batch chosen at random, in
every other round before the commit reaches the server.
"""

import random
from collections import Counter
from dataclasses import replace
from urllib.parse import urlsplit

import harness
from common import note
from harness import Limit, Place, Reference, none

from cmc_graph.compile import BATCH_SIZE
from cmc_graph.model import Record
from loaders import factconsolidation
from tests.acceptance import real
from tests.acceptance.proxy import Cut, Proxy
from tests.acceptance.running import finish


def main() -> None:
    """Cut as often as asked for, and judge."""
    parser = harness.options(__doc__ or "", rounds=20)
    parser.set_defaults(store=harness.LOCAL, size="64k")
    chosen = parser.parse_args()
    with harness.place(chosen.store) as place:
        reference = Reference.of(place, chosen.size)
        records = list(factconsolidation.records(real.path(chosen.size)))
        random_batch = random.Random(chosen.seed)  # noqa: S311 - repeatable, not secret
        found = Counter[str]()
        for number in range(chosen.rounds):
            batch = random_batch.randrange(reference.batches)
            found.update(_round(place, reference, records, batch, is_late=number % 2 == 0))
        _conclude(place, found, rounds=chosen.rounds, seed=chosen.seed, size=chosen.size)


def _round(
    place: Place, reference: Reference, records: list[Record], batch: int, *, is_late: bool
) -> Counter[str]:
    """What was found around one cut."""
    when = "after" if is_late else "before"
    note(f"cut {when} the commit of batch {batch + 1}")
    address = urlsplit(place.first.url)
    # A text that is in no other batch: the cut comes with the commit after it.
    cut = Cut(records[batch * BATCH_SIZE].text.encode(), is_late=is_late)
    with place.workspace() as workspace, Proxy(address.port or 7687, cut) as proxy:
        through = replace(workspace, url=f"{address.scheme}://127.0.0.1:{proxy.port}")
        ran = finish(through.start("ingest", reference.path))
        held = harness.exported(workspace)
        drift = workspace.drift()
        again = finish(workspace.start("ingest", reference.path))
        export = harness.exported(workspace)
    one_line = ran.err.startswith("cmc-graph: ") and ran.err.count("\n") == 1
    return Counter(
        {
            "cuts": proxy.cuts > 0,
            "went on": ran.code == 0,
            "ended with 6": ran.code == 6,
            "unclear": not (ran.code == 0 or (ran.code == 6 and one_line)),
            "claimed": ran.code == 0 and held != reference.export,
            "half": not reference.begins_with(held),
            "drift": bool(drift),
            "unlike": again.code != 0 or export != reference.export,
        }
    )


def _conclude(place: Place, found: Counter[str], *, rounds: int, seed: int, size: str) -> None:
    rows = [("rounds", rounds), *((name, found[name]) for name in ("went on", "ended with 6"))]
    limits = [
        none("exports unlike the undisturbed one", found["unlike"]),
        none("successes reported of what was not written", found["claimed"]),
        none("cuts that left half a batch", found["half"]),
        none("cuts after which ledger and projection differ", found["drift"]),
        none("unclear errors", found["unclear"]),
        Limit("rounds with a cut", found["cuts"], rounds, at_least=True),
    ]
    rule = "a connection cut at the commit: no assertion twice, none lost"
    harness.conclude(rule, place, rows, limits, seed=seed, history=size)


if __name__ == "__main__":
    main()
