"""One system against another on the same units: difference, test, effect size, and how many more units are needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.record.run import Run
from ...runs.result.verdict import LEAST
from ...stats.distributions import student_bound
from ...stats.hypothesis_tests import cohen_dz, holm, matched_odds_ratio, pairs_for_means
from ...stats.sampling import Clusters, Difference, SeedSpread, mean_difference, share_difference
from .conditions import value_text
from .pairing import Judgements, pair, suite_facts

_MOST_GROUPS = 200


@dataclass(frozen=True, slots=True)
class RunDifference:
    """`system` minus `baseline` on the same units, in points (of a mean: in its own unit)."""

    measure: str
    system: str
    by: tuple[tuple[str, str], ...]
    items: int
    units: int
    first: float
    second: float
    value: float
    low: float | None
    high: float | None
    p: float
    clusters: int
    effective: float
    """Both are those behind the interval and p."""
    dz: float | None
    odds: float | None
    needed: int | None
    """Items in all for a power of .8; None where no number is enough, as there is no difference."""

    @property
    def more(self) -> int | None:
        return None if self.needed is None else max(0, self.needed - self.items)

    @property
    def group(self) -> str:
        """`order OVS`; `all` for everything together."""
        return ", ".join(f"{key} {value}" for key, value in self.by) or "all"


def groups_of(
    judgements: Judgements, by: Sequence[str] | None
) -> Iterator[tuple[tuple[tuple[str, str], ...], NDArray[np.bool_]]]:
    """All units, then those of every group of every property."""
    yield (), np.ones(len(judgements.item), dtype=bool)
    table = judgements.properties
    known = ["property" if name == "props" else name for name in table.columns]
    names = [name for name in known if name in judgements.grouped] if by is None else list(by)
    for name in known if names == ["all"] else names:
        if name not in known:
            raise unknown_name("property", name, [*known, "all"])
        if name == "property" and "props" in table.columns:
            carried = [set(str(properties or "").split("-")) for properties in table["props"].to_list()]
            values = sorted(judgements.grouped.get(name) or set().union(*carried) - {"base", ""})
            for value in values:
                inside = np.array([value in properties for properties in carried], dtype=bool)
                if inside.any():
                    yield ((name, value),), inside
            continue
        texts = np.array([value_text(cell) for cell in table[name].to_list()], dtype=object)
        values = list(dict.fromkeys(texts.tolist()))
        if len(values) > _MOST_GROUPS:
            if names == ["all"]:
                continue
            raise UsageError(f"{name} has {len(values)} values", todo=f"a property to compare by has ≤ {_MOST_GROUPS}")
        for value in values:
            if value:
                yield ((name, value),), texts == value


def run_difference(
    judgements: Judgements,
    measure: str,
    number: int,
    by: tuple[tuple[str, str], ...],
    inside: NDArray[np.bool_],
    power: float | None,
) -> RunDifference | None:
    """The entrant of this number minus the first, on the units `inside`; None where one of them was asked nothing.

    How many items are needed is reckoned for a `power`, where one is named.
    """
    values, weights = judgements.measures[measure][inside], judgements.weights[inside]
    _, item = np.unique(judgements.item[inside], return_inverse=True)
    item = item.reshape(-1)
    # Per item: what the baseline got and was asked, and the same of the system.
    sums = np.stack(
        [
            np.bincount(item, column)
            for entrant in (0, number)
            for column in (values[:, entrant] * weights[:, entrant], weights[:, entrant])
        ],
        axis=1,
    )
    totals = sums.sum(axis=0)
    scale = 1.0 if measure == "mean" else 100.0
    if not (totals[1] > 0 and totals[3] > 0):
        return None
    whole = bool((sums == np.round(sums)).all()) and measure != "mean" and bool(totals[1] == totals[3])
    test = _tested(judgements, measure, number, inside)
    low, high = (None if end is None else scale * end for end in (test.low, test.high))
    # What an item adds to the difference of the two scores, times what was asked of the baseline.
    gaps = sums[:, 2] * (totals[1] / totals[3]) - sums[:, 0]
    size = odds = needed = None
    # Where all items differ by the same, but for rounding, there is no spread to measure the difference in.
    if len(gaps) > 1 and (float(np.ptp(gaps)) > 1e-12 * float(np.abs(gaps).max()) or not gaps.any()):
        size = cohen_dz(gaps)
        needed = None if power is None else _needed(size, len(gaps), test, power)
    first, second = values[:, 0], values[:, number]
    if whole and bool(((values == 0) | (values == 1)).all()):
        odds = matched_odds_ratio(int((first > second).sum()), int((second > first).sum())).value
    a, b = scale * float(totals[0] / totals[1]), scale * float(totals[2] / totals[3])
    name = judgements.entrants[number].name
    return RunDifference(
        measure, name, by, len(gaps), len(values), a, b, b - a, low, high, test.p, test.clusters, test.effective, size,
        odds, needed,
    )  # fmt: skip


def least_p_of_loss(judgements: Judgements, measure: str, inside: NDArray[np.bool_], margin: float) -> float:
    """The smallest p of a loss that the second of two entrants could have come to on these units.

    That is where every cluster in which the two differ is a loss: the systems change places in those that are gains.
    """
    values, weights = judgements.measures[measure], judgements.weights
    smallest = 1.0
    for codes in judgements.clusters.codes:
        gaps = np.where(inside, values[:, 1] * weights[:, 1] - values[:, 0] * weights[:, 0], 0.0)
        gains = (np.bincount(codes, gaps) > 0)[codes]
        changed = replace(
            judgements,
            measures={measure: np.where(gains[:, None], values[:, ::-1], values)},
            weights=np.where(gains[:, None], weights[:, ::-1], weights),
        )
        smallest = min(smallest, _tested(changed, measure, 1, inside).p_of_loss(margin / 100))
    return smallest


def _needed(size: float, items: int, test: Difference, power: float) -> int | None:
    """Items for this power: as many more as it takes clusters more, where items were sampled in clusters."""
    if test.clusters >= items or test.low is None or test.high is None or test.clusters < 2:
        return pairs_for_means(size, power=power)
    error = (test.high - test.low) / 2 / student_bound(test.effective - 1)
    clusters = pairs_for_means(test.value / (error * sqrt(test.clusters)), power=power) if error > 0 else None
    return None if clusters is None else ceil(clusters / test.clusters * items)


def _tested(judgements: Judgements, measure: str, number: int, inside: NDArray[np.bool_]) -> Difference:
    """The difference with interval and p by clusters, and by the seeds of both systems."""
    values, weights = judgements.measures[measure][inside], judgements.weights[inside]
    clusters = judgements.clusters.at(inside)
    seeds = _seed_spread(judgements, measure, number, inside)
    if measure == "mean":
        return mean_difference(values[:, 0], values[:, number], clusters, seeds)
    # Shares of a suite count as the units they are of: where nothing differs, the bound goes by how many there are.
    weights = weights * max(1.0, float((weights[:, 0] > 0).sum() / weights[:, 0].sum()))
    first, second = ((values[:, at] * weights[:, at], weights[:, at]) for at in (0, number))
    return share_difference(first, second, clusters, seeds)


def _seed_spread(judgements: Judgements, measure: str, number: int, inside: NDArray[np.bool_]) -> SeedSpread | None:
    """What other seeds of either system would change; of a system with one seed nothing is known."""
    spreads = []
    for at in (0, number) if judgements.seeds else ():
        # Units that count equally are a stratum: its weight is what they count together.
        weights = judgements.weights[inside, at]
        sizes, strata = np.unique(weights, return_inverse=True)
        totals = sizes * np.bincount(strata.reshape(-1))
        values = judgements.seeds[at][measure][:, inside]
        if totals.sum() > 0 and (spread := SeedSpread.of(values, strata.reshape(-1), totals / totals.sum())):
            spreads.append(spread)
    return None if not spreads else spreads[0] if len(spreads) == 1 else spreads[0] + spreads[1]


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemPair:
    """The second system minus the first, in points, over all clusters of items that both were asked about."""

    first: str
    second: str
    test: Difference
    p_holm: float = 1.0


@dataclass(frozen=True)
class SystemPairs:
    """All pairs of a study, and why some runs could not be compared."""

    pairs: Sequence[SystemPair]
    refused: Sequence[str] = ()


def system_pairs(runs: Sequence[Run]) -> SystemPairs:
    """All pairs of the systems in runs of one study; items of different suites are pooled.

    Where items were sampled in two ways that cross, the rarer kind of cluster counts.
    """
    blocks: list[_Block] = []
    refused = []
    for same_suite in _by_suite(runs):
        try:
            judgements = pair(same_suite)
        except UsageError as error:
            refused.append(f"{error.where}: {error.what}" if error.where else error.what)
            continue
        if next(iter(judgements.measures)) == "mean":
            return SystemPairs((), ("these runs have no score of which more is better",))
        blocks.append(_Block.of(judgements))
    systems = list(dict.fromkeys(system for block in blocks for system in block.counts))
    pairs = [
        SystemPair(first, second, test)
        for first, second in combinations(systems, 2)
        if (test := _difference(blocks, first, second)) is not None
    ]
    # Clusters worth fewer than five tell nothing of others: such a pair is no test.
    tested = [number for number, pair in enumerate(pairs) if pair.test.effective >= LEAST]
    for number, p_holm in zip(tested, holm([pairs[number].test.p for number in tested]), strict=True):
        pairs[number] = replace(pairs[number], p_holm=p_holm)
    return SystemPairs(pairs, tuple(dict.fromkeys(refused)))


def _by_suite(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs that were asked the same, together."""
    groups: dict[tuple[tuple[str, str], ...], list[Run]] = {}
    for run in runs:
        groups.setdefault(suite_facts(run), []).append(run)
    yield from groups.values()


@dataclass(frozen=True, eq=False)
class _Block:
    """The systems of runs of one suite, unit by unit."""

    counts: Mapping[str, tuple[Floats, Floats]]
    """By system: what it got and what it was asked."""
    codes: NDArray[np.int64]
    """The cluster of each unit."""

    @classmethod
    def of(cls, judgements: Judgements) -> _Block:
        values, weights = next(iter(judgements.measures.values())), judgements.weights
        counts = {
            entrant.system: (values[:, at] * weights[:, at], weights[:, at])
            for at, entrant in enumerate(judgements.entrants)
        }
        return cls(counts, min(judgements.clusters.codes, key=lambda way: int(way.max(initial=0))))


def _difference(blocks: Sequence[_Block], first: str, second: str) -> Difference | None:
    both = [block for block in blocks if first in block.counts and second in block.counts]
    if not both:
        return None
    starts = np.cumsum([0, *(int(block.codes.max(initial=-1)) + 1 for block in both)])
    codes = np.concatenate([block.codes + start for block, start in zip(both, starts, strict=False)])
    (got, asked), (got_second, asked_second) = (
        tuple(np.concatenate([block.counts[system][part] for block in both]) for part in (0, 1))
        for system in (first, second)
    )
    if not asked.any() or not asked_second.any():
        return None
    return share_difference((got, asked), (got_second, asked_second), Clusters(("cluster",), (codes,)))
