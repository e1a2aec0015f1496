"""The short version of `make calibrate`: a few made-up kinds of samples, and a few null runs of whole studies."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.intervals import LEAST, Cell, difference_cells, share_cells
from calibration.null_runs import null_runs
from calibration.samples import Design

DESIGNS = [Design("equal", 20), Design("lognormal", 50), Design("giant", 20)]


def tame(cells: list[Cell]) -> list[float]:
    values = [cell.value for cell in cells if cell.effective >= LEAST and not cell.is_extreme]
    assert len(values) >= 30
    return values


def test_intervals_hold_in_95_of_100_samples():
    """2,400 draws: their noise is half a point."""
    values = tame(list(share_cells(DESIGNS, 60, np.random.default_rng(1))))
    assert 94 <= np.mean(values) <= 99


def test_two_equal_systems_differ_in_5_of_100_samples():
    values = tame(list(difference_cells(DESIGNS, 60, np.random.default_rng(2))))
    assert 1 <= np.mean(values) <= 6


@pytest.mark.usefixtures("without_shared_treebanks")
def test_null_runs_rarely_speak_of_a_difference():
    """Of 10 runs of each study that tests systems on the same items; 15 % of many is the goal."""
    counted = list(null_runs(10, np.random.default_rng(3)))
    assert {"evaluate", "compare --by label", "roles", "surprisal"} <= {run.study for run in counted}
    assert np.mean([run.any for run in counted]) <= 25
    assert all(run.shown <= run.any for run in counted)


@pytest.fixture
def without_shared_treebanks(monkeypatch):
    """Bundled treebanks are small enough for a test."""
    monkeypatch.setattr("calibration.null_runs.treebanks", lambda: iter(()))
