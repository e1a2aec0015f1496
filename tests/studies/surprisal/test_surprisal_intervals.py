"""Intervals of the surprisal study: by base sentences in several suites and by seeds, against brute force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats

from cluster_oracle import share_interval
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.outcomes import observations
from gardenpath.studies.surprisal.scores import SuiteScores
from gardenpath.studies.surprisal.study import SURPRISAL, judged_suites
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite

Model = Callable[[list[list[str]]], list[list[float]]]


def suite(title: str, words: str, items: int = 24) -> RegionSuite:
    """`the n7 VERB` with other words before the verb; items of one number share nearly all words."""
    made = [
        Item(str(number), tuple(
            Condition(name, (Region(1, f"the n{number} {words}"), Region(2, f"{verb}{number}")))
            for name, verb in (("good", "v"), ("bad", "w"))
        ))
        for number in range(items)
    ]  # fmt: skip
    predictions = [Prediction("(2;%bad%) > (2;%good%)")]
    properties = {"class": "verbs", "modifier": title}
    return RegionSuite(
        f"{title}.json", title, made, predictions, {1: "noun", 2: "verb"}, "syntaxgym", properties=properties
    )


SUITES = [suite("none", ""), suite("adj", "old"), suite("far", "of old")]


def model(seed: int, luck: float = 0.0) -> Model:
    """Right or wrong by a chance of the noun, of the sentence, and of the seed."""

    def scored(sentences: list[list[str]]) -> list[list[float]]:
        rows = []
        for words in sentences:
            noun = np.random.default_rng([1, int(words[1][1:])]).normal()
            own = np.random.default_rng([2, seed, int(words[1][1:]), len(words)]).normal()
            bits = 5 + (words[-1][0] == "w") * min(4.0, max(-4.0, 0.4 + noun + 0.5 * own + luck))
            rows.append([1.0] * (len(words) - 1) + [bits])
        return rows

    return scored


def carried(systems: object, **chosen: object) -> Result:
    return run(SURPRISAL, SUITES, systems, SurprisalSettings(**chosen))  # type: ignore[arg-type]


def accuracy(result: Result, suite: str = "3 suites", **by: str) -> Finding:
    return next(
        finding
        for finding in result.findings
        if (finding.measure, finding.suite, dict(finding.by)) == ("accuracy", suite, by)
    )


def test_the_standard_error_leaves_one_base_sentence_out_of_all_suites() -> None:
    judged = judged_suites(SUITES, {"m": model(0)})
    scores = SuiteScores(SUITES, judged.outcomes)
    holds = np.stack([by_seed[0].holds[:, 0] for by_seed in judged.outcomes["m"]])  # suites × base sentences
    score = scores.score("m", (0, 1, 2), "accuracy")
    ends = share_interval(holds.reshape(-1), np.ones(72), np.tile(np.arange(24), 3).tolist())
    assert (score.value, score.low, score.high) == pytest.approx((100 * holds.mean(), *(100 * end for end in ends)))
    alone = SuiteScores(SUITES, judged.outcomes, independent=True).score("m", (0, 1, 2), "accuracy")
    assert alone.value == score.value
    assert (alone.high or 0) - (alone.low or 0) < (score.high or 0) - (score.low or 0)


def test_the_difference_of_a_class_is_tested_by_base_sentences() -> None:
    judged = judged_suites(SUITES, {"m": model(0)})
    test = SuiteScores(SUITES, judged.outcomes).difference("m", (0, 1, 2))
    gaps = np.stack([by_seed[0].differences[:, 0] for by_seed in judged.outcomes["m"]]).mean(axis=0)
    oracle = scipy.stats.ttest_1samp(gaps, 0)
    assert (test.t, test.p) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert test.test is not None
    assert (test.test.low, test.test.high) == pytest.approx(tuple(oracle.confidence_interval()))
    assert test.n == 72
    plain = SuiteScores(SUITES, judged.outcomes, independent=True).difference("m", (0, 1, 2))
    every = np.concatenate([by_seed[0].differences[:, 0] for by_seed in judged.outcomes["m"]])
    assert (plain.t, plain.p) == pytest.approx(tuple(scipy.stats.ttest_1samp(every, 0)))


def test_seeds_that_differ_widen_the_interval_and_one_seed_is_said() -> None:
    lucky = carried({"m": [model(seed, luck) for seed, luck in ((1, -1.0), (2, 0.0), (3, 1.0))]})
    even = carried({"m": [model(seed) for seed in (1, 2, 3)]})
    single = carried({"m": model(1)})
    wide, narrow = accuracy(lucky), accuracy(even)
    assert (wide.high or 0) - (wide.low or 0) > 1.5 * ((narrow.high or 0) - (narrow.low or 0))
    assert "intervals are over base sentences and seeds" in lucky.tables[0].note
    assert "intervals are over base sentences (one seed)" in single.tables[0].note
    assert "(one seed: b)" in carried({"a": [model(1), model(2)], "b": model(1)}).tables[0].note
    assert "|clusters:base sentence=24|" in single.signature
    assert "draws" not in single.signature
    independent = carried(
        {"m": [model(seed, luck) for seed, luck in ((1, -1.0), (2, 0.0), (3, 1.0))]}, independent=True
    )
    assert "|clusters:item=72|" in independent.signature
    assert accuracy(independent).value == wide.value
    own = next(finding for finding in lucky.findings if finding.measure == "difference" and finding.suite == "none")
    items = next(
        finding for finding in independent.findings if finding.measure == "difference" and finding.suite == "none"
    )
    assert own.value == pytest.approx(float(items.value or 0))
    assert (own.high or 0) - (own.low or 0) > (items.high or 0) - (items.low or 0)


@pytest.mark.parametrize("right", [True, False])
def test_all_right_and_all_wrong_have_an_interval_with_a_width(right: bool) -> None:
    def sure(sentences: list[list[str]]) -> list[list[float]]:
        return [[1.0] * (len(words) - 1) + [2.0 if (words[-1][0] == "w") == right else 1.0] for words in sentences]

    for systems in ({"m": sure}, {"m": [sure, sure]}):
        result = carried(systems)
        for finding in (accuracy(result), accuracy(result, **{"class": "verbs"})):
            assert finding.value == (100 if right else 0)
            assert 5 < (finding.high or 0) - (finding.low or 0) < 25
    alone = run(SURPRISAL, [suite("one", "", 1)], {"m": sure}, SurprisalSettings())
    score = next(finding for finding in alone.findings if finding.measure == "accuracy")
    assert (score.low, score.high) == (None, None)
    assert "only one item: nothing is known about others" in alone.tables[0].note


def test_observations_say_what_an_item_was_sampled_in() -> None:
    judged = judged_suites(SUITES, {"m": model(0)})
    frame = observations(judged).frame()
    assert frame["cluster"].n_unique() == 24
    assert frame.filter(frame["item"] == "7")["cluster"].n_unique() == 1
    assert observations(judged, independent=True).frame()["cluster"].n_unique() == 72
