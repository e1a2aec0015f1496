"""A table of a result, as Python users hold it: text when printed, HTML in a notebook, a data frame."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..runs.result import Table

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True, repr=False)
class ShownTable(Table):
    """A `Table` that shows itself; its rows keep full precision."""

    @classmethod
    def of(cls, table: Table) -> ShownTable:
        return cls(**{setting.name: getattr(table, setting.name) for setting in fields(Table)})

    def to_polars(self) -> polars.DataFrame:
        """The rows as a Polars frame; a column of intervals is a column of lists."""
        import polars as pl

        return pl.DataFrame(self._columns(), strict=False)

    def to_pandas(self) -> Any:
        """The same as a pandas frame."""
        from ..errors import MissingPackage

        try:
            import pandas as pd
        except ImportError:
            raise MissingPackage("pandas is not installed", todo="pip install pandas, or use to_polars()") from None
        return pd.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        return {header: [_cell(row[place]) for row in self.rows] for place, header in enumerate(self._headers())}

    def _headers(self) -> list[str]:
        """The headings, told apart: a table may have `95 %` twice, a frame may not."""
        seen: dict[str, int] = {}
        headers = []
        for header in self.columns:
            seen[header] = seen.get(header, 0) + 1
            headers.append(header if seen[header] == 1 else f"{header} ({seen[header]})")
        return headers

    def __repr__(self) -> str:
        from ..report.formats import plain

        return plain(self).rstrip("\n")

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from ..report.html import table_html

        return table_html(self)


def _cell(cell: Any) -> Any:
    """The ends of an interval alone: that it comes from few, a third number tells those who print it."""
    return cell[:2] if isinstance(cell, list) else cell
