"""`gardenpath suites check`: problems with line, item, and what to do."""

from __future__ import annotations

from typing import Annotated

import typer

from ..checks import IgnoreOption, ListOption, OnlyOption, ids, show
from ..options import Format, FormatOption, OutputOption
from ..output import check_target, emit, fail_if
from .arguments import LayoutOption, PositionsOption, ReleaseOption, expanded, is_regions, refuse_for_regions


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Suites of roles (CoNLL, TSV) or of regions: files (also .gz, .xz), folders, archives, globs, or -.",
            metavar="FILE...",
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="Another form of the same suite; say where they disagree.")
    ] = None,
    ignore: IgnoreOption = None,
    only: OnlyOption = None,
    most: Annotated[int, typer.Option("--max", help="Problems to show of each id and file; 0 for all.", min=0)] = 20,
    list_checks: ListOption = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    layout: LayoutOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find what is wrong in suites: roles, positions, names, repeats, pairs; conditions, regions, formulas, targets.

    Several ids are given as --ignore A,B or --ignore A --ignore B. Exit 0: no errors; 1: there are errors;
    2: the call is wrong or a file cannot be read.

    Example: gardenpath suites check suite.conll --against suite.tsv

    Example: gardenpath suites check suites/*.json --ignore words-differ --format json -o problems.json
    """
    from ...errors import UsageError
    from ...runs.verdict import count_text
    from ...suites.authoring.starters import is_word_list
    from ...suites.reader import read_suite, read_suites
    from ...suites.regions.pair_columns import parse_layout
    from ...suites.regions.reader import read_region_suites
    from ...suites.registry import Problem
    from ...suites.report import as_result, check_list, choose, survey
    from ...treebank.checking import Report
    from ...treebank.perturb.values import read_values

    if list_checks:
        emit(check_list(), format, output)
        return
    if not files:
        raise UsageError("no file is named", todo="name a suite")
    left_out, wanted, limit, columns = ids(ignore), ids(only), most or None, parse_layout(layout or ())
    choose(ignore=left_out, only=wanted)
    check_target(output)
    second = read_suite(against, positions=positions, release=release) if against is not None else None
    reports = list[Report[Problem]]()
    for file in (path for name in files for path in expanded(name)):
        if is_word_list(file):
            refuse_for_regions(file, against=against, positions=positions, release=release)
            reports.append(Report(file, len(read_values(file)), limit))
            continue
        regions = is_regions(file, columns)
        if regions:
            refuse_for_regions(file, against=against, positions=positions, release=release)
        suites = (
            read_region_suites(file, columns) if regions else read_suites(file, positions=positions, release=release)
        )
        reports += [survey(suite, against=second, ignore=left_out, only=wanted, limit=limit) for suite in suites]
    result = as_result(reports, against=against, ignore=left_out, only=wanted, limit=limit)
    problems = [problem for report in reports for problem in report.problems]
    show(result, [f"{problem}\n  {problem.todo}" for problem in problems], format, output)
    errors = sum(report.errors for report in reports)
    fail_if(errors > 0, count_text(errors, "error"))
