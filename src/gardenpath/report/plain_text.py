"""Tables and sentences as plain text for a terminal of 100 columns, with a little colour where it has it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import TextIO

from .._text import columns_of
from ..runs.result.layout import INTERVAL
from ..runs.result.result import Table
from ..runs.result.verdict import NOT_SHOWN, SHOWN, SUGGESTED

RED, GREEN, YELLOW, DIM = "31", "32", "33", "2"
SURE_COLOURS = {SHOWN: GREEN, SUGGESTED: YELLOW, NOT_SHOWN: DIM}
_LEAST_ROWS = 3
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
        if not better or len(values) < _LEAST_ROWS or len(set(values.values())) == 1:
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


WIDTH = 100
_LEAST = 6
"""No heading is broken to less than this."""
_LEAST_CELL = 12
"""No cell of text is broken to less than this: names and sentences, never intervals."""
_GAP = 2
_WORD = re.compile(r"(?:\[[^\s\]]+, [^\s\]]+\]|\S)+(?: %)?\S*")
_BREAKS = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s:/.,_+|-]{1,40}[:/.,_+|-]*|[:/.,_+|-]+|\s+")
"""Where names and sentences may be broken: behind these signs, between Chinese characters, and in endless words."""


def aligned(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    bad: Collection[tuple[int, int]] = (),
    *,
    text: Sequence[bool] = (),
) -> list[str]:
    """Headings, a line, and the rows; columns marked `right` are flush right, cells that are `bad` are red.

    Where the table is wider than a terminal, headings that are wider than their column are broken, no more than needed;
    where that is not enough and `text` is given, cells of columns marked so go on in the next line, and columns move
    closer.

    >>> print("\\n".join(aligned(["order", "LAS"], [["OVS", "15.24"]], [False, True])))
    order    LAS
    -----  -----
    OVS    15.24
    """
    cells = [max([1, *(columns_of(row[place]) for row in rows)]) for place in range(len(headers))]
    widest = max(map(columns_of, headers), default=0)
    for limit in range(max(widest, _LEAST), _LEAST - 1, -1):
        broken = [_broken(header, max(cell, limit)) for header, cell in zip(headers, cells, strict=True)]
        widths = [max([cell, *map(columns_of, lines)]) for cell, lines in zip(cells, broken, strict=True)]
        if _total(widths) <= WIDTH:
            break
    limits = _limits(widths, text) if text else widths
    if limits != widths:
        parts = [[_broken(cell, limit) for cell, limit in zip(row, limits, strict=True)] for row in rows]
        broken = [_broken(" ".join(lines), limit) for lines, limit in zip(broken, limits, strict=True)]
        columns = zip(broken, *parts, strict=True)
        widths = [max(columns_of(line) for lines in column for line in lines) for column in columns]
    else:
        parts = [[[cell] for cell in row] for row in rows]
    gap = _GAP if _total(widths) <= WIDTH or not text else 1
    height = max(map(len, broken), default=0)
    heading = [[""] * (height - len(lines)) + lines for lines in broken]
    lines = [_line([column[level] for column in heading], widths, right, gap=gap) for level in range(height)]
    lines.append((" " * gap).join("-" * width for width in widths))
    red: dict[int, set[int]] = {}
    for place, column in bad:
        red.setdefault(place, set()).add(column)
    for place, row in enumerate(parts):
        for level in range(max(map(len, row), default=0)):
            cells_here = [cell[level] if level < len(cell) else "" for cell in row]
            lines.append(_line(cells_here, widths, right, red.get(place, ()), gap=gap))
    return lines


def fitted(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    bad: Collection[tuple[int, int]] = (),
    *,
    text: Sequence[bool],
    tied: Sequence[bool],
) -> list[str]:
    """The table within the width of a terminal: columns for which there is no room stand below, with the names again.

    Columns marked `text` may be broken; those marked `tied`, such as intervals, stay beside the column before them.
    """
    whole = list(range(len(headers)))

    def block(places: Sequence[int], *, coloured: bool = True) -> list[str]:
        back = {place: number for number, place in enumerate(places)}
        return aligned(
            [headers[place] for place in places],
            [[row[place] for place in places] for row in rows],
            [right[place] for place in places],
            [(row, back[column]) for row, column in bad if column in back] if coloured else (),
            text=[text[place] for place in places],
        )

    def fits(places: Sequence[int]) -> bool:
        return max(map(columns_of, block(places, coloured=False)), default=0) <= WIDTH

    if fits(whole):
        return block(whole)
    first = text.index(True) if any(text) else 0
    names = [place for place in whole if all(text[first : place + 1])] or whole[:1]
    blocks: list[list[int]] = [[]]
    for place in whole[len(names) :]:
        group = [place, *takewhile(lambda later: tied[later], whole[place + 1 :])]
        if not tied[place] and blocks[-1] and not fits([*names, *blocks[-1], *group]):
            blocks.append([])
        blocks[-1].append(place)
    return [line for places in blocks for line in block([*names, *places])]


def _total(widths: Sequence[int], gap: int = _GAP) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _limits(widths: Sequence[int], text: Sequence[bool]) -> list[int]:
    """How wide each column may be: the widest ones of text give way until the table fits, or can give way no more."""
    limits = list(widths)
    while _total(limits) > WIDTH:
        wide = [place for place, breaks in enumerate(text) if breaks and limits[place] > _LEAST_CELL]
        if not wide:
            break
        limits[max(wide, key=lambda place: limits[place])] -= 1
    return limits


def _line(
    row: Sequence[str], widths: Sequence[int], right: Sequence[bool], red: Collection[int] = (), *, gap: int
) -> str:
    pieces = [_padded(cell, width, flush) for cell, width, flush in zip(row, widths, right, strict=True)]
    for column in red:
        if row[column]:
            pieces[column] = pieces[column].replace(row[column], painted(row[column], RED))
    return (" " * gap).join(pieces).rstrip()


def _padded(cell: str, width: int, right: bool) -> str:
    """A cell with blanks up to the width of its column, before or after it."""
    if cell.isascii():
        return cell.rjust(width) if right else cell.ljust(width)
    blank = " " * (width - columns_of(cell))
    return blank + cell if right else cell + blank


def _broken(header: str, width: int) -> list[str]:
    """A heading in lines of this width, as far as it has places to break."""
    lines = [""]
    for piece in _BREAKS.findall(header):
        if lines[-1].strip() and columns_of(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]


def wrapped(text: str, indent: str = "") -> list[str]:
    """A sentence in lines of a terminal's width, all but the first with the indent; `8 %` and intervals stay whole.

    >>> wrapped("a " * 51)[1]
    'a'
    """
    lines, line = [], ""
    for word in _WORD.findall(text):
        longer = f"{line} {word}" if line.strip() else line + word
        if line.strip() and columns_of(longer) > WIDTH:
            lines.append(line)
            longer = indent + word
        line = longer
    return [kept for kept in [*lines, line] if kept.strip()] or [""]
