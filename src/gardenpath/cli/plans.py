"""Commands for many machines: plan, run, collect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Format, FormatOption, JobsOption, OutputOption, QuietOption
from .output import add_page, check_target, emit, fail_if, message

if TYPE_CHECKING:
    from ..studies.plans.planning import PlannedStudy


def plan(
    folder: Annotated[Path, typer.Argument(metavar="PLAN", help="A new folder for the plan.")],
    study: Annotated[
        list[str] | None, typer.Argument(metavar="-- STUDY...", help="The command line of a study, after --.")
    ] = None,
    grid: Annotated[Path | None, typer.Option(help="A TOML file with a grid of studies, instead of one study.")] = None,
    slurm: Annotated[
        int | None, typer.Option(help="Write PLAN/slurm.sh, an array of N shards.", metavar="N", min=1)
    ] = None,
    kubernetes: Annotated[
        int | None, typer.Option(help="Write PLAN/kubernetes.yaml, an indexed job of N shards.", metavar="N", min=1)
    ] = None,
) -> None:
    """Write a study, or a grid of them, as a plan that any number of processes carry out with files alone.

    Example: gardenpath batch plan agreement -- surprisal bundled:en-surprisal pcfg:bundled:en-grammar --by class

    Example: gardenpath batch run agreement --shard 1/2

    Example: gardenpath batch run agreement --shard 2/2

    Example: gardenpath batch collect agreement
    """
    from ..errors import UsageError
    from ..runs.record.writing import write_text
    from ..runs.result.verdict import count_text
    from ..studies.plans.planning import kubernetes_manifest, make_plan, read_grid, slurm_script

    if (grid is None) == (not study):
        raise UsageError(
            "a plan is of one study or of a grid", where=str(folder), todo="add --grid FILE, or -- STUDY …"
        )
    studies = read_grid(grid) if grid is not None else [_typed(study or [])]
    made = make_plan(folder, studies)
    if slurm is not None:
        write_text(made.folder / "slurm.sh", slurm_script(made.folder, made.base, slurm))
    if kubernetes is not None:
        write_text(made.folder / "kubernetes.yaml", kubernetes_manifest(made.folder, kubernetes))
    sizes = {"piece": made.pieces, "model": {piece.model for piece in made.pieces}, "run": made.studies}
    message(f"{folder}: {', '.join(count_text(len(there), unit) for unit, there in sizes.items())}")


def _typed(words: list[str]) -> PlannedStudy:
    """The study of a command line, read as the command itself would read it."""
    from ..errors import unknown_name
    from ..studies.engine.registry import STUDIES
    from ..studies.plans.planning import PlannedStudy
    from .study import typed_study

    size = 2 if " ".join(words[:2]) in STUDIES else 1
    name = " ".join(words[:size])
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES)
    meant, settings = typed_study(name, words[size:])
    return PlannedStudy.of(name, meant.form, meant.source, meant.systems, settings)


def run(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="Folder of a plan, as made by gardenpath batch plan.")],
    shard: Annotated[
        str, typer.Option(help="The part to do: I/N, from 1/N to N/N. Neighbours share models.", metavar="I/N")
    ] = "1/1",
    jobs: JobsOption = "1",
    quiet: QuietOption = False,
) -> None:
    """Do a part of a plan. What any process has finished is not done again; what a dead process left is.

    Called again, it does what is missing. Exit 1: pieces failed; they are tried again by the next call.

    Example: gardenpath batch plan agreement -- surprisal bundled:en-surprisal pcfg:bundled:en-grammar --by class

    Example: gardenpath batch run agreement --shard 1/2
    """
    from ..runs.work.processes import worker_count
    from ..studies.plans.planning import read_plan
    from ..studies.plans.shards import Shard, run_shard

    report = run_shard(read_plan(plan), Shard.of(shard), jobs=worker_count(jobs), tell=None if quiet else message)
    if not quiet:
        message(f"{plan}, shard {shard}: {report.done} done, {report.before} done before")
        for number, holder in report.elsewhere.items():
            message(f"piece {number} is left to {holder}")
    lines = [f"piece {number} failed: {why}" for number, why in report.failed.items()]
    fail_if(bool(lines), "\n".join(lines))


def collect(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="Folder of a plan, as made by gardenpath batch plan.")],
    resume: Annotated[bool, typer.Option("--resume", help="Do what is missing first, here.")] = False,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Make the runs of a plan, in PLAN/runs, as one process would have made them; say what is missing.

    Exit 1: pieces are missing; complete runs were made.

    Example: gardenpath batch plan agreement -- surprisal bundled:en-surprisal pcfg:bundled:en-grammar --by class

    Example: gardenpath batch collect agreement --resume
    """
    from ..studies.plans.planning import read_plan
    from ..studies.plans.shards import Shard, run_shard
    from ..studies.plans.shards import collect as collected

    check_target(output)
    planned = read_plan(plan)
    if resume:
        run_shard(planned, Shard())
    result, folders = collected(planned)
    for folder in folders:
        add_page(folder)
    emit(result, format, output)
    missing = result.failures.get("pieces missing", 0)
    fail_if(
        missing > 0,
        f"pieces missing: {missing}; run them: gardenpath batch run {plan}, or batch collect {plan} --resume",
    )
