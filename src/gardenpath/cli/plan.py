"""`gardenpath plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import message

if TYPE_CHECKING:
    from ..studies.planning import PlannedStudy

app = typer.Typer()


@app.command(no_args_is_help=True)
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

    Example: gardenpath plan agreement -- surprisal bundled:en-surprisal pcfg:bundled:en-grammar --by class

    Example: gardenpath run agreement --shard 1/2

    Example: gardenpath run agreement --shard 2/2

    Example: gardenpath collect agreement
    """
    from ..errors import UsageError
    from ..runs.atomic import write_text
    from ..runs.verdict import count_text
    from ..studies.grid import read_grid
    from ..studies.plan_scripts import kubernetes_manifest, slurm_script
    from ..studies.planning import make_plan

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
    from ..studies.planning import PlannedStudy
    from ..studies.registry import STUDIES
    from .study import typed_study

    size = 2 if " ".join(words[:2]) in STUDIES else 1
    name = " ".join(words[:size])
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES)
    meant, settings = typed_study(name, words[size:])
    return PlannedStudy.of(name, meant.form, meant.source, meant.systems, settings)
