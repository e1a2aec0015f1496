"""Where the official split of a treebank lies among random splits of the same sizes: how much of a score is luck?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, table
from ...runs.result import Finding, Table, Verdict
from ...runs.verdict import NOT_SHOWN, count_text, loss_text, score_text
from ...stats.corrections import holm
from ...stats.student import student_bound, student_p
from ..verdicts import Effect, effect_of
from .settings import FEWEST_RANDOM, STUDY
from .split_training import OFFICIAL

if TYPE_CHECKING:
    from .experiment_summary import Splits


def official_findings(system: str, treebanks: Mapping[str, Splits]) -> list[Finding]:
    """How far each official split is above the mean of the random ones, and how unusual that is.

    The interval of the difference and p take the official split for one more random one: t with the spread of the
    random splits, s √(1 + 1/n). Interval and p come from the same error.
    """
    findings, p_values = list[Finding](), dict[str, float]()
    for treebank, splits in treebanks.items():
        drawn = np.array([scores["las"] for (split, _), scores in splits.items() if split == "random"])
        n = len(drawn)
        if (OFFICIAL, 0) not in splits or n < FEWEST_RANDOM or not drawn.std():
            continue
        official = float(splits[OFFICIAL, 0]["las"])
        mean, error = float(drawn.mean()), float(drawn.std(ddof=1)) * sqrt(1 + 1 / n)
        above, reach = official - mean, student_bound(n - 1) * error
        p_values[treebank] = student_p(above / error, n - 1)
        findings += [
            Finding(STUDY, treebank, system, "las_random_range", mean, n, mean - reach, mean + reach),
            Finding(STUDY, treebank, system, "official_difference", above, n, above - reach, above + reach),
            Finding(STUDY, treebank, system, "official_p", p_values[treebank], n),
            Finding(STUDY, treebank, system, "harder_than_official", int((drawn < official - 1).sum()), n),
            Finding(STUDY, treebank, system, "easier_than_official", int((drawn > official + 1).sum()), n),
        ]
    counts = {finding.suite: finding.n for finding in findings}
    for treebank, corrected in zip(p_values, holm(list(p_values.values())), strict=True):
        findings.append(Finding(STUDY, treebank, system, "official_p_holm", corrected, counts[treebank]))
    return findings


def official_table(index: FindingIndex) -> Iterator[Table]:
    """One row for each treebank whose official split was trained beside enough random ones."""
    names = [finding.suite for finding in index.findings if finding.measure == "official_difference"]
    if not names:
        return
    system = index.systems[0]

    def of(measure: str) -> list[Finding | None]:
        return [index.get(measure, system, suite=name) for name in names]

    columns = [Column("treebank", names)]
    columns += measured("LAS official", [index.get("las", system, {"split": OFFICIAL}, name) for name in names])
    columns += measured("random", of("las_random_range"), interval=True)
    columns += measured("difference", of("official_difference"), kind=SIGNED)
    columns += [*measured("splits", of("official_difference"), of="n")]
    columns += [*measured("harder", of("harder_than_official")), *measured("easier", of("easier_than_official"))]
    columns += [*measured("p", of("official_p"), kind=P), *measured("p Holm", of("official_p_holm"), kind=P)]
    note = (
        "random: mean, and where 95 % of random splits of the same sizes fall (t); harder, easier: random splits more "
        "than a point of LAS below or above the official one. Random splits are of sentences, official ones mostly of "
        "documents; one seed"
    )
    yield table("Where the official split lies", columns, digits=2, note=note)


def official_verdicts(index: FindingIndex, system: str, names: Sequence[str]) -> Iterator[Verdict]:
    """Of each treebank: is the score on its official test set flattering, hard, or what a random split gives?"""
    for name in names:
        effect = effect_of(index, "official_difference", "official_p", system, suite=name)
        if effect is not None:
            yield _verdict(index, system, name, effect)


def _verdict(index: FindingIndex, system: str, name: str, effect: Effect) -> Verdict:
    score = index.get("las", system, {"split": OFFICIAL}, name)
    counted = index.get(f"{'harder' if effect.size > 0 else 'easier'}_than_official", system, suite=name)
    spread = index.get("las_random_range", system, suite=name)
    assert score is not None
    assert counted is not None
    assert spread is not None
    rests_on = (score, *effect.rests_on, counted, spread)
    splits = count_text(counted.n, "random split")
    if effect.sure == NOT_SHOWN:
        text = (
            f"That the official split of {name} is another than a random one is not shown: LAS {score_text(score)}, "
            f"random splits {score_text(spread)}, {splits}."
        )
        return Verdict(text, NOT_SHOWN, rests_on, weight=abs(effect.size))
    what, how = ("flattering", "harder") if effect.size > 0 else ("hard", "easier")
    size = loss_text(effect.finding)
    text = (
        f"The score on the official test set of {name} is {what}: beside random splits {system} {size}; "
        f"{counted.value} of {splits} are {how} by more than a point ({effect.sure})."
    )
    return Verdict(text, effect.sure, rests_on, weight=50 + abs(effect.size))
