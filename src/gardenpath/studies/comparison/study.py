"""Is one run's system better than another's? Overall and per property: difference, tests, size, and power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.record import Run
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import short, signature
from ...stats.corrections import benjamini_hochberg, holm
from ...stats.effect import cohen_dz, matched_odds_ratio
from ...stats.intervals import bootstrap_interval, difference_of_ratios
from ...stats.power import pairs_for_means
from ...stats.sign_flip import sign_flip_p
from ...stats.tests import one_sample_t
from .pairing import Judgements, pair, told_apart

STUDY = "comparison"
_MOST_GROUPS = 200
_NOTE = (
    "p: the items' signs turned (exact); Holm and BH: corrected for all tests here; dz: difference in standard\n"
    "deviations of the items' differences; more items: needed to find a difference as large as this one"
)


@dataclass(frozen=True, slots=True)
class Difference:
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
    runs: Sequence[Run], *, by: Sequence[str] | None = None, draws: int = 1000, seed: int = 0, power: float = 0.8
) -> Result:
    """Every system against the first; `by` names properties (None: those of the runs' findings)."""
    found = pair(runs)
    groups = list(_groups(found, by))
    differences = [
        _difference(found, measure, number, key, inside, draws, seed, power)
        for measure in found.measures
        for key, inside in groups
        for number in range(1, len(found.entrants))
    ]
    ps = [one.p for one in differences]
    differences = [
        replace(one, p_holm=first, p_bh=second)
        for one, first, second in zip(differences, holm(ps), benjamini_hochberg(ps), strict=True)
    ]
    baseline = found.entrants[0].name
    signed = signature(
        ("study", STUDY), ("runs", [short(str(run.record.get("signature") or "")) for run in runs]),
        ("of", found.signature.replace("|", "/") or None), ("baseline", baseline), ("test", "sign-flip"),
        ("tests", len(ps)), ("power", power), *([("draws", draws), ("seed", seed)] if draws else []),
    )  # fmt: skip
    findings = [finding for one in differences for finding in _findings(found, baseline, one)]
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
    draws: int,
    seed: int,
    power: float,
) -> Difference:
    values = found.measures[measure][inside]
    first, second = values[:, 0], values[:, number]
    _, item = np.unique(found.item[inside], return_inverse=True)
    item = item.reshape(-1)
    asked = np.bincount(item)
    sums = np.stack([np.bincount(item, first), asked, np.bincount(item, second), asked], axis=1)
    gaps = sums[:, 2] - sums[:, 0]
    whole = bool((values == np.round(values)).all()) and measure != "mean"
    scale = 1.0 if measure == "mean" else 100.0
    low = high = None
    if draws:
        counts = sums.astype(np.int64) if whole else sums
        interval = bootstrap_interval(counts, difference_of_ratios, draws=draws, seed=seed)
        low, high = (None if end is None else scale * end for end in (interval.low, interval.high))
    if whole:
        p = sign_flip_p(gaps.astype(np.int64))
    elif len(gaps) > 1 and gaps.std() > 0:
        p = one_sample_t(gaps).p
    else:
        p = 1.0
    size = odds = needed = None
    if len(gaps) > 1 and (gaps.std() > 0 or not gaps.any()):
        size = cohen_dz(gaps)
        needed = pairs_for_means(size, power=power)
    if whole:
        odds = matched_odds_ratio(int((first > second).sum()), int((second > first).sum())).value
    a, b = (scale * float(one.mean()) for one in (first, second))
    name = found.entrants[number].name
    return Difference(
        measure, name, by, len(gaps), len(values), a, b, b - a, low, high, p, size, odds, needed
    )  # fmt: skip


def _findings(found: Judgements, baseline: str, one: Difference) -> list[Finding]:
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
    found: Judgements, baseline: str, differences: Sequence[Difference], apart: Sequence[str]
) -> Iterator[Table]:
    note = "; ".join([_NOTE, *(f"the runs also differ in {one}" for one in apart)])
    columns = (
        "group", "items", baseline, "system", "difference", "95 %", "p", "p Holm", "p BH", "dz", "more items",
    )  # fmt: skip
    for measure in found.measures:
        for system in [entrant.name for entrant in found.entrants[1:]]:
            rows = [
                (
                    ", ".join(f"{key} {value}" for key, value in one.by) or "all",
                    one.items,
                    one.first,
                    one.second,
                    f"{one.value:+.2f}",
                    None if one.low is None or one.high is None else f"[{one.low:.2f}, {one.high:.2f}]",
                    _p(one.p),
                    _p(one.p_holm),
                    _p(one.p_bh),
                    None if one.dz is None else f"{one.dz:+.3f}",
                    one.more if one.more is not None else "no difference" if one.dz == 0 else None,
                )
                for one in differences
                if one.measure == measure and one.system == system
            ]
            named = [system if name == "system" else name for name in columns]
            title = f"{measure.upper() if measure in ('las', 'uas') else measure} on {found.suite}, paired by item"
            yield Table(title, named, rows, note=note)


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
