"""A whole history laid out at once is what the oracle makes of it step by step."""

from hypothesis import given
from hypothesis import strategies as st

from cmc_graph.model import SetBy, Triple, Values
from cmc_graph.stores.base import Declared
from cmc_graph.stores.projection import projection
from tests.support.builders import entry
from tests.support.oracle import Oracle

names = st.sampled_from(["Ana", "Ben", "Cy"])
triples = st.builds(Triple, names, st.sampled_from(["r", "s"]), names, st.booleans())
histories = st.dictionaries(st.integers(0, 9), st.lists(triples, min_size=1, max_size=3))


@given(histories, st.frozensets(st.sampled_from(["r", "s"])))
def test_ends_and_last_words(said: dict[int, list[Triple]], many: frozenset[str]) -> None:
    """Every assertion has its slot and its end, and every slot its last word, in any order."""
    entries = [entry(position, *each) for position, each in said.items()]
    values = {name: Values.MANY if name in many else Values.ONE for name in ("r", "s")}
    declared = {name: Declared(value, SetBy.PACK) for name, value in values.items()}
    found = projection(entries, declared)
    memory = Oracle(entries, many)
    assert {(p.position, p.said.ordinal): p.superseded_at for p in found.assertions} == {
        place: memory.superseded_at.get(place) for place in memory.ledger
    }
    assert {
        (p.position, p.said.ordinal): (p.said.subject, p.said.relation, p.member)
        for p in found.assertions
    } == memory.ledger
    assert {slot: (word.position, word.said.ordinal) for slot, word in found.words.items()} == {
        slot: word.place for slot, word in memory.words.items()
    }
