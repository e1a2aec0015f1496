"""Observations: one judgement about one item under one condition by one system is one row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...boundary.texts import file_bytes
from ...errors import InputError, UsageError
from .encoding import cells, lines, unescape

if TYPE_CHECKING:
    import polars

COLUMNS = ("study", "suite", "item", "condition", "system", "seed", "unit", "outcome", "value")
_TEXT = frozenset(COLUMNS) - {"seed", "value"}
_INTEGER = r"^-?(0|[1-9][0-9]{0,17})$"
_NUMBER = r"^-?((0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|inf)$|^NaN$"


class Observations:
    """Columns of equal length: the nine of every study, then the properties of its items.

    A column is a list, a NumPy array, or one value that holds for all rows.
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        missing = [name for name in COLUMNS if name not in columns]
        if missing:
            raise UsageError(
                f"observations without {', '.join(missing)}", todo="give None where a column does not apply"
            )
        listed = {name for name, given in columns.items() if hasattr(given, "__len__") and not isinstance(given, str)}
        lengths = {name: len(columns[name]) for name in columns if name in listed}
        if len(set(lengths.values())) > 1:
            sizes = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise UsageError(f"columns of observations differ in length: {sizes}")
        self._length = next(iter(lengths.values()), 1)
        order = [*COLUMNS, *(name for name in columns if name not in COLUMNS)]
        self.columns: dict[str, Any] = {
            name: columns[name] if name in lengths else [columns[name]] * self._length for name in order
        }

    def __len__(self) -> int:
        return self._length

    @classmethod
    def joined(cls, parts: Iterable[Observations]) -> Observations:
        """One table from several; a property that a part does not have is empty there."""
        tables = list(parts)
        names = dict.fromkeys([*COLUMNS, *(name for table in tables for name in table.columns)])
        columns: dict[str, list[Any]] = {name: [] for name in names}
        for table in tables:
            for name, values in columns.items():
                values.extend(_plain(table.columns[name]) if name in table.columns else [None] * len(table))
        return cls(columns)

    def to_tsv(self) -> bytes:
        """UTF-8, one line a row; nothing is an empty cell, tabs and line breaks in text are escaped."""
        return lines(self.columns, [cells(values) for values in self.columns.values()]).encode("utf-8")

    def frame(self) -> polars.DataFrame:
        """The same as a Polars frame, typed as `read_observations` types it."""
        import polars as pl

        series = []
        for name, values in self.columns.items():
            column = _plain(values)
            if name in _TEXT:
                texts = [None if value is None or value == "" else str(value) for value in column]
                series.append(pl.Series(name, texts, dtype=pl.String))
            elif name == "value":
                series.append(pl.Series(name, column, dtype=pl.Float64, strict=False))
            else:
                series.append(_typed(pl.Series(name, cells(column), dtype=pl.String)))
        return pl.DataFrame(series)


def read_observations(path: str | os.PathLike[str]) -> polars.DataFrame:
    """A table of observations from TSV; numbers are numbers, empty cells are null."""
    return parse_observations(file_bytes(path, todo="check the path"), path)


def parse_observations(content: bytes, path: str | os.PathLike[str]) -> polars.DataFrame:
    """The same from the content of a file; errors name its path."""
    import polars as pl

    header, rows = _read_rows(content, path)
    columns: Sequence[Sequence[str]] = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    series = []
    for name, texts in zip(header, columns, strict=True):
        column = pl.Series(name, texts, dtype=pl.String)
        if name in _TEXT:
            series.append(_text(column))
            continue
        column = _typed(column)
        if name == "value":
            if column.dtype == pl.String:
                _not_a_number(path, texts)
            column = column.cast(pl.Float64)
        series.append(column)
    return pl.DataFrame(series)


def _read_rows(content: bytes, path: str | os.PathLike[str]) -> tuple[list[str], list[list[str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text", where=str(path), todo="save it as UTF-8") from error
    first, *rest = text.replace("\r\n", "\n").split("\n")
    header = [unescape(name) for name in first.split("\t")]
    missing = [name for name in COLUMNS if name not in header]
    if missing or len(set(header)) < len(header):
        problem = f"no column {', '.join(missing)}" if missing else "a column name comes twice"
        todo = f"a table of observations has the columns {', '.join(COLUMNS)}, separated by tabs"
        raise InputError(f"this is not a table of observations: {problem}", where=f"{path}:1", todo=todo)
    if rest and rest[-1] == "":
        rest.pop()
    rows = [line.split("\t") for line in rest]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            problem = f"{len(row)} cells in a table with {len(header)} columns"
            raise InputError(problem, where=f"{path}:{number}", todo="cells are separated by one tab")
    return header, rows


def _typed(column: polars.Series) -> polars.Series:
    """Whole numbers, numbers, true and false by their look; all else is text (such as 007)."""
    import polars as pl

    column = column.set(column == "", None)
    given = column.drop_nulls()
    if given.str.contains(_INTEGER).all():
        return column.cast(pl.Int64)
    if given.str.contains(_NUMBER).all():
        return column.cast(pl.Float64)
    if given.is_in(["true", "false"]).all():
        return column == "true"
    return _text(column)


def _text(column: polars.Series) -> polars.Series:
    import polars as pl

    column = column.set(column == "", None)
    if not column.str.contains("\\", literal=True).any():
        return column
    return pl.Series(column.name, [text and unescape(text) for text in column.to_list()], dtype=pl.String)


def _not_a_number(path: str | os.PathLike[str], texts: Sequence[str]) -> None:
    for number, text in enumerate(texts, start=2):
        try:
            float(text or 0)
        except ValueError:
            raise InputError(
                f"the value {text!r} is not a number", where=f"{path}:{number}", todo="put text into outcome"
            ) from None
    raise InputError("the values are not numbers", where=str(path), todo="put text into outcome")


def _plain(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)
