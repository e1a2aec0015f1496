"""What a comparison of runs says in sentences: which system is better, overall and where, or what it would take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.result import Finding, Verdict
from ...runs.verdict import MEASURED, NOT_SHOWN
from ..verdicts import MeasureWords, SystemVerdicts, effect_of

_NAMES = {"las": "LAS", "uas": "UAS", "f1": "F1", "right": "variants right"}


def comparison_verdicts(
    findings: Sequence[Finding], measures: Sequence[str], baseline: str, cluster: str, apart: Sequence[str] = ()
) -> Iterator[Verdict]:
    """Every system against the baseline, then where it loses and gains most; `apart`: what else differs."""
    for number, measure in enumerate(measures):
        does = {"more": "is higher", "less": "is lower"} if measure == "mean" else {}
        words = MeasureWords(measure, _NAMES.get(measure, measure), "item", cluster, **does)
        verdicts = SystemVerdicts(findings, words)
        for system in verdicts.index.systems:
            yield from verdicts.difference(system, baseline)
            if not number:
                yield from _extremes(verdicts, system, baseline)
    if apart:
        text = f"The runs also differ in {'; '.join(apart)}: a difference may come from that."
        yield Verdict(text, MEASURED, (), weight=100.0)


def _extremes(verdicts: SystemVerdicts, system: str, baseline: str) -> Iterator[Verdict]:
    """The groups with the greatest loss and the greatest gain that are shown or suggested."""
    measure = verdicts.words.measure
    effects = [
        effect_of(verdicts.index, f"{measure}_difference", f"{measure}_p", system, finding.by)
        for finding in verdicts.index.findings
        if finding.measure == f"{measure}_difference" and finding.system == system and len(finding.by) > 1
    ]
    told = sorted(
        (effect for effect in effects if effect and effect.sure != NOT_SHOWN), key=lambda effect: effect.size
    )  # fmt: skip
    losses, gains = [effect for effect in told if effect.size < 0], [effect for effect in told if effect.size > 0]
    for effect in (*losses[:1], *gains[-1:]):
        by = {key: value for key, value in effect.finding.by.items() if key != "baseline"}
        where = ", ".join(f"{key} {value}" for key, value in by.items())
        yield from verdicts.difference(system, baseline, by, where=f" at {where}")
