"""Tables on a terminal, by Rich."""

from __future__ import annotations

from ..runs.result import Result
from .formats import failure_lines, numeric_columns, shown


def print_tables(result: Result) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(highlight=False)
    for table in result.tables:
        grid = RichTable(title=Text(table.title) if table.title else None, title_justify="left", box=None)
        for column, numeric in zip(table.columns, numeric_columns(table), strict=True):
            grid.add_column(Text(column, style="bold"), justify="right" if numeric else "left")
        for row in table.rows:
            grid.add_row(*(Text(shown(value, table.digits)) for value in row))
        console.print(grid)
        if table.note:
            console.print(Text(table.note, style="italic"))
        console.print()
    for line in failure_lines(result):
        console.print(Text(line, style="yellow"))
    console.print(Text(f"signature: {result.signature}", style="dim"))
