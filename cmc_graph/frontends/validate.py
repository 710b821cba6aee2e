"""Checks statements that something else found, before they count as facts of a record.

Used for the triples that records bring themselves and for those of a model. Pure: a record that
does not pass becomes unresolved with the reason, so that it stays visible; nothing raises. This
module must not know where the triples come from or how they are stored.
"""

from collections.abc import Sequence

from cmc_graph.model import Interpretation, Status, Triple
from cmc_graph.text import fold_space, shorten

#: More statements than this in one record are a sign of a broken extractor, not of a rich record.
MAX_TRIPLES = 1_000


def interpretation(
    text: str, triples: Sequence[Triple], *, frontend: str, literal: bool = True
) -> Interpretation:
    """Facts, when every triple holds what it must, else an unresolved interpretation that says why.

    Names and relations come back with their white space folded; nothing else is changed.

    Args:
        text: The record's text.
        triples: What was found in it, in order; an empty sequence does not pass.
        frontend: Who found it.
        literal: Subject and object must be spans of the text, white space folded. Otherwise the
            interpretation tells of which triples they are not.
    """
    folded = tuple(_fold(triple) for triple in triples)
    foreign = _foreign(fold_space(text), folded) if len(folded) <= MAX_TRIPLES else {}
    not_literal = next(iter(foreign.values()), None) if literal else None
    reason = _count(folded) or _blank(folded) or not_literal
    if reason:
        return unresolved(reason, frontend)
    return Interpretation(Status.FACTS, folded, frontend=frontend, loose=frozenset(foreign))


def unresolved(reason: str, frontend: str) -> Interpretation:
    """The verdict that keeps a record visible in every read, for the given reason."""
    return Interpretation(Status.UNRESOLVED, reason=reason, frontend=frontend)


def _fold(triple: Triple) -> Triple:
    return Triple(
        fold_space(triple.subject),
        fold_space(triple.relation),
        fold_space(triple.object),
        triple.retracts,
    )


def _count(triples: Sequence[Triple]) -> str | None:
    if not triples:
        return "brings no triples and no status"
    if len(triples) > MAX_TRIPLES:
        return f"brings {len(triples)} triples; {MAX_TRIPLES} is the limit"
    return None


def _blank(triples: Sequence[Triple]) -> str | None:
    for number, triple in enumerate(triples, start=1):
        for part in ("subject", "relation", "object"):
            if not getattr(triple, part):
                return f"triple {number} has a blank {part}"
    return None


def _foreign(text: str, triples: Sequence[Triple]) -> dict[int, str]:
    """By ordinal, which name of a triple is no span of the text, whose white space is folded."""
    found: dict[int, str] = {}
    for ordinal, triple in enumerate(triples):
        names = (("subject", triple.subject), ("object", triple.object))
        for part, name in names:
            if name not in text and ordinal not in found:
                shown = shorten(name, 40)
                found[ordinal] = (
                    f"triple {ordinal + 1}: the {part} {shown!r} is no span of the text"
                )
    return found
