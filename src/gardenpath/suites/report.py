"""Running the checks over suites, and what they found as a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from ..errors import unknown_name
from ..runs.result import Finding, Result, Table, Value
from ..runs.signature import signature
from . import gold_checks, label_checks, two_checks  # noqa: F401 (they register their checks)
from .model import RoleSuite
from .regions import checks as region_checks  # noqa: F401 (they register theirs too)
from .regions.model import RegionSuite
from .registry import CHECKS, REGION_CHECKS, Check, Hit, Problem


@dataclass(slots=True)
class Report:
    """What a suite has: at most `limit` problems of each kind, and how many there are."""

    file: str
    items: int
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def checks() -> list[Check[RoleSuite]]:
    """All checks of suites of roles, in the order in which they are made."""
    return list(CHECKS.values())


def choose(*, ignore: Collection[str] = (), only: Collection[str] = ()) -> list[Check[RoleSuite]]:
    """The checks that were asked for, by id."""
    _known(*ignore, *only)
    return [one for one in checks() if one.id not in ignore and (not only or one.id in only)]


def _known(*ids: str) -> None:
    for id in ids:
        if id not in CHECKS and id not in REGION_CHECKS:
            raise unknown_name("check", id, (*CHECKS, *REGION_CHECKS))


def check(
    suite: RoleSuite, *, against: RoleSuite | None = None, ignore: Collection[str] = (), only: Collection[str] = ()
) -> Iterator[Problem]:
    """The problems of a suite, and of what it says against another form of it."""
    for one in choose(ignore=ignore, only=only):
        for hit in _hits(one, suite, against):
            yield _problem(one, suite, hit)


def survey(
    suite: RoleSuite,
    *,
    against: RoleSuite | None = None,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> Report:
    """A report: also what is beyond the limit is counted."""
    report = Report(suite.name, len(suite))
    for one in choose(ignore=ignore, only=only):
        for hit in _hits(one, suite, against):
            report.counts[one.id] += 1
            if limit is None or report.counts[one.id] <= limit:
                report.problems.append(_problem(one, suite, hit))
    report.problems.sort(key=lambda problem: problem.line)
    return report


def survey_regions(
    suite: RegionSuite, *, ignore: Collection[str] = (), only: Collection[str] = (), limit: int | None = None
) -> Report:
    """The same report of a suite of regions."""
    from .regions.checks import check_regions

    _known(*ignore, *only)
    report = Report(suite.name, len(suite))
    for problem in check_regions(suite, ignore=ignore, only=only):
        report.counts[problem.id] += 1
        if limit is None or report.counts[problem.id] <= limit:
            report.problems.append(problem)
    report.problems.sort(key=lambda problem: problem.line)
    return report


def _hits(one: Check[RoleSuite], suite: RoleSuite, against: RoleSuite | None) -> Iterable[Hit]:
    if one.function is not None:
        return one.function(suite)
    return one.compare(suite, against) if one.compare is not None and against is not None else ()


def _problem(one: Check[RoleSuite], suite: RoleSuite, hit: Hit) -> Problem:
    in_rows = suite.format != "tsv" and hit.position > 0
    line = suite.lines[hit.item] + (hit.position - 1 if in_rows else 0)
    return Problem(one.id, suite.name, line, suite.sent_ids[hit.item], hit.message, hit.todo or one.todo)


def as_result(
    reports: Sequence[Report],
    *,
    against: str | None = None,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> Result:
    """One finding per file and id; `details` has the problems, at most `limit` of each id and file."""
    totals: Counter[str] = Counter()
    files: Counter[str] = Counter()
    findings = []
    for report in reports:
        totals += report.counts
        files.update(report.counts.keys())
        for id, count in report.counts.items():
            findings.append(Finding("suites", report.file, "", "problems", count, n=report.items, by={"id": id}))
    todos = {id: one.todo for checks in (CHECKS, REGION_CHECKS) for id, one in checks.items()}
    rows: list[list[Value]] = [[id, totals[id], files[id], todo] for id, todo in todos.items() if totals[id]]
    problems = [problem for report in reports for problem in report.problems]
    items = sum(report.items for report in reports)
    note = f"{totals.total():,} in {items:,} items of {len(reports):,} file{'' if len(reports) == 1 else 's'}"
    if len(problems) < totals.total():
        note += f"; {len(problems):,} of them are shown (--max)"
    table = (
        Table("Problems", ["id", "problems", "files", "what to do"], rows, note=note)
        if rows
        else Table("No problems", ["files", "items"], [[len(reports), items]])
    )
    made = signature(
        ("command", "suites check"), ("against", against), ("only", sorted(only) or None),
        ("ignore", sorted(ignore) or None), ("max", limit),
    )  # fmt: skip
    return Result(made, findings, [table], details={"problems": [asdict(problem) for problem in problems]})


def check_list() -> Result:
    """All checks, as a result: those of suites of roles, then those of suites of regions."""
    tables, findings = list[Table](), list[Finding]()
    for title, found in (("Checks", CHECKS), ("Checks of suites of regions", REGION_CHECKS)):
        lines = [(one.id, one.about, one.todo) for one in found.values()]
        tables.append(Table(title, ["id", "what it finds", "what to do"], lines))
        findings += [
            Finding("suites", "", "", "about", about, by={"id": id, "todo": todo}) for id, about, todo in lines
        ]
    return Result(signature(("command", "suites check --list")), findings, tables)
