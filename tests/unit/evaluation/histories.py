"""Small histories for the tests of the evaluation, read by the real store."""

from collections.abc import Iterable
from contextlib import closing

from cmc_graph.evaluation.arms import Bench, Window
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.model import Evidence
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Entry, Kept
from tests.support.builders import batch, entry, residual

QUESTION = "On which floor is the weekly meeting?"

#: The paper's running example: the meeting moves from Room A to Room B, both keep their floors.
MEETING = (
    entry(1, ("weekly meeting", "location", "Room A"), text="The weekly meeting is in Room A."),
    entry(2, ("Room A", "floor", "floor 2"), text="Room A is on floor 2."),
    entry(3, ("Room B", "floor", "floor 5"), text="Room B is on floor 5."),
    entry(4, ("weekly meeting", "location", "Room B"), text="The weekly meeting is in Room B."),
    entry(5, ("Oslo office", "on", "pier 9"), text="The Oslo office is on pier 9."),
)
MUTTERING = residual(6, text="Somebody said something.")


def kept(entries: Iterable[Entry], many: Iterable[str] = ()) -> list[Kept]:
    """What the store holds after these entries."""
    with closing(open_store("sqlite:///:memory:")) as store:
        store.append("h", batch(*entries, many=many))
        return list(store.scan("h"))


def frozen(*entries: Entry, many: Iterable[str] = ()) -> Frozen:
    """The frozen interpretation of these entries."""
    return Frozen(kept(entries, many))


def bench(*entries: Entry, characters: int | None = 60_000, **options: object) -> Bench:
    """A bench on these entries."""
    window = Window(characters=characters)
    return Bench(history=frozen(*entries), window=window, **options)  # type: ignore[arg-type]  # checked there


def shown(evidence: Evidence) -> list[int]:
    """Positions of the records that evidence shows."""
    return [record.position or 0 for record in evidence.records]
