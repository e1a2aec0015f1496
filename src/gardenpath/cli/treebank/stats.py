"""`gardenpath treebank stats`: what a treebank is like, or many of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import Format, FormatOption, JobsOption, OutputOption, RunOption
from ..output import check_target, emit

if TYPE_CHECKING:
    from ...runs.result import Result


class By(StrEnum):
    """One description of each file, or one of all files together."""

    file = "file"
    all = "all"


class VariantName(StrEnum):
    """Morphological complexity as the paper's text defines it, or as its authors' script computes it."""

    text = "text"
    script = "script"


def stats(
    files: Annotated[
        list[str], typer.Argument(help="CoNLL-U files (also .gz, .xz, .zip), folders, globs, or -.", metavar="FILE...")
    ],
    by: Annotated[By, typer.Option("--by", help="Describe each file, or all files together.")] = By.file,
    tables: Annotated[
        bool, typer.Option("--tables/--no-tables", help="With counts of tags, relations and displacements.")
    ] = True,
    variant: Annotated[
        VariantName,
        typer.Option(
            "--variant", help="Morphological complexity as the EDV paper's text or its script has it: text or script."
        ),
    ] = VariantName.text,
    jobs: JobsOption = 1,
    run: RunOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Sizes, trees, projectivity, crossings, depth, displacement, morphology, tags and relations of treebanks.

    Example: gardenpath treebank stats en_ewt-ud-test.conllu

    Example: gardenpath treebank stats treebanks/ --jobs 0 --no-tables --format tsv -o stats.tsv
    """
    from ...report.measures import COLUMNS
    from ...treebank.source import paths

    check_target(output, runs=[run])
    all_paths = list(dict.fromkeys(path for file in files for path in paths(file)))
    suites = _suites(all_paths)
    # Files that belong together and the name they go by.
    groups = (
        {"all": all_paths}
        if by is By.all and len(all_paths) > 1
        else {s: [p] for s, p in zip(suites, all_paths, strict=True)}
    )
    tasks = [(group, suite, variant.value) for suite, group in groups.items()]
    settings = {"by": by.value, "variant": variant.value, "tables": tables}
    if run is not None:
        emit(_recorded(run, tasks, all_paths, {**settings, "suites": suites}, jobs), format, output, run=run)
        return
    # Of many files a person sees neither tags nor relations, and they are most of what there is to keep.
    shown = tables and not (format is Format.table and len(tasks) > COLUMNS)
    emit(_result(_described(tasks, jobs, tables=shown), {**settings, "tables": shown}), format, output)


def _suites(files: Sequence[str]) -> list[str]:
    """The names of the files, or their paths where two files have one name."""
    names = ["<stdin>" if path == "-" else Path(path).name for path in files]
    return names if len(set(names)) == len(names) else list(files)


def _described(
    tasks: Sequence[tuple[list[str], str, str]], jobs: int, run: Any = None, *, tables: bool = True
) -> list[dict[str, Any]]:
    from functools import partial

    from ...treebank.measures import describe

    if len(tasks) == 1 and run is None:  # spares the loading of what distributes work
        return [describe(tasks[0], tables=tables)]  # type: ignore[arg-type]
    from ...errors import UsageError
    from ...runs.work import map_tasks

    if jobs != 1 and any("-" in task[0] for task in tasks):
        raise UsageError("standard input cannot be shared by processes", where="-", todo="use --jobs 1")
    names = [task[1] for task in tasks]
    return map_tasks(
        partial(describe, tables=tables), tasks, jobs=jobs, label="treebank stats", names=names, keys=names, run=run
    )


def _recorded(
    folder: Path, tasks: Sequence[tuple[list[str], str, str]], files: Sequence[str], settings: dict[str, Any], jobs: int
) -> Result:
    from ...errors import UsageError
    from ...runs.record import Run

    if "-" in files:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    with Run.open(folder, command="treebank stats", settings=settings, inputs=files) as run:
        if run.finished:
            return run.result()
        result = _result(_described(tasks, jobs, run), settings)
        run.finish(result)
        return result


def _result(described: Iterable[Mapping[str, Any]], settings: Mapping[str, Any]) -> Result:
    from ...report.measures import measure_tables
    from ...runs.result import Finding, Result
    from ...runs.signature import signature

    findings: list[Finding] = []
    failures: dict[str, int] = {}
    for description in described:
        findings += [Finding.from_flat(flat) for flat in description["findings"]]
        for kind, count in description["failures"].items():
            failures[kind] = failures.get(kind, 0) + count
    if not settings["tables"]:
        findings = [finding for finding in findings if not finding.by]
    marks = signature(("command", "treebank stats"), ("by", settings["by"]), ("variant", settings["variant"]))
    return Result(marks, findings, measure_tables(findings), failures)
