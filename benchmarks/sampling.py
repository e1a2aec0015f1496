"""`sampling`: interval and test of a difference between two systems, against 10,000 draws of scipy.stats.bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.stats import Clusters, share_difference

from .measure import BenchmarkError, Costs, in_process, interleaved
from .setting import Setting
from .table import RATIO, Cell, Row, Table, Target, at_least

ITEMS, CLUSTERS, DRAWS = 18_502, 225, 10_000
_SHARE = 20
"""SciPy makes every twentieth draw: all would take minutes. Its time is multiplied."""

Counts = NDArray[np.int64]


def run(setting: Setting) -> list[Table]:
    whole = setting.scaled(DRAWS) >= DRAWS
    items, clusters, draws = (ITEMS, CLUSTERS, DRAWS) if whole else (500, 50, 1000)
    lexemes = np.random.default_rng(3).integers(0, clusters, items)
    return [
        _table(f"{items:,} items of a suite in {clusters} clusters", _suite(items), lexemes, draws, setting),
        _table(f"{items:,} sentences of 1 to 60 words", _sentences(items), None, draws, setting),
    ]


def _suite(items: int) -> Counts:
    generator = np.random.default_rng(1)
    asked = np.full(items, 2)
    return np.stack([generator.binomial(2, 0.7, items), asked, generator.binomial(2, 0.75, items), asked], axis=1)


def _sentences(items: int) -> Counts:
    generator = np.random.default_rng(2)
    asked = generator.integers(1, 61, items)
    return np.stack([generator.binomial(asked, 0.8), asked, generator.binomial(asked, 0.82), asked], axis=1)


def _table(name: str, counts: Counts, lexemes: Counts | None, draws: int, setting: Setting) -> Table:
    fewer = max(20, draws // _SHARE)
    clusters = None if lexemes is None else Clusters.of(lexeme=lexemes)
    sums = counts if lexemes is None else np.stack([np.bincount(lexemes, column) for column in counts.T], axis=1)
    work: dict[str, Callable[[], object]] = {
        "gardenpath": lambda: share_difference((counts[:, 0], counts[:, 1]), (counts[:, 2], counts[:, 3]), clusters),
        "scipy.stats.bootstrap": lambda: with_scipy(sums, fewer),
    }
    check(counts, clusters, sums, fewer)
    costs_of = interleaved(
        {contestant: in_process(call) for contestant, call in work.items()}, setting.repeats, setting.tell
    )
    times = {"gardenpath": 1.0, "scipy.stats.bootstrap": draws / fewer}
    targets = {"gardenpath": Target("CPU s", "<=", 0.1, " s"), "scipy.stats.bootstrap": at_least(5)}
    ours = costs_of["gardenpath"].cpu
    rows = [
        Row(_cells(contestant, costs, times[contestant], ours), targets[contestant], costs)
        for contestant, costs in costs_of.items()
    ]
    title = f"sampling: {name}, difference of two shares with interval and p (one process, CPU time)"
    notes = [f"SciPy: the time of {fewer:,} draws, taken for {draws:,}", "the intervals agree"]
    return Table(title, rows, notes)


def _cells(name: str, costs: Costs, times: float, ours: float) -> dict[str, Cell]:
    return {
        "contestant": name,
        "CPU s": times * costs.cpu,
        "wall s": times * costs.wall,
        RATIO: times * costs.cpu / ours,
    }


def with_scipy(counts: Counts, draws: int) -> tuple[float, float]:
    """As its manual says: paired, vectorised, in batches that fit the cache."""
    from scipy.stats import bootstrap

    def statistic(a: Any, m: Any, b: Any, n: Any, axis: int = -1) -> Any:
        return b.sum(axis=axis) / n.sum(axis=axis) - a.sum(axis=axis) / m.sum(axis=axis)

    result = bootstrap(
        tuple(counts.T), statistic, paired=True, vectorized=True, n_resamples=draws, batch=50, method="percentile",
        rng=np.random.default_rng(1),
    )  # fmt: skip
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def check(counts: Counts, clusters: Clusters | None, sums: Counts, draws: int) -> None:
    """Both find the same interval, as far as so few draws can tell."""
    ours = share_difference((counts[:, 0], counts[:, 1]), (counts[:, 2], counts[:, 3]), clusters)
    low, high = with_scipy(sums, draws)
    assert ours.low is not None
    assert ours.high is not None
    width = ours.high - ours.low
    if abs(ours.low - low) > width / 3 or abs(ours.high - high) > width / 3:
        raise BenchmarkError(
            f"SciPy finds another interval: {low:.4f} to {high:.4f}, {ours.low:.4f} to {ours.high:.4f}"
        )
