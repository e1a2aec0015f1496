"""`gardenpath treebank stats`: what a treebank is like, or many of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import Format, FormatOption, JobsOption, OutputOption, RunOption
from ..output import check_target, emit

if TYPE_CHECKING:
    from ...runs.result import Result
    from ...treebank.descriptions import Descriptions, Task
    from ...treebank.morphology import Variant


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
    from ...report.measures import COLUMNS, MAIN
    from ...treebank.source import paths

    check_target(output, runs=[run])
    all_paths = list(dict.fromkeys(path for file in files for path in paths(file)))
    suites = _suites(all_paths)
    # Files that belong together and the name they go by.
    tasks = (
        [(all_paths, "all")]
        if by is By.all and len(all_paths) > 1
        else [([path], suite) for path, suite in zip(all_paths, suites, strict=True)]
    )
    settings = {"by": by.value, "variant": variant.value, "tables": tables}
    if run is not None:
        emit(_recorded(run, tasks, all_paths, {**settings, "suites": suites}, jobs), format, output, run=run)
        return
    # Of many files a person sees the main measures and no tags or relations, and these are all there is to keep.
    main = format not in (Format.tsv, Format.json) and len(tasks) > COLUMNS
    measures = [name for names in MAIN.values() for name in names] if main else None
    described = _described(tasks, variant.value, jobs, measures=measures, tables=tables and not main)
    emit(_result(described, settings), format, output)


def _suites(files: Sequence[str]) -> list[str]:
    """The names of the files, or their paths where two files have one name."""
    names = ["<stdin>" if path == "-" else Path(path).name for path in files]
    return names if len(set(names)) == len(names) else list(files)


def _described(
    tasks: Sequence[Task],
    variant: Variant,
    jobs: int,
    run: Any = None,
    *,
    measures: Sequence[str] | None = None,
    tables: bool = True,
) -> Descriptions:
    from functools import partial

    from ...treebank.descriptions import Descriptions, batches, describe
    from ...treebank.measures import MEASURES

    described = partial(describe, variant=variant, measures=measures or MEASURES, tables=tables)
    if len(tasks) == 1 and run is None:  # spares the loading of what distributes work
        return Descriptions([described(tasks)])
    from ...errors import UsageError
    from ...runs.work import map_tasks

    if jobs != 1 and any("-" in files for files, _ in tasks):
        raise UsageError("standard input cannot be shared by processes", where="-", todo="use --jobs 1")
    parts = batches(tasks)
    suites = [[suite for _, suite in part] for part in parts]
    return Descriptions(
        map_tasks(
            described,
            parts,
            jobs=jobs,
            label="treebank stats",
            sizes=list(map(len, parts)),
            names=[names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" for names in suites],
            keys=["\n".join(names) for names in suites],
            run=run,
        )
    )


def _recorded(folder: Path, tasks: Sequence[Task], files: Sequence[str], settings: dict[str, Any], jobs: int) -> Result:
    from ...errors import UsageError
    from ...runs.record import Run

    if "-" in files:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    with Run.open(folder, command="treebank stats", settings=settings, inputs=files) as run:
        if run.finished:
            return run.result()
        result = _result(_described(tasks, settings["variant"], jobs, run, tables=settings["tables"]), settings)
        run.finish(result)
        return result


def _result(described: Descriptions, settings: Mapping[str, Any]) -> Result:
    from ...report.measures import measure_tables
    from ...runs.result import Result
    from ...runs.signature import signature

    marks = signature(("command", "treebank stats"), ("by", settings["by"]), ("variant", settings["variant"]))
    return Result(marks, described, measure_tables(described), described.failures)
