"""Colour in a terminal that has it, sparingly: how sure a verdict is, and the worst cell of a column."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TextIO

from ..runs.layout import INTERVAL
from ..runs.result import Table
from ..runs.verdict import NOT_SHOWN, SHOWN, SUGGESTED

RED, GREEN, YELLOW, DIM = "31", "32", "33", "2"
SURE_COLOURS = {SHOWN: GREEN, SUGGESTED: YELLOW, NOT_SHOWN: DIM}
_LEAST = 3
"""Cells among which one is the worst."""


def has_colour(stream: TextIO) -> bool:
    """Does what is written here show colour? `NO_COLOR` and `FORCE_COLOR` decide before the terminal is asked."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def painted(text: str, code: str) -> str:
    """The text in a colour.

    >>> painted("15.24", RED)
    '\\x1b[31m15.24\\x1b[0m'
    """
    return f"\x1b[{code}m{text}\x1b[0m"


def worst_cells(table: Table) -> Iterator[tuple[int, int]]:
    """Row and column of the worst value of each measure that has a better and a worse; those from few do not count.

    Where all are the same, none is the worst.
    """
    from .page.definitions import measure_of

    for column, measure in enumerate(table.measures):
        better = measure_of(measure).better if measure else ""
        values = {
            row: float(cells[column])  # type: ignore[arg-type]
            for row, cells in enumerate(table.rows)
            if isinstance(cells[column], int | float) and not _is_few(table, row, column)
        }
        if not better or len(values) < _LEAST or len(set(values.values())) == 1:
            continue
        worst = (min if better == "more" else max)(values.values())
        yield from ((row, column) for row, value in values.items() if value == worst)


def _is_few(table: Table, row: int, column: int) -> bool:
    """Has the interval beside this cell the mark of those from few?"""
    beside = column + 1
    if beside >= len(table.columns) or table.kind(beside) != INTERVAL:
        return False
    interval = table.rows[row][beside]
    return isinstance(interval, list | tuple) and len(interval) > 2
