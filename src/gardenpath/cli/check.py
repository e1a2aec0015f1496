"""`gardenpath check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..studies.settings import INDEPENDENT, parts_of
from .checks import CheckFormat, CheckFormatOption, MarginOption, show_cases
from .options import OutputOption
from .output import check_target, fail_if

app = typer.Typer()


@app.command(no_args_is_help=True)
def check(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a finished run, as made by --run.")],
    minimum: Annotated[
        list[str] | None,
        typer.Option("--min", help="A condition such as roles.las[order=OVS]>=40 (also <=, >, <); may be repeated."),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="An earlier run on the same items: exit 1 where a group got worse.")
    ] = None,
    margin: MarginOption = 0.0,
    by: Annotated[
        str | None,
        typer.Option(
            help="Properties to test by, comma-separated, all, or none. Default: suites and those of the findings."
        ),
    ] = None,
    measure: Annotated[
        str, typer.Option(help="The score that --against tests, such as uas. Default: the main one.")
    ] = "",
    independent: Annotated[bool, typer.Option("--independent", help=INDEPENDENT)] = False,
    format: CheckFormatOption = CheckFormat.table,
    output: OutputOption = None,
) -> None:
    """Exit 1 if a run does not meet conditions, or got worse: for the continuous integration of a model.

    Example: gardenpath roles bundled:de-roles mine=baseline:subject-first --run before -o scores.txt

    Example: gardenpath check before --min "roles.las>=70" --min "roles.LAS[order=SVO]>=40"

    Example: gardenpath roles bundled:de-roles mine=baseline:right-branching --run now -o scores.txt

    Example: gardenpath check now --against before --margin 1.0 --by order
    """
    from ..errors import UsageError
    from ..runs.record import Run
    from ..studies.comparison.conditions import check as checked
    from ..studies.comparison.gating import gate

    if not minimum and against is None:
        raise UsageError("nothing to check", where=str(run), todo="give conditions (--min) or a run (--against)")
    if against is None and (by is not None or margin or measure or independent):
        what = "--margin, --by, --measure and --independent go with --against"
        raise UsageError(what, where=str(run), todo="add --against RUN")
    check_target(output, runs=[run, against])
    now = Run.load(run)
    results, cases = [], []
    if minimum:
        result, conditions = checked(now.result(), minimum)
        results.append(result)
        cases += [condition.case(str(run / "run.json")) for condition in conditions]
    if against is not None:
        groups = None if by is None else [name for name in parts_of(by) if name != "none"]
        change = gate(now, Run.load(against), margin=margin, by=groups, measure=measure, independent=independent)
        results.append(change.result)
        cases += list(change.cases())
    show_cases(results, cases, format, output)
    failed = [case.message.partition("\n")[0] for case in cases if case.failed]
    fail_if(bool(failed), "\n".join(failed))
