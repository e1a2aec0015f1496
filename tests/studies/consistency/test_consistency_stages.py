"""Stages: what of the changes vanishes where tokens or tags are given, counted by hand, one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from batch_cases import asked, judged, told

from gardenpath.runs.result.verdict import NOT_SHOWN, SHOWN
from gardenpath.studies.consistency.declaration import ConsistencySettings

STEADY, SPLIT = ["gold"] * 6, ["gold", "gold", "label", "gold", "gold", "gold"]
FIRST = {"a": STEADY, "b": SPLIT, "c": SPLIT, "d": STEADY, "e": SPLIT}
WITH_TOKENS = {"a": STEADY, "b": STEADY, "c": SPLIT, "d": SPLIT, "e": ["[crashed]"] * 6}
WITH_TAGS = {"a": STEADY, "b": STEADY, "c": STEADY, "d": STEADY, "e": STEADY}


def test_what_vanishes_is_counted_over_the_batches_that_were_not_consistent() -> None:
    given = asked(list("abcde"))
    stages = {"tokens": told(given, WITH_TOKENS), "tags": told(given, WITH_TAGS)}
    settings = ConsistencySettings(stages=("tokens", "tags"), input="text")
    result, _ = judged(given, {"x": replace(told(given, FIRST), stages=stages)}, settings)
    counted = {
        (finding.by["stage"], finding.measure): (finding.value, finding.n)
        for finding in result.findings
        if "stage" in finding.by and finding.measure in ("consistent", "settled", "unsettled")
    }
    assert counted == {
        ("tokens", "consistent"): (40.0, 5),  # a, b; what got no answer is not consistent
        ("tokens", "settled"): (pytest.approx(100 / 3), 3),  # b of b, c, e
        ("tokens", "unsettled"): (50.0, 2),  # d of a, d
        ("tags", "consistent"): (100.0, 5),
        ("tags", "settled"): (100.0, 3),
        ("tags", "unsettled"): (0.0, 2),
    }
    assert result.failures == {"x, gold tokens: crashed": 6}
    (table,) = [table for table in result.tables if "changes its mind" in table.title]
    assert [row[:2] for row in table.rows][:2] == [
        ["batches with one tree (%)", 40.0], ["batches with one tree, gold tokens (%)", 40.0],
    ]  # fmt: skip
    differences = {
        finding.by["stage"]: finding.value for finding in result.findings if finding.measure == "consistent_difference"
    }
    assert differences == {"tokens": pytest.approx(0.0), "tags": pytest.approx(60.0)}
    verdicts = [verdict for verdict in result.verdicts if "instead of" in verdict.text]
    tags, tokens = sorted(verdicts, key=lambda verdict: verdict.text)
    assert tags.text.startswith("x with gold tags too: one tree in 100.0 % [")
    assert "of 5 sentences instead of 40.0 % [" in tags.text
    assert "+60.0 [" in tags.text
    assert tags.sure != SHOWN  # five sentences
    assert tokens.sure == NOT_SHOWN


def test_without_stages_nothing_is_said_of_them() -> None:
    given = asked(list("abcde"))
    result, _ = judged(given, {"x": told(given, FIRST)}, ConsistencySettings())
    assert not [finding for finding in result.findings if "stage" in finding.by]
    assert not [verdict for verdict in result.verdicts if "instead of" in verdict.text]
