"""A result as text: plain table, TSV, JSON, Markdown or LaTeX."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence

from ..runs.result import Result, Table, Value


def render(result: Result, format: str) -> str:
    """Tables for people, all findings for programs; the signature stands under every table."""
    return _FORMATS[format](result)


def shown(value: Value, digits: int = 2) -> str:
    """A value as a table shows it: nothing for None, floats with `digits` places."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.{digits}f}"
    return str(value)


def _json(result: Result) -> str:
    return json.dumps(_finite(result.as_json()), ensure_ascii=False, indent=1) + "\n"


def _finite(value: object) -> object:
    """JSON knows no NaN and no infinity: both become null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _tsv(result: Result) -> str:
    """All findings in one table; a grouping key that a finding does not have is empty."""
    rows = [finding.flat() for finding in result.findings]
    first, last = ["study", "suite", "system"], ["measure", "value", "n", "low", "high"]
    keys = list(dict.fromkeys(key for finding in result.findings for key in finding.by))
    columns = [*first, *keys, *last]
    lines = ["\t".join(columns)]
    lines += ["\t".join(_cell(row.get(column)) for column in columns) for row in rows]
    return "\n".join(lines) + "\n"


def _cell(value: Value) -> str:
    if value is None:
        return ""
    text = repr(float(value)) if isinstance(value, float) else str(value)
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def plain(table: Table) -> str:
    """Aligned columns: text to the left, numbers to the right."""
    cells = [[shown(value, table.digits) for value in row] for row in table.rows]
    widths = [max(map(_width, column)) for column in zip(table.columns, *cells, strict=True)]
    right = [_is_numeric([row[i] for row in table.rows]) for i in range(len(table.columns))]

    def line(row: Sequence[str]) -> str:
        pieces = [
            " " * (width - _width(cell)) + cell if flush else cell + " " * (width - _width(cell))
            for cell, width, flush in zip(row, widths, right, strict=True)
        ]
        return "  ".join(pieces).rstrip()

    lines = [table.title] if table.title else []
    lines += [line(table.columns), "  ".join("-" * width for width in widths), *map(line, cells)]
    lines += [table.note] if table.note else []
    return "\n".join(lines)


def _width(text: str) -> int:
    """Columns on a terminal: wide characters count two, combining ones none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _is_numeric(values: Sequence[Value]) -> bool:
    kept = [value for value in values if value is not None]
    return bool(kept) and all(isinstance(value, int | float) for value in kept)


def failure_lines(result: Result) -> list[str]:
    kept = {name: count for name, count in result.failures.items() if count}
    return ["failures: " + ", ".join(f"{name} {count}" for name, count in kept.items())] if kept else []


def _plain(result: Result) -> str:
    blocks = [plain(table) for table in result.tables]
    blocks.append("\n".join([*failure_lines(result), f"signature: {result.signature}"]))
    return "\n\n".join(blocks) + "\n"


def _markdown(result: Result) -> str:
    blocks = []
    for table in result.tables:
        right = [_is_numeric([row[i] for row in table.rows]) for i in range(len(table.columns))]
        lines = [f"**{_md(table.title)}**", ""] if table.title else []
        lines.append("| " + " | ".join(map(_md, table.columns)) + " |")
        lines.append("|" + "|".join(" ---: " if flush else " --- " for flush in right) + "|")
        lines += ["| " + " | ".join(_md(shown(v, table.digits)) for v in row) + " |" for row in table.rows]
        lines += ["", _md(table.note)] if table.note else []
        blocks.append("\n".join(lines))
    blocks.append("\n\n".join([*failure_lines(result), f"signature: `{result.signature}`"]))
    return "\n\n".join(blocks) + "\n"


def _md(text: str) -> str:
    for char in "\\|*_`<":
        text = text.replace(char, "\\" + char)
    return text.replace("\n", " ")


def _latex(result: Result) -> str:
    blocks = []
    for table in result.tables:
        right = [_is_numeric([row[i] for row in table.rows]) for i in range(len(table.columns))]
        lines = ["\\begin{table}", "\\centering"]
        lines.append("\\begin{tabular}{" + "".join("r" if flush else "l" for flush in right) + "}")
        lines += ["\\toprule", " & ".join(map(_tex, table.columns)) + " \\\\", "\\midrule"]
        lines += [" & ".join(_tex(shown(v, table.digits)) for v in row) + " \\\\" for row in table.rows]
        lines += ["\\bottomrule", "\\end{tabular}"]
        caption = " ".join(part for part in (table.title, table.note) if part)
        lines += [f"\\caption{{{_tex(caption)}}}"] if caption else []
        blocks.append("\n".join([*lines, "\\end{table}"]))
    ending = [f"% {line}" for line in [*failure_lines(result), f"signature: {result.signature}"]]
    return "\n\n".join([*blocks, "\n".join(ending)]) + "\n"


_TEX = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "\n": " ",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in text)


_FORMATS: dict[str, Callable[[Result], str]] = {
    "table": _plain,
    "tsv": _tsv,
    "json": _json,
    "markdown": _markdown,
    "latex": _latex,
}
