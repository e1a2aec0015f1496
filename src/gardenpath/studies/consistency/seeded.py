"""Several trainings of each remedy: means over their seeds, and differences whose intervals know another seed too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.sampling import Difference, share_difference
from ...stats.seeds import SeedSpread
from .findings import difference_findings
from .judging import RIGHT, JudgedBatch
from .parts import COMPARED, JudgedVariants, MeasureDifference, VariantCounts, counts
from .questions import BatchSampling
from .settings import STUDY

Trainings = Mapping[str, Sequence[VariantCounts]]
"""For each system what each of its trainings got right, on the same items."""


def constant_counts(usual: Sequence[JudgedBatch], constants: Sequence[JudgedBatch]) -> VariantCounts:
    """With a constant in place all variants are the same sentence: right or wrong together."""
    return VariantCounts.of(
        [
            (number, times * (constant.original == RIGHT), times)
            for number, (batch, constant) in enumerate(zip(usual, constants, strict=True))
            for times in batch.case.times
        ]
    )


def seed_findings(
    tests: Sequence[JudgedVariants],
    constants: Sequence[Sequence[JudgedBatch] | None],
    systems: tuple[str, str],
    order: str,
    independent: bool,
) -> list[Finding]:
    """Of one test treebank: one entry of `tests` and `constants` for each seed.

    `systems` are the parser as it is and the one that was trained with the constant.
    """
    as_is, substituted = systems
    first, findings = tests[0], list[Finding]()
    tested: list[tuple[str, str, str, Difference]] = []
    for perturbation in first.asked.perturbations:
        for measure in COMPARED:
            trainings = {
                system: [counts(test.batches[system, perturbation, order], measure) for test in tests]
                for system in first.systems
            }
            if measure == "right" and all(constants):
                trainings[substituted] = [
                    constant_counts(test.batches[as_is, perturbation, order], batches or ())
                    for test, batches in zip(tests, constants, strict=True)
                ]
            findings += _means(first, trainings, perturbation, measure)
            for system in trainings:
                if system != as_is and trainings[as_is][0].asked.any():
                    test = _difference(trainings[as_is], trainings[system], independent)
                    tested.append((system, perturbation, measure, test))
    corrected = holm([test.p for *_, test in tested])
    for (system, perturbation, measure, test), p_holm in zip(tested, corrected, strict=True):
        difference = MeasureDifference(system, perturbation, measure, test, p_holm)
        suite = first.asked.treebank_name
        findings += difference_findings(suite, difference)
        # More sentences alone would not show it: another seed may weigh more.
        by: dict[str, Value] = {"perturbation": perturbation}
        findings.append(Finding(STUDY, suite, system, f"{measure}_items_needed", None, by=by))
    return findings


def _means(test: JudgedVariants, trainings: Trainings, perturbation: str, measure: str) -> list[Finding]:
    findings = []
    for system, some in trainings.items():
        shares = [100 * float(own.right.sum() / own.asked.sum()) for own in some if own.asked.any()]
        if not shares:
            continue
        by: dict[str, Value] = {"perturbation": perturbation, "trainings": len(shares)}
        for name, value in (("mean", float(np.mean(shares))), ("min", min(shares)), ("max", max(shares))):
            n = int(some[0].asked.sum())
            findings.append(Finding(STUDY, test.asked.treebank_name, system, f"{measure}_{name}", value, n, by=by))
    return findings


def _difference(first: Sequence[VariantCounts], second: Sequence[VariantCounts], independent: bool) -> Difference:
    """How far the mean of the second trainings is above that of the first; both have seeds of their own."""
    asked, batch = first[0].asked, first[0].batch
    clusters = BatchSampling(independent).clusters(batch)
    sides = [np.stack([own.right for own in some]).astype(np.float64) for some in (first, second)]
    spreads = [SeedSpread.of(side / asked.mean()) for side in sides]
    spread = spreads[0] + spreads[1] if spreads[0] and spreads[1] else None
    test = share_difference((sides[0].mean(axis=0), asked), (sides[1].mean(axis=0), asked), clusters, spread)
    return replace(test, clusters=len(set(batch.tolist())))  # what was sampled; interval and p have fewer degrees
