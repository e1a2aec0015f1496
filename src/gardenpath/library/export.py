"""Findings for others from Python: the same files that `gardenpath export` writes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import unknown_name
from .saved import AnyRun, as_run

if TYPE_CHECKING:
    from ..runs.record import Run


def export(*runs: AnyRun, to: str, path: str | Path, system: str = "") -> list[Path]:
    """Writes findings as `every-eval-ever` records into a folder, or as a `model-card`'s results block into a file.

    >>> import gardenpath as gp
    >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
    >>> [file.suffix for file in gp.export(result, to="every-eval-ever", path="records")]
    ['.json', '.jsonl']
    >>> print(gp.export(result, to="model-card", path="results.yaml")[0].read_text().splitlines()[1])
    model-index:
    """
    from ..report.model_index import model_index
    from ..runs.atomic import write_bytes

    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        if to == "model-card":
            files = {Path(path): model_index(opened, system).encode()}
        elif to == "every-eval-ever":
            files = {Path(path) / name: content for name, content in records_of(opened).items()}
        else:
            raise unknown_name("form of export", to, ("every-eval-ever", "model-card"))
    for file, content in files.items():
        write_bytes(file, content)
    return list(files)


def records_of(runs: Sequence[Run]) -> dict[str, bytes]:
    """The every-eval-ever records of all runs, by their paths."""
    from ..report.every_eval_ever import every_eval_ever

    return {name: content for run in runs for name, content in every_eval_ever(run).items()}
