"""A history as GraphML, for networkx, Gephi, yEd and others: entities, and every assertion.

Nodes are entities; edges run from subject to object, one for each assertion, so that old and
current values are both there: ``layer`` is ``current``, ``ended``, ``superseded``, or ``without
effect`` for a retraction of what did not hold. Not meant to be read back: records without facts are
not in it. Pure. This module must not know a store.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape

from cmc_graph.stores.base import Kept, Version

#: Characters that XML cannot hold, however they are written.
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NODE = {"name": "string", "key": "string"}
_EDGE = {
    "relation": "string",
    "layer": "string",
    "position": "long",
    "superseded_at": "long",
    "retracts": "boolean",
    "subject": "string",
    "object": "string",
    "record": "string",
    "source": "string",
}


def render(kept: Iterable[Kept]) -> Iterator[str]:
    """The lines of the document, line ends included.

    Args:
        kept: Every record with its assertions, ascending by position.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for domain, fields in (("node", _NODE), ("edge", _EDGE)):
        for name, kind in fields.items():
            yield (
                f'<key id="{domain}_{name}" for="{domain}" attr.name="{name}" '
                f'attr.type="{kind}"/>\n'
            )
    yield '<graph edgedefault="directed">\n'
    numbers: dict[str, int] = {}
    for each in kept:
        for said in each.assertions:
            named = ((said.subject, said.subject_text), (said.object, said.object_text))
            for key, surface in named:
                if key not in numbers:
                    numbers[key] = len(numbers)
                    data = _data("node", name=surface, key=key)
                    yield f'<node id="n{numbers[key]}">{data}</node>\n'
            yield _edge(each, said, numbers)
    yield "</graph>\n"
    yield "</graphml>\n"


def _edge(kept: Kept, said: Version, numbers: dict[str, int]) -> str:
    data = _data(
        "edge",
        relation=said.relation,
        layer=_layer(said),
        position=said.position,
        superseded_at=said.superseded_at,
        retracts=str(said.retracts).lower(),
        subject=said.subject_text,
        object=said.object_text,
        record=kept.record.text,
        source=kept.record.source,
    )
    ends = f'source="n{numbers[said.subject]}" target="n{numbers[said.object]}"'
    return f'<edge id="e{said.position}.{said.ordinal}" {ends}>{data}</edge>\n'


def _layer(said: Version) -> str:
    if said.retracts and said.superseded_at == said.position:
        return "without effect"  # it ended nothing, and nothing took its place
    if said.superseded_at is not None:
        return "superseded"
    return "ended" if said.retracts else "current"


def _data(domain: str, **values: object) -> str:
    return "".join(
        f'<data key="{domain}_{name}">{_text(value)}</data>'
        for name, value in values.items()
        if value is not None
    )


def _text(value: object) -> str:
    """The value as XML text; a carriage return would be read back as a line feed."""
    return escape(_ILLEGAL.sub("\ufffd", str(value)), quote=False).replace("\r", "&#13;")
