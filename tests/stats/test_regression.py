"""Regression against statsmodels, relative importance against all orders, background removal by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from gardenpath.errors import UsageError
from gardenpath.stats.regression import fit, regression, relative_importance, without_background

sm = pytest.importorskip("statsmodels.api")


def data(seed: int, n: int = 40) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """As in the study: predictors of very different sizes."""
    generator = np.random.default_rng(seed)
    size, length = generator.normal(10, 1.5, n), generator.normal(18, 4, n)
    distance = 1e-3 * generator.lognormal(0, 0.5, n) / size
    y = 40 + 4 * size + 0.3 * length - 5e3 * distance + generator.normal(0, 4, n)
    return y, {"size": size, "length": length, "distance": distance}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("names", [["size"], ["size", "length"], ["size", "length", "distance"]])
def test_regression_is_that_of_statsmodels(seed: int, names: list[str]) -> None:
    y, predictors = data(seed)
    chosen = {name: predictors[name] for name in names}
    oracle = sm.OLS(y, sm.add_constant(np.stack(list(chosen.values()), axis=1))).fit()
    found = regression(y, chosen)
    assert found.coefficients == pytest.approx(oracle.params, rel=1e-9)
    assert found.errors == pytest.approx(oracle.bse, rel=1e-9)
    assert found.p == pytest.approx(oracle.pvalues, rel=1e-8, abs=1e-12)
    assert found.r2 == pytest.approx(oracle.rsquared, abs=1e-9)
    assert found.adjusted == pytest.approx(oracle.rsquared_adj, abs=1e-9)
    new = {name: float(values[0]) * 1.1 for name, values in chosen.items()}
    row = np.array([[1.0, *new.values()]])
    frame = oracle.get_prediction(row).summary_frame(alpha=0.05)
    expected = [frame[key].iloc[0] for key in ("mean", "obs_ci_lower", "obs_ci_upper")]
    assert list(found.predict(new)) == pytest.approx(expected, rel=1e-9)


def test_left_out_is_the_model_fitted_without_it() -> None:
    y, predictors = data(9, 12)
    found = regression(y, predictors)
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        smaller = regression(y[rest], {name: values[rest] for name, values in predictors.items()})
        expected, _, _ = smaller.predict({name: float(values[i]) for name, values in predictors.items()})
        assert found.left_out[i] == pytest.approx(expected, abs=1e-9)


def test_importance_is_the_mean_over_all_orders() -> None:
    y, predictors = data(5)
    gains: dict[str, list[float]] = {name: [] for name in predictors}
    for order in permutations(predictors):
        before = 0.0
        for place in range(len(order)):
            r2 = regression(y, {name: predictors[name] for name in order[: place + 1]}).r2
            gains[order[place]].append(r2 - before)
            before = r2
    found = relative_importance(y, predictors)
    assert found == pytest.approx({name: float(np.mean(gain)) for name, gain in gains.items()}, abs=1e-9)
    assert sum(found.values()) == pytest.approx(regression(y, predictors).r2, abs=1e-9)


def test_importance_is_that_of_pingouin() -> None:
    pingouin = pytest.importorskip("pingouin")
    import pandas

    y, predictors = data(6)
    table = pingouin.linear_regression(pandas.DataFrame(predictors), y, relimp=True)
    oracle = dict(zip(table["names"], table["relimp"], strict=True))
    assert relative_importance(y, predictors) == pytest.approx({n: oracle[n] for n in predictors}, abs=1e-9)


@pytest.mark.parametrize(
    ("y", "predictors", "message"),
    [
        ([1, 2, 3, 4], {}, "without a predictor"),
        ([1, 2], {"x": [1, 2]}, "2 observations are too few"),
        ([1, 2, 3, 4], {"x": [5, 5, 5, 5]}, "say the same"),
        ([1, 2, 3, 5], {"x": [1, 2, 3, 4], "z": [2, 4, 6, 8]}, "say the same"),
        ([3, 3, 3, 3], {"x": [1, 2, 3, 4]}, "the target has the same value"),
        ([1, 2, 3, 4], {"x": [1, 2, 3]}, "differ in length"),
        ([1, 2, float("nan"), 4], {"x": [1, 2, 3, 4]}, "value 3 of 4 is missing"),
    ],
)
def test_what_has_no_regression(y: list[float], predictors: dict[str, list[float]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        regression(y, predictors)


def test_an_exact_line_has_no_doubt() -> None:
    found = regression([3, 5, 7, 9], {"x": [1, 2, 3, 4]})
    assert found.coefficients == pytest.approx([1, 2])
    assert not np.isnan(found.p).any()
    assert found.p[1] < 1e-20


def test_background_is_divided_out() -> None:
    size, length = np.array([10.0, 100, 1000, 10000, 50]), np.array([5.0, 9, 14, 11, 20])
    score = (20 + 5 * np.log(size)) * (1 + 0.02 * (length - length.mean()))
    (first, rest), (second, flat) = without_background(
        score, {"size": (size, "logarithmic"), "length": (length, "linear")}
    )
    assert rest == pytest.approx(score / (first.intercept + first.slope * np.log(size)))
    assert first.at(100.0) == pytest.approx(float(first.fitted[1]))
    assert flat == pytest.approx(rest / second.fitted)
    assert flat.std() < rest.std() < score.std() / score.mean()


def test_background_that_cannot_be_divided_out() -> None:
    with pytest.raises(UsageError, match="no logarithm of 0"):
        fit([0, 1, 2], [1, 2, 3], "logarithmic")
    with pytest.raises(UsageError, match="nothing can be divided by"):
        without_background([-1.0, 0.5, 2.0], {"size": ([1, 2, 3], "linear")})
