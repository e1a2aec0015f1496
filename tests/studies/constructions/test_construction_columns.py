"""Accuracy by the author's own columns of the table of items: that of the study on those items alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from construction_suites import parses, suite

from gardenpath.runs.result.result import Result
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.parses import ParsedSuite
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from group_checks import group, same


def test_constructions() -> None:
    whole = suite("tiger")
    half = len(whole.items) // 2
    marked = replace(
        whole,
        items=[
            replace(item, columns={"source": "first" if at < half else "last"}) for at, item in enumerate(whole.items)
        ],
    )

    def study(items: Any, trees: Any, **settings: Any) -> Result:
        chosen = ConstructionsSettings(**settings)
        judged = CONSTRUCTIONS.judge([items], [ParsedSuite(items, "parser", trees)], chosen)
        return CONSTRUCTIONS.findings(judged, chosen)

    trees = parses("tiger", 2)
    result = study(marked, trees, by=("source",))
    alone = study(replace(whole, items=whole.items[:half]), trees[:half])
    same(group(result, "accuracy", source="first"), group(alone, "accuracy"))
    assert group(result, "accuracy", source="last").n == len(whole.items) - half
    crossed = study(marked, trees, by=("phenomenon", "source"))
    for finding in alone.findings:
        if finding.measure == "accuracy" and set(finding.by) == {"scheme", "phenomenon"}:
            same(group(crossed, "accuracy", source="first", phenomenon=finding.by["phenomenon"]), finding)
