"""What the splits show together: ΔLAS and its distribution, and what goes along with it (EDV, Section 6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.result import Finding, Value
from ...runs.verdict import count_text
from ...stats.corrections import holm
from ...stats.correlation import Correlation, partial_spearman
from ...stats.sampling import Clusters, mean, mean_difference
from .settings import STUDY
from .skew_normal import FEWEST, skew_normal

FEWEST_TREEBANKS = 5
"""For a correlation."""

Splits = Mapping[tuple[str, int], Mapping[str, Any]]
"""What `trained` found out about the splits of one treebank, by kind and number."""
Floats = NDArray[np.float64]

TABLE_7 = (
    ("tokens", "ΔLAS", ""),
    ("test length", "ΔLAS", ""),
    ("Δtokens", "ΔLAS", ""),
    ("Δtest length", "ΔLAS", ""),
    ("ΔSLV", "ΔLAS", ""),
    ("ΔEDV", "ΔLAS", ""),
    ("test length", "ΔEDV", ""),
    ("ΔSLV", "ΔEDV", ""),
    ("ΔEDV", "ΔLAS", "test length"),
    ("ΔEDV", "ΔLAS", "ΔSLV"),
)
"""Variable, target and covariate of each row; Δ is max-EDV minus min-EDV, what has none is the mean of both."""


def summary(
    collection: str, system: str, treebanks: Mapping[str, Splits]
) -> tuple[list[Finding], dict[str, list[str]]]:
    """Findings over all treebanks, each with both ends of its range; and what could not be computed, by its part."""
    variables = compared(treebanks)
    fitted, why_not_fitted = _fit(collection, system, variables["ΔLAS"])
    correlated, why_not_correlated = _table_7(collection, system, variables)
    findings = [
        *_differences(system, treebanks, variables),
        *_overall(collection, system, treebanks, variables["ΔLAS"]),
        *fitted,
        *correlated,
    ]
    return findings, {"fit": why_not_fitted, "correlations": why_not_correlated}


def compared(treebanks: Mapping[str, Splits]) -> dict[str, Floats]:
    """The variables of Table 7, one value for each treebank."""

    def values(measure: str, split: str) -> Floats:
        return np.array([splits[split, 0][measure] for splits in treebanks.values()], dtype=np.float64)

    names = {"LAS": "las", "EDV": "edv", "SLV": "slv", "tokens": "train_tokens", "test length": "test_length"}
    variables = {}
    for name, measure in names.items():
        least, most = values(measure, "min"), values(measure, "max")
        variables[f"Δ{name}"], variables[name] = most - least, (most + least) / 2
    return variables


def _differences(system: str, treebanks: Mapping[str, Splits], variables: Mapping[str, Floats]) -> list[Finding]:
    """Of each treebank: the differences between both ends, and what random splits show."""
    findings: list[Finding] = []
    for number, (treebank, splits) in enumerate(treebanks.items()):
        least = splits["min", 0]
        for name, key in (("ΔLAS", "delta_las"), ("ΔEDV", "delta_edv"), ("ΔSLV", "delta_slv")):
            findings.append(Finding(STUDY, treebank, system, key, float(variables[name][number]), least["test_tokens"]))
        drawn = [scores for (split, _), scores in splits.items() if split == "random"]
        for measure in ("las", "edv"):
            values = np.array([scores[measure] for scores in drawn])
            n = len(values)
            if n:
                over = mean(values)
                findings.append(
                    Finding(STUDY, treebank, system, f"{measure}_random_mean", over.value, n, over.low, over.high)
                )
            if n and measure == "las":
                findings.append(Finding(STUDY, treebank, system, "random_harder", _harder(splits), n))
            if n > 1:
                sd = float(values.std(ddof=1))
                findings.append(Finding(STUDY, treebank, system, f"{measure}_random_sd", sd, n))
        findings.append(Finding(STUDY, treebank, system, "trees", least["trees"]))
    return findings


def _harder(splits: Splits) -> int:
    """Random splits whose LAS is more than a point below that of the split of least EDV."""
    easiest = splits["min", 0]["las"]
    return sum(scores["las"] < easiest - 1 for (split, _), scores in splits.items() if split == "random")


def _overall(collection: str, system: str, treebanks: Mapping[str, Splits], change: Floats) -> list[Finding]:
    """ΔLAS over all treebanks, interval and p from one standard error, and the median LAS of each kind of split."""
    n = len(change)

    def finding(key: str, value: float | None, low: float | None = None, high: float | None = None) -> Finding:
        return Finding(STUDY, collection, system, key, value, n, low, high)

    over = mean_difference(np.zeros(n), change, Clusters.independent(n, "treebank"))
    findings = [
        finding("delta_las_mean", over.value, over.low, over.high),
        finding("delta_las_sd", float(change.std(ddof=1)) if n > 1 else None),
        finding("delta_las_negative", int((change < 0).sum())),
        finding("delta_las_p", over.p if n > 1 else None),
    ]
    drawn = sum(split == "random" for splits in treebanks.values() for split, _ in splits)
    if drawn:
        harder = sum(map(_harder, treebanks.values()))
        findings.append(Finding(STUDY, collection, system, "random_harder", harder, drawn))
    for split in ("min", "random", "max"):
        values = [
            float(np.mean([scores["las"] for (kind, _), scores in splits.items() if kind == split] or [np.nan]))
            for splits in treebanks.values()
        ]
        if not np.isnan(values).any():
            findings.append(finding(f"las_{split}_median", float(np.median(values))))
    return findings


def _fit(collection: str, system: str, change: Floats) -> tuple[list[Finding], list[str]]:
    """A skew-normal distribution of ΔLAS (Figure 12), or why there is none."""
    n = len(change)
    try:
        fit = skew_normal(change)
    except UsageError as error:
        return [], [f"no skew-normal fit and no χ²: {error.what}" + (f" ({error.todo})" if n < FEWEST else "")]
    values = {
        "mean": fit.mean, "sd": fit.sd, "shape": fit.shape, "location": fit.location, "scale": fit.scale,
        "chi2": fit.chi2, "p": fit.p,
    }  # fmt: skip
    return [Finding(STUDY, collection, system, f"fit_{name}", value, n) for name, value in values.items()], []


def _table_7(collection: str, system: str, variables: Mapping[str, Floats]) -> tuple[list[Finding], list[str]]:
    """Table 7, and why rows of it are missing."""
    correlations: dict[tuple[str, str, str], Correlation] = {}
    undefined: list[str] = []
    n = len(variables["ΔLAS"])
    if n < FEWEST_TREEBANKS:
        return [], [f"{count_text(n, 'treebank')} {'is' if n == 1 else 'are'} too few, {FEWEST_TREEBANKS} are needed"]
    for row in TABLE_7:
        variable, target, covariate = row
        try:
            held = [variables[covariate]] if covariate else []
            correlations[row] = partial_spearman(variables[variable], variables[target], held)
        except UsageError as error:
            undefined.append(f"{variable} and {target}: {error.what}")
    corrected = holm([correlation.p for correlation in correlations.values()])
    findings: list[Finding] = []
    for (row, correlation), p_holm in zip(correlations.items(), corrected, strict=True):
        by: dict[str, Value] = dict(zip(("variable", "target", "covariate"), row, strict=True))
        findings += [
            Finding(
                STUDY,
                collection,
                system,
                "rho",
                correlation.value,
                correlation.n,
                correlation.low,
                correlation.high,
                by,
            ),
            Finding(STUDY, collection, system, "rho_squared", correlation.squared, correlation.n, by=by),
            Finding(STUDY, collection, system, "rho_squared_adjusted", correlation.adjusted, correlation.n, by=by),
            Finding(STUDY, collection, system, "p", correlation.p, correlation.n, by=by),
            Finding(STUDY, collection, system, "p_holm", p_holm, correlation.n, by=by),
            Finding(STUDY, collection, system, "power", correlation.power, correlation.n, by=by),
        ]
    return findings, undefined
