"""What enters a store: verdicts, limits and the accounting."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from cmc_graph.compile import declared, entry, ingest
from cmc_graph.errors import ExtractionError, PositionConflict
from cmc_graph.model import Interpretation, Record, SetBy, Status, Triple, Values
from cmc_graph.stores import open_store
from cmc_graph.stores.base import MAX_KEY_BYTES, MAX_RELATION_BYTES, Declared, Store


class Scripted:
    """A frontend that reads "S R O" and remembers what it was asked."""

    relations: Mapping[str, Values] = {"knows": Values.MANY}

    def __init__(self, lost: int = 0) -> None:
        self.asked: list[str] = []
        self._lost = lost

    def interpret(self, records: Sequence[Record]) -> Iterator[Interpretation]:
        self.asked += [record.text for record in records]
        for record in records[: len(records) - self._lost]:
            words = record.text.split()
            if len(words) == 3:
                yield Interpretation(Status.FACTS, (Triple(*words),), frontend="scripted")
            elif record.text.startswith("Hello"):
                yield Interpretation(Status.NO_FACT, frontend="scripted")
            else:
                yield Interpretation(Status.UNRESOLVED, reason="not three words")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'memory.db'}")
    yield opened
    opened.close()


def records(*texts: str) -> list[Record]:
    return [Record(text=text, position=number) for number, text in enumerate(texts)]


def test_a_name_too_long_to_index_makes_the_record_unresolved() -> None:
    """A key or relation beyond the stores' limits is a reason, never an error or a cut."""
    for triple in (
        Triple("s" * (MAX_KEY_BYTES + 1), "r", "o"),
        Triple("s", "r", "ö" * (MAX_KEY_BYTES // 2 + 1)),
        Triple("s", "r" * (MAX_RELATION_BYTES + 1), "o"),
    ):
        decided = entry(Record(text="x"), Interpretation(Status.FACTS, (triple,)))
        assert decided.status is Status.UNRESOLVED
        assert "longer than" in str(decided.reason)
        assert decided.assertions == ()


def test_a_name_at_the_limit_is_kept() -> None:
    """The limits are inclusive."""
    triple = Triple("s" * MAX_KEY_BYTES, "r" * MAX_RELATION_BYTES, "o")
    decided = entry(Record(text="x"), Interpretation(Status.FACTS, (triple,)))
    assert decided.status is Status.FACTS


@pytest.mark.parametrize(
    "verdict",
    [
        Interpretation(Status.FACTS),
        Interpretation(Status.UNRESOLVED, (Triple("a", "r", "b"),)),
        Interpretation(Status.NO_FACT, (Triple("a", "r", "b"),)),
    ],
)
def test_a_verdict_that_contradicts_itself_ends_the_ingest(verdict: Interpretation) -> None:
    """Facts come with triples and nothing else does, else a record would be in no read."""
    with pytest.raises(ExtractionError, match=r"'x' (facts|unresolved|no_fact) with \d triple"):
        entry(Record(text="x"), verdict)


def test_assertions_hold_keys_and_surfaces() -> None:
    """An assertion has the normalised key and the surface the record writes."""
    verdict = Interpretation(Status.FACTS, (Triple("The weekly meeting", "is  in", "Room B"),))
    (assertion,) = entry(Record(text="x"), verdict).assertions
    assert (assertion.subject, assertion.subject_text) == ("weekly meeting", "The weekly meeting")
    assert (assertion.relation, assertion.object) == ("is in", "room b")


def test_declared_relations_are_the_packs_word() -> None:
    """What a frontend declares is stored as said by a pack."""
    assert declared({"knows": Values.MANY}) == {"knows": Declared(Values.MANY, SetBy.PACK)}


def test_the_report_accounts_for_every_record(store: Store) -> None:
    """Records read are facts, unresolved, no_fact and skipped, each counted once."""
    report = ingest(store, "h", Scripted(), records("a r b", "Hello there all of you", "c r"))
    assert (report.records, report.facts, report.unresolved, report.no_fact) == (3, 1, 1, 1)
    assert report.reasons == (("not three words", 1),)


def test_known_records_are_never_interpreted_again(store: Store) -> None:
    """The second ingest asks the frontend nothing, and the third only about what is new."""
    ingest(store, "h", Scripted(), records("a r b", "c r d"))
    second, third = Scripted(), Scripted()
    report = ingest(store, "h", second, records("a r b", "c r d"))
    assert (second.asked, report.skipped, report.assertions) == ([], 2, 0)
    ingest(store, "h", third, records("a r b", "c r d", "e r f"))
    assert third.asked == ["e r f"]


def test_a_conflict_is_found_before_the_frontend_is_asked(store: Store) -> None:
    """A record that would change is refused before anything is spent on its batch."""
    ingest(store, "h", Scripted(), records("a r b"))
    scripted = Scripted()
    with pytest.raises(PositionConflict) as caught:
        ingest(store, "h", scripted, records("a r c", "d r e"))
    assert (caught.value.positions, scripted.asked) == ((0,), [])
    assert store.stats("h").records == 1


def test_finished_batches_stay_when_a_later_one_conflicts(store: Store) -> None:
    """A conflict writes nothing of the remaining batches; the finished ones are whole."""
    ingest(store, "h", Scripted(), [Record(text="x r y", position=3)])
    with pytest.raises(PositionConflict):
        ingest(store, "h", Scripted(), records(*["a r b"] * 4), batch_size=2)
    assert store.stats("h").records == 3


def test_a_frontend_that_loses_a_record_is_an_error(store: Store) -> None:
    """Fewer interpretations than records end the ingest before the batch is written."""
    with pytest.raises(ExtractionError, match="1 of 2"):
        ingest(store, "h", Scripted(lost=1), records("a r b", "c r d"))
    assert store.stats("h").records == 0


def test_progress_counts_the_records_done(store: Store) -> None:
    """Progress is told after every batch, skipped records included."""
    seen: list[int] = []
    ingest(store, "h", Scripted(), records(*["a r b"] * 5), batch_size=2, on_progress=seen.append)
    assert seen == [2, 4, 5]
