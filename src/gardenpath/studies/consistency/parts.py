"""What batches come to: shares, means and changes by system, perturbation and order, and differences of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...stats.corrections import holm
from ...stats.sampling import Difference, share_difference
from .answered import VariantAnswers
from .asked import AskedVariants
from .judging import JudgedBatch, judge
from .places import Altered, altered
from .questions import ORIGINALS, BatchSampling, Detail, Overview, detail, overview
from .values import ValueShare, by_group, by_value

Key = tuple[str, str, str]
"""System, perturbation, order of siblings."""
COMPARED = ("right", "changed", "consistent")
"""Measures in which systems are tested against the first."""


@dataclass(frozen=True)
class JudgedVariants:
    """A treebank's batches, what all systems answered, and the judgement of every batch."""

    asked: AskedVariants
    answers: Mapping[str, VariantAnswers]
    batches: Mapping[Key, Sequence[JudgedBatch]]
    staged: Mapping[Key, Sequence[JudgedBatch]]
    """The same batches by system, perturbation and stage."""

    @property
    def systems(self) -> list[str]:
        return list(self.answers)

    def failures(self) -> dict[str, int]:
        """Sentences without a tree, by system and kind."""
        asked = dict(self.answers)
        for name, answers in self.answers.items():
            asked |= {f"{name}, gold {stage}": again for stage, again in answers.stages.items()}
        return {
            f"{name}: {kind}": count for name, answers in asked.items() for kind, count in answers.failures().items()
        }


def judge_all(asked: AskedVariants, answers: Mapping[str, VariantAnswers], orders: Sequence[str]) -> JudgedVariants:
    """All batches of all systems, by perturbation and order of siblings."""
    batches: dict[Key, Sequence[JudgedBatch]] = {}
    staged: dict[Key, Sequence[JudgedBatch]] = {}
    for system, own in answers.items():
        judged = judge(asked, own, orders)
        stages = {stage: judge(asked, again, orders[:1])[orders[0]] for stage, again in own.stages.items()}
        for perturbation in asked.perturbations:
            batches |= {(system, perturbation, order): _only(judged[order], perturbation) for order in orders}
            staged |= {(system, perturbation, stage): _only(some, perturbation) for stage, some in stages.items()}
    return JudgedVariants(asked, answers, batches, staged)


def _only(batches: Sequence[JudgedBatch], perturbation: str) -> list[JudgedBatch]:
    return [batch for batch in batches if batch.case.batch.perturbation == perturbation]


@dataclass(frozen=True, slots=True)
class ConsistencyPart:
    """All that is found out about one system, one perturbation and one order of siblings."""

    batches: Sequence[JudgedBatch]
    overview: Overview
    details: Mapping[str, Detail]
    values: Sequence[ValueShare] = ()
    groups: Sequence[ValueShare] = ()
    altered: Altered | None = None


def parts_of(judged: JudgedVariants, orders: Sequence[str], how: BatchSampling) -> dict[Key, ConsistencyPart]:
    """Values are counted in the order that comes first, changes by position."""
    parts = {}
    for key, batches in judged.batches.items():
        *_, order = key
        details = {original: detail(batches, original, how) for original in ORIGINALS}
        more: dict[str, Any] = {}
        if order == orders[0]:
            more = {"values": by_value(batches, how), "groups": by_group(batches, how)}
        if order == "surface":
            more["altered"] = altered(batches, how)
        parts[key] = ConsistencyPart(batches, overview(batches, how), details, **more)
    return parts


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """How far a system is above the first one in a measure, on the same batches; p_holm is corrected for all.

    With a stage: how far it is above itself without.
    """

    system: str
    perturbation: str
    measure: str
    test: Difference
    p_holm: float
    stage: str = ""


def compared(judged: JudgedVariants, order: str, how: BatchSampling) -> list[MeasureDifference]:
    """All other systems against the first."""
    first_system, *others = judged.systems
    tested = []
    for perturbation in judged.asked.perturbations:
        first = judged.batches[first_system, perturbation, order]
        for system in others:
            second = judged.batches[system, perturbation, order]
            for measure in COMPARED if judged.asked.has_gold else COMPARED[1:]:
                test = difference(counts(first, measure), counts(second, measure), how)
                if test is not None:
                    tested.append((system, perturbation, measure, test))
    corrected = holm([test.p for *_, test in tested])
    return [MeasureDifference(*one, p_holm) for one, p_holm in zip(tested, corrected, strict=True)]


def stages_compared(judged: JudgedVariants, order: str, how: BatchSampling) -> list[MeasureDifference]:
    """Batches with one parse in every stage against those of the same system without."""
    measure, tested = "consistent", []
    for (system, perturbation, stage), batches in judged.staged.items():
        alone = judged.batches[system, perturbation, order]
        test = difference(counts(alone, measure), counts(batches, measure), how)
        if test is not None:
            tested.append((system, perturbation, stage, test))
    corrected = holm([test.p for *_, test in tested])
    return [
        MeasureDifference(system, perturbation, measure, test, p_holm, stage)
        for (system, perturbation, stage, test), p_holm in zip(tested, corrected, strict=True)
    ]


def difference(first: VariantCounts, second: VariantCounts, how: BatchSampling) -> Difference | None:
    """How far the second is above the first; None where there is nothing to compare."""
    if not first.asked.any() or not second.asked.any():
        return None
    return share_difference((first.right, first.asked), (second.right, second.asked), how.clusters(first.batch))


def counts(batches: Sequence[JudgedBatch], measure: str) -> VariantCounts:
    """What a paired test is made of: `right` and `changed` of every different variant, `consistent` of every batch."""
    if measure == "consistent":
        rows = [(number, int(batch.consistent), 1) for number, batch in enumerate(batches) if batch.comparable]
    else:
        rows = [
            (number, times * holds, times)
            for number, batch in enumerate(batches)
            for times, holds in zip(batch.case.times, batch.holds(measure), strict=True)
        ]
    return VariantCounts.of(rows)


class VariantCounts(NamedTuple):
    """For every item: its batch, and what was right and asked of it."""

    batch: NDArray[Any]
    right: NDArray[Any]
    asked: NDArray[Any]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int]]) -> VariantCounts:
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)
