"""Short ways to write entries and batches in tests."""

from collections.abc import Iterable, Mapping
from typing import Any

from cmc_graph.model import Edge, Record, SetBy, Status, Triple, Values
from cmc_graph.stores.base import Assertion, Batch, Declared, Entry
from cmc_graph.text import key

TripleLike = tuple[str, str, str] | Triple


def no(subject: str, relation: str, obj: str) -> Triple:
    """A retraction: the value holds no longer."""
    return Triple(subject, relation, obj, retracts=True)


def assertion(ordinal: int, triple: TripleLike, **fields: Any) -> Assertion:
    """The assertion of one triple, keys by the rules of the read contract."""
    said = triple if isinstance(triple, Triple) else Triple(*triple)
    values = {
        "ordinal": ordinal,
        "subject": key(said.subject),
        "relation": said.relation,
        "object": key(said.object),
        "subject_text": said.subject,
        "object_text": said.object,
        "retracts": said.retracts,
        "literal": True,
        "frontend": "test",
    }
    return Assertion(**{**values, **fields})


def entry(
    position: int | None, *triples: TripleLike, text: str | None = None, **fields: Any
) -> Entry:
    """A record that says these triples, ordinals in their order."""
    record = Record(
        position=position, text=text or f"record {position}", status=Status.FACTS, **fields
    )
    said = tuple(assertion(n, triple) for n, triple in enumerate(triples))
    return Entry(record, Status.FACTS, None, said)


def residual(position: int | None, text: str | None = None, **fields: Any) -> Entry:
    """A record that no frontend could turn into facts."""
    fields = {"status": Status.UNRESOLVED, "reason": "no pattern reads it", **fields}
    record = Record(position=position, text=text or f"record {position}", **fields)
    return Entry(record, Status.UNRESOLVED, record.reason)


def silent(position: int | None, text: str | None = None, **fields: Any) -> Entry:
    """A record that says nothing to keep."""
    text = text or f"record {position}"
    record = Record(position=position, text=text, status=Status.NO_FACT, **fields)
    return Entry(record, Status.NO_FACT)


def batch(*entries: Entry, many: Iterable[str] = (), one: Iterable[str] = ()) -> Batch:
    """A batch whose packs say so much of their relations."""
    relations: Mapping[str, Declared] = {
        **{name: Declared(Values.ONE, SetBy.PACK) for name in one},
        **{name: Declared(Values.MANY, SetBy.PACK) for name in many},
    }
    return Batch(entries, relations)


def edge(
    subject: str, relation: str, obj: str, position: int, *, ended: bool = False, **fields: Any
) -> Edge:
    """An edge of a single-valued relation."""
    values = {
        "subject": subject,
        "relation": relation,
        "object": obj,
        "subject_key": key(subject),
        "object_key": key(obj),
        "member": "",
        "position": position,
        "ordinal": 0,
        "ended": ended,
    }
    return Edge(**{**values, **fields})
