"""The report's tables for a terminal.

This module must not know what is in a table.
"""

from collections.abc import Iterable
from typing import Literal

from rich import box
from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from cmc_graph.evaluation.report.tables import Table


def render(tables: Iterable[Table]) -> Group:
    """The tables below each other, to be printed with rich."""
    return Group(*(part for table in tables for part in (_drawn(table), Text())))


def _drawn(table: Table) -> RichTable:
    drawn = RichTable(
        title=Text(table.title), caption=Text(table.note), box=box.SIMPLE, title_justify="left"
    )
    for number, name in enumerate(table.header):
        justify: Literal["left", "right"] = "left" if number < table.labels else "right"
        drawn.add_column(Text(name), justify=justify, overflow="fold")
    for row in table.rows:
        drawn.add_row(*map(Text, row))  # as Text: names are data, not markup
    return drawn
