"""An explanation as one self-contained HTML page: the graph, the records, and their versions.

Nothing is loaded from anywhere; every text is escaped, and none can turn the text around it. This
module must not know where the page is kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from cmc_graph.explaining import tree
from cmc_graph.explaining.drawing import svg
from cmc_graph.explaining.graph import graph
from cmc_graph.explaining.values import Anchor, Explanation, Reached, Replaced, Shown
from cmc_graph.model import Record
from cmc_graph.text import count, shorten, visible

#: More arrows than this nobody can follow; the tables have them all.
MOST_DRAWN = 60
#: How many versions of one slot, and records of one table, a page has.
_MOST_VERSIONS, _MOST_ROWS = 50, 2_000


def render(explanation: Explanation) -> str:
    """The page."""
    template = Template((files("cmc_graph.explaining") / "page.html").read_text("utf-8"))
    return template.substitute(
        title=escape(visible(shorten(explanation.question))),
        question=_text(explanation.question),
        facts="".join(
            f"<dt>{escape(term)}</dt><dd>{description}</dd>"
            for term, description in _facts(explanation)
        ),
        body="\n".join(_sections(explanation)),
    )


def _facts(explanation: Explanation) -> Iterator[tuple[str, str]]:
    evidence = explanation.evidence
    named = (f"“{_text(anchor.span)}” ({_words(anchor)})" for anchor in explanation.anchors)
    yield "the question names", ", ".join(named) or "nothing the history has facts of"
    yield "read as of", "now" if explanation.as_of is None else f"position {explanation.as_of}"
    yield "hop cap", str(explanation.hops)
    yield "budget", f"{explanation.budget} characters, the {evidence.overflow} records stay"
    if evidence.fallback:
        shown = "the history itself" if evidence.fallback == "history" else "the latest state"
        yield "nothing was found", f"shown instead: {shown}"
    yield "shown", count(len(evidence.records), "record")
    yield "cut by the budget", count(evidence.omitted, "record")
    for each in evidence.damage:
        yield "damaged", f"{_text(each)}; cmc-graph doctor says what to do"


def _words(anchor: Anchor) -> str:
    first = anchor.start + 1
    return f"word {first}" if anchor.stop == first else f"words {first} to {anchor.stop}"


def _sections(explanation: Explanation) -> Iterator[str]:
    drawn = graph(explanation, MOST_DRAWN)
    if drawn.arrows:
        rest = f" {count(drawn.left_out, 'more edge')} not drawn." if drawn.left_out else ""
        yield "<h2>The graph of the read</h2>" + _note(
            "Each arrow is what one record says; its number is the record's position, larger is "
            "newer. Struck out: the value a newer record replaced. Dotted: the budget cut the "
            f"record.{rest}"
        )
        yield f"<figure>{svg(drawn)}</figure>"
    shown = ((each.record, _why(each)) for each in explanation.shown)
    yield _table("Records shown", ("position", "record", "source", "why"), _rows(shown))
    if explanation.replaced:
        rows = [_versions(each) for each in explanation.replaced]
        yield _table("Versions", ("subject", "relation", "now", "before"), rows)
    if explanation.hidden:
        hidden = ((each.record, escape(tree.reason(each))) for each in explanation.hidden)
        yield _table("Records not shown", ("position", "record", "source", "why"), _rows(hidden))


def _rows(records: Iterable[tuple[Record, str]]) -> list[tuple[str, ...]]:
    return [
        (str(record.position), _text(record.text), _source(record), why) for record, why in records
    ]


def _why(shown: Shown) -> str:
    if not shown.reached:
        return _text(tree.why(shown))
    return "".join(f"<div>{_path(each)}</div>" for each in shown.reached)


def _path(reached: Reached) -> str:
    """The way from the question to the record, a step for each hop."""
    steps = (
        f"{_text(edge.relation)}{' no longer' if edge.ended else ''} → {_text(edge.object)}"
        for edge in reached.path
    )
    return f"hop {reached.edge.depth}: {_text(reached.path[0].subject)} · {' · '.join(steps)}"


def _versions(replaced: Replaced) -> tuple[str, ...]:
    edge, versions = replaced.edge, replaced.versions[::-1]
    before = "".join(
        f"<div><del>{_text(version.object_text)}</del> [{version.position}]"
        f"{' no longer' if version.retracts else ''} until {version.superseded_at}</div>"
        for version in versions[:_MOST_VERSIONS]
    )
    if len(versions) > _MOST_VERSIONS:
        before += f"<div>and {count(len(versions) - _MOST_VERSIONS, 'older version')}</div>"
    now = f"{_text(edge.object)}{' no longer' if edge.ended else ''} [{edge.position}]"
    return _text(edge.subject), _text(edge.relation), now, before


def _source(record: Record) -> str:
    if record.source is None:
        return ""
    return _text(
        record.source if record.source_line is None else f"{record.source}:{record.source_line}"
    )


def _table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    first = ' class="number"' if header[0] == "position" else ""
    body = "".join(
        f"<tr><td{first}>{row[0]}</td>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>"
        for row in rows[:_MOST_ROWS]
    )
    more = len(rows) - _MOST_ROWS
    note = _note(f"{count(more, 'more row')} left out; --json has them.") if more > 0 else ""
    return (
        f"<h2>{escape(title)}</h2>{note}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


def _text(text: str) -> str:
    """A text from outside: escaped, and apart from the direction of what stands around it."""
    return f"<bdi>{escape(visible(text))}</bdi>"
