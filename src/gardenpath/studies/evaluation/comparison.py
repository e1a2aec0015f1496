"""Is one system better than another? Paired tests over the same sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from ...runs.result import Finding, Table, Value
from ...stats.corrections import holm
from ...stats.resample import Paired, paired_bootstrap, paired_randomisation


class Scored(Protocol):
    """The scores of a system on sentences, each a ratio of counts."""

    def ratio(self, metric: str, /) -> tuple[NDArray[Any], NDArray[Any]]:
        """Numerators and denominators per sentence."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The score of `system` minus that of `baseline`, in points."""

    metric: str
    baseline: str
    system: str
    bootstrap: Paired
    p_randomisation: float
    p_holm: float
    """Randomisation p, corrected for all differences tested together."""


def compare(
    scores: Mapping[str, Scored], metrics: Sequence[str] = ("UAS", "LAS", "CLAS"), *, draws: int = 1000, seed: int = 0
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


def difference_findings(study: str, suite: str, differences: Sequence[Difference]) -> list[Finding]:
    findings = []
    for one in differences:
        by: dict[str, Value] = {"baseline": one.baseline}
        key, test = one.metric.lower(), one.bootstrap
        findings += [
            Finding(study, suite, one.system, f"{key}_difference", test.difference, None, test.low, test.high, by),
            Finding(study, suite, one.system, f"{key}_p_bootstrap", test.p, by=by),
            Finding(study, suite, one.system, f"{key}_p_randomisation", one.p_randomisation, by=by),
            Finding(study, suite, one.system, f"{key}_p_holm", one.p_holm, by=by),
        ]
    return findings


def difference_table(differences: Sequence[Difference], names: Mapping[str, str] | None = None) -> Table:
    """Each difference with its interval and tests; `names` are those of the metrics for people."""
    rows = [
        (
            (names or {}).get(one.metric, one.metric),
            one.system,
            f"{one.bootstrap.difference:+.2f}",
            f"[{one.bootstrap.low:.2f}, {one.bootstrap.high:.2f}]",
            f"{one.bootstrap.p:.4f}",
            f"{one.p_randomisation:.4f}",
            f"{one.p_holm:.4f}",
        )
        for one in differences
    ]
    columns = ("metric", "system", "difference", "95 %", "p bootstrap", "p randomisation", "p Holm")
    return Table(f"Difference to {differences[0].baseline}, paired by sentence", columns, rows)
