"""Linear models of the score: background removal, regression, importance and prediction (Figures 7 to 9, Table 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.result.result import Finding, Value
from ...stats.hypothesis_tests import benjamini_hochberg, holm
from ...stats.regression import Fit, Regression, Shape, fit, regression, relative_importance, without_background
from ...stats.sampling import Clusters, mean
from .correlations import Family
from .declaration import HELD_OUT, STUDY
from .variables import OF_EDV, Data

Floats = NDArray[np.float64]

SHAPES: dict[str, Shape] = {"train_tokens": "logarithmic", "test_tokens": "logarithmic"}
"""Scores grow with the logarithm of the data's size; all else is fitted by a line."""
MODELS: tuple[tuple[str, ...], ...] = (
    ("log_train_tokens",),
    ("log_train_tokens", "test_length"),
    *(("log_train_tokens", distance) for distance in OF_EDV[:2]),
    *(("log_train_tokens", "test_length", distance) for distance in OF_EDV[:2]),
)
"""Table 5, with both ways to compute EDV."""


@dataclass(frozen=True, slots=True, eq=False)
class Removed:
    """A chain of fits: LAS against the first, what is left against the next, and so on."""

    family: Family
    findings: list[Finding]


def background(data: Data, system: str, suite: str, covariates: Sequence[str]) -> Removed:
    """Does a variable still go with the score when what others explain is divided out?"""
    family, findings = Family("background"), list[Finding]()
    chains = [("test_tokens", covariates[:1])] if covariates[:1] == ("train_tokens",) else []
    chains += [(distance, tuple(covariates)) for distance in OF_EDV[:2]]
    done: set[tuple[str, ...]] = set()
    for target, removed in chains:
        if absent := [name for name in (target, *removed) if name not in data.columns]:
            family.undefined.append(f"background of {target}: no treebank has {', '.join(absent)}")
            continue
        usable = data.known(["las", target, *removed])
        try:
            steps = without_background(
                usable["las"], {name: (usable[name], SHAPES.get(name, "linear")) for name in removed}
            )
        except UsageError as error:
            family.undefined.append(f"background of {target}: {error.what}")
            continue
        left = [usable["las"], *(rest for _, rest in steps)]
        for count, values in enumerate(left):
            family.add(
                target, "las", {"las": values, target: usable[target]}, group=",".join(removed[:count]) or "none"
            )
        for count, (step, rest) in enumerate(steps, 1):
            key = tuple(removed[:count])
            if key not in done:
                done.add(key)
                findings += _step(usable, system, suite, key, step, rest)
        findings += _fit_findings(
            system, suite, target, ",".join(removed), fit(usable[target], left[-1], SHAPES.get(target, "linear"))
        )
    return Removed(family, findings)


def _step(data: Data, system: str, suite: str, removed: tuple[str, ...], fit: Fit, rest: Floats) -> list[Finding]:
    """A fit of a background, and what every treebank's score is when divided by it."""
    names = ",".join(removed)
    findings = _fit_findings(system, suite, removed[-1], ",".join(removed[:-1]), fit)
    findings += [
        Finding(STUDY, name, system, "las_normalised", value, by={"removed": names})
        for name, value in zip(data.names, rest.tolist(), strict=True)
    ]
    return findings


def _fit_findings(system: str, suite: str, x: str, removed: str, fit: Fit) -> list[Finding]:
    by: dict[str, Value] = {"x": x, "removed": removed, "shape": fit.shape}
    return [
        Finding(STUDY, suite, system, "fit_intercept", fit.intercept, by=by),
        Finding(STUDY, suite, system, "fit_slope", fit.slope, by=by),
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A regression, how its R² is shared out, and how far it is off for treebanks that it has not seen."""

    predictors: tuple[str, ...]
    data: Data
    found: Regression
    importance: dict[str, float]
    """Per cent of R² (LMG)."""

    def predict(self, measures: Mapping[str, float]) -> tuple[float, float, float]:
        """Return the predicted score of a treebank that was not fitted, with the interval of the prediction."""
        given = {key: np.log(measures[key[4:]]) if key[:4] == "log_" else measures[key] for key in self.predictors}
        return self.found.predict(given)

    @property
    def error(self) -> float:
        """Mean absolute error for treebanks left out of the fit, one at a time."""
        return float(np.abs(self.found.left_out - self.data["las"]).mean())


def models(data: Data) -> tuple[list[Model], list[str]]:
    """All models of Table 5 that the data allow, and why others are not there."""
    fitted_models, undefined = [], []
    for predictors in MODELS:
        names = [name.removeprefix("log_") for name in predictors]
        if any(name not in data.columns for name in names):
            continue
        usable = data.known(["las", *names])
        columns = {
            name: np.log(usable[plain]) if name.startswith("log_") else usable[plain]
            for name, plain in zip(predictors, names, strict=True)
        }
        try:
            fitted = regression(usable["las"], columns)
            parts = relative_importance(usable["las"], columns)
            if np.isnan(fitted.left_out).any():
                raise UsageError("one treebank alone decides a coefficient")
        except UsageError as error:
            undefined.append(f"model of {', '.join(predictors)}: {error.what}")
            continue
        fitted_models.append(
            Model(predictors, usable, fitted, {name: 100 * part / fitted.r2 for name, part in parts.items()})
        )
    return fitted_models, undefined


def mean_error(data: Data) -> float:
    """How far the mean of the other treebanks is off: what a model must beat."""
    las = data["las"]
    others = (las.sum() - las) / (len(las) - 1)
    return float(np.abs(others - las).mean())


def model_findings(fitted: Sequence[Model], baseline: float, system: str, suite: str) -> list[Finding]:
    """Table 5; the tests of all models' predictors are one family."""
    p_values = [float(p) for model in fitted for p in model.found.p[1:]]
    corrected = iter(zip(holm(p_values), benjamini_hochberg(p_values), strict=True))
    findings = [Finding(STUDY, suite, system, "model_error", baseline, by={"model": "mean"})]
    for model in fitted:
        fit, key = model.found, dict[str, Value](model=",".join(model.predictors))
        findings += [
            Finding(STUDY, suite, system, "model_r2", fit.r2, fit.n, by=key),
            Finding(STUDY, suite, system, "model_r2_adjusted", fit.adjusted, fit.n, by=key),
            Finding(STUDY, suite, system, "model_error", model.error, fit.n, by=key),
            Finding(STUDY, suite, system, "model_coefficient", float(fit.coefficients[0]), by={**key, "x": ""}),
        ]
        for place, name in enumerate(model.predictors, 1):
            by_holm, by_bh = next(corrected)
            values = (
                ("coefficient", float(fit.coefficients[place])), ("importance", model.importance[name]),
                ("p", float(fit.p[place])), ("p_holm", by_holm), ("p_bh", by_bh),
            )  # fmt: skip
            by: dict[str, Value] = {**key, "x": name}
            findings += [Finding(STUDY, suite, system, f"model_{measure}", value, by=by) for measure, value in values]
    return findings


def held_out_findings(
    fitted: Sequence[Model], unseen: Mapping[str, Mapping[str, float]], las: Mapping[str, float], system: str,
    suite: str,
) -> list[Finding]:  # fmt: skip
    """Section 4.3.1: the mean absolute error of each model for treebanks that it was not fitted to.

    The mean score of the fitted treebanks is the baseline; intervals are t over the held-out treebanks.
    """
    names = [name for name in las if name in unseen]
    if not names:
        return []
    guesses = {"mean": [float(fitted[0].data["las"].mean())] * len(names)}
    for model in fitted:
        guesses[",".join(model.predictors)] = [model.predict(unseen[name])[0] for name in names]
    findings = []
    for model_name, values in guesses.items():
        errors = [abs(value - las[name]) for name, value in zip(names, values, strict=True)]
        error, n = mean(errors, Clusters.independent(len(errors), "treebank"), least=0), len(errors)
        by: dict[str, Value] = {"model": model_name, "set": HELD_OUT}
        findings.append(Finding(STUDY, suite, system, "model_error", error.value, n, error.low, error.high, by))
    return findings


def predictions(
    fitted: Sequence[Model], unseen: Mapping[str, Mapping[str, float]], held_out: Mapping[str, float], system: str
) -> list[Finding]:
    """Figure 9: LAS as the fullest models predict it, for left-out and held-out treebanks and those without a score."""
    most = max(len(model.predictors) for model in fitted)
    findings: list[Finding] = []
    for model in fitted:
        if len(model.predictors) < most:
            continue
        by: dict[str, Value] = {"model": ",".join(model.predictors)}
        scored = zip(model.data.names, model.data["las"].tolist(), model.found.left_out.tolist(), strict=True)
        for name, las, value in scored:
            findings.append(Finding(STUDY, name, system, "las_predicted", value, by=by))
            findings.append(Finding(STUDY, name, system, "las_predicted_error", value - las, by=by))
        for name, measures in unseen.items():
            value, low, high = model.predict(measures)
            findings.append(Finding(STUDY, name, system, "las_predicted", value, None, low, high, by))
            if name in held_out:
                findings.append(Finding(STUDY, name, system, "las_predicted_error", value - held_out[name], by=by))
    return findings
