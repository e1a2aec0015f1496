"""The splits of least and greatest EDV exactly as the EDV paper samples them (Section 6.1), in n log n steps.

A length by chance; of that length, or of the closest that is left, the four sentences whose MED is closest to the mean
of the training data so far go to train, and one with the closest MED (least EDV) or the furthest (greatest) to test.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal

import numpy as np

from .dealt_units import Ints
from .split_units import Floats, Units

Entry = tuple[float, int]
"""MED and number of a sentence; sorted, so the closest and the furthest are found by bisection."""


def sampled(dealt: Units, extreme: Literal["min", "max"], each: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Train (in the order of sampling) and test, `each` to train for every one to test. Ties go to the earlier one."""
    bins = _Bins(dealt.lengths.astype(np.int64), dealt.displacement)
    train: list[int] = []
    test: list[int] = []
    total = 0.0
    while bins.lengths:
        length = bins.lengths[int(rng.integers(len(bins.lengths)))]
        value = total / len(train) if train else bins.any_of(length, rng)
        for _ in range(each):
            if bins.lengths:
                med, number = bins.take(length, value)
                total += med
                train.append(number)
        if bins.lengths:
            test.append(bins.take(length, value, furthest=extreme == "max")[1])
    return np.array(train, dtype=np.int64), np.array(test, dtype=np.int64)


class _Bins:
    """Sentences that are left, by length and MED."""

    def __init__(self, lengths: Ints, displacement: Floats) -> None:
        self._entries: dict[int, list[Entry]] = {}
        order = np.lexsort((np.arange(len(lengths)), displacement, lengths))
        for length, med, number in zip(
            lengths[order].tolist(), displacement[order].tolist(), order.tolist(), strict=True
        ):
            self._entries.setdefault(length, []).append((med, number))
        self.lengths = list(self._entries)
        """Those that are left, in order."""

    def any_of(self, length: int, rng: np.random.Generator) -> float:
        """An MED that exists for this length."""
        entries = self._entries[length]
        return entries[int(rng.integers(len(entries)))][0]

    def take(self, length: int, value: float, furthest: bool = False) -> Entry:
        """Of the closest length that is left (of both, where two are as close), the closest or the furthest MED."""
        candidates: list[tuple[float, int, int, int]] = []
        for bin_number in self._closest(length):
            entries = self._entries[bin_number]
            places = self._ends(entries) if furthest else self._around(entries, value)
            for place in places:
                med, number = entries[place]
                gap = abs(med - value)
                candidates.append((-gap if furthest else gap, number, bin_number, place))
        _, number, chosen, place = min(candidates)
        entries = self._entries[chosen]
        med = entries.pop(place)[0]
        if not entries:
            self.lengths.remove(chosen)
        return med, number

    def _closest(self, length: int) -> list[int]:
        place = bisect_left(self.lengths, length)
        around = self.lengths[max(place - 1, 0) : place + 1]
        gap = min(abs(one - length) for one in around)
        return [one for one in around if abs(one - length) == gap]

    @staticmethod
    def _around(entries: list[Entry], value: float) -> list[int]:
        """The first entry at or above the value, and of those closest below it the one that comes first in the file."""
        above = bisect_left(entries, (value, -1))
        places = [above] if above < len(entries) else []
        return [*places, bisect_left(entries, (entries[above - 1][0], -1))] if above else places

    @staticmethod
    def _ends(entries: list[Entry]) -> list[int]:
        return [0, bisect_left(entries, (entries[-1][0], -1))]
