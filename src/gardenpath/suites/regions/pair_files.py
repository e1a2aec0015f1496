"""Files of pairs: tables with a row or two for each pair, BLiMP's JSON, CLiMP's CSV and labelled lines (CLAMS).

The separator of a table (tab, comma, semicolon, bar) is the one with which the header makes sense. Our own tables have
tabs, no quotes, and escapes; a table of others may have quotes, with line breaks in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...boundary.structured import read_json
from ...errors import InputError, UsageError
from ...formats import Format, head
from ...runs.result.encoding import row_lines, unescape
from .file_text import csv_bytes, csv_rows, decoded
from .model import Item, RegionSuite, title_of
from .pairs import (
    NAMES,
    PAIRS,
    WRITING,
    PairColumns,
    bare_name,
    cell_text,
    columns_of,
    find_columns,
    named_pairs,
    no_pairs,
    pair_item,
    pair_of,
    pair_prediction,
    pair_suite,
)

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
            todo = "two rows of one item are a pair; if another column numbers them, say --set layout=item=COLUMN"
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
        raise UsageError(f"{asked!r} separates nothing", where="layout", todo=todo)
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
        todo = "if 1 is the good sentence, say so: --set layout=label=label"
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


BLIMP = "blimp"
_TOKEN = re.compile(r'[{}\[\]]|"(?P<key>(?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"?')
"""A bracket, a key, or a text, in which brackets mean nothing."""


def looks_like_blimp(data: bytes, _: str) -> bool:
    start = head(data)
    if not start.startswith((b"{", b"[")):
        return False
    return bool(named_pairs([bare_name(name) for name in _first_keys(start.decode("utf-8", "replace"))]))


def _first_keys(text: str) -> Iterator[str]:
    """The keys of the first object, without those of objects and lists in it; the text may be cut off anywhere."""
    depth = 0
    for match in _TOKEN.finditer(text, text.find("{")):
        sign, key = match[0][0], match["key"]
        depth += (sign in "{[") - (sign in "}]")
        if depth == 0:
            return
        if key is not None and depth == 1:
            yield key


def from_blimp(data: bytes, name: str, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """Paradigms, one or many; all fields of a line are kept with its item."""
    layout = layout or {}
    rows = list(_objects(decoded(data, name, layout.get("encoding", "")), name))
    if not rows:
        raise InputError("the file is empty", where=name)
    first = f"{name}:{rows[0][0]}"
    columns = find_columns(rows[0][1], layout, [row for _, row in rows], first)
    if not columns.good:
        raise no_pairs(rows[0][1], first)
    items: list[Item] = []
    for number, row in rows:
        texts = [row.get(field) for field in (columns.good, columns.bad)]
        for field, text in zip((columns.good, columns.bad), texts, strict=True):
            if not (isinstance(text, str) and text.strip()):
                todo = "each line has a good and a bad sentence"
                raise InputError(f"no {field} in this pair", where=f"{name}:{number}", todo=todo)
        id = cell_text(row.get(columns.item)) or str(len(items))
        items.append(pair_item(id, str(texts[0]), str(texts[1]), number, {"row": row}))
    return pair_suite(name, items, columns, BLIMP, {"fields": [columns.good, columns.bad]}, layout)


def _objects(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, object) of every pair; of a list of objects, the number in the list."""
    numbered: Iterable[tuple[int, Any]]
    if text.lstrip().startswith("["):
        numbered = enumerate(read_json(text, name, "this"), 1)
    else:
        lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
        numbered = ((number, read_json(line, f"{name}:{number}", "this line")) for number, line in lines)
    for number, row in numbered:
        if not isinstance(row, dict):
            raise InputError("this is not a JSON object", where=f"{name}:{number}")
        yield number, row


def to_blimp(suite: RegionSuite) -> bytes:
    """One line per item; an item that came from such a file is written with all its fields."""
    fields = tuple(map(str, suite.said("fields", ()))) or PAIRS[0]
    lines = []
    for item in suite.items:
        good, bad = pair_of(suite, item)
        kept = item.extra.get("row")
        row: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
        if not row:
            row = {fields[0]: good, fields[1]: bad, "UID": suite.title, "pairID": item.id}
            if term := suite.property_of("class"):
                row["linguistics_term"] = term
        row[fields[0]], row[fields[1]] = good, bad
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8")


CLIMP = "climp"
HEADER = ["", "0", "1", "2", "3"]


def looks_like_climp(data: bytes, _: str) -> bool:
    return data.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].strip() == ",".join(HEADER).encode()


def from_climp(data: bytes, name: str) -> RegionSuite:
    """A paradigm; a pair may have its good sentence first or second."""
    _, *rows = csv_rows(decoded(data, name), name)
    if not rows or len(rows) % 2:
        raise InputError(f"{len(rows)} sentences are not pairs", where=name, todo="two rows make a pair")
    for line, row in rows:
        if len(row) != len(HEADER) or row[4] not in ("0", "1") or not row[3].strip():
            todo = "a row has number, class, paradigm, sentence, and 1 or 0"
            raise InputError("this is not a row of CLiMP", where=f"{name}:{line}", todo=todo)
    items: list[Item] = []
    for (line, first), (second_line, second) in zip(rows[::2], rows[1::2], strict=True):
        if {first[4], second[4]} != {"0", "1"}:
            what = "two rows that are both good or both bad"
            raise InputError(what, where=f"{name}:{line}-{second_line}", todo="a pair has a 1 and a 0")
        good, bad = (first, second) if first[4] == "1" else (second, first)
        extra = {"rows": [first[0], second[0]]} | ({"bad_first": True} if first is bad else {})
        items.append(pair_item(str(len(items) + 1), good[3], bad[3], line, extra))
    paradigm = rows[0][1][2] or re.sub(r"_\d+$", "", title_of(name))
    return RegionSuite(
        name, paradigm, items, [pair_prediction(name)], NAMES, CLIMP, joiner="", segmented=False,
        properties={"class": rows[0][1][1]} if rows[0][1][1] else {},
    )  # fmt: skip


def to_climp(suite: RegionSuite) -> bytes:
    rows = [HEADER]
    for place, item in enumerate(suite.items):
        numbers = item.extra.get("rows", [str(2 * place), str(2 * place + 1)])
        both = [
            (suite.joiner.join(text.split()) if suite.segmented else text, flag)
            for text, flag in zip(pair_of(suite, item), "10", strict=True)
        ]
        if item.extra.get("bad_first"):
            both.reverse()
        for number, (text, flag) in zip(numbers, both, strict=True):
            rows.append([str(number), suite.property_of("class"), suite.title, text, flag])
    return csv_bytes(rows)


LINES = "labelled-lines"
_TRUE = {"true": True, "false": False}


def looks_like_lines(data: bytes, _: str) -> bool:
    label, tab, sentence = head(data, 4096).split(b"\n", 1)[0].partition(b"\t")
    return label.decode("utf-8", "replace").casefold() in _TRUE and bool(tab and sentence.strip())


def from_lines(data: bytes, name: str, layout: Mapping[str, str] | None = None) -> RegionSuite:
    """Two lines are a pair, one of them good; phenomenon and paradigm are in the names of folder and file."""
    layout = layout or {}
    text = decoded(data, name, layout.get("encoding", ""))
    filled = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if order := layout.get("order"):
        labels = ("True", "False") if order == "good-bad" else ("False", "True")
        lines = [(number, labels[place % 2], line) for place, (number, line) in enumerate(filled)]
    else:
        lines = [(number, *line.partition("\t")[::2]) for number, line in filled]
    for number, label, sentence in lines:
        if label.casefold() not in _TRUE or not sentence.strip():
            raise InputError(
                "this is not a labelled line", where=f"{name}:{number}", todo="True or False, a tab, a sentence"
            )
    if len(lines) % 2:
        raise InputError(f"{len(lines)} sentences are not pairs", where=name, todo="two lines make a pair")
    items: list[Item] = []
    for (number, label, first), (second_number, its_label, second) in zip(lines[::2], lines[1::2], strict=True):
        if _TRUE[label.casefold()] == _TRUE[its_label.casefold()]:
            what, todo = f"two lines that are both {label}", "a pair has a True and a False"
            raise InputError(what, where=f"{name}:{number}-{second_number}", todo=todo)
        good = _TRUE[label.casefold()]
        texts = (first, second) if good else (second, first)
        items.append(pair_item(str(len(items) + 1), *texts, number, {} if good else {"bad_first": True}))
    return pair_suite(name, items, PairColumns(), LINES, {}, layout)


def to_lines(suite: RegionSuite) -> bytes:
    lines = []
    for item in suite.items:
        both = [f"{label}\t{text}\n" for label, text in zip(("True", "False"), pair_of(suite, item), strict=True)]
        lines += both[::-1] if item.extra.get("bad_first") else both
    return "".join(lines).encode("utf-8")


FORMATS = (
    Format(TABLE, "a table of pairs, a row each", (".tsv",), looks_like_table, from_table, to_table),
    Format(ROWS, "a table of pairs, two rows each", (), looks_like_rows, from_rows, to_rows),
    Format(BLIMP, "BLiMP's lines of JSON", (".jsonl",), looks_like_blimp, from_blimp, to_blimp),
    Format(CLIMP, "CLiMP's CSV", sniff=looks_like_climp, read=from_climp, write=to_climp),
    Format(LINES, "lines with True or False", (), looks_like_lines, from_lines, to_lines),
)
