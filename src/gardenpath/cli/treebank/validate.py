"""`gardenpath treebank validate`: problems with line numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..checks import (
    WARNINGS,
    CheckFormat,
    CheckFormatOption,
    IgnoreOption,
    LimitOption,
    ListOption,
    OnlyOption,
    ids,
    show_cases,
    show_problems,
)
from ..options import Format, JobsOption, OutputOption
from ..output import fail_if, message

if TYPE_CHECKING:
    from ...treebank.validate.check import Problem, Report


def validate(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files (also .gz, .xz, .zip), folders, globs, or - for standard input.", metavar="FILE..."),
    ] = None,
    ignore: IgnoreOption = None,
    only: OnlyOption = None,
    most: LimitOption = 20,
    changed_since: Annotated[
        str | None,
        typer.Option(help="Only problems of sentences that changed since this revision of Git.", metavar="REV"),
    ] = None,
    known: Annotated[
        Path | None, typer.Option(help="A file of known problems, which are not shown and do not fail.")
    ] = None,
    update_known: Annotated[
        Path | None, typer.Option(help="Write all problems to this file, as known ones for --known, and exit 0.")
    ] = None,
    list_checks: ListOption = False,
    jobs: JobsOption = "1",
    format: CheckFormatOption = CheckFormat.table,
    output: OutputOption = None,
) -> None:
    """Find what is wrong in CoNLL-U files, each problem with its line, even in files that no program can read.

    Several ids are given as --ignore A,B or --ignore A --ignore B. Exit 0: no errors; 1: there are errors;
    2: the call is wrong or a file cannot be read.

    Example: gardenpath treebank validate treebank.conllu --ignore missing-text

    Example: gardenpath treebank validate UD_German-GSD --jobs all --format sarif -o problems.sarif

    Example: gardenpath treebank validate treebank.conllu --changed-since main --format github
    """
    from ...errors import UsageError
    from ...runs.record.writing import write_text
    from ...runs.result.verdict import count_text
    from ...runs.work.where import Where
    from ...treebank.format.reading import paths
    from ...treebank.validate.report import (
        as_known,
        as_result,
        check_list,
        checks,
        choose,
        first_problems,
        known_problems,
        without_known,
    )

    if list_checks:
        show_cases([check_list()], [], format, output)
        return
    if not files:
        raise UsageError("no file is named", todo="name a file, a folder, a pattern, or - for standard input")
    left_out, wanted = ids(ignore), ids(only)
    skipped = [name for name in left_out if name != WARNINGS]
    if WARNINGS in left_out:
        skipped += [check.id for check in checks() if check.level == "warning"]
    choose(ignore=skipped, only=wanted)
    named = list(dict.fromkeys(path for file in files for path in paths(file)))
    limit = most or None
    before = known_problems(known) if known is not None else None
    # What is left out later must be known first.
    within = None if changed_since or known or update_known else limit
    look = partial(_look, ignore=tuple(skipped), only=tuple(wanted), limit=within, changed_since=changed_since)
    # Another process has no standard input; a bar for one small file would only flicker.
    where = Where("1" if "-" in named else jobs, progress=None if len(named) > 3 else False)
    looks = where.map(look, named, label="files", names=named)
    reports = [report for look in looks if not isinstance(look, str) for report in look]
    unreadable = [look for look in looks if isinstance(look, str)]
    if update_known is not None:
        write_text(update_known, as_known(reports))
    elif before is not None:
        reports, count = without_known(reports, before)
        message(f"{count_text(count, 'known problem')} left out")
    result = as_result(reports, ignore=skipped, only=wanted, limit=limit, failures=len(unreadable))
    problems = first_problems(reports, limit)
    if format.value in Format.__members__:
        show_problems(result, map(str, problems), Format(format.value), output)
    else:
        show_cases([result], [problem.case for problem in problems], format, output)
    for text in unreadable:
        message(f"error: {text}")
    if unreadable:
        raise SystemExit(2)
    errors = 0 if update_known is not None else sum(report.errors for report in reports)
    fail_if(errors > 0, count_text(errors, "error"))


def _look(
    path: str, ignore: tuple[str, ...], only: tuple[str, ...], limit: int | None, changed_since: str | None
) -> list[Report[Problem]] | str:
    """The reports of a path, or why it cannot be read: the other files are looked at all the same."""
    from ...errors import InputError
    from ...treebank.validate.report import changed_lines, changed_only, survey

    try:
        lines = changed_lines(path, changed_since) if changed_since is not None else None
        if lines is not None and not lines:
            return []
        reports = survey(path, ignore=ignore, only=only, limit=limit)
        return reports if lines is None else [changed_only(report, path, lines) for report in reports]
    except InputError as error:
        return str(error)
