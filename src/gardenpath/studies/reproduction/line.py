"""One number of a paper beside ours: equal to the last printed digit, or not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ...runs.result import Finding, Table, Value

STUDY = "reproduce"
Verdict = Literal["equal", "differs", "other data", "not computed", "not printed"]
VERDICTS: tuple[Verdict, ...] = ("equal", "differs", "other data", "not computed")
"""Of published numbers; the fifth verdict is for ours where the paper has none."""


@dataclass(frozen=True, slots=True)
class Line:
    """`published` is the number as printed: its digits say how close ours must come. Empty: the paper has none."""

    table: str
    row: str
    measure: str
    published: str
    ours: float | None
    system: str = ""
    suite: str = ""
    why: str = ""
    """Where the numbers must differ or none can be had: the reason."""
    slack: float = 0.0
    """How far ours may be off because it is made of numbers that were rounded in print."""
    same_data: bool = True
    """False where ours is of another release or of other data, so that the two need not be equal."""
    decimals: int = 0
    """How ours is shown where the paper has no number."""

    @property
    def digits(self) -> int:
        if not self.published:
            return self.decimals
        exponent = Decimal(self.published).as_tuple().exponent
        return -exponent if isinstance(exponent, int) and exponent < 0 else 0

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or not self.published else self.ours - float(self.published)

    @property
    def verdict(self) -> Verdict:
        if self.ours is None:
            return "not computed"
        if self.difference is None:
            return "not printed"
        if not self.same_data:
            return "other data"
        return "equal" if abs(self.difference) <= 0.5 * 10.0**-self.digits + self.slack + 1e-9 else "differs"

    def finding(self, paper: str) -> Finding:
        by: dict[str, Value] = {
            "table": self.table, "row": self.row, "data": self.suite,
            "published": float(self.published) if self.published else None,
            "difference": self.difference, "verdict": self.verdict, "why": self.why,
        }  # fmt: skip
        return Finding(STUDY, paper, self.system, self.measure, self.ours, by=by)


def tables(title: str, lines: Sequence[Line]) -> list[Table]:
    """A table of verdicts, then one for each table of the paper."""
    count = Counter(line.verdict for line in lines if line.published)
    verdicts = [(verdict, count[verdict]) for verdict in VERDICTS]
    own = sum(not line.published for line in lines)
    note = f"{own} more of ours have no published number beside them." if own else ""
    found = [Table(f"{title}: {len(lines) - own} published numbers", ("verdict", "numbers"), verdicts, note=note)]
    for name in dict.fromkeys(line.table for line in lines):
        part = [line for line in lines if line.table == name]
        why = " ".join(dict.fromkeys(line.why for line in part if line.why))
        if not any(line.published for line in part):
            found.append(_own_table(name, part, why))
            continue
        digits = max(line.digits for line in part)
        columns = ["row", "system", "measure", "published", "ours", "difference", "verdict"]
        rows = [
            [
                line.row,
                line.system,
                line.measure,
                line.published or None,
                None if line.ours is None else f"{line.ours:.{digits}f}",
                None if line.difference is None else f"{line.difference:+z.{digits}f}",
                line.verdict,
            ]
            for line in part
        ]
        kept = [place for place in range(len(columns)) if columns[place] != "system" or any(row[place] for row in rows)]
        shown = [[row[place] for place in kept] for row in rows]
        found.append(Table(name, [columns[place] for place in kept], shown, note=why))
    return found


def _own_table(title: str, lines: Sequence[Line], why: str) -> Table:
    """Numbers that the paper does not have: the systems side by side."""
    systems = list(dict.fromkeys(line.system for line in lines))
    cells = {(line.row, line.measure, line.system): line for line in lines}
    rows: list[list[Value]] = []
    for row, measure in dict.fromkeys((line.row, line.measure) for line in lines):
        found = [cells.get((row, measure, system)) for system in systems]
        shown = [None if one is None or one.ours is None else f"{one.ours:.{one.digits}f}" for one in found]
        rows.append([row, measure, *shown])
    return Table(title, ["row", "measure", *systems], rows, note=why)
