"""A typed object view of the graph for notebooks and inspection, for reading only.

The store owns schema and data. These neomodel classes name what it wrote, declare no index and
never install labels. This module must not write.

>>> from cmc_graph import objects                                     # doctest: +SKIP
>>> with objects.connect("bolt://localhost:7687"):                    # doctest: +SKIP
...     lena = objects.Entity.nodes.get(history="team", key="lena")
...     [version.object_text for version in lena.versions("location")]
['Porto', 'Graz']
"""

from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, NoReturn

import neomodel
from neomodel import (
    ArrayProperty,
    BooleanProperty,
    IntegerProperty,
    RelationshipFrom,
    RelationshipTo,
    StringProperty,
    StructuredNode,
    StructuredRel,
)

from cmc_graph.errors import UsageError
from cmc_graph.stores.neo4j_errors import Place, translated
from cmc_graph.stores.neo4j_link import open_driver


@contextmanager
def connect(
    url: str,
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> Iterator[None]:
    """A block in which the classes of this module read from a database.

    Neomodel has one connection per process: a block inside another one replaces it.

    Args:
        url: ``bolt://host:port``, ``neo4j://…``, as for the store.
        username: Only used with a password.
        password: None: the server asks for none.
        database: None: the one named ``neo4j``.

    Raises:
        ConfigurationError: The url cannot be used.
        StoreError: The server cannot be reached, or refuses.
    """
    place = Place(url, username or "", database or "neo4j")
    with open_driver(place, password) as driver, translated(place):
        driver.execute_query(
            "RETURN 1", database_=place.database
        )  # neomodel itself ignores failures
        neomodel.get_config().database_name = place.database
        neomodel.db.set_connection(driver=driver)
        try:
            yield
        finally:
            neomodel.db.close_connection()


class _Readable:
    """What all classes share: they cannot be saved."""

    def save(self) -> NoReturn:
        """Refused: the objects are for reading.

        Raises:
            UsageError: Always.
        """
        raise UsageError("these objects are for reading; write with cmc_graph.Memory")


class _SlotEdge(_Readable, StructuredRel):
    """What the three kinds of relationships share: the slot, and which assertion it is."""

    history = StringProperty()
    subject = StringProperty()
    relation = StringProperty()
    member = StringProperty()
    position = IntegerProperty()
    ordinal = IntegerProperty()


class Asserted(_SlotEdge):
    """One assertion of the ledger: a triple taken from the record at ``position``."""

    retracts = BooleanProperty()
    superseded_at = IntegerProperty()
    subject_text = StringProperty()
    object_text = StringProperty()
    literal = BooleanProperty()
    frontend = StringProperty()


class Current(_SlotEdge):
    """The last word of a slot: a value that holds."""


class Ended(_SlotEdge):
    """The last word of a slot: the value holds no longer."""


class Record(_Readable, StructuredNode):
    """What a source said at one position of its history."""

    history = StringProperty()
    position = IntegerProperty()
    text = StringProperty()
    status = StringProperty()
    reason = StringProperty()
    source = StringProperty()
    source_line = IntegerProperty()
    observed_at = StringProperty()
    speaker = StringProperty()
    session = StringProperty()


class Entity(_Readable, StructuredNode):
    """Whatever records name by surfaces of one key."""

    history = StringProperty()
    key = StringProperty()
    name = StringProperty()
    name_position = IntegerProperty()

    asserted = RelationshipTo("Entity", "ASSERTED", model=Asserted)
    asserted_by = RelationshipFrom("Entity", "ASSERTED", model=Asserted)
    current = RelationshipTo("Entity", "CURRENT", model=Current)
    ended = RelationshipTo("Entity", "ENDED", model=Ended)

    def versions(self, relation: str | None = None) -> list[Asserted]:
        """The assertions with this entity as subject, oldest first; of one relation or of all."""
        found = _relationships(self.asserted)
        return [each for each in found if relation in (None, each.relation)]

    def current_edges(self) -> list[Current]:
        """The values of this entity that hold, by position."""
        return _relationships(self.current)

    def ended_edges(self) -> list[Ended]:
        """The values of this entity that hold no longer, by position."""
        return _relationships(self.ended)

    def records(self) -> list[Record]:
        """The records that name this entity, ascending by position."""
        said = [*_relationships(self.asserted), *_relationships(self.asserted_by)]
        positions = sorted({each.position for each in said})
        found = Record.nodes.filter(history=self.history, position__in=positions)
        return sorted(found, key=attrgetter("position"))


class Relation(_Readable, StructuredNode):
    """How many values a relation takes in a history, who says so, and which one counts instead."""

    history = StringProperty()
    name = StringProperty()
    values = StringProperty()
    set_by = StringProperty()
    merged_into = StringProperty()


class Pattern(_Readable, StructuredNode):
    """A sentence pattern that was found in what a model read."""

    history = StringProperty()
    number = IntegerProperty()
    template = StringProperty()
    relation = StringProperty()
    support = IntegerProperty()
    answers = IntegerProperty()


class History(_Readable, StructuredNode):
    """One ordered memory with its counters."""

    name = StringProperty()
    version = IntegerProperty()
    records = IntegerProperty()
    next_position = IntegerProperty()
    longest_key = IntegerProperty()
    batches = ArrayProperty(IntegerProperty())


class Published(_Readable, StructuredNode):
    """The version of a history that is written as a whole, and the one that may be coming in."""

    history = StringProperty()
    version = IntegerProperty()
    announced = IntegerProperty()


class Schema(_Readable, StructuredNode):
    """The version of the schema."""

    version = IntegerProperty()


def _relationships(manager: Any) -> list[Any]:
    """All relationships, several between two nodes included, by position and ordinal."""
    nodes = {node.element_id: node for node in manager.all()}
    found = [each for node in nodes.values() for each in manager.all_relationships(node)]
    return sorted(found, key=attrgetter("position", "ordinal"))
