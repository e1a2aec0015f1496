"""A result as HTML for notebooks: its verdicts and tables, what failed, and the signature."""

from __future__ import annotations

from html import escape

from ..runs.result.result import Result, Table
from .formats import failure_lines, numeric_columns, shown_cells

_STYLE = "text-align:{};padding:.15em .6em"


def result_html(result: Result) -> str:
    """What was found, in sentences; then all tables one below the other; the signature last."""
    sentences = "".join(f"<li>{escape(verdict.text)}</li>" for verdict in result.verdicts)
    parts = [*([f"<ul>{sentences}</ul>"] if sentences else []), *(table_html(table) for table in result.open_tables)]
    lines = [*failure_lines(result), f"signature: {result.signature}"]
    return "\n".join([*parts, *(f"<p><small>{escape(line)}</small></p>" for line in lines)])


def table_html(table: Table) -> str:
    """One table with its title above and its note below."""
    sides = ["right" if flush else "left" for flush in numeric_columns(table)]
    head = "".join(_cell("th", text, side) for text, side in zip(table.columns, sides, strict=True))
    rows = [
        "<tr>" + "".join(_cell("td", text, side) for text, side in zip(row, sides, strict=True)) + "</tr>"
        for row in shown_cells(table)
    ]
    caption = f"<caption style='text-align:left'><b>{escape(table.title)}</b></caption>" if table.title else ""
    note = f"<p><small>{escape(table.note)}</small></p>" if table.note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}"


def _cell(tag: str, text: str, side: str) -> str:
    return f"<{tag} style='{_STYLE.format(side)}'>{escape(str(text))}</{tag}>"
