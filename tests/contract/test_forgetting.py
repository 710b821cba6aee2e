"""Forgetting by what records are about: which are meant, and a dry run that tells the truth."""

from pathlib import Path

import pytest

from cmc_graph import forgetting
from cmc_graph.forgetting import Selector, forget
from cmc_graph.model import Forgotten, Pattern, Triple
from cmc_graph.stores.base import Kept, Store
from loaders.lines import source_of
from tests.contract.comparison import check
from tests.support.builders import batch, entry, no, residual, silent
from tests.support.database import NewHistory
from tests.support.oracle import Oracle

#: The source of a file b.txt that is in the folder.
FILE = source_of(Path("b.txt"))
SAID = [
    entry(1, ("Ana", "city", "Graz"), text="Ana lives in Graz.", source="a.txt"),
    entry(2, ("Ana", "city", "Porto"), text="Ana moved to Porto.", source="b.txt"),
    entry(3, ("Ana Lima", "city", "Oslo"), text="Ana Lima lives in Oslo.", source="b.txt"),
    entry(4, ("Ben", "knows", "Ana"), text="Ben knows her.", source=f"{FILE}#part"),
    residual(5, text="Maybe Ana's sister moves, too.", source="b.txt2"),
    silent(6, text="Banana bread for everybody.", speaker="Bo", source="b.txt#part"),
    entry(
        7,
        no("Ben", "city", "Rome"),
        text="Ben no longer lives in Rome.",
        speaker="Ana Lima",
        source="stdin#1",
    ),
    entry(8, ("Cy", "speaks", "Dutch"), ("Cy", "speaks", "Basque"), text="Cy speaks a lot."),
]


@pytest.mark.parametrize(
    ("selector", "positions"),
    [
        pytest.param(Selector(source="b.txt"), (2, 3, 4), id="a file with its parts"),
        pytest.param(Selector(source="b"), (), id="the beginning of a source"),
        pytest.param(Selector(source=FILE), (4,), id="a file by its whole path"),
        pytest.param(Selector(source="stdin"), (7,), id="standard input"),
        pytest.param(Selector(entity="bo"), (6,), id="a speaker"),
        pytest.param(Selector(source="c.txt"), (), id="no such source"),
        pytest.param(Selector(entity="ANA"), (1, 2, 4, 5), id="an entity in facts and texts"),
        pytest.param(Selector(entity="Ana Lima"), (3, 7), id="an entity of a longer name"),
        pytest.param(Selector(entity="sister"), (5,), id="a name of no fact"),
        pytest.param(Selector(entity="Dutch"), (8,), id="an object"),
        pytest.param(Selector(entity="Zoe"), (), id="nobody"),
        pytest.param(Selector(positions={2, 7, 99}), (2, 7), id="positions"),
    ],
)
def test_which_records_are_meant(
    store: Store,
    new_history: NewHistory,
    selector: Selector,
    positions: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A dry run says what forgetting then does, and nothing else is touched by either."""
    history, bystander = new_history("gone"), new_history("bystander")
    for name in (history, bystander):
        store.append(name, batch(*SAID, many=["speaks"]))
    expected = forget(store, history, selector, dry_run=True)
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "_FEW", 0)  # as when there are many
        assert forget(store, history, selector, dry_run=True) == expected
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


def test_callers_sources_are_apart(store: Store, history: str) -> None:
    """Two sources that a caller named are two, whatever their names begin with."""
    slack = [silent(1, source="slack"), silent(2, source="slack#general"), silent(3, source="sla")]
    store.append(history, batch(*slack))
    assert forget(store, history, Selector(source="slack")).positions == (1,)
    assert forget(store, history, Selector(source="slack#general")).positions == (2,)


def test_patterns_go_with_the_last_record_that_shows_them(store: Store, history: str) -> None:
    """A pattern is words of texts: it stays as long as one of them does."""
    said = [
        entry(1, ("Ana", "city", "Graz"), text="Ana secretly lives in Graz."),
        entry(2, ("Ben", "city", "Rome"), text="Ben secretly  lives in Rome"),
        entry(3, ("Ben", "boss", "Cy"), text="Ben reports to Cy."),
    ]
    secret, boss = (
        Pattern("{S} secretly lives in {O}", "city", 3, 2),
        Pattern("{S} reports to {O}", "boss", 3, 2),
    )
    store.append(history, batch(*said))
    store.keep_patterns(history, [secret, boss])
    forget(store, history, Selector(positions=[1]))
    assert store.patterns(history) == [secret, boss]
    forget(store, history, Selector(entity="Rome"))
    assert store.patterns(history) == [boss]
    forget(store, history, Selector(entity="Ben"))
    assert store.patterns(history) == []


def test_what_comes_meanwhile_is_forgotten_too(
    store: Store, history: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that is written while the others are looked through does not stay."""
    store.append(history, batch(*SAID))
    late = [entry(20, ("Ana", "city", "Rome"), text="Ana lives in Rome.")]
    at_work = store.forget

    def forget_beside_a_writer(name: str, positions: list[int]) -> Forgotten:
        if late:
            store.append(name, batch(late.pop()))
        return at_work(name, positions)

    monkeypatch.setattr(store, "forget", forget_beside_a_writer)
    assert forget(store, history, Selector(entity="Ana")).positions == (1, 2, 4, 5, 20)
    assert not any("ana" in text(kept) for kept in store.scan(history) if kept.record.position != 3)


def text(kept: Kept) -> list[str]:
    return kept.record.text.casefold().replace("'", " ").split()
