"""What a study of roles says in sentences: how good, which is better, and what order and properties cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.layout import FindingIndex, short_names
from ...runs.result import Finding, Verdict
from ...runs.verdict import NOT_SHOWN, count_text, loss_text, score_text
from ..verdicts import MeasureWords, effect_of, score_verdicts

_NAMES = {"las": "LAS", "uas": "UAS", "label": "label accuracy", "attachment": "attachment accuracy"}


def role_verdicts(findings: Sequence[Finding], measure: str, baseline: str, cluster: str) -> Iterator[Verdict]:
    """Scores and differences of the systems; then of each but the baseline the order and property that cost most."""
    yield from score_verdicts(findings, MeasureWords(measure, _NAMES[measure], "arc", cluster), baseline)
    index = FindingIndex(findings)
    for system in index.systems:
        if system == baseline:
            continue
        for pair in ("order", "property"):
            changes = [
                finding
                for finding in findings
                if finding.measure == f"{measure}_delta" and finding.system == system and finding.by["pair"] == pair
            ]
            yield from _costliest(index, measure, system, changes)


def _costliest(index: FindingIndex, measure: str, system: str, changes: Sequence[Finding]) -> Iterator[Verdict]:
    """The change that costs most, where its cost is shown or suggested."""
    costs = [effect_of(index, f"{measure}_delta", f"{measure}_delta_p", system, delta.by) for delta in changes]
    costly = [cost for cost in costs if cost is not None and cost.sure != NOT_SHOWN and cost.size < 0]
    if not costly:
        return
    cost = min(costly, key=lambda effect: effect.size)
    by = cost.finding.by
    change, name, rests_on = str(by["change"]), short_names(index.systems)[system], cost.rests_on
    if by["pair"] == "order":
        first, second = change.split(" > ")
        scores = [index.get(measure, system, {"order": order}) for order in (first, second)]
        shown = [f"{order}: {score_text(score)}" for order, score in zip((first, second), scores, strict=True) if score]
        where = f"where the order is {second} and not {first}"
        rests_on = (*rests_on, *(score for score in scores if score is not None))
        tail = f"; {', '.join(shown)}" if shown else ""
    else:
        where, tail = f"where the property {change} is added", ""
    text = f"{name} {loss_text(cost.finding)} {where}, {count_text(cost.finding.n, 'pair')} ({cost.sure}){tail}."
    yield Verdict(text, cost.sure, rests_on, weight=abs(cost.size), examples="wrong")
