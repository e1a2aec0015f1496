"""What batches come to: shares, means and changes by system, perturbation and order, and differences of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...stats.resample import Paired, paired_bootstrap
from .answered import VariantAnswers
from .asked import AskedVariants
from .judging import JudgedBatch, judge
from .places import Altered, altered
from .questions import ORIGINALS, Detail, Draws, Overview, detail, overview
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

    @property
    def systems(self) -> list[str]:
        return list(self.answers)

    def failures(self) -> dict[str, int]:
        """Sentences without a tree, by system and kind."""
        return {
            f"{name}: {kind}": count
            for name, answers in self.answers.items()
            for kind, count in answers.failures().items()
        }


def judge_all(asked: AskedVariants, answers: Mapping[str, VariantAnswers], orders: Sequence[str]) -> JudgedVariants:
    """All batches of all systems, by perturbation and order of siblings."""
    batches: dict[Key, list[JudgedBatch]] = {}
    for system, own in answers.items():
        judged = judge(asked, own, orders)
        for perturbation in asked.perturbations:
            for order in orders:
                batches[system, perturbation, order] = [
                    batch for batch in judged[order] if batch.case.batch.perturbation == perturbation
                ]
    return JudgedVariants(asked, answers, batches)


@dataclass(frozen=True, slots=True)
class ConsistencyPart:
    """All that is found out about one system, one perturbation and one order of siblings."""

    batches: Sequence[JudgedBatch]
    overview: Overview
    details: Mapping[str, Detail]
    values: Sequence[ValueShare] = ()
    groups: Sequence[ValueShare] = ()
    altered: Altered | None = None


def parts_of(judged: JudgedVariants, orders: Sequence[str], how: Draws) -> dict[Key, ConsistencyPart]:
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


def compared(judged: JudgedVariants, order: str, how: Draws) -> dict[tuple[str, str, str], Paired]:
    """(system, perturbation, measure): the difference to the first system on the same batches."""
    first_system, *others = judged.systems
    found = {}
    for perturbation in judged.asked.perturbations:
        first = judged.batches[first_system, perturbation, order]
        for system in others if how.draws and len(first) > 1 else ():
            second = judged.batches[system, perturbation, order]
            for measure in COMPARED:
                pair = difference(counts(first, measure), counts(second, measure), how)
                if pair is not None:
                    found[system, perturbation, measure] = pair
    return found


def difference(first: tuple[Any, Any], second: tuple[Any, Any], how: Draws) -> Paired | None:
    """How far the second is above the first; None where one of them has nothing to compare."""
    if not all(bottoms.any() for _, bottoms in (first, second)):
        return None
    return paired_bootstrap(first, second, draws=how.draws, seed=how.seed)


def counts(batches: Sequence[JudgedBatch], measure: str) -> tuple[Any, Any]:
    """What a paired test draws: per batch the numerator and denominator of `right`, `changed` or `consistent`."""
    if measure != "consistent":
        return columns([(getattr(batch, measure), batch.size) for batch in batches])
    return columns([(int(batch.consistent), 1) if batch.comparable else (0, 0) for batch in batches])


def columns(pairs: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
    """Numerators and denominators, one of each per batch."""
    both = np.array(pairs, dtype=np.float64)
    return both[:, 0], both[:, 1]
