"""Is one run's system better than another's? Overall and per property: difference, tests, size, and power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.layout import FEW, INTERVAL, SIGNED, Column, P, table
from ...runs.record import Run
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import short, signature
from ...stats.corrections import benjamini_hochberg, holm
from ...stats.effect import cohen_dz, matched_odds_ratio
from ...stats.power import pairs_for_means
from ...stats.sampling import Clusters, Difference, mean_difference, share_difference
from ...stats.seeds import SeedSpread
from ...stats.student import student_bound
from .pairing import Judgements, pair, told_apart

STUDY = "comparison"
_MOST_GROUPS = 200
_NOTE = (
    "95 % and p: by {over}; Holm and BH: corrected for all tests here; dz: difference in standard\n"
    "deviations of the items' differences; more items: needed to find a difference as large as this one"
)


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
    dz: float | None
    odds: float | None
    needed: int | None
    """Items in all for a power of .8; None where no number is enough, as there is no difference."""
    p_holm: float = 1.0
    p_bh: float = 1.0

    @property
    def more(self) -> int | None:
        return None if self.needed is None else max(0, self.needed - self.items)


def compare(
    runs: Sequence[Run], *, by: Sequence[str] | None = None, power: float = 0.8, independent: bool = False
) -> Result:
    """Every system against the first; `by` names properties (None: those of the runs' findings).

    Intervals and tests go by the clusters in which items were sampled, and by the seeds of models that have several;
    `independent`: by items alone.
    """
    found = pair(runs)
    if independent:
        found = replace(found, clusters=Clusters.of(item=found.item), seeds=())
    groups = list(_groups(found, by))
    made = [
        _difference(found, measure, number, key, inside, power)
        for measure in found.measures
        for key, inside in groups
        for number in range(1, len(found.entrants))
    ]
    differences = [difference for difference in made if difference is not None]
    ps = [difference.p for difference in differences]
    differences = [
        replace(one, p_holm=first, p_bh=second)
        for one, first, second in zip(differences, holm(ps), benjamini_hochberg(ps), strict=True)
    ]
    baseline = found.entrants[0].name
    signed = signature(
        ("study", STUDY), ("runs", [short(str(run.record.get("signature") or "")) for run in runs]),
        ("of", found.signature.replace("|", "/") or None), ("baseline", baseline),
        ("clusters", f"{found.clusters.name}={found.clusters.count}"), ("seeds", _seed_counts(found)),
        ("tests", len(ps)), ("power", power),
    )  # fmt: skip
    findings = [finding for difference in differences for finding in _findings(found, baseline, difference)]
    apart = told_apart(runs)
    return Result(signed, findings, list(_tables(found, baseline, differences, apart)), {}, {"differ": apart})


def _groups(
    found: Judgements, by: Sequence[str] | None
) -> Iterator[tuple[tuple[tuple[str, str], ...], NDArray[np.bool_]]]:
    """All units, then those of every group of every property."""
    yield (), np.ones(len(found.item), dtype=bool)
    table = found.properties
    known = ["property" if name == "props" else name for name in table.columns]
    names = [name for name in known if name in found.grouped] if by is None else list(by)
    for name in known if names == ["all"] else names:
        if name not in known:
            raise unknown_name("property", name, [*known, "all"])
        if name == "property" and "props" in table.columns:
            carried = [set(str(one or "").split("-")) for one in table["props"].to_list()]
            values = sorted(found.grouped.get(name) or set().union(*carried) - {"base", ""})
            for value in values:
                inside = np.array([value in one for one in carried], dtype=bool)
                if inside.any():
                    yield ((name, value),), inside
            continue
        texts = np.array(["" if one is None else _text(one) for one in table[name].to_list()], dtype=object)
        values = list(dict.fromkeys(texts.tolist()))
        if len(values) > _MOST_GROUPS:
            if names == ["all"]:
                continue
            raise UsageError(f"{name} has {len(values)} values", todo=f"a property to compare by has ≤ {_MOST_GROUPS}")
        for value in values:
            if value:
                yield ((name, value),), texts == value


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _difference(
    found: Judgements,
    measure: str,
    number: int,
    by: tuple[tuple[str, str], ...],
    inside: NDArray[np.bool_],
    power: float,
) -> RunDifference | None:
    values, weights = found.measures[measure][inside], found.weights[inside]
    _, item = np.unique(found.item[inside], return_inverse=True)
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
    test = _tested(found, measure, number, inside)
    low, high = (None if end is None else scale * end for end in (test.low, test.high))
    # What an item adds to the difference of the two scores, times what was asked of the baseline.
    gaps = sums[:, 2] * (totals[1] / totals[3]) - sums[:, 0]
    size = odds = needed = None
    if len(gaps) > 1 and (gaps.std() > 0 or not gaps.any()):
        size = cohen_dz(gaps)
        needed = _needed(size, len(gaps), test, power)
    first, second = values[:, 0], values[:, number]
    if whole and bool(((values == 0) | (values == 1)).all()):
        odds = matched_odds_ratio(int((first > second).sum()), int((second > first).sum())).value
    a, b = scale * float(totals[0] / totals[1]), scale * float(totals[2] / totals[3])
    name = found.entrants[number].name
    return RunDifference(
        measure, name, by, len(gaps), len(values), a, b, b - a, low, high, test.p, size, odds, needed
    )  # fmt: skip


def _needed(size: float, items: int, test: Difference, power: float) -> int | None:
    """Items for this power: as many more as it takes clusters more, where items were sampled in clusters."""
    if test.clusters >= items or test.low is None or test.high is None or test.clusters < 2:
        return pairs_for_means(size, power=power)
    error = (test.high - test.low) / 2 / student_bound(test.clusters - 1)
    clusters = pairs_for_means(test.value / (error * sqrt(test.clusters)), power=power) if error > 0 else None
    return None if clusters is None else ceil(clusters / test.clusters * items)


def _tested(found: Judgements, measure: str, number: int, inside: NDArray[np.bool_]) -> Difference:
    """The difference with interval and p by clusters, and by the seeds of both systems."""
    values, weights = found.measures[measure][inside], found.weights[inside]
    clusters = found.clusters.at(inside)
    seeds = _seed_spread(found, measure, number, inside)
    if measure == "mean":
        return mean_difference(values[:, 0], values[:, number], clusters, seeds)
    first, second = ((values[:, at] * weights[:, at], weights[:, at]) for at in (0, number))
    return share_difference(first, second, clusters, seeds)


def _seed_spread(found: Judgements, measure: str, number: int, inside: NDArray[np.bool_]) -> SeedSpread | None:
    """What other seeds of either system would change; of a system with one seed nothing is known."""
    spreads = []
    for at in (0, number) if found.seeds else ():
        # Units that count equally are a stratum: its weight is what they count together.
        weights = found.weights[inside, at]
        sizes, strata = np.unique(weights, return_inverse=True)
        totals = sizes * np.bincount(strata.reshape(-1))
        values = found.seeds[at][measure][:, inside]
        if totals.sum() > 0 and (spread := SeedSpread.of(values, strata.reshape(-1), totals / totals.sum())):
            spreads.append(spread)
    return None if not spreads else spreads[0] if len(spreads) == 1 else spreads[0] + spreads[1]


def _seed_counts(found: Judgements) -> list[int] | None:
    """How many seeds each system has, where one has several and they count."""
    counts = [len(next(iter(by_measure.values()))) for by_measure in found.seeds]
    return counts if any(count > 1 for count in counts) else None


def _over(found: Judgements) -> str:
    """What intervals and tests go by."""
    counts = _seed_counts(found)
    if not counts:
        return f"{found.clusters.name}"
    single = [entrant.name for entrant, count in zip(found.entrants, counts, strict=True) if count == 1]
    return f"{found.clusters.name} and seed" + (f" (one seed: {', '.join(single)})" if single else "")


def _findings(found: Judgements, baseline: str, one: RunDifference) -> list[Finding]:
    by: dict[str, Value] = {**dict(one.by), "baseline": baseline}
    values: list[tuple[str, float | int | None]] = [
        ("baseline", one.first), ("value", one.second), ("p", one.p), ("p_holm", one.p_holm), ("p_bh", one.p_bh),
        ("dz", one.dz), ("odds", one.odds), ("items_needed", one.needed), ("items_more", one.more),
    ]  # fmt: skip
    head = (STUDY, found.suite, one.system)
    return [
        Finding(*head, f"{one.measure}_difference", one.value, one.items, one.low, one.high, by),
        *(Finding(*head, f"{one.measure}_{name}", value, one.items, by=by) for name, value in values),
    ]


def _tables(
    found: Judgements, baseline: str, differences: Sequence[RunDifference], apart: Sequence[str]
) -> Iterator[Table]:
    few = [found.clusters.note] if found.clusters.note else []
    note = "; ".join([_NOTE.format(over=_over(found)), *few, *(f"the runs also differ in {one}" for one in apart)])
    for measure in found.measures:
        for system in [entrant.name for entrant in found.entrants[1:]]:
            rows = [
                difference
                for difference in differences
                if difference.measure == measure and difference.system == system
            ]
            groups = [", ".join(f"{key} {value}" for key, value in one.by) or "all" for one in rows]
            ranges = [_ends(one) for one in rows]
            more = [one.more if one.more is not None else "no difference" if one.dz == 0 else None for one in rows]
            columns = [
                Column("group", groups),
                Column("items", [one.items for one in rows]),
                Column(baseline, [one.first for one in rows]),
                Column(system, [one.second for one in rows]),
                Column("difference", [one.value for one in rows], SIGNED),
                Column("95 %", ranges, INTERVAL),
                Column("p", [one.p for one in rows], P),
                Column("p Holm", [one.p_holm for one in rows], P),
                Column("p BH", [one.p_bh for one in rows], P),
                Column("dz", [one.dz for one in rows], SIGNED, 3),
                Column("more items", more),
            ]
            name = measure.upper() if measure in ("las", "uas") else measure
            title = f"{name} on {found.suite}, paired by {found.clusters.name}"
            yield table(
                title, [column for column in columns if any(cell is not None for cell in column.cells)], note=note
            )


def _ends(difference: RunDifference) -> list[float | None] | None:
    """The interval; from fewer than ten items with their number, by which a table marks it."""
    if difference.low is None:
        return None
    return [difference.low, difference.high, *([difference.items] if difference.items < FEW else [])]
