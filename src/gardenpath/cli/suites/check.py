"""`gardenpath suites check`: problems with line, item, and what to do."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, OutputOption
from ..output import check_target, emit, fail_if, write
from .arguments import PositionsOption, ReleaseOption, expanded, is_regions


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Suites of roles (CoNLL, TSV) or of regions: files (also .gz, .xz), folders, globs, or -.",
            metavar="FILE...",
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="Another form of the same suite; say where they disagree.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", help="Leave these checks out.", metavar="ID")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Do these checks alone.", metavar="ID")] = None,
    most: Annotated[int, typer.Option("--max", help="Problems to show of each id and file; 0 for all.", min=0)] = 20,
    list_checks: Annotated[bool, typer.Option("--list", help="Show all checks and do nothing else.")] = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find what is wrong in suites: roles, positions, names, repeats, pairs; conditions, regions, formulas, targets.

    Several ids are given as --ignore A,B or --ignore A --ignore B. Exit 0: no problems; 1: there are problems;
    2: the call is wrong or a file cannot be read.

    Example: gardenpath suites check suite.conll --against suite.tsv

    Example: gardenpath suites check suites/*.json --ignore blanks --format json -o problems.json
    """
    from ...errors import UsageError
    from ...report.formats import render
    from ...suites.reader import read_suite, read_suites
    from ...suites.regions.reader import read_region_suites
    from ...suites.report import as_result, check_list, choose, survey, survey_regions

    if list_checks:
        emit(check_list(), format, output)
        return
    if not files:
        raise UsageError("no file is named", todo="name a suite")
    left_out, wanted, limit = _ids(ignore), _ids(only), most or None
    choose(ignore=left_out, only=wanted)
    check_target(output)
    other = read_suite(against, positions=positions, release=release) if against is not None else None
    reports = []
    for file in (one for name in files for one in expanded(name)):
        if is_regions(file):
            if other is not None:
                raise UsageError("--against is about suites of roles", where=file, todo="leave it out")
            reports += [
                survey_regions(suite, ignore=left_out, only=wanted, limit=limit) for suite in read_region_suites(file)
            ]
            continue
        reports += [
            survey(suite, against=other, ignore=left_out, only=wanted, limit=limit)
            for suite in read_suites(file, positions=positions, release=release)
        ]
    result = as_result(reports, against=against, ignore=left_out, only=wanted, limit=limit)
    if format is Format.table:
        lines = "".join(f"{problem}\n  {problem.todo}\n" for report in reports for problem in report.problems)
        write((lines + "\n" if lines else "") + render(result, "table"), output)
    else:
        emit(result, format, output)
    count = sum(report.counts.total() for report in reports)
    fail_if(count > 0, f"{count:,} problem{'' if count == 1 else 's'}")


def _ids(given: list[str] | None) -> list[str]:
    return [id.strip() for text in given or () for id in text.split(",") if id.strip()]
