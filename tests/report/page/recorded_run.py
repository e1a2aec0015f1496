"""An evaluation in a run folder, to make pages of."""

from __future__ import annotations

from pathlib import Path

from gardenpath.runs.record import Run
from gardenpath.studies.engine import run
from gardenpath.studies.evaluation import EVALUATION, GROUPINGS, EvaluationSettings
from gardenpath.treebank import Treebank


def recorded(folder: Path, gold: Treebank, systems: dict[str, Treebank], seed: int = 0) -> Run:
    """An evaluation with its record."""
    run(EVALUATION, gold, systems, EvaluationSettings(by=GROUPINGS), folder=folder)
    return Run.load(folder)
