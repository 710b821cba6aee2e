"""Random lives of a history, compared with the oracle after every step.

Small alphabets, so that slots collide: ties within a record, retractions with and without effect,
values that come back, records that arrive late, again, or after they were forgotten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmc_graph.errors import UsageError
from cmc_graph.model import Forgotten, Status, Triple, Values
from cmc_graph.stores.base import Applied, Entry, Store
from tests.contract.comparison import GAP, check, check_as_of, check_select, check_suffixes
from tests.support.builders import batch, entry, residual, silent
from tests.support.database import NewHistory
from tests.support.oracle import Oracle

RELATIONS = ("r", "s")
names = st.sampled_from(["Ana", "ANA", "Ben", "Ana Ben", "Cy", "東"])
triples = st.builds(Triple, names, st.sampled_from(RELATIONS), names, st.booleans())
verdicts = st.one_of(
    st.lists(triples, min_size=1, max_size=4),
    st.lists(triples, min_size=1, max_size=1),
    st.just(Status.UNRESOLVED),
    st.just(Status.NO_FACT),
)
positions = st.integers(0, 12)
some_positions = st.lists(positions, min_size=1, max_size=4)
questions = st.lists(st.sampled_from(["ana", "ben", "cy", "東", GAP]), max_size=8)


@dataclass(frozen=True)
class Append:
    """Append the records at these positions, as one batch; packs say these relations are many."""

    positions: Sequence[int]
    many: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Forget:
    positions: Sequence[int]


@dataclass(frozen=True)
class Switch:
    relation: str
    values: Values


@dataclass(frozen=True)
class Merge:
    name: str
    into: str


@dataclass(frozen=True)
class Replace:
    """Read all records again: the verdicts of this pool; packs say these relations are many."""

    pool: Mapping[int, Entry]
    many: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rebuild:
    pass


Step = Append | Forget | Switch | Merge | Replace | Rebuild


relations = st.sampled_from(RELATIONS)


@st.composite
def pools(draw: st.DrawFn) -> dict[int, Entry]:
    """What each position says, should it be appended."""
    said = draw(st.dictionaries(positions, verdicts, min_size=3, max_size=9))
    return {position: _entry(position, verdict) for position, verdict in said.items()}


steps = st.one_of(
    st.builds(Append, some_positions, st.frozensets(relations)),
    st.builds(Append, some_positions),
    st.builds(Forget, some_positions),
    st.builds(Switch, relations, st.sampled_from(list(Values))),
    st.builds(Merge, relations, relations),
    st.builds(Replace, pools(), st.frozensets(relations)),
    st.just(Rebuild()),
)


def _entry(position: int, verdict: list[Triple] | Status) -> Entry:
    if verdict is Status.UNRESOLVED:
        return residual(position)
    return silent(position) if isinstance(verdict, Status) else entry(position, *verdict)


@dataclass
class Life:
    """One history in a store, and beside it what should be in it."""

    store: Store
    history: str
    pool: dict[int, Entry]
    there: dict[int, Entry] = field(default_factory=dict)
    packs: set[str] = field(default_factory=set)
    persons: dict[str, Values] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    merged: dict[str, str] = field(default_factory=dict)

    def memory(self) -> Oracle:
        packs = dict.fromkeys(self.packs, Values.MANY)
        said = {**packs, **self.persons}
        many = {name for name in said if said[name] is Values.MANY}
        return Oracle(map(self._counted, self.there.values()), many)

    def take(self, step: Step) -> None:
        """Do the step on both sides and compare what it reports and what is left."""
        if isinstance(step, Append):
            self._append(step)
        elif isinstance(step, Forget):
            self._forget(step)
        elif isinstance(step, Switch):
            self._switch(step)
        elif isinstance(step, Merge):
            self._merge(step)
        elif isinstance(step, Replace):
            self._replace(step)
        else:
            assert self.store.rebuild(self.history) == len(self.memory().words)
        check(self.store, self.history, self.memory())

    def _append(self, step: Append) -> None:
        brought = {p: self.pool[p] for p in step.positions if p in self.pool}
        new = {p: said for p, said in brought.items() if p not in self.there}
        before, version = self.memory(), self.store.stats(self.history).version
        self.there |= new
        said = [a for one in new.values() for a in self._counted(one).assertions]
        self._declare({a.relation for a in said}, step.many)
        after = self.memory()
        statuses = [one.status for one in new.values()]
        applied = self.store.append(self.history, batch(*brought.values(), many=step.many))
        expected = Applied(
            facts=statuses.count(Status.FACTS),
            unresolved=statuses.count(Status.UNRESOLVED),
            no_fact=statuses.count(Status.NO_FACT),
            skipped=len(brought) - len(new),
            assertions=len(said),
            slots_changed=changed(before, after),
            version=version + bool(new),
        )
        assert applied == expected

    def _forget(self, step: Forget) -> None:
        before = self.memory()
        gone = {p: self.there.pop(p) for p in {*step.positions} & self.there.keys()}
        after = self.memory()
        assert self.store.forget(self.history, step.positions) == Forgotten(
            records=len(gone),
            assertions=sum(len(one.assertions) for one in gone.values()),
            entities=len(before.keys() - after.keys()),
            slots_changed=changed(before, after),
        )

    def _switch(self, step: Switch) -> None:
        if step.relation in {slot[1] for slot in self.memory().words}:
            self.named.add(step.relation)
            self.persons[step.relation] = step.values
            slots = [slot for slot in self.memory().words if slot[1] == step.relation]
            assert self.store.set_relation(self.history, step.relation, step.values) == len(slots)

    def _merge(self, step: Merge) -> None:
        name, root = step.name, self.merged.get(step.into, step.into)
        if root == name or root not in self.named or self.merged.get(name, root) != root:
            with pytest.raises(UsageError):
                self.store.merge_relations(self.history, {name: step.into})
            return
        said = [self.persons[each] for each in (root, name) if each in self.persons]
        if said and name not in self.merged:
            self.persons[root] = max(said, key=lambda values: values is Values.MANY)
        if name in self.packs:
            self.packs.add(root)
        self.named.add(name)
        self.merged[name] = root
        self.store.merge_relations(self.history, {name: step.into})

    def _replace(self, step: Replace) -> None:
        before, version = self.memory(), self.store.stats(self.history).version
        self.there = {p: step.pool.get(p, silent(p)) for p in sorted(self.there)}
        said = [a for one in self.there.values() for a in self._counted(one).assertions]
        self.packs = set()
        self.named &= self.persons.keys() | self.merged.keys() | set(self.merged.values())
        self._declare({a.relation for a in said}, step.many)
        replaced = self.store.replace(
            self.history, batch(*self.there.values(), many=step.many), version
        )
        statuses = [one.status for one in self.there.values()]
        expected = Applied(
            facts=statuses.count(Status.FACTS),
            unresolved=statuses.count(Status.UNRESOLVED),
            no_fact=statuses.count(Status.NO_FACT),
            assertions=len(said),
            slots_changed=changed(before, self.memory()),
            version=version + 1,
        )
        assert replaced == (expected if version else Applied())
        assert {each.name for each in self.store.relations(self.history)} == self.named

    def _counted(self, one: Entry) -> Entry:
        """The entry with the relations that count."""
        said = (
            a._replace(relation=self.merged.get(a.relation, a.relation)) for a in one.assertions
        )
        return one._replace(assertions=tuple(said))

    def _declare(self, used: set[str], many: frozenset[str]) -> None:
        self.named |= used
        self.packs |= {self.merged.get(name, name) for name in many} & used


def changed(before: Oracle, after: Oracle) -> int:
    """How many slots have another last word, or one less or more, than before."""
    slots = before.words.keys() | after.words.keys()
    return sum(last_word(before, slot) != last_word(after, slot) for slot in slots)


def last_word(memory: Oracle, slot: tuple[str, str, str]) -> tuple[object, ...] | None:
    """Where a slot's last word stands, and what it says."""
    word = memory.words.get(slot)
    return word and (word.place, word.said.object, word.said.retracts)


def test_any_life_of_a_history(store: Store, new_history: NewHistory, *, examples: int) -> None:
    """After every step, ledger, projection, counts and reads are those of the oracle."""

    @settings(max_examples=examples)
    @given(pools(), st.lists(steps, max_size=7), questions, st.integers(1, 5), positions)
    def run(
        pool: dict[int, Entry],
        taken: list[Step],
        question: list[str],
        hops: int,
        position: int,
    ) -> None:
        life = Life(store, new_history(), pool)
        for step in [*taken, Append(list(pool))]:
            life.take(step)
        memory = life.memory()
        check_select(store, life.history, memory, question, hops)
        check_as_of(store, life.history, memory, position, question, hops)
        check_suffixes(store, life.history, memory, chars=hops * 25)

    run()


def test_any_split_and_order_of_batches(
    store: Store, new_history: NewHistory, *, examples: int
) -> None:
    """However the records are split into batches and ordered, the state is the same."""

    @settings(max_examples=examples)
    @given(pools(), st.data(), st.frozensets(st.sampled_from(RELATIONS)))
    def run(pool: dict[int, Entry], data: st.DataObject, many: frozenset[str]) -> None:
        order = data.draw(st.permutations(list(pool)))
        cuts = sorted(data.draw(st.sets(st.integers(0, len(order)), max_size=4)))
        history = new_history()
        for start, stop in zip([0, *cuts], [*cuts, len(order)], strict=True):
            part = [pool[position] for position in order[start:stop]]
            store.append(history, batch(*part, many=many))
            assert not store.verify(history)
        check(store, history, Oracle(pool.values(), many))
        for position in data.draw(st.lists(positions, max_size=2)):
            check_as_of(store, history, Oracle(pool.values(), many), position, ["ana"], 3)

    run()
