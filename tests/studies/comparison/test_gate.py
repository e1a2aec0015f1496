"""The regression gate: what is a loss, how often equal models raise an alarm, and how often a loss is seen."""

from __future__ import annotations

from math import comb
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from comparison_runs import make_run
from numpy.typing import NDArray
from scipy import stats

from gardenpath.errors import UsageError
from gardenpath.stats.sampling import Clusters, Difference, share_difference
from gardenpath.studies.compare.gate import HOLDS, PERHAPS, WORSE, gate, gate_first, group_changes
from gardenpath.studies.compare.pairing import Entrant, Judgements
from verdict_checks import check_verdicts


def judged(old: NDArray[np.int64], new: NDArray[np.int64]) -> Judgements:
    """(classes × items) of two models, item by item."""
    classes, items = old.shape
    names = pl.DataFrame({"class": [f"c{n}" for n in range(classes) for _ in range(items)]})
    number = np.arange(old.size)
    values = np.stack([old.reshape(-1), new.reshape(-1)], axis=1).astype(float)
    entrants = (Entrant("old", "a", "old"), Entrant("new", "b", "new"))
    clusters = Clusters.of(item=number)
    return Judgements(
        "surprisal", "s", "", entrants, number, clusters, {"accuracy": values}, (), np.ones_like(values), names, names,
        {"class": set()},
    )  # fmt: skip


def alarms(pairs: list[Judgements]) -> list[set[str]]:
    """What got worse in each pair."""
    return [
        {change.difference.group for change, _, _ in group_changes([two], 0.0, ["class"]) if change.state == WORSE}
        for two in pairs
    ]


def drawn(chance: np.random.Generator, lost: float, gained: float, classes: int, items: int = 200) -> Judgements:
    """The first class loses and gains so many, the others as many of both; 80 % of the rest are right."""
    shape = (classes, items)
    right = (chance.random(shape) < 0.8).astype(np.int64)
    draw = chance.random(shape)
    leaving = np.full(shape, gained)
    leaving[0] = lost
    gone, come = draw < leaving, (draw >= leaving) & (draw < leaving + gained)
    return judged(np.where(gone, 1, np.where(come, 0, right)), np.where(gone, 0, np.where(come, 1, right)))


def test_equal_models_raise_no_more_than_five_alarms_in_a_hundred() -> None:
    chance = np.random.default_rng(27)
    pairs = [drawn(chance, 0.05, 0.05, 3) for _ in range(100)]
    assert sum(bool(groups) for groups in alarms(pairs)) <= 5


def test_a_class_that_only_loses_five_points_is_found_in_nine_of_ten() -> None:
    """2 classes of 200 items (3 tests); no item is gained, so the errors of the two models are nested."""
    chance = np.random.default_rng(27)
    pairs = [drawn(chance, 0.05, 0.0, 2) for _ in range(100)]
    assert sum("class c0" in groups for groups in alarms(pairs)) >= 90


def test_p_of_a_loss_is_the_one_sided_p_of_t() -> None:
    chance = np.random.default_rng(0)
    old, new = chance.integers(0, 2, 60), chance.integers(0, 2, 60)
    difference = share_difference((old, np.ones(60)), (new, np.ones(60)))
    gaps = (new - old).astype(float)
    differing = int((gaps != 0).sum())
    error = gaps.std(ddof=1) / np.sqrt(60) * np.sqrt((differing + 1) / differing)
    for margin in (0.0, 0.03):
        expected = stats.t.cdf((gaps.mean() + margin) / error, 59)
        assert difference.p_of_loss(margin) == pytest.approx(expected, rel=1e-6)
    assert difference.p_of_loss() + Difference(
        -difference.value, -(difference.high or 0), -(difference.low or 0), 60
    ).p_of_loss() == pytest.approx(1)
    assert Difference(-1.0, -1.0, 1.0, 1).p_of_loss() == 1.0


@pytest.mark.parametrize(("lost", "gained"), [(10, 0), (12, 2), (20, 10), (6, 0)])
def test_p_is_no_smaller_than_that_of_the_exact_sign_test_by_much(lost: int, gained: int) -> None:
    """200 items: the exact one-sided binomial p, and its mid-p, are the oracle."""
    old, new = np.ones(200), np.ones(200)
    new[:lost], old[lost : lost + gained] = 0, 0
    n = lost + gained
    tail = [comb(n, k) / 2**n for k in range(lost, n + 1)]
    p = share_difference((old, np.ones(200)), (new, np.ones(200))).p_of_loss()
    assert p >= 0.8 * (sum(tail) - tail[0] / 2)
    assert p <= 1.5 * sum(tail)


RIGHT = [[1, 1] for _ in range(80)]
WORSE_AT_OS = [[0, 1] if item % 2 == 0 and item < 30 else [1, 1] for item in range(80)]


def test_it_names_what_got_worse_and_shows_three_sentences(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", RIGHT), make_run(tmp_path / "new", WORSE_AT_OS)
    gated = gate(new, old)
    states = {change.difference.group: change.state for change in gated.changes}
    assert states == {"all": WORSE, "order OS": WORSE, "order SO": HOLDS}
    change = next(change for change in gated.changes if change.difference.group == "order OS")
    assert (change.difference.first, change.difference.second) == (100.0, 81.25)
    assert [item.item for item in change.lost] == ["i0", "i2", "i4"]
    assert [item.outcomes for item in change.lost] == [("0: swapped (y)",)] * 3
    check_verdicts(gated.result)
    assert gated.result.failures == {"groups that got worse": 2}
    assert any("new got worse at order OS: LAS loses 18.8 points" in verdict.text for verdict in gated.result.verdicts)
    cases = {case.name: case for case in gated.cases()}
    assert cases["new: las, order OS"].failed
    assert "i0: (the run keeps no sentence) [0: swapped (y)]" in cases["new: las, order OS"].message
    assert cases["new: las, order SO"].level == "pass"


def test_another_measure_than_the_main_one_is_tested(tmp_path: Path) -> None:
    """Of evaluation: heads alone (UAS) stay as they were where labels are lost."""
    import gardenpath as gp

    before = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    now = gp.evaluate("bundled:de-test", "baseline:right-branching")
    las, uas = (gp.gate(now, before, by=(), measure=name).changes[0].difference for name in ("", "UAS"))
    assert (las.measure, uas.measure) == ("las", "uas")
    assert uas.first == pytest.approx(before.value("uas"))
    with pytest.raises(UsageError, match="unknown measure 'f1'"):
        gp.gate(now, before, measure="f1")


def test_the_other_way_round_nothing_got_worse(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", WORSE_AT_OS), make_run(tmp_path / "new", RIGHT)
    gated = gate(new, old)
    assert not gated.worse
    assert gated.result.failures == {}
    check_verdicts(gated.result)


def test_a_loss_within_the_margin_is_none(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", RIGHT), make_run(tmp_path / "new", WORSE_AT_OS)
    overall = gate(new, old, by=()).changes[0]
    assert overall.difference.high is not None
    just_less, more = -overall.difference.high - 0.01, -overall.difference.high + 0.01
    assert gate(new, old, by=(), margin=just_less).worse
    assert not gate(new, old, by=(), margin=more).worse


def test_fewer_than_twenty_clusters_show_nothing(tmp_path: Path) -> None:
    old = make_run(tmp_path / "old", [[1, 1]] * 19)
    new = make_run(tmp_path / "new", [[0, 0]] * 19)
    gated = gate(new, old, by=())
    assert [change.state for change in gated.changes] == [PERHAPS]
    assert not gated.worse
    assert [case.level for case in gated.cases()] == ["warning"]
    assert "may have got worse" in gated.result.verdicts[0].text


def test_every_other_run_against_the_first(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / name, right) for name, right in (("a", RIGHT), ("b", WORSE_AT_OS), ("c", RIGHT))]
    gated = gate_first(runs)
    assert {change.difference.system for change in gated.worse} == {"b"}
    check_verdicts(gated.result)
    again = gate_first([runs[0], runs[2], runs[1]])
    assert {verdict.text for verdict in again.result.verdicts} == {verdict.text for verdict in gated.result.verdicts}


def test_what_is_refused(tmp_path: Path) -> None:
    old, new = make_run(tmp_path / "old", RIGHT), make_run(tmp_path / "new", RIGHT)
    with pytest.raises(UsageError, match="is not a margin"):
        gate(new, old, margin=-1)
    with pytest.raises(UsageError, match="not of the same suite"):
        gate(make_run(tmp_path / "x", RIGHT, suite="t.tsv#bb"), old)
