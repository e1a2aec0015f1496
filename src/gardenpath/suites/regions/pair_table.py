"""Tables of pairs: a header, then a row for each pair, or two rows with a label, for the good and the bad sentence.

The separator (tab, comma, semicolon, bar) is the one with which the header makes sense. Our own tables have tabs,
no quotes, and escapes; a table of others may have quotes, with line breaks in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InputError, UsageError
from ...formats import Format
from ...runs.tsv import row_lines, unescape
from .file_text import csv_bytes, csv_rows, decoded
from .model import Item, RegionSuite
from .pair import columns_of, pair_item, pair_of, pair_suite
from .pair_columns import WRITING, PairColumns, find_columns, no_pairs

TABLE, ROWS = "pairs", "pair-rows"
_SEPARATORS = ("\t", ",", ";", "|")
_NAMED = {"tab": "\t", "comma": ",", "semicolon": ";", "bar": "|"}
_LOOKED_AT = 1 << 16
"""Bytes in which a header must end."""
_EXCEL = re.compile(r"\s*sep=(.)[ \t]*(?:\n|$)")
"""The line by which a spreadsheet says what separates cells."""
_GOOD = frozenset(("grammatical", "good", "acceptable", "correct", "true", "yes", "1", "1.0"))
_BAD = frozenset(("ungrammatical", "bad", "unacceptable", "incorrect", "wrong", "false", "no", "0", "0.0"))


def looks_like_table(data: bytes, _: str) -> bool:
    return _looks(data) == TABLE


def looks_like_rows(data: bytes, _: str) -> bool:
    return _looks(data) == ROWS


def _looks(data: bytes) -> str:
    """Which of the two a file is by its header; a header that can be read in two ways is one of pairs."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data[:_LOOKED_AT].decode("utf-16" if wide else "utf-8-sig", "replace")
    if text.lstrip().startswith(("{", "[")):  # JSON has commas, too
        return ""
    try:
        columns = _header(text, {}, "")[1]
    except InputError:
        return TABLE
    return TABLE if columns.good else ROWS if columns.label else ""


def from_table(data: bytes, name: str, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """A row is a pair; its other cells are kept with its item."""
    table = _Table(data, name, layout or {})
    columns, items = table.columns, list[Item]()
    for line, cells in table.rows:
        for key in (columns.good, columns.bad):
            if not cells[key].strip():
                raise InputError(f"no sentence in the column {key}", where=f"{name}:{line}")
        kept = {"cells": {key: value for key, value in cells.items() if key not in (columns.good, columns.bad)}}
        id = cells.get(columns.item, "").strip() or str(len(items) + 1)
        items.append(pair_item(id, cells[columns.good], cells[columns.bad], line, kept))
    return table.suite(items, TABLE)


def from_rows(data: bytes, name: str, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """Two rows are a pair: those of one phenomenon, paradigm and item, or, where items have no numbers, neighbours.

    What the row of the bad sentence says differently is kept as `COLUMN (bad)`.
    """
    table = _Table(data, name, layout or {})
    columns, words = table.columns, dict[bool, str]()
    joined: dict[tuple[str, ...], list[tuple[int, bool, dict[str, str]]]] = {}
    for place, (line, cells) in enumerate(table.rows):
        is_good = _is_good(cells[columns.label], columns.label, f"{name}:{line}", asked="label" in (layout or {}))
        words.setdefault(is_good, cells[columns.label])
        if not cells[columns.sentence].strip():
            raise InputError(f"no sentence in the column {columns.sentence}", where=f"{name}:{line}")
        named = (columns.phenomenon, columns.paradigm, columns.item)
        key = tuple(cells[column] for column in named if column) if columns.item else (str(place // 2),)
        joined.setdefault(key, []).append((line, is_good, cells))
    items: list[Item] = []
    for rows in joined.values():
        if sorted(is_good for _, is_good, _ in rows) != [False, True]:
            count = sum(is_good for _, is_good, _ in rows)
            what = f"{count} good and {len(rows) - count} bad sentences where a pair has one of each"
            lines = "-".join(str(line) for line in sorted({rows[0][0], rows[-1][0]}))
            todo = "two rows of one item are a pair; if another column numbers them, say --layout item=COLUMN"
            raise InputError(what, where=f"{name}:{lines}", todo=todo)
        (line, first_good, first), (_, _, second) = rows
        good, bad = (first, second) if first_good else (second, first)
        own = [key for key in table.header if key not in (columns.sentence, columns.label)]
        cells = {key: good[key] for key in own} | {f"{key} (bad)": bad[key] for key in own if bad[key] != good[key]}
        extra = {"cells": cells} | ({} if first_good else {"bad_first": True})
        id = good.get(columns.item, "").strip() or str(len(items) + 1)
        items.append(pair_item(id, good[columns.sentence], bad[columns.sentence], line, extra))
    return table.suite(items, ROWS, {"labels": [words[True], words[False]]})


class _Table:
    """The rows of a table by the names of its columns, with the line of each."""

    def __init__(self, data: bytes, name: str, layout: Mapping[str, str]) -> None:
        self.name, self.layout = name, layout
        text = decoded(data, name, layout.get("encoding", ""))
        self.separator, _ = _header(text, layout, f"{name}:1")
        (_, header), *rows = _cells(text, name, self.separator)
        width = len(header)
        while width and not header[width - 1].strip() and not any(any(row[width - 1 :]) for _, row in rows):
            width -= 1
        self.header = [column.strip() or f"column {number}" for number, column in enumerate(header[:width], 1)]
        if len(set(self.header)) < width:
            twice = next(column for column in self.header if self.header.count(column) > 1)
            raise InputError(f"two columns are called {twice}", where=f"{name}:1", todo="rename one of them")
        self.rows: list[tuple[int, dict[str, str]]] = []
        for line, row in rows:
            if len(row) < width or any(row[width:]):
                what = f"{len(row)} cells in a table with {width} columns"
                written = next((word for word, sign in _NAMED.items() if sign == self.separator), self.separator)
                raise InputError(what, where=f"{name}:{line}", todo=f"cells are separated by one {written}")
            self.rows.append((line, dict(zip(self.header, row[:width], strict=True))))
        if not self.rows:
            raise InputError("no pairs in this table", where=name)
        self.columns = find_columns(self.header, layout, [cells for _, cells in self.rows], f"{name}:1")
        if not self.columns:
            raise no_pairs(self.header, f"{name}:1")

    def suite(self, items: Sequence[Item], format: str, more: Mapping[str, Any] | None = None) -> RegionSuite:
        extra = {"header": self.header, **({} if self.separator == "\t" else {"separator": self.separator})}
        return pair_suite(self.name, items, self.columns, format, {**extra, **(more or {})}, self.layout)


def _header(text: str, layout: Mapping[str, str], where: str) -> tuple[str, PairColumns]:
    """The separator and the columns of the first line that is not empty; no columns where no separator fits."""
    declared = _EXCEL.match(text.replace("\r\n", "\n"))
    text = text.replace("\r\n", "\n")[declared.end() :] if declared else text
    line = next((line for line in text.split("\n") if line.strip()), "")
    asked = layout.get("separator", "") or (declared[1] if declared else "")
    known = dict(layout)
    separators = [_NAMED.get(asked, asked)] if asked else _SEPARATORS
    if asked and len(separators[0]) != 1:
        todo = f"write one character, or {', '.join(_NAMED)}"
        raise UsageError(f"{asked!r} separates nothing", where="--layout", todo=todo)
    widest, columns = (1, ""), PairColumns()
    for separator in separators:
        try:
            names = [name.strip() for _, row in csv_rows(line, where, separator) for name in row]
        except InputError:
            continue
        widest = max(widest, (len(names), separator))
        if len(names) > 1 and all(name in names for key, name in known.items() if key not in WRITING):
            columns = find_columns(names, layout, where=where)
        if columns:
            return separator, columns
    return widest[1] or separators[0], columns


def _cells(text: str, name: str, separator: str) -> list[tuple[int, list[str]]]:
    """(line, cells) of every row: by tabs alone where that fits and nothing looks quoted, else as CSV."""
    if declared := _EXCEL.match(text):
        text = "\n" * text.count("\n", 0, declared.end()) + text[declared.end() :]
    if separator == "\t":
        lines = [(number, line.split("\t")) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        wide = len(lines[0][1])
        quoted = any(_is_quoted(cell) for _, row in lines for cell in row) or lines[0][1][0].startswith('"')
        if not quoted and (all(len(row) == wide for _, row in lines) or '"' not in text):
            return [(number, [unescape(cell) for cell in row]) for number, row in lines]
    return csv_rows(text, name, separator)


def _is_quoted(text: str) -> bool:
    """Is this a cell of CSV that has quotes in it, doubled?"""
    inner = text[1:-1]
    return len(text) > 3 and text[0] == text[-1] == '"' and '""' in inner and '"' not in inner.replace('""', "")


def _is_good(text: str, column: str, where: str, *, asked: bool) -> bool:
    word = text.strip().casefold()
    if column.casefold() == "label" and word[:1] in ("0", "1") and not asked:
        todo = "if 1 is the good sentence, say so: --layout label=label"
        raise InputError("a label of 0 or 1 does not say which sentence is good", where=where, todo=todo)
    if word in _GOOD or word in _BAD:
        return word in _GOOD
    todo = "such as Grammatical and Ungrammatical, true and false, or 1 and 0"
    raise InputError(f"{text!r} in {column} says neither good nor bad", where=where, todo=todo)


def to_table(suite: RegionSuite) -> bytes:
    """The columns of the table it came from; else item, good, bad and the properties of the suite."""
    columns, header = columns_of(suite), list(suite.said("header", ()))
    if not columns.good or columns.good not in header:
        further = dict.fromkeys(key for item in suite.items for key in item.extra.get("cells", {}))
        header = ["item", "good", "bad", *(key for key, value in suite.properties.items() if value)]
        header += [key for key in further if key not in header]
        columns = find_columns(header)
    rows = [header]
    for item in suite.items:
        cells = {"item": item.id, **suite.properties, **item.extra.get("cells", {})}
        cells |= dict(zip((columns.good, columns.bad), pair_of(suite, item), strict=True))
        rows.append([str(cells.get(key, "")) for key in header])
    return _bytes(suite, rows)


def to_rows(suite: RegionSuite) -> bytes:
    """Two rows a pair, in the columns of the table it came from; else item, sentence and grammaticality."""
    columns, header = columns_of(suite), list(suite.said("header", ()))
    if not columns.label or columns.label not in header:
        header = ["item", "sentence", "grammaticality"]
        columns = find_columns(header)
    labels = suite.said("labels", ["grammatical", "ungrammatical"])
    rows = [header]
    for item in suite.items:
        given = {"item": item.id, **item.extra.get("cells", {})}
        both = []
        for text, label, mark in zip(pair_of(suite, item), labels, ("", " (bad)"), strict=True):
            own = {columns.sentence: text, columns.label: label}
            both.append([str(own.get(key, given.get(f"{key}{mark}", given.get(key, "")))) for key in header])
        rows += both[::-1] if item.extra.get("bad_first") else both
    return _bytes(suite, rows)


def _bytes(suite: RegionSuite, rows: list[list[str]]) -> bytes:
    separator = suite.said("separator", "\t")
    if separator != "\t":
        return csv_bytes(rows, separator)
    return row_lines(rows).encode("utf-8")


FORMATS = (
    Format(TABLE, "a table of pairs, a row each", (".tsv",), looks_like_table, from_table, to_table),
    Format(ROWS, "a table of pairs, two rows each", (), looks_like_rows, from_rows, to_rows),
)
