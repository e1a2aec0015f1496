"""All pairs of systems: as `compare` has each of them, and over several suites as if these were one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from comparison_runs import make_run
from statsmodels.stats.multitest import multipletests

import gardenpath as gp
from gardenpath.runs.record.run import Run
from gardenpath.studies.compare.differences import system_pairs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Run]]:
    """Three systems on two suites."""
    chance, folder = np.random.default_rng(5), tmp_path_factory.mktemp("runs")
    made: dict[str, list[Run]] = {}
    for suite in ("one", "two"):
        for system, skill in (("a", 0.9), ("b", 0.8), ("c", 0.5)):
            right = (chance.random((60, 2)) < skill).astype(int).tolist()
            made.setdefault(suite, []).append(make_run(folder / suite / system, right, suite=f"{suite}.tsv#{suite}"))
    return made


def test_a_pair_is_what_compare_finds(runs: dict[str, list[Run]]) -> None:
    pairs = system_pairs(runs["one"]).pairs
    for pair, (first, second) in zip(pairs, combinations(runs["one"], 2), strict=True):
        compared = gp.compare(first, second, by=())
        assert (pair.first, pair.second) == (first.folder.name, second.folder.name)
        assert 100 * pair.test.value == pytest.approx(compared.value("las_difference", baseline=pair.first))
        assert pair.test.p == pytest.approx(compared.value("las_p", baseline=pair.first))
    expected = multipletests([pair.test.p for pair in pairs], method="holm")[1]
    assert [pair.p_holm for pair in pairs] == pytest.approx(expected)


def test_suites_are_pooled(runs: dict[str, list[Run]]) -> None:
    single = {suite: system_pairs(own).pairs for suite, own in runs.items()}
    pooled = system_pairs([run for own in runs.values() for run in own]).pairs
    for at, pair in enumerate(pooled):
        assert pair.test.clusters == 120
        assert pair.test.value == pytest.approx(np.mean([single[suite][at].test.value for suite in runs]))
        assert pair.test.p <= max(single[suite][at].test.p for suite in runs)


def test_systems_that_share_no_suite_are_no_pair(runs: dict[str, list[Run]]) -> None:
    result = system_pairs([runs["one"][0], runs["two"][1]])
    assert (list(result.pairs), len(result.refused)) == ([], 1)
    assert "nothing to compare" in result.refused[0]
