"""A column of the consistency paper's Tables 2 to 5 and 8 to 11, and which of its numbers follow from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from statistics import fmean, median, pstdev

PER_BATCH = 50
STATISTICS = ("mean", "SD", "median", "min", "max")
ROWS = (
    "batches", "Q1", *(f"Q2 {name}" for name in STATISTICS), "Q3",
    *(f"{question} {name}" for question in ("Q4", "Q5") for name in STATISTICS),
)  # fmt: skip
_ROUNDED = 0.005


@dataclass(frozen=True, slots=True)
class BatchColumn:
    """The batches of one data set whose original is right, or wrong; what is not applicable has no cell."""

    cells: Mapping[str, str]

    @classmethod
    def of(cls, cells: Sequence[str]) -> BatchColumn:
        return cls({row: cell for row, cell in zip(ROWS, cells, strict=True) if cell})

    @property
    def batches(self) -> int:
        return int(self.cells["batches"])

    def value(self, row: str, missing: float | None = None) -> float:
        if row not in self.cells and missing is not None:
            return missing
        return float(self.cells[row])

    def follows(self) -> dict[str, float]:
        """The numbers that the others leave no choice for, such as any mean between a least and a largest of 50."""
        made: dict[str, float] = {}
        for question in ("Q2", "Q4", "Q5"):
            values, used = self._values(question)
            for name, statistic in (("mean", fmean), ("SD", pstdev), ("median", median)):
                if values and f"{question} {name}" not in used:
                    made[f"{question} {name}"] = statistic(values)
        if "Q1" in self.cells and self.value("Q2 max") < PER_BATCH:
            made["Q1"] = 0
        elif "Q1" in self.cells and self.value("Q2 min") == PER_BATCH:
            made["Q1"] = self.batches
        return made

    def inputs(self) -> set[str]:
        """The numbers that those which follow are made of."""
        used = {row for question in ("Q2", "Q4", "Q5") for row in self._values(question)[1]}
        return used | ({"Q2 min", "Q2 max"} if "Q1" in self.follows() else set())

    def _values(self, question: str) -> tuple[list[float], set[str]]:
        """The single values where only one set of them is possible, and the rows that show it."""
        if f"{question} min" not in self.cells:
            return [], set()
        low, high = self.value(f"{question} min"), self.value(f"{question} max")
        used = {f"{question} min", f"{question} max"}
        if low == high:
            return [low], used
        if question == "Q5":  # values between 0 and 1 of pairs of clusters, whose number is not printed
            return [], set()
        size, counts = self.batches, {"Q1", "Q3"}
        if question == "Q4":  # of the batches that are neither right nor consistent
            size -= int(self.value("Q1")) + int(self.value("Q3"))
        elif size - self.value("Q1") == 1:  # all of them are right but one
            return [PER_BATCH] * (size - 1) + [low], {"Q1", f"{question} min"}
        else:
            counts = set()
        values = _only_set(size, int(low), int(high), self.value(f"{question} mean"))
        return values, {*used, *counts, f"{question} mean"} if values else set()


def _only_set(size: int, low: int, high: int, mean: float) -> list[float]:
    """So many whole numbers with this least, largest and (rounded) mean, if no others have them.

    Beside one `low` and one `high` there are size - 2 values; above `low` they sum to `rest`, at most `room`.
    """
    room = (size - 2) * (high - low)
    sums = range(ceil((mean - _ROUNDED) * size - 1e-9), floor((mean + _ROUNDED) * size + 1e-9) + 1)
    rests = [rest for total in sums if 0 <= (rest := total - high - (size - 1) * low) <= room]
    if len(rests) != 1:
        return []
    (rest,) = rests
    if high - low == 1 or rest in (0, room):
        more = rest // (high - low)
        return [*[float(low)] * (size - 1 - more), *[float(high)] * (1 + more)]
    return []
