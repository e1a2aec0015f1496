"""What a study of roles says in sentences: how good, which is better, and what order and properties cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...runs.layout import FindingIndex, short_names
from ...runs.result import Finding, Verdict
from ...runs.verdict import (
    MEASURED,
    NOT_SHOWN,
    clusters_text,
    count_text,
    difference_text,
    loss_text,
    score_text,
)
from ...suites.names import ORDERS, PP_PROPERTIES, ROLE_PROPERTIES
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


def order_verdicts(findings: Sequence[Finding], cluster: str) -> Iterator[Verdict]:
    """Which order of a treebank is the most frequent, how often nothing but order tells who acts; then the systems."""
    index = FindingIndex(findings)
    for lead in [finding for finding in findings if finding.measure == "share_lead"]:
        effect = effect_of(index, "share_lead", "share_lead_p", "", lead.by)
        first, second = (index.get("share", "", {"order": lead.by[key]}) for key in ("order", "than"))
        if effect is None or first is None or second is None:
            continue
        names = f"{lead.by['order']} {score_text(first)} %, {lead.by['than']} {score_text(second)} %"
        size = f"{names}; {difference_text(lead)} points, {count_text(lead.n, 'clause')}, "
        size += clusters_text(effect.p.n, cluster)
        if effect.sure == NOT_SHOWN:
            text = f"No order is shown to be the most frequent in {lead.suite}: {size}."
        else:
            text = f"{lead.by['order']} is the most frequent order in {lead.suite} ({effect.sure}): {size}."
        yield Verdict(text, effect.sure, (*effect.rests_on, first, second), weight=100.0)
    left_open = index.get("share", "", {"clue": "open"})
    if left_open is not None and left_open.value is not None:
        text = f"Case and agreement leave subject and object open in {score_text(left_open)} % of "
        text += f"{count_text(left_open.n, 'clause')} of {left_open.suite}."
        yield Verdict(text, MEASURED, (left_open,))
    if index.systems:
        words = MeasureWords("las", "LAS", "arc", cluster)
        yield from score_verdicts(findings, words, "", [("order",), ("clue",)])


def _costliest(index: FindingIndex, measure: str, system: str, changes: Sequence[Finding]) -> Iterator[Verdict]:
    """The change that costs most, where its cost is shown or suggested."""
    costs = [effect_of(index, f"{measure}_delta", f"{measure}_delta_p", system, delta.by) for delta in changes]
    costly = [cost for cost in costs if cost is not None and cost.sure != NOT_SHOWN and cost.size < 0]
    if not costly:
        return
    cost = min(costly, key=lambda effect: effect.size)
    by = cost.finding.by
    change, name, rests_on, tail = str(by["change"]), short_names(index.systems)[system], list(cost.rests_on), ""
    if by["pair"] == "order":
        orders = change.split(" > ")
        where = f"when the order changes from {_explained(orders[0], ORDERS)} to {_explained(orders[1], ORDERS)}"
        scores = [score for order in orders if (score := index.get(measure, system, {"order": order}))]
        if len(scores) == len(orders):
            rests_on += scores
            tail = f"; over all items of these orders, {_NAMES[measure]} {' and '.join(map(score_text, scores))}"
    else:
        where = f"when a sentence gets the property {_explained(change, {**ROLE_PROPERTIES, **PP_PROPERTIES})}"
        mixed = index.get("several_words", "", by)
        if mixed is not None and mixed.value:
            rests_on.append(mixed)
            tail = f"; more than one word changes in {mixed.value:,} of {count_text(mixed.n, 'pair')}"
    text = f"{name} {loss_text(cost.finding)} {where}, {count_text(cost.finding.n, 'pair')} ({cost.sure}){tail}."
    yield Verdict(text, cost.sure, tuple(rests_on), weight=abs(cost.size), examples="wrong")


def _explained(code: str, meanings: Mapping[str, str]) -> str:
    """A code of the suite after what it means: `“verb second, object first” (VF[O]LK[V]MF[S])`."""
    meaning = meanings.get(code, "")
    if not meaning:
        return code
    abbreviation = meaning.split()[0].isupper()
    return f"“{meaning if abbreviation else meaning[0].lower() + meaning[1:]}” ({code})"
