"""What a benchmark found, as a table with targets; printed as text, kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .measure import Costs

Cell = float | str | None
RATIO = "x ours"


@dataclass(frozen=True, slots=True)
class Target:
    """What a column of a row has to be."""

    column: str
    sign: Literal[">=", "<="]
    bound: float
    unit: str = "x"

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g}{self.unit}"

    def reached(self, cells: Mapping[str, Cell]) -> bool:
        value = cells[self.column]
        assert isinstance(value, float)
        return value >= self.bound if self.sign == ">=" else value <= self.bound


@dataclass(slots=True)
class Row:
    """A contestant and its numbers."""

    cells: dict[str, Cell]
    target: Target | None = None
    runs: Costs | None = None

    @property
    def reached(self) -> bool | None:
        return self.target.reached(self.cells) if self.target else None


@dataclass(slots=True)
class Table:
    """Rows under a title, with what a reader must know to trust them."""

    title: str
    rows: list[Row]
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        columns = list(self.rows[0].cells)
        heads = [*columns, "target", "reached"]
        shown = [
            [*(_shown(row.cells.get(name)) for name in columns), str(row.target or ""), _word(row.reached)]
            for row in self.rows
        ]
        widths = [max(map(len, column)) for column in zip(heads, *shown, strict=True)]
        lines = [_line(cells, widths) for cells in [heads, ["-" * width for width in widths], *shown]]
        return "\n".join([self.title, *lines, *(f"* {note}" for note in self.notes)])

    def data(self) -> dict[str, Any]:
        rows = []
        for row in self.rows:
            one: dict[str, Any] = dict(row.cells)
            if row.target:
                one |= {"target": str(row.target), "reached": row.reached}
            if row.runs:
                one["runs"] = [{"cpu": run.cpu, "wall": run.wall} for run in row.runs.runs]
            rows.append(one)
        return {"title": self.title, "rows": rows, "notes": self.notes}


def compared(
    found: Mapping[str, Costs],
    *,
    ours: str,
    clock: Literal["cpu", "wall"] = "cpu",
    megabytes: float | Mapping[str, float] | None = None,
    targets: Mapping[str, Target] | None = None,
) -> list[Row]:
    """A row for each contestant: its medians, MB/s, and how many times the time of ours it took.

    With inputs of different sizes (`megabytes` by contestant) times per MB are compared.
    """
    sizes = dict.fromkeys(found, megabytes) if not isinstance(megabytes, Mapping) else megabytes
    unit = {name: getattr(costs, clock) / (sizes[name] or 1) for name, costs in found.items()}
    rows = []
    for name, costs in found.items():
        cells: dict[str, Cell] = {"contestant": name, "CPU s": costs.cpu, "wall s": costs.wall}
        size = sizes[name]
        if size:
            cells["MB/s"] = size / getattr(costs, clock)
        cells[RATIO] = unit[name] / unit[ours]
        rows.append(Row(cells, (targets or {}).get(name), costs))
    return rows


def at_least(bound: float) -> Target:
    """This peer has to take so many times our time."""
    return Target(RATIO, ">=", bound)


def _shown(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _word(reached: bool | None) -> str:
    return "" if reached is None else "yes" if reached else "NO"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if at == 0 else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()
