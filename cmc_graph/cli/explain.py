"""The commands that tell: why a read shows what it shows, what was said before, what changed."""

from pathlib import Path
from typing import Annotated, cast

import typer

from cmc_graph.cli.common import (
    NOTHING_THERE,
    AsOfDateOption,
    AsOfOption,
    BudgetOption,
    FallbackOption,
    HopsOption,
    JsonOption,
    OverflowOption,
    QuestionArgument,
    note,
    out,
    position_of,
    print_json,
    print_table,
    warn_of_damage,
    with_memory,
)
from cmc_graph.closure import DEFAULT_HOPS
from cmc_graph.errors import UsageError
from cmc_graph.explaining import Change, TimelineEntry, mermaid, page, tree
from cmc_graph.explaining.graph import graph
from cmc_graph.memory import Memory
from cmc_graph.model import Fallback, Overflow
from cmc_graph.render import DEFAULT_BUDGET
from cmc_graph.stores.base import Version


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    for command in (explain, timeline, diff):
        app.command()(with_memory(command))


def explain(
    memory: Memory,
    question: QuestionArgument,
    hops: HopsOption = DEFAULT_HOPS,
    budget: BudgetOption = DEFAULT_BUDGET,
    as_of: AsOfOption = None,
    as_of_date: AsOfDateOption = None,
    fallback: FallbackOption = "history",
    overflow: OverflowOption = "newest",
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write one page with the graph drawn."),
    ] = None,
    chart: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flow chart.")] = False,
    json: JsonOption = False,
) -> None:
    """Tell why each record is shown, what it replaced, and which records are not shown and why."""
    if (html is not None) + chart + json > 1:
        raise UsageError("say one of --html, --mermaid and --json")
    found = memory.explain(
        question,
        hops=hops,
        budget=budget,
        as_of=position_of(memory, as_of, as_of_date),
        fallback=cast(Fallback, fallback),  # Memory refuses others, in one line
        overflow=cast(Overflow, overflow),
    )
    if html is not None:
        _write(html, page.render(found))
        note(f"written: {html}")
    elif json:
        print_json(found)
    else:
        lines = mermaid.lines(graph(found, page.MOST_DRAWN)) if chart else tree.lines(found)
        out("\n".join(lines))
    warn_of_damage(found.evidence)
    if found.evidence.version == 0:
        note(NOTHING_THERE)


def timeline(
    memory: Memory,
    entity: Annotated[str, typer.Argument(help="As any record writes it.")],
    relation: Annotated[str | None, typer.Argument(help="As `relations` lists it.")] = None,
    as_of: AsOfOption = None,
    as_of_date: AsOfDateOption = None,
    json: JsonOption = False,
) -> None:
    """Print every version of what was said of an entity, oldest first, and what replaced it."""
    found = memory.timeline(entity, relation, as_of=position_of(memory, as_of, as_of_date))
    if json:
        print_json(found)
    else:
        header = ("position", "relation", "value", "replaced by", "source", "record")
        print_table(header, map(_told, found.entries))
    if not found.entries:
        which = "" if relation is None else f" with a relation {relation}"
        note(f"nothing is said of {entity} as a subject{which}")


def diff(
    memory: Memory,
    upto: Annotated[int, typer.Option("--to", metavar="Q", help="The later position.")],
    after: Annotated[
        int | None,
        typer.Option("--from", metavar="P", help="The earlier one. Else before the first record."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print which slots changed after one position up to another."""
    found = memory.diff(after, upto)
    if json:
        print_json(found)
    else:
        header = ("what", "subject", "relation", "before", "after", "versions")
        print_table(header, map(_changed, found.changes))


def _told(entry: TimelineEntry) -> tuple[object, ...]:
    version, record = entry.version, entry.record
    by = entry.replaced_by
    replaced = _value(by) if by else "" if entry.has_effect else "no effect"
    if entry.is_replacement_lost:
        replaced = f"lost [{version.superseded_at}]"
    value = f"{version.object_text} no longer" if version.retracts else version.object_text
    source, text = "", tree.MISSING
    if record is not None:
        line = "" if record.source_line is None else f":{record.source_line}"
        source, text = f"{record.source}{line}" if record.source else "", record.text
    return version.position, version.relation, value, replaced, source, text


def _changed(change: Change) -> tuple[object, ...]:
    before = _value(change.before) if change.before else ""
    after = _value(change.after)
    subject = change.after.subject_text
    return change.kind, subject, change.relation, before, after, change.versions


def _value(version: Version) -> str:
    gone = " no longer" if version.retracts else ""
    return f"{version.object_text}{gone} [{version.position}]"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8", errors="backslashreplace")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file can have that name"
        raise UsageError(f"cannot write {path}: {reason}") from error
