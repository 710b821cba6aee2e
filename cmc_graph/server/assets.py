"""What Neo4j Browser is given: favourites, a style, and a guide made of the favourites.

The files are in ``cypher/browser``. Pure but for reading them; this module must not know how they
get into Browser.
"""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import takewhile
from string import Template
from zipfile import ZipFile, ZipInfo

from cmc_graph import queries

#: The folder in which Browser lists the favourites of the archive.
FOLDER = "cmc-graph"
STYLE, ARCHIVE, GUIDE = "cmc-graph.grass", "cmc-graph-favourites.zip", "guide.html"

_PARAMETER = re.compile(r":param \w+ => .+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Favourite:
    """A titled query for Browser.

    Attributes:
        name: File name without ending.
        title: Its first line; Browser lists it under this title.
        about: The sentences after the title.
        parameters: The lines that set its parameters to an example.
        text: All of it.
    """

    name: str
    title: str
    about: str
    parameters: tuple[str, ...]
    text: str


def favourites() -> tuple[Favourite, ...]:
    """All favourites, by title."""
    return tuple(sorted(map(_favourite, queries.favourites()), key=lambda each: each.title))


def style() -> bytes:
    """The style, as GraSS."""
    return _file(STYLE).encode()


def archive() -> bytes:
    """The favourites as the one file that Browser imports; always the same bytes."""
    packed = io.BytesIO()
    with ZipFile(packed, "w") as made:
        for favourite in favourites():
            made.writestr(ZipInfo(f"{FOLDER}/{favourite.name}.cypher"), favourite.text)
    return packed.getvalue()


def guide(address: str) -> bytes:
    """The guide as HTML.

    Args:
        address: Where style and archive are served, without a slash at the end.
    """
    slides = "\n".join(map(_slide, favourites()))
    return Template(_file(GUIDE)).substitute(address=escape(address), slides=slides).encode()


#: What is served by name, given the address it is served at.
DOCUMENTS: dict[str, tuple[str, Callable[[str], bytes]]] = {
    GUIDE: ("text/html; charset=utf-8", guide),
    STYLE: ("text/plain; charset=utf-8", lambda _: style()),
    ARCHIVE: ("application/zip", lambda _: archive()),
}


def _favourite(name: str) -> Favourite:
    text = str(queries.statement(name).text)
    head = takewhile(lambda line: line.startswith("//"), text.splitlines())
    title, _, *rest = (line.removeprefix("//").strip() for line in head)
    return Favourite(
        name=name.removeprefix(f"{queries.BROWSER}/"),
        title=title,
        about=" ".join(takewhile(bool, rest)),
        parameters=tuple(line for line in rest if _PARAMETER.fullmatch(line)),
        text=text,
    )


def _slide(favourite: Favourite) -> str:
    own = (line for line in favourite.parameters if not line.startswith(":param history "))
    return (
        f'<slide class="row-fluid"><div class="col-sm-12"><h3>{escape(favourite.title)}</h3>'
        f"<p>{escape(favourite.about)}</p>{''.join(map(_runnable, own))}"
        f"{_runnable(favourite.text.rstrip())}</div></slide>"
    )


def _runnable(text: str) -> str:
    return f'<pre class="pre-scrollable code runnable">{escape(text, quote=False)}</pre>'


def _file(name: str) -> str:
    return (queries.root() / queries.BROWSER / name).read_text("utf-8")
