"""Reports as a result: findings for programs, tables for people, and the problems themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict

from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import signature
from .registry import CHECKS, Problem
from .report import Report, checks

_LEVELS = ("error", "warning")
_COLUMNS = ("level", "id", "problems", "files", "what to do")


def as_result(
    reports: Sequence[Report],
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
    failures: int = 0,
) -> Result:
    """One finding per file and id; `details` has the problems, at most `limit` of each id."""
    totals: Counter[str] = Counter()
    files: Counter[str] = Counter()
    findings = []
    for report in reports:
        totals += report.counts
        files.update(report.counts.keys())
        for id in sorted(report.counts, key=_rank):
            by: dict[str, Value] = {"id": id, "level": CHECKS[id].level}
            findings.append(Finding("validate", report.file, "", "problems", report.counts[id], by=by))
    problems = first_problems(reports, limit)
    rows: list[list[Value]] = [
        [CHECKS[id].level, id, totals[id], files[id], CHECKS[id].todo] for id in sorted(totals, key=_rank)
    ]
    errors, warnings = sum(r.errors for r in reports), sum(r.warnings for r in reports)
    counted = (_counted(errors, "error"), _counted(warnings, "warning"), _counted(len(reports), "file"))
    note = "{} and {} in {}".format(*counted)
    if len(problems) < totals.total():
        note += f"; {len(problems):,} of them are shown (--max)"
    return Result(
        signature(("command", "treebank validate"), ("only", sorted(only) or None), ("ignore", sorted(ignore) or None)),
        findings,
        [Table("Problems", _COLUMNS, rows, note=note) if rows else Table("No problems", ["files"], [[len(reports)]])],
        failures={"unreadable": failures} if failures else {},
        details={"problems": [asdict(problem) for problem in problems]},
    )


def first_problems(reports: Sequence[Report], limit: int | None) -> list[Problem]:
    """The problems of all files in order, at most `limit` of each id."""
    counts: Counter[str] = Counter()
    kept = []
    for problem in (problem for report in reports for problem in report.problems):
        counts[problem.id] += 1
        if limit is None or counts[problem.id] <= limit:
            kept.append(problem)
    return kept


def check_list() -> Result:
    """All checks, as a result."""
    rows = [[one.id, one.level, one.about] for one in checks()]
    findings = [
        Finding("validate", "", "", "level", one.level, by={"id": one.id, "about": one.about}) for one in checks()
    ]
    table = Table("Checks", ["id", "level", "what it finds"], rows)
    return Result(signature(("command", "treebank validate --list")), findings, [table])


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _rank(id: str) -> tuple[int, str]:
    return _LEVELS.index(CHECKS[id].level), id
