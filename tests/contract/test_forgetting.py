"""Forgetting by what records are about: which are meant, and a dry run that tells the truth."""

import pytest

from cmc_graph.forgetting import Selector, forget
from cmc_graph.model import Forgotten, Triple
from cmc_graph.stores.base import Store
from tests.contract.comparison import check
from tests.support.builders import batch, entry, no, residual, silent
from tests.support.database import NewHistory
from tests.support.oracle import Oracle

SAID = [
    entry(1, ("Ana", "city", "Graz"), text="Ana lives in Graz.", source="a.txt"),
    entry(2, ("Ana", "city", "Porto"), text="Ana moved to Porto.", source="b.txt"),
    entry(3, ("Ana Lima", "city", "Oslo"), text="Ana Lima lives in Oslo.", source="b.txt"),
    entry(4, ("Ben", "knows", "Ana"), text="Ben knows her.", source="b.txt#part"),
    residual(5, text="Maybe Ana's sister moves, too.", source="b.txt2"),
    silent(6, text="Banana bread for everybody."),
    entry(7, no("Ben", "city", "Rome"), text="Ben no longer lives in Rome."),
    entry(8, ("Cy", "speaks", "Dutch"), ("Cy", "speaks", "Basque"), text="Cy speaks a lot."),
]


@pytest.mark.parametrize(
    ("selector", "positions"),
    [
        pytest.param(Selector(source="b.txt"), (2, 3, 4), id="a source with its parts"),
        pytest.param(Selector(source="c.txt"), (), id="no such source"),
        pytest.param(Selector(entity="ANA"), (1, 2, 4, 5), id="an entity in facts and texts"),
        pytest.param(Selector(entity="Ana Lima"), (3,), id="an entity of a longer name"),
        pytest.param(Selector(entity="sister"), (5,), id="a name of no fact"),
        pytest.param(Selector(entity="Dutch"), (8,), id="an object"),
        pytest.param(Selector(entity="Zoe"), (), id="nobody"),
        pytest.param(Selector(positions={2, 7, 99}), (2, 7), id="positions"),
    ],
)
def test_which_records_are_meant(
    store: Store, new_history: NewHistory, selector: Selector, positions: tuple[int, ...]
) -> None:
    """A dry run says what forgetting then does, and nothing else is touched by either."""
    history, bystander = new_history("gone"), new_history("bystander")
    for name in (history, bystander):
        store.append(name, batch(*SAID, many=["speaks"]))
    expected = forget(store, history, selector, dry_run=True)
    check(store, history, Oracle(SAID, ["speaks"]))
    assert expected.positions == positions
    assert forget(store, history, selector) == expected
    rest = [said for said in SAID if said.record.position not in positions]
    check(store, history, Oracle(rest, ["speaks"]))
    check(store, bystander, Oracle(SAID, ["speaks"]))
    assert forget(store, history, selector) == Forgotten()


def test_forgotten_records_come_again(store: Store, history: str) -> None:
    """What was forgotten is as new when it is appended again."""
    store.append(history, batch(*SAID))
    forget(store, history, Selector(entity="Ana"))
    store.append(history, batch(*SAID))
    check(store, history, Oracle(SAID))


def test_effects_that_hang_together(store: Store, history: str) -> None:
    """A dry run counts what falls back, also where a retraction loses its effect."""
    said = [
        entry(1, ("Ana", "city", "Graz"), source="x"),
        entry(2, ("Ana", "city", "Porto"), Triple("Ben", "city", "Porto"), source="y"),
        entry(3, no("Ana", "city", "Porto"), source="x"),
    ]
    store.append(history, batch(*said))
    selector = Selector(source="y")
    expected = forget(store, history, selector, dry_run=True)
    assert expected == Forgotten(
        records=1, assertions=2, entities=1, slots_changed=2, positions=(2,)
    )
    assert forget(store, history, selector) == expected
