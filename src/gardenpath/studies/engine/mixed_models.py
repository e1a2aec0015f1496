"""A mixed model of observations, as findings and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...runs.result.layout import P
from ...runs.result.result import Finding, Table, Value

if TYPE_CHECKING:
    from ...stats.mixed import Fit


def model_findings(fit: Fit, study: str, suite: str, by: Mapping[str, Value] | None = None) -> list[Finding]:
    """Estimate, standard error, statistic and p of every fixed effect, the variances, the log likelihood."""
    group = dict(by or {})
    findings = []
    for effect in fit.effects:
        values = {
            "estimate": effect.estimate,
            "se": effect.se,
            "statistic": effect.statistic,
            "p": effect.p,
            "df": effect.freedom,
        }
        findings += [
            Finding(study, suite, "", name, value, fit.n, by={**group, "effect": effect.name})
            for name, value in values.items()
            if value is not None
        ]
    for term in fit.variances:
        keys: dict[str, Value] = {**group, "group": term.group, "term": term.term}
        findings.append(Finding(study, suite, "", "variance", term.variance, fit.levels.get(term.group), by=keys))
    return [*findings, Finding(study, suite, "", "loglik", fit.loglik, fit.n, by=group)]


def model_tables(fit: Fit, group: str = "") -> list[Table]:
    """The fixed effects and the random ones; what may be wrong with the fit stands under them."""
    letter = "t" if any(effect.freedom is not None for effect in fit.effects) else "z"
    effects = [
        (
            effect.name,
            effect.estimate,
            effect.se,
            *([effect.freedom] if letter == "t" else []),
            effect.statistic,
            effect.p,
        )
        for effect in fit.effects
    ]
    columns = ("effect", "estimate", "se", *(["df"] if letter == "t" else []), letter, "p")
    groups = [
        (variance.group, variance.term, variance.variance, variance.deviation, fit.levels.get(variance.group))
        for variance in fit.variances
    ]
    title = f"{fit.formula} ({fit.family}, {fit.n} rows)"
    return [
        Table(
            f"{group}: {title}" if group else title,
            columns,
            effects,
            4,
            kinds=[P if column == "p" else "" for column in columns],
        ),
        Table("Random effects", ("group", "term", "variance", "sd", "levels"), groups, 4, "\n".join(fit.warnings)),
    ]


def model_failures(fit: Fit) -> dict[str, int]:
    """What makes a fit doubtful, counted."""
    faults = {"models that did not converge": not fit.converged, "singular fits": fit.singular}
    return {kind: 1 for kind, happened in faults.items() if happened}
