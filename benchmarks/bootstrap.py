"""`bootstrap`: the paired bootstrap of a difference between two systems, against scipy.stats.bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.stats import bootstrap_interval, difference_of_ratios

from .measure import BenchmarkError, Costs, in_process, interleaved
from .setting import Setting
from .table import RATIO, Cell, Row, Table, Target, at_least

ITEMS, DRAWS = 18_502, 10_000
_SHARE = 20
"""SciPy makes one draw for twenty of ours: all would take minutes. Times per draw are compared."""


def run(setting: Setting) -> list[Table]:
    draws = max(200, round(setting.scaled(DRAWS)))
    items = ITEMS if draws == DRAWS else 500
    return [
        _table("items of a suite, two arcs each", _suite(items), draws, setting, at_least(20)),
        # No two sentences are alike here, so that there is nothing to draw together.
        _table("sentences of a treebank, 1 to 60 words", _sentences(items), draws, setting, at_least(20)),
    ]


def _suite(items: int) -> NDArray[np.int64]:
    generator = np.random.default_rng(1)
    asked = np.full(items, 2)
    return np.stack([generator.binomial(2, 0.7, items), asked, generator.binomial(2, 0.75, items), asked], axis=1)


def _sentences(items: int) -> NDArray[np.int64]:
    generator = np.random.default_rng(2)
    asked = generator.integers(1, 61, items)
    return np.stack([generator.binomial(asked, 0.8), asked, generator.binomial(asked, 0.82), asked], axis=1)


def _table(name: str, counts: NDArray[np.int64], draws: int, setting: Setting, faster: Target) -> Table:
    fewer = max(20, draws // _SHARE)
    work: dict[str, Callable[[], object]] = {
        "gardenpath": lambda: bootstrap_interval(counts, difference_of_ratios, draws=draws),
        "gardenpath, BCa": lambda: bootstrap_interval(counts, difference_of_ratios, draws=draws, method="bca"),
        "scipy.stats.bootstrap": lambda: with_scipy(counts, fewer),
    }
    number = {one: fewer if one.startswith("scipy") else draws for one in work}
    check(counts, draws, fewer)
    found = interleaved({one: in_process(call) for one, call in work.items()}, setting.repeats, setting.tell)
    targets = {"gardenpath": Target("CPU s", "<=", 2, " s"), "scipy.stats.bootstrap": faster}
    each = {one: costs.cpu / number[one] for one, costs in found.items()}
    rows = [
        Row(_cells(one, costs, number[one], each[one] / each["gardenpath"]), targets.get(one), costs)
        for one, costs in found.items()
    ]
    title = f"bootstrap: {len(counts):,} {name}, difference of two ratios (one process, CPU time)"
    return Table(title, rows, ["times per draw are compared", "the intervals agree within the error of the draws"])


def _cells(name: str, costs: Costs, draws: int, ratio: float) -> dict[str, Cell]:
    return {"contestant": name, "draws": float(draws), "CPU s": costs.cpu, "wall s": costs.wall, RATIO: ratio}


def with_scipy(counts: NDArray[np.int64], draws: int) -> tuple[float, float]:
    """As its manual says: paired, vectorised, in batches that fit the cache."""
    from scipy.stats import bootstrap

    def statistic(a: Any, m: Any, b: Any, n: Any, axis: int = -1) -> Any:
        return b.sum(axis=axis) / n.sum(axis=axis) - a.sum(axis=axis) / m.sum(axis=axis)

    found = bootstrap(
        tuple(counts.T), statistic, paired=True, vectorized=True, n_resamples=draws, batch=50, method="percentile",
        rng=np.random.default_rng(1),
    )  # fmt: skip
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def check(counts: NDArray[np.int64], draws: int, fewer: int) -> None:
    """Both find the same interval, as far as so few draws can tell."""
    ours = bootstrap_interval(counts, difference_of_ratios, draws=draws)
    low, high = with_scipy(counts, fewer)
    assert ours.low is not None
    assert ours.high is not None
    width = ours.high - ours.low
    if abs(ours.low - low) > width / 3 or abs(ours.high - high) > width / 3:
        raise BenchmarkError(
            f"SciPy finds another interval: {low:.4f} to {high:.4f}, {ours.low:.4f} to {ours.high:.4f}"
        )
