"""What an open relation can be called, and which objects a relation can have.

"The capital of France is beautiful" tells no capital: what a relation asks of its objects keeps it
from overwriting one. Which kinds of objects a relation has is data of a pattern pack. This module
must not know patterns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cmc_graph.frontends.wording import Kind

#: A relation's own name, as in "the head of state of …": few words, none of them a name.
MAX_RELATION_WORDS = 5
_ACRONYM = range(2, 6)  # CEO, IP, URL, IBAN


@dataclass(frozen=True, slots=True)
class Objects:
    """What kinds of objects relations have.

    Attributes:
        of: Kinds of objects, one of which an object must be of, by the name of a relation, or by
            the word that an open relation's name is about: "tech lead" is about "lead",
            "head of state" about "head".
        otherwise: The same for every other open relation; any object is one when this is empty.
    """

    of: Mapping[str, tuple[Kind, ...]] = field(default_factory=dict)
    otherwise: tuple[Kind, ...] = ()

    def ask_of(self, relation: str | None) -> bool:
        """True when not every object fits the relation; None stands for an open one."""
        return bool(self.of or self.otherwise) if relation is None else relation in self.of

    def knows(self, relation: str) -> bool:
        """True when the relation's own objects are described, by its name or what it is about."""
        return relation in self.of or _head(relation) in self.of

    def fit(self, relation: str, value: str) -> bool:
        """True when the relation, an open one or one that is asked, can have this object.

        Args:
            relation: Its name.
            value: The object.
        """
        kinds = self.of.get(relation, ())
        if not kinds:
            kinds = self.of.get(_head(relation), self.otherwise)
        return not kinds or any(kind.fits(value) for kind in kinds)


def _head(relation: str) -> str:
    return relation.split(" of ", 1)[0].rsplit(" ", 1)[-1]


def is_relation(value: str, banned: frozenset[str]) -> bool:
    """True when the value can be a relation's own name: one to five lower-case words, or acronyms.

    Args:
        value: Text of a slot {R}.
        banned: Words no relation's name holds.
    """
    words = value.split(" ")
    return (
        len(words) <= MAX_RELATION_WORDS
        and all(
            word.replace("-", "").isalpha()
            and (word.islower() or (word.isupper() and len(word) in _ACRONYM))
            and word not in banned
            for word in words
        )
        and "of" not in (words[0], words[-1])
    )
