"""The comparison of runs as a result: differences, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...runs.record.run import Run
from ...runs.record.signatures import short, signature
from ...runs.result.layout import FEW, INTERVAL, SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import MEASURED, ranked
from ..engine.corrections import corrected
from ..engine.verdicts import MeasureWords, SystemVerdicts
from .differences import RunDifference, groups_of, run_difference
from .pairing import Judgements, pair, told_apart

_NAMES = {"las": "LAS", "uas": "UAS", "f1": "F1", "right": "variants right"}


def comparison_verdicts(
    findings: Sequence[Finding],
    measures: Sequence[str],
    baseline: str,
    cluster: str,
    apart: Sequence[str] = (),
    seeds: Mapping[str, int] | None = None,
) -> Iterator[Verdict]:
    """Every system against the baseline, then where it loses and gains most.

    `apart`: what else differs; `seeds`: how many each system has, where they count.
    """
    for number, measure in enumerate(measures):
        does = {"more": "is higher", "less": "is lower"} if measure == "mean" else {}
        words = MeasureWords(measure, _NAMES.get(measure, measure), "item", cluster, seeds=seeds or {}, **does)
        verdicts = SystemVerdicts(findings, words)
        for verdict in verdicts.differences(verdicts.index.systems, baseline):
            yield replace(verdict, weight=verdict.weight - 100 * number)  # the first measure is the main one
        for system in verdicts.index.systems if not number else ():
            yield from verdicts.group_differences(system, baseline)
    if apart:
        text = f"The runs also differ in {'; '.join(apart)}: a difference may come from that."
        yield Verdict(text, MEASURED, (), weight=100.0)


STUDY = "comparison"
_NOTE = (
    "95 % and p: by {over}; p Holm: corrected for its own family (TSV and JSON also have p and p_bh); dz: difference "
    "in standard deviations of the items' differences"
)


def compare(
    runs: Sequence[Run], *, by: Sequence[str] | None = None, power: float = 0.8, independent: bool = False
) -> Result:
    """Every system against the first; `by` names properties (None: those of the runs' findings).

    Intervals and tests go by the clusters in which items were sampled, and by the seeds of models that have several;
    `independent`: by items alone.
    """
    judgements = pair(runs)
    if independent:
        judgements = judgements.independent()
    groups = list(groups_of(judgements, by))
    made = [
        run_difference(judgements, measure, number, key, inside, power)
        for measure in judgements.measures
        for key, inside in groups
        for number in range(1, len(judgements.entrants))
    ]
    differences = [difference for difference in made if difference is not None]
    if judgements.seed_counts:  # more items do not make the seeds more alike
        differences = [replace(difference, needed=None) for difference in differences]
    baseline = judgements.entrants[0].name
    signed = signature(
        ("study", STUDY), ("runs", [short(str(run.record.get("signature") or "")) for run in runs]),
        ("of", judgements.signature.replace("|", "/") or None), ("baseline", baseline),
        ("clusters", judgements.clusters.counted),
        ("seeds", judgements.seed_counts or None), ("tests", len(differences)), ("power", power),
    )  # fmt: skip
    findings = corrected(
        finding for difference in differences for finding in _findings(judgements, baseline, difference)
    )
    apart = told_apart(runs)
    names = [entrant.name for entrant in judgements.entrants]
    seeds = dict(zip(names, judgements.seed_counts, strict=False))
    verdicts = comparison_verdicts(
        findings, list(judgements.measures), baseline, judgements.clusters.name, apart, seeds
    )
    tables = list(_tables(judgements, baseline, differences, apart, FindingIndex(findings)))
    return Result(signed, findings, tables, {}, {"differ": apart}, ranked(verdicts))


def _findings(judgements: Judgements, baseline: str, difference: RunDifference) -> list[Finding]:
    """The difference and what belongs to it; n are items, of a p the clusters behind it."""
    by: dict[str, Value] = {**dict(difference.by), "baseline": baseline}
    values: list[tuple[str, float | int | None]] = [
        ("baseline", difference.first), ("value", difference.second), ("dz", difference.dz), ("odds", difference.odds),
        ("items_needed", difference.needed), ("items_more", difference.more),
    ]  # fmt: skip
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
        Finding(
            *head, f"{difference.measure}_p", difference.p, difference.clusters, by=by, effective=difference.effective
        ),
        *(Finding(*head, f"{difference.measure}_{name}", value, difference.items, by=by) for name, value in values),
    ]


def _tables(
    judgements: Judgements,
    baseline: str,
    differences: Sequence[RunDifference],
    apart: Sequence[str],
    index: FindingIndex,
) -> Iterator[Table]:
    few = [judgements.clusters.note] if judgements.clusters.note else []
    needed = [] if judgements.seed_counts else ["more items: needed to find a difference as large as this one"]
    others = [f"the runs also differ in {aspect}" for aspect in apart]
    note = "; ".join([_NOTE.format(over=judgements.over), *needed, *few, *others])
    for measure in judgements.measures:
        for system in [entrant.name for entrant in judgements.entrants[1:]]:
            rows = [
                difference
                for difference in differences
                if difference.measure == measure and difference.system == system
            ]
            ranges = [_ends(difference) for difference in rows]
            by_holm = [
                index.get(f"{measure}_p_holm", system, {**dict(difference.by), "baseline": baseline})
                for difference in rows
            ]
            more = [
                difference.more if difference.more is not None else "no difference" if difference.dz == 0 else None
                for difference in rows
            ]
            columns = [
                Column("group", [difference.group for difference in rows]),
                Column("items", [difference.items for difference in rows]),
                Column(baseline, [difference.first for difference in rows]),
                Column(system, [difference.second for difference in rows]),
                Column("difference", [difference.value for difference in rows], SIGNED),
                Column("95 %", ranges, INTERVAL),
                *measured("p Holm", by_holm, kind=P),
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
