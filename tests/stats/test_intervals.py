"""Intervals against SciPy and statsmodels, and how often they hold what they promise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.stats import wilson


@settings(deadline=None)  # the first call imports SciPy
@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
def test_wilson_is_that_of_statsmodels(counts: tuple[int, int], level: float) -> None:
    from statsmodels.stats.proportion import proportion_confint

    ours = wilson(*counts, level=level)
    low, high = proportion_confint(*counts, alpha=1 - level, method="wilson")
    assert ours.low == pytest.approx(max(low, 0), abs=1e-9)
    assert ours.high == pytest.approx(min(high, 1), abs=1e-9)


def test_wilson_says_when_all_are_the_same() -> None:
    assert wilson(0, 7).low == 0.0
    assert wilson(7, 7).high == 1.0
    assert wilson(7, 7).note == "all 7 are the same"
    for bad in ((1, 0), (3, 2), (-1, 4)):
        with pytest.raises(UsageError, match="no share"):
            wilson(*bad)
