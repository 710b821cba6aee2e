"""Short ways to read sentences with packs that a test writes itself."""

from cmc_graph.frontends.grammar import Grammar
from cmc_graph.frontends.packs import parse_pack
from cmc_graph.model import Interpretation, Record

LIVES = '[[pattern]]\ntext = "{S} lives in {O}"\nrelation = "residence"\n'


def grammar(*packs: str) -> Grammar:
    """A grammar of packs that are written here."""
    named = (f'name = "pack{number}"\n{text}' for number, text in enumerate(packs))
    return Grammar([parse_pack(text.encode(), "test") for text in named])


def read(text: str, *packs: str) -> Interpretation:
    """What the packs make of one text."""
    (found,) = grammar(*packs).interpret([Record(text=text)])
    return found


def facts(text: str, *packs: str) -> list[tuple[str, str, str]]:
    """What the packs read in the text; an empty list when it is unresolved."""
    return [(t.subject, t.relation, t.object) for t in read(text, *packs).triples]


def one(text: str, relation: str | None = None, more: str = "") -> str:
    """A pack table of one pattern."""
    said = f'relation = "{relation}"\n' if relation else ""
    return f'[[pattern]]\ntext = "{text}"\n{said}{more}\n'
