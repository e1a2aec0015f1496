"""What a gate found out, as a result: numbers, sentences, the table of all groups, and what was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.layout import SIGNED, Column, P, measured, table
from ...runs.record import Run
from ...runs.result import Finding, Result, Table, Value, Verdict
from ...runs.signature import short, signature
from ...runs.verdict import (
    FEWEST,
    MEASURED,
    SHOWN,
    SUGGESTED,
    difference_text,
    loss_text,
    ranked,
    sample_text,
)
from .group_change import HOLDS, WORSE, GroupChange
from .pairing import Judgements
from .same_suite import told_apart

STUDY = "gate"
_NAMES = {"las": "LAS", "uas": "UAS", "f1": "F1"}


def gate_result(judgements: Judgements, changes: Sequence[GroupChange], runs: Sequence[Run], margin: float) -> Result:
    """Of all changes; `runs` are those that were compared, the earlier one first."""
    by_change = [(change, _findings(judgements, change)) for change in changes]
    worse = [change for change in changes if change.state == WORSE]
    apart = told_apart(runs)
    signed = signature(
        ("study", STUDY), ("runs", [short(str(run.record.get("signature") or "")) for run in runs]),
        ("of", judgements.signature.replace("|", "/") or None),
        ("clusters", f"{judgements.clusters.name}={judgements.clusters.count}"),
        ("seeds", judgements.seed_counts or None), ("tests", len(changes)), ("margin", margin),
    )  # fmt: skip
    return Result(
        signed,
        [finding for _, findings in by_change for finding in findings],
        [*_tables(judgements, by_change, margin, apart), *_sentence_tables(changes)],
        {"groups that got worse": len(worse)} if worse else {},
        {"worse": [_as_json(change) for change in worse], "differ": apart},
        ranked(_verdicts(by_change, judgements.clusters.name)),
    )


def _findings(judgements: Judgements, change: GroupChange) -> list[Finding]:
    """Both scores and their difference (n: items), and the p of a loss (n: clusters)."""
    difference = change.difference
    by: dict[str, Value] = {**dict(difference.by), "baseline": change.baseline}
    head, measure = (STUDY, judgements.suite, difference.system), difference.measure
    ends = (difference.low, difference.high)
    return [
        Finding(*head, f"{measure}_difference", difference.value, difference.items, *ends, by),
        Finding(*head, f"{measure}_p_loss", change.p, difference.clusters, by=by),
        Finding(*head, f"{measure}_p_loss_holm", change.p_holm, difference.clusters, by=by),
        Finding(*head, f"{measure}_baseline", difference.first, difference.items, by=by),
        Finding(*head, f"{measure}_value", difference.second, difference.items, by=by),
    ]


def _verdicts(by_change: Sequence[tuple[GroupChange, list[Finding]]], cluster: str) -> Iterator[Verdict]:
    """What got worse, the largest loss first; of a system that did not, how sure that is."""
    for change, findings in by_change:
        difference, size = change.difference, findings[0]
        name = _NAMES.get(difference.measure, difference.measure)
        where = f" at {difference.group}" if difference.by else ""
        tail = f", {sample_text(findings[1].n, cluster, change.seeds, sure=change.state != HOLDS)}"
        if change.state != HOLDS:
            sure, does = (SHOWN, "got worse") if change.state == WORSE else (SUGGESTED, "may have got worse")
            text = f"{difference.system} {does}{where}: {name} {loss_text(size)}{tail} ({sure})."
            yield Verdict(text, sure, tuple(findings), weight=abs(difference.value) + 100 * (not difference.by))
        elif not difference.by:
            text = f"{difference.system}: no loss is shown over all items: {name} {difference_text(size)}{tail}."
            yield Verdict(text, MEASURED, tuple(findings))


def _tables(
    judgements: Judgements,
    by_change: Sequence[tuple[GroupChange, list[Finding]]],
    margin: float,
    apart: Sequence[str],
) -> Iterator[Table]:
    allowed = f" of more than {margin:g} points" if margin else ""
    note = "; ".join(
        [
            f"95 %: by {judgements.over}; p: one-sided, of no loss{allowed}; Holm: corrected for all "
            f"{len(by_change)} tests here that could show it; worse: p Holm below 0.05, the interval "
            f"beyond the margin, at least {FEWEST} clusters",
            *([judgements.clusters.note] if judgements.clusters.note else []),
            *(f"the runs also differ in {aspect}" for aspect in apart),
        ]
    )
    for system in dict.fromkeys(change.difference.system for change, _ in by_change):
        rows = [change for change, _ in by_change if change.difference.system == system]
        own = [findings for change, findings in by_change if change.difference.system == system]
        size, p, p_holm, before, now = (list(column) for column in zip(*own, strict=True))
        count = sum(change.state == WORSE for change in rows)
        measure = rows[0].difference.measure
        title = f"{count} of {len(rows)} groups got worse" if count else "no group got worse"
        columns = [Column("group", [change.difference.group for change in rows]), *measured("items", size, of="n")]
        columns += [*measured("before", before), *measured("now", now)]
        columns += measured("difference", size, interval=True, kind=SIGNED)
        columns += [*measured("p", p, kind=P), *measured("p Holm", p_holm, kind=P)]
        columns.append(Column("verdict", [change.state for change in rows]))
        yield table(f"{system}, {_NAMES.get(measure, measure)}: {title}", columns, note=note)


def _sentence_tables(changes: Sequence[GroupChange]) -> Iterator[Table]:
    """Three sentences for every group that got worse, or may have."""
    for change in changes:
        if change.lost:
            yield table(
                f"{change.difference.system}, {change.difference.group}: was right and is not",
                [
                    Column("item", [item.item for item in change.lost]),
                    Column("sentence", [item.text for item in change.lost]),
                    Column("now", ["; ".join(item.outcomes) for item in change.lost]),
                ],
            )


def _as_json(change: GroupChange) -> dict[str, object]:
    lost = [
        {"suite": item.suite, "item": item.item, "text": item.text, "outcomes": list(item.outcomes)}
        for item in change.lost
    ]
    return {"system": change.difference.system, "group": dict(change.difference.by), "lost": lost}
