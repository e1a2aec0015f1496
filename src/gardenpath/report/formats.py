"""A result as text: plain table, TSV, JSON, Markdown or LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from .._text import one_line, tex
from ..errors import unknown_name
from ..runs.result.encoding import row_lines
from ..runs.result.layout import INTERVAL
from ..runs.result.result import Finding, Result, Table, Value, Verdict
from .plain_text import SURE_COLOURS, aligned, fitted, painted, worst_cells, wrapped


def render(result: Result, format: str, *, colour: bool = False) -> str:
    """Tables for people, all findings for programs; the signature stands under every table.

    `colour` is for the plain tables of a terminal; no other format has any.
    """
    if format not in _FORMATS:
        raise unknown_name("format", format, _FORMATS)
    return _plain(result, colour) if format == "table" else _FORMATS[format](result)


def shown(value: Any, digits: int = 2, kind: str = "") -> str:
    """A value as a table shows it: nothing for None, floats with `digits` places, and by the kind of its column.

    >>> shown([0.5, 1], 2, "interval"), shown(0.00001, 2, "p"), shown(3.14159, 2, "signed")
    ('[0.50, 1.00]', '< 0.0001', '+3.14')
    >>> shown([0.21, 1, 1], 2, "interval")  # from one item
    '[0.21, 1.00]*'
    """
    if value is None:
        return ""
    if kind == "interval":
        low, high = (shown(None if end is None else float(end), digits) for end in value[:2])
        return f"[{low}, {high}]" + "*" * (len(value) > 2) if low or high else ""
    if kind == "p" and isinstance(value, int | float):
        return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
    if kind == "signed" and isinstance(value, int | float):
        return "" if math.isnan(value) else f"{value:+z.{digits}f}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:z.{digits}f}"
    return one_line(str(value))


def _json(result: Result) -> str:
    from ..runs.result.encoding import to_document

    return to_document(result.as_json())


def _tsv(result: Result) -> str:
    """All findings in one table; a grouping key that a finding does not have is empty."""
    first, last = ["study", "suite", "system"], ["measure", "value", "n", "low", "high"]
    keys = list(dict.fromkeys(key for finding in result.findings for key in finding.by))
    columns = [*first, *keys, *last]
    rows: list[Sequence[Value]] = [columns]
    rows += [[row.get(column) for column in columns] for row in map(Finding.flat, result.findings)]
    return row_lines(rows)


def shown_cells(table: Table) -> list[list[str]]:
    """All cells of a table as they are shown, whatever the format."""
    ways = [(table.digits_of(place), table.kind(place)) for place in range(len(table.columns))]
    return [[shown(value, digits, kind) for value, (digits, kind) in zip(row, ways, strict=True)] for row in table.rows]


def plain(table: Table, colour: bool = False, *, wrap: bool = False) -> str:
    """Aligned columns: text to the left, numbers to the right; to `wrap` keeps to the width of a terminal."""
    title = one_line(table.title)
    lines = (wrapped(title) if wrap else [title]) if title else []
    headers, bad = [one_line(column) for column in table.columns], list(worst_cells(table)) if colour else ()
    cells, right = shown_cells(table), numeric_columns(table)
    if wrap:
        text = [not flush and not table.kind(place) for place, flush in enumerate(right)]
        tied = [table.kind(place) == INTERVAL for place in range(len(headers))]
        lines += fitted(headers, cells, right, bad, text=text, tied=tied)
    else:
        lines += aligned(headers, cells, right, bad)
    if table.note:
        lines += [line for note in table.note.split("\n") for line in wrapped(one_line(note))]
    return "\n".join(lines)


def numeric_columns(table: Table) -> list[bool]:
    """For each column: has it numbers and nothing else? Then it stands to the right."""
    return [
        not table.kind(number) and _is_numeric([row[number] for row in table.rows])
        for number in range(len(table.columns))
    ]


def _is_numeric(values: Sequence[Any]) -> bool:
    kept = [value for value in values if value is not None]
    return bool(kept) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in kept)


def failure_lines(result: Result) -> list[str]:
    kept = {one_line(name): count for name, count in result.failures.items() if count}
    return ["failures: " + ", ".join(f"{name} {count}" for name, count in kept.items())] if kept else []


def _folded_lines(result: Result) -> list[str]:
    """How many tables there are that nobody asked for, and how to see them."""
    count = len(result.tables) - len(result.open_tables)
    return [f"{count} more table{'s' * (count > 1)}: --by all"] if count else []


def verdict_lines(verdict: Verdict, colour: bool = False) -> list[str]:
    """A verdict as a point of a list; in colour its mark and its word for how sure it is."""
    lines, code = wrapped(f"- {one_line(verdict.text)}", "  "), SURE_COLOURS.get(verdict.sure)
    if not colour or code is None:
        return lines
    lines[0] = painted("-", code) + lines[0][1:]
    return [line.replace(f"({verdict.sure})", painted(f"({verdict.sure})", code)) for line in lines]


def _plain(result: Result, colour: bool = False) -> str:
    sentences = [line for verdict in result.verdicts for line in verdict_lines(verdict, colour)]
    blocks = ["\n".join(sentences)] if sentences else []
    # What people read is wrapped; a list of data, files or systems keeps a line for each, for grep.
    blocks += [plain(table, colour, wrap=bool(result.verdicts)) for table in result.open_tables]
    failures = [line for failed in failure_lines(result) for line in wrapped(failed, "  ")]
    # The signature is one line, however long, to be copied as it is.
    blocks.append("\n".join([*_folded_lines(result), *failures, f"signature: {one_line(result.signature)}"]))
    return "\n\n".join(blocks) + "\n"


def _markdown(result: Result) -> str:
    blocks = ["\n".join(f"- {_md(verdict.text)}" for verdict in result.verdicts)] if result.verdicts else []
    for table in result.open_tables:
        right = numeric_columns(table)
        lines = [f"**{_md(table.title)}**", ""] if table.title else []
        lines.append("| " + " | ".join(map(_md, table.columns)) + " |")
        lines.append("|" + "|".join(" ---: " if flush else " --- " for flush in right) + "|")
        lines += ["| " + " | ".join(map(_md, row)) + " |" for row in shown_cells(table)]
        lines += ["", _md(table.note)] if table.note else []
        blocks.append("\n".join(lines))
    ending = [*_folded_lines(result), *failure_lines(result)]
    blocks.append("\n\n".join([*map(_md, ending), f"signature: `{one_line(result.signature).replace('`', chr(39))}`"]))
    return "\n\n".join(blocks) + "\n"


_LINK = re.compile(r"\[(?=[^\]]*\]\s*[(\[:])")
"""The bracket that opens a link or a picture, and not an interval."""


def _md(text: str) -> str:
    for char in "\\|*_`<":
        text = text.replace(char, "\\" + char)
    return one_line(_LINK.sub(r"\\[", text))


def _latex(result: Result) -> str:
    blocks = []
    for table in result.open_tables:
        right = numeric_columns(table)
        lines = ["\\begin{table}", "\\centering"]
        lines.append("\\begin{tabular}{" + "".join("r" if flush else "l" for flush in right) + "}")
        lines += ["\\toprule", _tex_row(table.columns), "\\midrule"]
        lines += [_tex_row(row) for row in shown_cells(table)]
        lines += ["\\bottomrule", "\\end{tabular}"]
        caption = " ".join(part for part in (table.title, table.note) if part)
        lines += [f"\\caption{{{tex(caption)}}}"] if caption else []
        blocks.append("\n".join([*lines, "\\end{table}"]))
    ending = [f"% {line}" for line in [*failure_lines(result), f"signature: {one_line(result.signature)}"]]
    return "\n\n".join([*blocks, "\n".join(ending)]) + "\n"


def _tex_row(cells: Sequence[str]) -> str:
    """A row; `{}` protects a bracket or star at its start, which the line break before it would swallow."""
    row = " & ".join(map(tex, cells)) + " \\\\"
    return "{}" + row if row.startswith(("[", "*")) else row


_FORMATS: dict[str, Callable[[Result], str]] = {
    "table": _plain,
    "tsv": _tsv,
    "json": _json,
    "markdown": _markdown,
    "latex": _latex,
}
