"""Running the checks over suites, and what they found as a result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..plugins import plugins
from ..runs.result.result import Result
from ..runs.result.verdict import count_text
from ..treebank.validate.check import Check, Report, counted_levels
from .regions import checks as region_checks  # noqa: F401 (they register their checks)
from .regions import frequencies as corpus_checks  # noqa: F401
from .regions.model import RegionSuite
from .registry import CHECKS, GROUP, Hit, Problem
from .roles import checks as role_checks  # noqa: F401 (they register theirs too)
from .roles.model import RoleSuite

_AGAINST = ("two", "corpus")


def choose(*scopes: str, ignore: Collection[str] = (), only: Collection[str] = ()) -> list[Check[Hit]]:
    """The checks that were asked for, by id; with those of other packages."""
    for plugin in plugins(GROUP):
        plugin.load()
    return CHECKS.choose(*scopes, ignore=ignore, only=only)


def checks() -> list[Check[Hit]]:
    """All checks of suites of roles, in the order in which they are made."""
    return choose("roles", "two")


def check(
    suite: RoleSuite | RegionSuite,
    *,
    against: RoleSuite | Mapping[str, int] | None = None,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
) -> Iterator[Problem]:
    """The problems of a suite: also against another form of one of roles, or against word counts of one of regions."""
    return _problems(suite, against, _chosen(suite, ignore, only), Report(suite.name))


def survey(
    suite: RoleSuite | RegionSuite,
    *,
    against: RoleSuite | Mapping[str, int] | None = None,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> Report[Problem]:
    """A report: also what is beyond the limit is counted."""
    report = Report[Problem](suite.name, len(suite), limit)
    problems = _problems(suite, against, _chosen(suite, ignore, only), report)
    report.problems = sorted(problems, key=lambda problem: problem.line)
    return report


def _chosen(suite: RoleSuite | RegionSuite, ignore: Collection[str], only: Collection[str]) -> list[Check[Hit]]:
    scopes = ("regions", "corpus") if isinstance(suite, RegionSuite) else ("roles", "two")
    return choose(*scopes, ignore=ignore, only=only)


def _problems(
    suite: RoleSuite | RegionSuite,
    against: RoleSuite | Mapping[str, int] | None,
    chosen: Sequence[Check[Hit]],
    report: Report[Problem],
) -> Iterator[Problem]:
    for check in chosen:
        if check.scope in _AGAINST and against is None:
            continue
        hits = check.function(suite, against) if check.scope in _AGAINST else check.function(suite)
        for hit in (hit for hit in hits if report.keeps(check)):
            line, item = _place(suite, hit)
            yield Problem(check.id, check.level, suite.name, line, item, hit.message, hit.todo or check.todo)


def _place(suite: RoleSuite | RegionSuite, hit: Hit) -> tuple[int, str]:
    """The line of a hit, and the item's name."""
    if isinstance(suite, RegionSuite):
        # What is wrong with the suite as a whole has no item.
        return (1, "-") if hit.item < 0 else (max(suite.items[hit.item].line, 1), suite.items[hit.item].id)
    in_rows = suite.format != "tsv" and hit.position > 0
    return suite.lines[hit.item] + (hit.position - 1 if in_rows else 0), suite.sent_ids[hit.item]


def as_result(
    reports: Sequence[Report[Problem]],
    *,
    against: str | None = None,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> Result:
    """One finding per file and id; `details` has the problems, at most `limit` of each id and file."""
    items = sum(report.items or 0 for report in reports)
    return CHECKS.as_result(
        reports,
        [problem for report in reports for problem in report.problems],
        note=f"{counted_levels(reports)} in {items:,} items of {count_text(len(reports), 'file')}",
        size={"files": len(reports), "items": items},
        settings=[
            ("against", against),
            ("only", sorted(only) or None),
            ("ignore", sorted(ignore) or None),
            ("max", limit),
        ],
    )


def check_list() -> Result:
    """All checks, as a result: those of suites of roles, then those of suites of regions."""
    tables = {"Checks": ("roles", "two"), "Checks of suites of regions": ("regions", "corpus")}
    return CHECKS.as_list(tables, {"id": "id", "level": "level", "about": "what it finds", "todo": "what to do"})
