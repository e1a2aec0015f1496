"""What became of one group of items between two runs, and whether that is a loss.

A group got worse where the one-sided p of a loss beyond the margin, corrected by Holm for all groups that are tested
and could show such a loss, is below 5 %, the whole 95 % interval lies beyond the margin, and at least 20 clusters say
so. With fewer clusters it may have got worse, which is told and does not fail.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...runs.verdict import FEWEST, LEVEL
from .differences import RunDifference
from .lost_items import LostItem

WORSE, PERHAPS, HOLDS = "worse", "perhaps worse", "no loss shown"


@dataclass(frozen=True, slots=True)
class GroupChange:
    """What became of one group of items of one system, and whether that is a loss."""

    difference: RunDifference
    baseline: str
    margin: float
    p: float
    """One-sided, of a loss of the margin at most."""
    p_holm: float = 1.0
    lost: tuple[LostItem, ...] = ()
    seeds: tuple[int, int] = (1, 1)
    """Of the system now, and of the baseline."""

    @property
    def state(self) -> str:
        high = self.difference.high
        if high is None or not (self.p_holm < LEVEL and high < -self.margin):
            return HOLDS
        return WORSE if self.difference.clusters >= FEWEST else PERHAPS

    def __str__(self) -> str:
        difference, ends = self.difference, ""
        if difference.low is not None and difference.high is not None:
            ends = f" [{difference.low:+.1f}, {difference.high:+.1f}]"
        scores = f"{difference.first:.1f} → {difference.second:.1f}, {difference.value:+.1f} points{ends}"
        return f"{difference.system}: {difference.measure}, {difference.group}: {self.state}: {scores}"

    @property
    def lines(self) -> list[str]:
        """The change, and below it the sentences."""
        return [str(self), *(f"  {item}" for item in self.lost)]
