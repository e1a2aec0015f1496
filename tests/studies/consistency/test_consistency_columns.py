"""Changed trees by what is said of sentences: those of the study on these sentences alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from batch_cases import asked, judged, told

from gardenpath.runs.result.result import Result
from gardenpath.studies.consistency.declaration import ConsistencySettings
from group_checks import same


def test_consistency() -> None:
    changed = {"s0": 0, "s1": 5, "s2": 2}

    def study(names: Sequence[str], **settings: Any) -> Result:
        given = asked(names)
        trees = {name: ["gold", *["label"] * changed[name], *["gold"] * (5 - changed[name])] for name in names}
        return judged(given, {"parser": told(given, trees)}, ConsistencySettings(**settings))[0]

    result = study(list(changed), by=("sent_id",))
    for name, count in changed.items():
        finding = next(each for each in result.findings if each.measure == "changed" and each.by.get("sent_id") == name)
        assert finding.value == pytest.approx(20 * count)
        alone = next(each for each in study([name]).findings if each.measure == "changed")
        same(finding, alone)
