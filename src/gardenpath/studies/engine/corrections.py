"""Corrections for many tests: one family for all groups of a run, another for what is true of all items."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import isnan

from ...runs.result.result import Finding, Value
from ...runs.result.verdict import LEAST
from ...stats.hypothesis_tests import benjamini_hochberg, holm
from ...stats.sampling import Difference

_OTHERS = {"baseline", "parser"}
"""Keys that name another system, not a group of items."""


def family_of(test: Finding) -> tuple[bool, str]:
    """Return whether a test is about a group of items, and its question: two systems, or a measure of one.

    Questions have families of their own, because many true effects in one would make false ones easier in another.
    """
    return bool(set(test.by) - _OTHERS), "systems" if "baseline" in test.by else test.measure


def difference_findings(
    head: tuple[str, str, str], measure: str, p: str, test: Difference, by: Mapping[str, Value],
    n: int | None = None, scale: float = 100.0,
) -> Iterator[Finding]:  # fmt: skip
    """Yield a difference (in points) with its interval, and its p; `head` is study, suite and system.

    n is that of the difference, else the number of clusters, as for the p.
    """
    low, high = (None if end is None else scale * end for end in (test.low, test.high))
    yield Finding(*head, measure, scale * test.value, test.clusters if n is None else n, low, high, by)
    yield Finding(*head, p, test.p, test.clusters, by=by, effective=test.effective)


def corrected(findings: Iterable[Finding], family: Callable[[Finding], Hashable] = family_of) -> list[Finding]:
    """Return the findings, each test followed by its p corrected for its family by Holm and Benjamini-Hochberg.

    A test is a p with a number of effective clusters. One with fewer than five says nothing of other clusters: it
    belongs to no family, and its corrected p has no value. n of a corrected p is the number of tests in the family.
    """
    given = list(findings)
    families: dict[Hashable, list[int]] = {}
    for place, finding in enumerate(given):
        if _is_test(finding):
            families.setdefault(family(finding), []).append(place)
    after: dict[int, tuple[float, float, int]] = {}
    for places in families.values():
        values = [float(given[place].value or 0) for place in places]
        for place, by_holm, by_bh in zip(places, holm(values), benjamini_hochberg(values), strict=True):
            after[place] = by_holm, by_bh, len(places)
    made = []
    for place, finding in enumerate(given):
        made.append(finding)
        if finding.effective is not None:
            holm_bh_tests = after.get(place, (None, None, 0))
            for ending, value in zip(("holm", "bh"), holm_bh_tests, strict=False):
                name = f"{finding.measure}_{ending}"
                made.append(replace(finding, measure=name, value=value, n=holm_bh_tests[2], effective=None))
    return made


def _is_test(finding: Finding) -> bool:
    value = finding.value
    return (finding.effective or 0) >= LEAST and isinstance(value, int | float) and not isnan(value)
