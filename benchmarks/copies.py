"""A history many times over: the same facts with every entity renamed, and questions about them.

A name of a copy is the entity's key with a mark behind it, so that no two copies share an entity
and a key has as many tokens as before. The records bring their triples: no grammar reads them.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from cmc_graph.anchors import longest_matches
from cmc_graph.frontends.offline import grammar_frontend
from cmc_graph.model import Record, Triple
from cmc_graph.text import key, tokens
from loaders import factconsolidation


class Copies:
    """The copies of one history, numbered from 0.

    Args:
        file: In the format of FactConsolidation; the grammar reads all of its records.

    Attributes:
        size: Records of one copy.
    """

    def __init__(self, file: Path) -> None:
        found = list(factconsolidation.records(file))
        verdicts = grammar_frontend(factconsolidation.PACKS).interpret(found)
        self._facts = [(r.text, v.triples[0]) for r, v in zip(found, verdicts, strict=True)]
        self._subjects = frozenset(key(triple.subject) for _, triple in self._facts)
        self.size = len(found)

    def originals(self) -> list[Record]:
        """The records as they are, with their triples."""
        return [
            Record(text=text, position=position, triples=[triple])
            for position, (text, triple) in enumerate(self._facts)
        ]

    def records(self, number: int) -> list[Record]:
        """The records of one copy, behind those of the copies before it."""
        first = number * self.size
        return [
            self._record(first + place, text, triple, number)
            for place, (text, triple) in enumerate(self._facts)
        ]

    def _record(self, position: int, text: str, triple: Triple, number: int) -> Record:
        names = {said: renamed(key(said), number) for said in (triple.subject, triple.object)}
        spans = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
        told = spans.sub(lambda found: names[found.group()], text)
        said = (names[triple.subject], triple.relation, names[triple.object])
        return Record(text=told, position=position, triples=[said])

    def questions(self, texts: Iterable[str], number: int) -> list[str]:
        """The questions, in their normal form, about a copy instead of the original."""
        return [self._question(tokens(text), number) for text in texts]

    def _question(self, words: Sequence[str], number: int) -> str:
        told = f" {' '.join(words)} "
        for anchor in longest_matches(words, self._subjects):
            told = told.replace(f" {anchor} ", f" {renamed(anchor, number)} ")
        return told.strip()


def renamed(name: str, number: int) -> str:
    """The key of an entity in a copy."""
    return f"{name}x{number}"
