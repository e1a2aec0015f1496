"""Values as cells of tab-separated text: one line a row, whatever is in the text; R reads it too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MEANING = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}


def cell(value: Any) -> str:
    """The text of one value: nothing is empty, numbers keep all digits, tabs and line breaks are escaped."""
    if isinstance(value, str):
        return value.translate(_ESCAPES)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else repr(float(value))
    if hasattr(value, "tolist"):  # a NumPy scalar
        return cell(value.tolist())
    return str(value).translate(_ESCAPES)


def cells(values: Any) -> list[str]:
    """The texts of a column; a text that comes again (and most do) is escaped once."""
    known: dict[str, str] = {}
    texts = []
    for value in values.tolist() if hasattr(values, "tolist") else values:
        if type(value) is str:
            text = known.get(value)
            if text is None:
                text = known[value] = value.translate(_ESCAPES)
            texts.append(text)
        else:
            texts.append(cell(value))
    return texts


def lines(header: Iterable[str], columns: Sequence[Sequence[str]]) -> str:
    """The whole table as text, from columns of cells."""
    body = ["\t".join(row) for row in zip(*columns, strict=True)]
    return "\n".join(["\t".join(cell(name) for name in header), *body]) + "\n"


def row_lines(rows: Iterable[Iterable[Any]]) -> str:
    """Rows of values as text, a line each."""
    return "".join("\t".join(map(cell, row)) + "\n" for row in rows)


def unescape(text: str) -> str:
    """What `cell` was given."""
    if "\\" not in text:
        return text
    from re import sub

    return sub(r"\\[\\tnr]", lambda match: _MEANING[match.group()], text)
