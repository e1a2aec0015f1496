"""What somebody gives as suites of regions: suites, tables of pairs, and names of files, in any mixture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from ...errors import UsageError
from ...treebank.source import Source, kind_of_object
from .file_text import csv_bytes
from .model import RegionSuite
from .pair_columns import find_columns, no_pairs
from .pair_table import from_rows, from_table

FRAME = "data frame"


@dataclass(frozen=True, slots=True)
class GivenSuites:
    """Suites that are there, and the names of those that must be read."""

    suites: list[RegionSuite]
    names: list[Source]

    def __str__(self) -> str:
        return ", ".join([*(suite.name for suite in self.suites), *map(str, self.names)])


def given_suites(source: Any, layout: Mapping[str, str] | None = None) -> GivenSuites:
    """The one thing or the several that are given. `layout` names the columns of frames whose names do not tell."""
    single = isinstance(source, RegionSuite | str | PathLike | Mapping) or is_frame(source)
    parts = [source] if single or not isinstance(source, Iterable) else list(source)
    parts = [_frame_of(part) if isinstance(part, Mapping) else part for part in parts]
    frames = sum(map(is_frame, parts))
    suites, names = list[RegionSuite](), list[Source]()
    for part in parts:
        if is_frame(part):
            number = sum(suite.name.startswith(FRAME) for suite in suites) + 1
            suites.append(frame_suite(part, layout, FRAME if frames == 1 else f"{FRAME} {number}"))
        elif isinstance(part, RegionSuite):
            suites.append(part)
        elif isinstance(part, str | PathLike):
            names.append(part)
        else:
            todo = "give suites, data frames or columns of pairs, or names of files"
            raise UsageError(f"{kind_of_object(part)} is not a suite", todo=todo)
    return GivenSuites(suites, names)


def is_frame(source: Any) -> bool:
    """Is it a data frame of Polars or pandas? Neither of them is imported for it."""
    return hasattr(source, "columns") and (hasattr(source, "iter_rows") or hasattr(source, "itertuples"))


def _frame_of(columns: Mapping[str, Any]) -> Any:
    """A data frame of columns by name."""
    import polars as pl

    try:
        return pl.DataFrame(dict(columns), strict=False)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        todo = 'give lists of the same length: {"good": [...], "bad": [...]}'
        raise UsageError(f"this mapping is no table of pairs: {error}", todo=todo) from None


def frame_suite(frame: Any, layout: Mapping[str, str] | None = None, name: str = FRAME) -> RegionSuite:
    """The pairs of a data frame, read as a file with these columns is: good and bad, or sentence and label.

    >>> import polars
    >>> frame = polars.DataFrame({"good": ["cats sleep"], "bad": ["cats sleeps"]})
    >>> [condition.text() for condition in frame_suite(frame).items[0].conditions]
    ['cats sleep', 'cats sleeps']
    """
    if hasattr(frame, "iter_rows"):
        rows = frame.iter_rows()
    else:
        rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    header = list(map(str, frame.columns))
    columns = find_columns(header, layout, where=name)
    if not columns:
        raise no_pairs(header, name)
    return (from_table if columns.good else from_rows)(csv_bytes([header, *cells]), name, layout)
