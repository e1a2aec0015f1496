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
from ...runs.verdict import ranked
from ...stats.corrections import benjamini_hochberg, holm
from ...stats.effect import cohen_dz, matched_odds_ratio
from ...stats.power import pairs_for_means
from ...stats.sampling import Clusters, Difference, mean_difference, share_difference
from ...stats.seeds import SeedSpread
from ...stats.student import student_bound
from .pairing import Judgements, pair, told_apart
from .verdicts import comparison_verdicts

STUDY = "comparison"
_MOST_GROUPS = 200
_NOTE = (
    "95 % and p: by {over}; Holm and BH: corrected for all tests here; dz: difference in standard "
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
    clusters: int
    """Behind the interval and p."""
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
    judgements = pair(runs)
    if independent:
        judgements = replace(judgements, clusters=Clusters.of(item=judgements.item), seeds=())
    groups = list(_groups(judgements, by))
    made = [
        _difference(judgements, measure, number, key, inside, power)
        for measure in judgements.measures
        for key, inside in groups
        for number in range(1, len(judgements.entrants))
    ]
    differences = [difference for difference in made if difference is not None]
    ps = [difference.p for difference in differences]
    differences = [
        replace(one, p_holm=first, p_bh=second)
        for one, first, second in zip(differences, holm(ps), benjamini_hochberg(ps), strict=True)
    ]
    baseline = judgements.entrants[0].name
    signed = signature(
        ("study", STUDY), ("runs", [short(str(run.record.get("signature") or "")) for run in runs]),
        ("of", judgements.signature.replace("|", "/") or None), ("baseline", baseline),
        ("clusters", f"{judgements.clusters.name}={judgements.clusters.count}"), ("seeds", _seed_counts(judgements)),
        ("tests", len(ps)), ("power", power),
    )  # fmt: skip
    findings = [finding for difference in differences for finding in _findings(judgements, baseline, difference)]
    apart = told_apart(runs)
    verdicts = comparison_verdicts(findings, list(judgements.measures), baseline, judgements.clusters.name, apart)
    tables = list(_tables(judgements, baseline, differences, apart))
    return Result(signed, findings, tables, {}, {"differ": apart}, ranked(verdicts))


def _groups(
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
            carried = [set(str(one or "").split("-")) for one in table["props"].to_list()]
            values = sorted(judgements.grouped.get(name) or set().union(*carried) - {"base", ""})
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
    judgements: Judgements,
    measure: str,
    number: int,
    by: tuple[tuple[str, str], ...],
    inside: NDArray[np.bool_],
    power: float,
) -> RunDifference | None:
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
        needed = _needed(size, len(gaps), test, power)
    first, second = values[:, 0], values[:, number]
    if whole and bool(((values == 0) | (values == 1)).all()):
        odds = matched_odds_ratio(int((first > second).sum()), int((second > first).sum())).value
    a, b = scale * float(totals[0] / totals[1]), scale * float(totals[2] / totals[3])
    name = judgements.entrants[number].name
    return RunDifference(
        measure, name, by, len(gaps), len(values), a, b, b - a, low, high, test.p, test.clusters, size, odds, needed
    )  # fmt: skip


def _needed(size: float, items: int, test: Difference, power: float) -> int | None:
    """Items for this power: as many more as it takes clusters more, where items were sampled in clusters."""
    if test.clusters >= items or test.low is None or test.high is None or test.clusters < 2:
        return pairs_for_means(size, power=power)
    error = (test.high - test.low) / 2 / student_bound(test.clusters - 1)
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


def _seed_counts(judgements: Judgements) -> list[int] | None:
    """How many seeds each system has, where one has several and they count."""
    counts = [len(next(iter(by_measure.values()))) for by_measure in judgements.seeds]
    return counts if any(count > 1 for count in counts) else None


def _over(judgements: Judgements) -> str:
    """What intervals and tests go by."""
    counts = _seed_counts(judgements)
    if not counts:
        return f"{judgements.clusters.name}"
    single = [entrant.name for entrant, count in zip(judgements.entrants, counts, strict=True) if count == 1]
    return f"{judgements.clusters.name} and seed" + (f" (one seed: {', '.join(single)})" if single else "")


def _findings(judgements: Judgements, baseline: str, difference: RunDifference) -> list[Finding]:
    """The difference and what belongs to it; n are items, of a p the clusters behind it."""
    by: dict[str, Value] = {**dict(difference.by), "baseline": baseline}
    values: list[tuple[str, float | int | None]] = [
        ("baseline", difference.first), ("value", difference.second), ("dz", difference.dz), ("odds", difference.odds),
        ("items_needed", difference.needed), ("items_more", difference.more),
    ]  # fmt: skip
    tests = [("p", difference.p), ("p_holm", difference.p_holm), ("p_bh", difference.p_bh)]
    head = (STUDY, judgements.suite, difference.system)
    return [
        Finding(
            *head,
            f"{difference.measure}_difference",
            difference.value,
            difference.items,
            difference.low,
            difference.high,
            by,
        ),
        *(Finding(*head, f"{difference.measure}_{name}", p, difference.clusters, by=by) for name, p in tests),
        *(Finding(*head, f"{difference.measure}_{name}", value, difference.items, by=by) for name, value in values),
    ]


def _tables(
    judgements: Judgements, baseline: str, differences: Sequence[RunDifference], apart: Sequence[str]
) -> Iterator[Table]:
    few = [judgements.clusters.note] if judgements.clusters.note else []
    note = "; ".join(
        [_NOTE.format(over=_over(judgements)), *few, *(f"the runs also differ in {aspect}" for aspect in apart)]
    )
    for measure in judgements.measures:
        for system in [entrant.name for entrant in judgements.entrants[1:]]:
            rows = [
                difference
                for difference in differences
                if difference.measure == measure and difference.system == system
            ]
            groups = [", ".join(f"{key} {value}" for key, value in difference.by) or "all" for difference in rows]
            ranges = [_ends(difference) for difference in rows]
            more = [
                difference.more if difference.more is not None else "no difference" if difference.dz == 0 else None
                for difference in rows
            ]
            columns = [
                Column("group", groups),
                Column("items", [difference.items for difference in rows]),
                Column(baseline, [difference.first for difference in rows]),
                Column(system, [difference.second for difference in rows]),
                Column("difference", [difference.value for difference in rows], SIGNED),
                Column("95 %", ranges, INTERVAL),
                Column("p", [difference.p for difference in rows], P),
                Column("p Holm", [difference.p_holm for difference in rows], P),
                Column("p BH", [difference.p_bh for difference in rows], P),
                Column("dz", [difference.dz for difference in rows], SIGNED, 3),
                Column("more items", more),
            ]
            name = measure.upper() if measure in ("las", "uas") else measure
            title = f"{name} on {judgements.suite}, paired by {judgements.clusters.name}"
            yield table(
                title, [column for column in columns if any(cell is not None for cell in column.cells)], note=note
            )


def _ends(difference: RunDifference) -> list[float | None] | None:
    """The interval; from fewer than ten items with their number, by which a table marks it."""
    if difference.low is None:
        return None
    return [difference.low, difference.high, *([difference.items] if difference.items < FEW else [])]
