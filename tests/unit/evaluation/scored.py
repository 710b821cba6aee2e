"""A small run to score: a history with an update, three questions about it, and two arms."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from cmc_graph.compile import ingest
from cmc_graph.evaluation.formats import Case, Manifest, Prediction, hash_text
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.model import Record
from cmc_graph.stores import open_store

HISTORY = "meeting"
NOTES = (
    ("The weekly meeting is in Room A.", ("weekly meeting", "location", "Room A")),
    ("Room A is on floor 2.", ("Room A", "floor", "2")),
    ("Room B is on floor 5.", ("Room B", "floor", "5")),
    ("The weekly meeting moved to Room B.", ("weekly meeting", "location", "Room B")),
)
FLOOR, ROOM, STAYS = "data_floor", "data_room", "data_stays"


def frozen() -> Frozen:
    """The history of the notes, numbered from 1."""
    records = [
        Record(text=text, position=number, triples=[triple])  # type: ignore[arg-type]  # made a tuple
        for number, (text, triple) in enumerate(NOTES, 1)
    ]
    with closing(open_store("sqlite:///:memory:")) as store:
        store.setup()
        ingest(store, HISTORY, grammar_frontend([]), records)
        return Frozen(store.scan(HISTORY))


def cases(**changes: Any) -> list[Case]:
    """Where the update changes the keys; one whose reference it overtook; and one it leaves be."""
    told = (
        (FLOOR, "On which floor is the weekly meeting?", "5", "mh_6k"),
        (ROOM, "Where is the weekly meeting?", "Room A", "sh_6k"),
        (STAYS, "On which floor is Room B?", "5", "mh_6k"),
    )
    return [
        Case(
            **{
                **{"id": name, "question": question, "references": (reference,)},
                **{"history": HISTORY, "cell": cell},
                **changes.get(name, {}),
            }
        )
        for name, question, reference, cell in told
    ]


def prediction(case: str, arm: str, positions: Sequence[int], **fields: Any) -> Prediction:
    """What an arm's evidence led to."""
    digest = hash_text(f"{case} {arm}")
    values = {
        "reader": "path",
        "frontend": "grammar",
        "evidence_hash": digest,
        "request": digest,
        "evidence_tokens": 10 * len(positions),
    }
    return Prediction(case=case, arm=arm, positions=tuple(positions), **{**values, **fields})


def predictions() -> list[Prediction]:
    """CMC has both floors, its control only the one that no update moved."""
    return [
        prediction(FLOOR, "cmc", (3, 4), answer="floor 5", evidence_characters=80),
        prediction(ROOM, "cmc", (3, 4), answer="Room B"),
        prediction(STAYS, "cmc", (3,), answer="5", evidence_characters=40),
        prediction(FLOOR, "prior_read_refresh", (2, 4), answer="2", clipped=3),
        prediction(ROOM, "prior_read_refresh", (2, 4), answer="Room A", error="cut off"),
        prediction(STAYS, "prior_read_refresh", (3,), answer="5"),
    ]


def manifest() -> Manifest:
    """What goes with it."""
    digest = hash_text("")
    return Manifest(
        dataset=digest,
        histories={HISTORY: digest},
        interpretations={f"grammar/{HISTORY}": digest},
        frontends=("grammar",),
        arms=("cmc", "prior_read_refresh"),
        readers=("path",),
        seal=digest,
    )
