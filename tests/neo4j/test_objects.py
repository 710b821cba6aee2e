"""The typed object view reads what the store wrote, and declares what is there."""

from collections.abc import Iterator

import neo4j
import neomodel
import pytest

from cmc_graph import objects
from cmc_graph.errors import DatabaseMissing, StoreUnreachable, UsageError
from cmc_graph.model import Pattern
from cmc_graph.stores.base import Store
from cmc_graph.stores.neo4j_schema import rules
from tests.support.builders import batch, entry, no, residual
from tests.support.neo4j_target import Target

NODES = {
    kind.__name__: kind
    for kind in (
        *(objects.Record, objects.Entity, objects.Relation, objects.History),
        *(objects.Pattern, objects.Published, objects.Schema),
    )
}
EDGES = {"ASSERTED": objects.Asserted, "CURRENT": objects.Current, "ENDED": objects.Ended}


@pytest.fixture
def written(store: Store, history: str, neo4j_target: Target) -> Iterator[str]:
    """A history with overwritten, repeated and ended values, open to the object view."""
    entries = [
        entry(1, ("Ana", "city", "Porto"), source="notes.md", source_line=3, speaker="Ben"),
        entry(2, ("Ana", "city", "Graz"), observed_at="2026-03-01", session="s1"),
        entry(3, ("Ana", "city", "Porto")),
        entry(4, ("Ben", "knows", "Ana"), no("Ben", "pet", "Rex")),
        residual(5),
    ]
    store.append(history, batch(*entries, many=["knows"]))
    store.merge_relations(history, {"is friends with": "knows"})
    store.keep_patterns(history, [Pattern("{S} knows {O}", "knows", 3, 2)])
    with objects.connect(neo4j_target.url, **neo4j_target.options):
        yield history


def declared(kind: type[neomodel.StructuredNode] | type[neomodel.StructuredRel]) -> set[str]:
    """The properties a class names."""
    return set(kind.defined_properties(rels=False, aliases=False))


def test_versions_of_a_slot(written: str) -> None:
    """Each assertion is an object, also when two of them have the same ends (A2)."""
    ana = objects.Entity.nodes.get(history=written, key="ana")
    versions = [(v.position, v.object_text, v.superseded_at) for v in ana.versions("city")]
    assert versions == [(1, "Porto", 2), (2, "Graz", 3), (3, "Porto", None)]
    assert ana.versions("pet") == []
    assert [v.end_node().name for v in ana.versions()] == ["Porto", "Graz", "Porto"]


def test_edges_of_an_entity(written: str) -> None:
    """Current and ended edges are told apart."""
    ana, ben = (objects.Entity.nodes.get(history=written, key=key) for key in ("ana", "ben"))
    assert [(edge.relation, edge.position) for edge in ana.current_edges()] == [("city", 3)]
    assert ana.ended_edges() == []
    assert [(edge.relation, edge.member) for edge in ben.current_edges()] == [("knows", "ana")]
    assert [(edge.relation, edge.ordinal) for edge in ben.ended_edges()] == [("pet", 1)]


def test_records_of_an_entity(written: str) -> None:
    """The records that name an entity, as subject or as object, in their order."""
    ana = objects.Entity.nodes.get(history=written, key="ana")
    assert [record.position for record in ana.records()] == [1, 2, 3, 4]
    assert ana.records()[0].speaker == "Ben"
    assert objects.Record.nodes.get(history=written, position=5).status == "unresolved"


def test_histories_and_relations(written: str) -> None:
    """The counters and what is said of relations can be read."""
    history = objects.History.nodes.get(name=written)
    assert (history.records, history.version, len(history.batches)) == (5, 2, 2)
    assert objects.Published.nodes.get(history=written).version == 2
    relation = objects.Relation.nodes.get(history=written, name="knows")
    assert (relation.values, relation.set_by) == ("many", "pack")
    other = objects.Relation.nodes.get(history=written, name="is friends with")
    assert other.merged_into == "knows"
    pattern = objects.Pattern.nodes.get(history=written, number=0)
    assert (pattern.template, pattern.relation) == ("{S} knows {O}", "knows")


def test_nothing_can_be_saved(written: str) -> None:
    """The view is for reading: saving is refused with the way to write."""
    ana = objects.Entity.nodes.get(history=written, key="ana")
    for each in (ana, ana.current_edges()[0], ana.records()[0]):
        with pytest.raises(UsageError, match="Memory"):
            each.save()


def test_classes_name_every_property(written: str, driver: neo4j.Driver) -> None:
    """The classes declare exactly the properties that nodes and relationships have."""
    found: dict[str, set[str]] = {}
    for text in (
        "MATCH (n) WHERE n.history = $h OR (n:History AND n.name = $h) OR n:Schema "
        "UNWIND keys(n) AS key RETURN labels(n)[0] AS kind, collect(DISTINCT key) AS keys",
        "MATCH ()-[r {history: $h}]->() "
        "UNWIND keys(r) AS key RETURN type(r) AS kind, collect(DISTINCT key) AS keys",
    ):
        rows = driver.execute_query(text, h=written).records
        found |= {row["kind"]: set(row["keys"]) for row in rows}
    assert found == {name: declared(kind) for name, kind in {**NODES, **EDGES}.items()}


def test_classes_fit_the_schema() -> None:
    """The schema stands on declared properties; the classes declare no index of their own."""
    classes = {**NODES, **EDGES}
    for rule in rules().values():
        assert set(rule.properties) <= declared(classes[rule.kind])
    for kind in classes.values():
        for each in kind.defined_properties(rels=False, aliases=False).values():
            assert not getattr(each, "unique_index", False)
            assert not getattr(each, "index", False)


def test_connecting_says_what_is_wrong(neo4j_target: Target) -> None:
    """The errors are those of the store."""
    with pytest.raises(StoreUnreachable), objects.connect("bolt://127.0.0.1:1"):
        pass
    options = {**neo4j_target.options, "database": "memories"}
    with pytest.raises(DatabaseMissing), objects.connect(neo4j_target.url, **options):
        pass
