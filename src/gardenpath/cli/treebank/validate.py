"""`gardenpath treebank validate`: problems with line numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ..options import Format, FormatOption, JobsOption, OutputOption
from ..output import emit, fail_if, message, write

if TYPE_CHECKING:
    from ...runs.result import Result
    from ...treebank.validate.report import Report


def validate(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files (also .gz, .xz, .zip), folders, globs, or - for standard input.", metavar="FILE..."),
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", help="Leave these checks out.", metavar="ID")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Do these checks alone.", metavar="ID")] = None,
    most: Annotated[int, typer.Option("--max", help="Problems to show of each id; 0 for all.", min=0)] = 20,
    warnings: Annotated[bool, typer.Option("--warnings/--no-warnings", help="Whether to look for warnings.")] = True,
    list_checks: Annotated[bool, typer.Option("--list", help="Show all checks and do nothing else.")] = False,
    jobs: JobsOption = 1,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find what is wrong in CoNLL-U files, each problem with its line, also where no program can read them.

    Several ids are given as --ignore A,B or --ignore A --ignore B. Exit 0: no errors; 1: there are errors;
    2: the call is wrong or a file cannot be read.

    Example: gardenpath treebank validate treebank.conllu --ignore missing-text

    Example: gardenpath treebank validate UD_German-GSD --jobs 0 --format json -o problems.json
    """
    from ...errors import UsageError
    from ...runs.work import map_tasks
    from ...treebank.source import paths
    from ...treebank.validate.report import checks, choose
    from ...treebank.validate.result import as_result, check_list

    if list_checks:
        emit(check_list(), format, output)
        return
    if not files:
        raise UsageError("no file is named", todo="name a file, a folder, a pattern, or - for standard input")
    left_out, wanted = _ids(ignore), _ids(only)
    choose(ignore=left_out, only=wanted)
    skipped = left_out if warnings else [*left_out, *(one.id for one in checks() if one.level == "warning")]
    found = list(dict.fromkeys(path for file in files for path in paths(file)))
    limit = most or None
    tasks = [_Task(path, tuple(skipped), tuple(wanted), limit) for path in found]
    # Another process has no standard input.
    looks = map_tasks(_look, tasks, jobs=1 if "-" in found else jobs, label="files", names=found, progress=_bar(found))
    reports = [report for look in looks if not isinstance(look, str) for report in look]
    unreadable = [look for look in looks if isinstance(look, str)]
    result = as_result(reports, ignore=skipped, only=wanted, limit=limit, failures=len(unreadable))
    _show(result, reports, limit, format, output)
    for text in unreadable:
        message(f"error: {text}")
    if unreadable:
        raise SystemExit(2)
    errors = sum(report.errors for report in reports)
    fail_if(errors > 0, f"{errors:,} error{'s' if errors > 1 else ''}")


class _Task(NamedTuple):
    path: str
    ignore: tuple[str, ...]
    only: tuple[str, ...]
    limit: int | None


def _look(task: _Task) -> list[Report] | str:
    """The reports of a path, or why it cannot be read: the other files are looked at all the same."""
    from ...errors import InputError
    from ...treebank.validate.report import survey

    try:
        return survey(task.path, ignore=task.ignore, only=task.only, limit=task.limit)
    except InputError as error:
        return str(error)


def _ids(given: list[str] | None) -> list[str]:
    return [id.strip() for text in given or () for id in text.split(",") if id.strip()]


def _bar(found: list[str]) -> bool | None:
    """A bar for one small file would only flicker."""
    return None if len(found) > 3 else False


def _show(result: Result, reports: list[Report], limit: int | None, format: Format, output: Path | None) -> None:
    from ...treebank.validate.result import first_problems

    if format is not Format.table:
        emit(result, format, output)
        return
    lines = "".join(f"{problem}\n" for problem in first_problems(reports, limit))
    if output is None and sys.stdout.isatty():
        write(lines + "\n" if lines else "", None)
        emit(result)
        return
    from ...report.formats import render

    write((lines + "\n" if lines else "") + render(result, "table"), output)
