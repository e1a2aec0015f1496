"""Commands on finished runs: compare, check, verify, report, export; and the score card, which makes runs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..studies.engine.declaration import INDEPENDENT, parts_of
from .checks import CheckFormat, CheckFormatOption, MarginOption, show_cases
from .options import FiguresOption, Format, FormatOption, JobsOption, OutputOption, QuietOption
from .output import check_target, emit, fail_if, message, write


class FailIf(StrEnum):
    """What makes a comparison fail."""

    worse = "worse"


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of finished runs (--run). The first system is the baseline."),
    ],
    by: Annotated[
        str | None,
        typer.Option(help="Properties to compare by, comma-separated, all, or none. Default: those of the findings."),
    ] = None,
    power: Annotated[
        float, typer.Option(help="Power for which the number of items is computed.", min=0.01, max=0.999)
    ] = 0.8,
    independent: Annotated[bool, typer.Option("--independent", help=INDEPENDENT)] = False,
    fail_if_worse: Annotated[
        FailIf | None,
        typer.Option("--fail-if", help="Exit 1 if a system is worse than the first, overall or in a group."),
    ] = None,
    margin: MarginOption = 0.0,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Compare runs on the same items, paired: difference, corrected p, effect size, and how many more items are needed.

    Runs whose suites differ in release or content are refused; the message says where they differ.

    Example: gardenpath evaluate bundled:de-test baseline:nearest-head --gold tags --run run-a -o scores.txt

    Example: gardenpath evaluate bundled:de-test baseline:right-branching --run run-b -o scores.txt

    Example: gardenpath compare run-a run-b --by direction --format tsv

    Example: gardenpath compare run-a run-b --by none --fail-if worse --margin 1.0
    """
    from ..errors import UsageError
    from ..runs.record.run import Run
    from ..studies.compare.study import compare as compared

    if margin and fail_if_worse is None:
        raise UsageError("--margin goes with --fail-if", todo="add --fail-if worse")
    check_target(output, runs=runs)
    names = None if by is None else [name for name in parts_of(by) if name != "none"]
    loaded = [Run.load(folder) for folder in runs]
    emit(compared(loaded, by=names, power=power, independent=independent), format, output)
    if fail_if_worse is not None:
        from ..studies.compare.gate import gate_first

        worse = gate_first(loaded, margin=margin, by=names, independent=independent).worse
        fail_if(bool(worse), "\n".join(line for change in worse for line in change.lines))


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
    from ..runs.record.run import Run
    from ..studies.compare.conditions import check as checked
    from ..studies.compare.gate import gate

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


def verify(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, as made by --run.")],
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Exit 1 if a file of a run was changed, added or removed after the run was finished.

    Example: gardenpath verify run
    """
    from ..runs.record.run import verify as problems_of
    from ..runs.record.signatures import signature
    from ..runs.result.result import Finding, Result, Table

    check_target(output, runs=runs)
    problems = {run: problems_of(run) for run in runs}
    findings = [Finding("verification", str(run), "", "problems", len(found)) for run, found in problems.items()]
    failed = sum(bool(found) for found in problems.values())
    title = f"Runs: {failed} of {len(runs)} changed" if failed else f"Runs: all {len(runs)} as they were finished"
    rows = [(str(run), "fails" if found else "holds", len(found)) for run, found in problems.items()]
    tables = [Table(title, ("run", "verdict", "problems"), rows, name="runs")]
    signed = signature(("study", "verification"), ("runs", map(str, runs)))
    emit(Result(signed, findings, tables, {"runs changed": failed} if failed else {}), format, output)
    fail_if(bool(failed), "\n".join(str(problem) for found in problems.values() for problem in found))


def consistency_tables(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs of consistency test or remedies.")],
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Lay out several languages and parts side by side, as Tables 1, 6 and 7 of the paper.

    Example: gardenpath consistency tables en-train en-dev sv-train sv-dev
    """
    from ..runs.record.run import Run
    from ..runs.record.signatures import signature
    from ..runs.result.result import Result
    from ..studies.consistency.tables import tables_of_runs

    check_target(output, runs=runs)
    results = [Run.load(folder).result() for folder in runs]
    signed = signature(("command", "consistency tables"), ("runs", [result.signature for result in results]))
    findings = [finding for result in results for finding in result.findings]
    emit(Result(signed, findings, tables_of_runs(findings)), format, output)


SENTENCES = 25_000


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, as made by --run.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("report.html"),
    title: Annotated[str, typer.Option(help="Its title; by default the names of the runs.")] = "",
    sentences: Annotated[int, typer.Option(help="How many sentences of each run the page holds.", min=0)] = SENTENCES,
    figures: FiguresOption = None,
    grid: Annotated[
        bool, typer.Option("--grid", help="Systems × suites instead of run by run: for dozens of runs.")
    ] = False,
) -> None:
    """Make one HTML page from runs: findings, figures, and the sentences and trees behind every number.

    The page opens offline, loads nothing, and can be mailed. Several runs stand side by side.

    Example: gardenpath report my-run -o report.html

    Example: gardenpath report baseline-run new-run -o comparison.html --figures figures

    Example: gardenpath report --grid plan/runs/* -o grid.html
    """
    from ..errors import UsageError
    from ..report.figures import save_figures
    from ..report.page.page import page
    from ..runs.record.run import Run

    check_target(output, figures, runs)
    loaded = [Run.load(folder) for folder in runs]
    if grid:
        from ..report.page.grid import grid_page

        if figures is not None or sentences != SENTENCES:
            raise UsageError("--figures and --sentences are not for --grid", where=str(output), todo="leave them out")
        write(grid_page(loaded, title=title), output)
    else:
        write(page(loaded, title=title, most=sentences), output)
    size = output.stat().st_size / 1_000_000
    message(f"{output} ({size:.1f} MB)")
    if figures is not None:
        count = 0
        for run in loaded:
            folder = figures if len(loaded) == 1 else figures / run.folder.resolve().name
            count += sum(path.suffix == ".svg" for path in save_figures(run.result(), folder))
        message(f"{count} figure{'s' if count != 1 else ''} in {figures}")


class Target(StrEnum):
    """What findings are written as."""

    every_eval_ever = "every-eval-ever"
    model_card = "model-card"


def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, as made by --run.")],
    to: Annotated[
        Target,
        typer.Option("--to", help="every-eval-ever: records of scores and samples, in a folder; model-card: YAML."),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder, or the file (standard output without it).")
    ] = None,
    system: Annotated[str, typer.Option(help="model-card: the system, where runs have several.")] = "",
) -> None:
    """Write findings for others: as every-eval-ever records, or as the results block of a model card.

    Example: gardenpath export my-run --to every-eval-ever -o records

    Example: gardenpath export my-run --to model-card
    """
    from ..errors import UsageError
    from ..library.run_tools import records_of
    from ..report.exports import model_index
    from ..runs.record.run import Run
    from ..runs.record.writing import write_bytes

    loaded = [part for folder in runs for run in [Run.load(folder)] for part in run.runs() or [run]]
    if to is Target.model_card:
        check_target(output, runs=runs)
        write(model_index(loaded, system), output)
        return
    if output is None or system:
        todo = "leave out --system" if system else "name a folder: -o records"
        raise UsageError("every-eval-ever records go into a folder, for each system", where=str(runs[0]), todo=todo)
    check_target(output / "data", runs=runs)
    files = records_of(loaded)
    for name, content in files.items():
        write_bytes(output / name, content)
    message(f"{len(files)} files in {output}")


def card(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="A parser, phrase parser, language model or chat model.")
    ],
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE...]", help="Suites and treebanks of your own, which come first."),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", help="Its language, such as de; by default from its card or name.")
    ] = "",
    budget: Annotated[float, typer.Option(help="How many minutes it may take; what is left out is listed.")] = 5.0,
    run: Annotated[
        Path | None, typer.Option(help="The folder for page, JSON and runs. Default: card- and the model's name.")
    ] = None,
    jobs: JobsOption = 1,
    format: FormatOption = Format.table,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """A grammar check-up: run everything that fits a system's kind and language, as one page and one JSON.

    Bundled suites and treebanks, changes that should change nothing, and what GARDENPATH_MIRROR and the store have.

    Example: gardenpath card baseline:right-branching --language de

    Example: gardenpath card hf:models/gpt2 --language en --budget 10
    """
    from ..library.run_tools import card as examined
    from ..runs.record.run import PAGE
    from ..runs.work.where import Where
    from ..studies.score_card import card_folder
    from ..systems.asking.entrants import split_label

    label, name = split_label(system)
    folder = run if run is not None else Path(card_folder(label or name))
    check_target(output, runs=[folder])
    where = Where(jobs, progress=False if quiet else None)
    tell = (lambda _: None) if quiet else message
    result = examined(
        system, *(sources or ()), language=language, budget=budget, where=where, run=folder, tell=tell
    )  # fmt: skip
    emit(result, format, output)
    if not quiet:
        message(f"The page, with all findings and the sentences behind them: {folder / PAGE}")
