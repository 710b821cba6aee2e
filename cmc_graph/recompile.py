"""The use case of reading again: stored records to new interpretations, in one switch.

Records never change; what another frontend makes of them replaces what was made before, and readers
see the old state or the new one. This module must not know which store it writes to.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cmc_graph.compile import declared, interpret
from cmc_graph.errors import ExtractionError
from cmc_graph.frontends import Frontend, given
from cmc_graph.model import IngestReport, Record
from cmc_graph.stores import wholeness
from cmc_graph.stores.base import Batch, Kept, Store


def recompile(store: Store, history: str, frontend: Frontend) -> IngestReport:
    """What the records of the history became when the frontend read them.

    Records that brought their own triples keep them.

    Args:
        store: Where the history is.
        history: Its name.
        frontend: Interprets all other records.

    Raises:
        ExtractionError: The frontend gave more or fewer interpretations than records.
        StoreBusy: The history was written to meanwhile.
        StoreError: The store failed, or something in the history is damaged or lost: what a record
            brought itself must not be read away. In every case nothing is changed.
    """
    started = time.perf_counter()
    head = wholeness.head(store, history)
    kept = list(wholeness.scan(store, history, head))
    again = iter(interpret(frontend, to_read(kept)))
    entries = tuple(each.entry if _is_given(each) else next(again) for each in kept)
    batch = Batch(entries, declared(frontend.relations))
    applied = store.replace(history, batch, head.version)
    if applied.facts + applied.unresolved + applied.no_fact != len(kept):
        raise ExtractionError(
            f"{len(kept)} records were read again, but {applied} were written; run it again, and "
            "report this as a fault of cmc-graph"
        )
    return IngestReport(
        records=len(kept),
        facts=applied.facts,
        unresolved=applied.unresolved,
        no_fact=applied.no_fact,
        assertions=applied.assertions,
        slots_changed=applied.slots_changed,
        seconds=time.perf_counter() - started,
        reasons=tuple(Counter(e.reason for e in entries if e.reason).most_common()),
    )


def to_read(kept: Sequence[Kept]) -> list[Record]:
    """The records that a frontend reads again, without the verdicts they have, in order."""
    return [replace(each.record, status=None, reason=None) for each in kept if not _is_given(each)]


def _is_given(kept: Kept) -> bool:
    return any(said.frontend == given.NAME for said in kept.assertions)
