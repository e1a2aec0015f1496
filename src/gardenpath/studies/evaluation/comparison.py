"""Is one system better than another? Paired tests over the same sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...stats.corrections import holm
from ...stats.resample import Paired, paired_bootstrap, paired_randomisation
from ...treebank.scores import Scores


@dataclass(frozen=True, slots=True)
class Difference:
    """F1 of `system` minus F1 of `baseline`, in points."""

    metric: str
    baseline: str
    system: str
    bootstrap: Paired
    p_randomisation: float
    p_holm: float
    """Randomisation p, corrected for all differences tested together."""


def compare(
    scores: Mapping[str, Scores], metrics: Sequence[str] = ("UAS", "LAS", "CLAS"), *, draws: int = 1000, seed: int = 0
) -> list[Difference]:
    """Each system against the first, with two tests: bootstrap (interval) and randomisation (p)."""
    baseline, *others = scores
    found = []
    for metric in metrics:
        for system in others:
            first, second = (scores[name].ratio(metric) for name in (baseline, system))
            test = paired_bootstrap(first, second, draws=draws, seed=seed)
            points = Paired(100 * test.difference, 100 * test.low, 100 * test.high, test.p)
            found.append((metric, system, points, paired_randomisation(first, second, draws=draws, seed=seed)))
    corrected = holm([p for *_, p in found])
    return [
        Difference(metric, baseline, system, points, p, p_holm)
        for (metric, system, points, p), p_holm in zip(found, corrected, strict=True)
    ]
