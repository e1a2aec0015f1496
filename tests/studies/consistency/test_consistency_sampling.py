"""What was sampled are original sentences: intervals and tests go by them, against a jackknife done by hand."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from batch_cases import asked, judged, told, treebank
from scipy import stats

from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.numbers import JudgedVariants
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.engine import study as engine

LABELS = (0, 1, 5, 2, 0, 3, 4, 0, 1, 2, 5, 0)
"""How many of the five variants of each sentence have another label than the original."""


def answered(*systems: tuple[int, ...], **more: Any) -> tuple[Result, JudgedVariants]:
    names = [f"s{number}" for number in range(len(systems[0]))]
    given = asked(names)
    answers = {
        f"system {place}": told(
            given, {name: ["gold", *["label"] * n, *["gold"] * (5 - n)] for name, n in zip(names, labels, strict=True)}
        )
        for place, labels in enumerate(systems, 1)
    }
    return judged(given, answers, ConsistencySettings(**more))


def finding(result: Result, measure: str, system: str = "system 1") -> Finding:
    return next(each for each in result.findings if (each.measure, each.system) == (measure, system))


def test_the_interval_of_a_share_leaves_out_sentences() -> None:
    changed = finding(answered(LABELS)[0], "changed")
    n, total = len(LABELS), sum(LABELS)
    shares = [(total - labels) / (5 * (n - 1)) for labels in LABELS]
    p = total / (5 * n)
    error = sqrt((n - 1) / n * sum((share - p) ** 2 for share in shares))
    worth = p * (1 - p) / error**2 * (1.959963984540054 / stats.t.ppf(0.975, n - 1)) ** 2
    z2 = 1.959963984540054**2
    centre, half = p + z2 / (2 * worth), sqrt(z2 * (p * (1 - p) / worth + z2 / (4 * worth**2)))
    low, high = (centre - half) / (1 + z2 / worth), (centre + half) / (1 + z2 / worth)
    assert changed.value == pytest.approx(100 * p)
    assert (changed.low, changed.high) == pytest.approx((100 * low, 100 * high))


def test_variants_of_one_sentence_are_not_independent() -> None:
    by_sentence, by_variant = (
        finding(answered(LABELS, independent=independent)[0], "changed") for independent in (False, True)
    )
    assert by_sentence.value == by_variant.value
    wide, narrow = (float(estimate.high or 0) - float(estimate.low or 0) for estimate in (by_sentence, by_variant))
    assert wide > 1.5 * narrow
    k, n = sum(LABELS), 5 * len(LABELS)
    ends = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert (by_variant.low, by_variant.high) == pytest.approx((100 * ends.low, 100 * ends.high))


def test_batches_with_one_tree_have_wilsons_interval() -> None:
    """A batch is one item: the textbook's interval, also where all are alike."""
    consistent = finding(answered(LABELS)[0], "consistent")
    ends = stats.binomtest(LABELS.count(0) + LABELS.count(5), len(LABELS)).proportion_ci(method="wilson")
    assert (consistent.low, consistent.high) == pytest.approx((100 * ends.low, 100 * ends.high))


def test_no_interval_has_width_zero() -> None:
    for labels in ((0,) * 3, (5,) * 3, (0,), (2, 2, 2)):
        result, _ = answered(labels, labels)
        for estimate in result.findings:
            assert estimate.low is None or float(estimate.low) < float(estimate.high or 0), (labels, estimate)
        assert finding(result, "consistent").low is not None
        assert finding(result, "changed").low is not None


def test_a_difference_and_its_p_are_of_one_mind() -> None:
    better = tuple(max(0, labels - 2) for labels in LABELS)
    result, _ = answered(LABELS, better, tuple(reversed(LABELS)))
    sure, unsure = (finding(result, "changed_difference", f"system {n}") for n in (2, 3))
    assert sure.value == pytest.approx(100 * (sum(better) - sum(LABELS)) / 60)
    assert sure.n == 12  # sentences
    assert float(sure.high or 0) < 0 < float(unsure.high or 0)
    p_sure, p_unsure = (finding(result, "changed_p", f"system {n}").value for n in (2, 3))
    assert float(p_sure or 1) < 0.05 < float(p_unsure or 0)
    assert float(finding(result, "changed_p_holm", "system 2").value or 0) >= float(p_sure or 1)
    same = finding(answered(LABELS, LABELS)[0], "changed_difference", "system 2")
    assert same.value == 0
    assert float(same.low or 0) < 0 < float(same.high or 0)


def test_the_signature_and_the_table_say_what_was_sampled() -> None:
    gold = treebank(["a", "b"])
    settings = ConsistencySettings(perturb=("numerals",), per_sentence=3)
    result = engine.run(CONSISTENCY, gold, {"x": "baseline:right-branching"}, settings)
    assert "clusters:original sentence=2" in result.signature
    assert "only 2 clusters (original sentence): intervals from fewer than 20 are rough" in result.tables[0].note
    alone = ConsistencySettings(perturb=("numerals",), per_sentence=3, independent=True)
    again = engine.run(CONSISTENCY, gold, {"x": "baseline:right-branching"}, alone)
    assert "clusters:variant=6" in again.signature
    assert [estimate.value for estimate in again.findings] == [estimate.value for estimate in result.findings]
    with pytest.raises(TypeError):
        ConsistencySettings(draws=10)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="unknown setting"):
        __import__("gardenpath").consistency("bundled:de-test", "baseline:x", draws=10)
