"""Findings of groups, for tests that hold them to a study on the items of the group alone."""

from __future__ import annotations

from typing import Any

import pytest

from gardenpath.runs.result.result import Finding, Result


def group(result: Result, measure: str, system: str = "", **by: Any) -> Finding:
    (finding,) = [
        finding
        for finding in result.findings
        if finding.measure == measure and dict(finding.by) == by and system in ("", finding.system)
    ]
    return finding


def same(first: Finding, second: Finding) -> None:
    """The same number, of as many, with the same interval."""
    ours, theirs = ((each.value, each.n, each.low, each.high) for each in (first, second))
    assert ours == pytest.approx(theirs, nan_ok=True)
