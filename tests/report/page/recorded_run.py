"""An evaluation in a run folder, to make pages of."""

from __future__ import annotations

from pathlib import Path

from gardenpath.runs.record import Run
from gardenpath.studies.evaluation import GROUPINGS, evaluate, observations
from gardenpath.treebank import Treebank


def recorded(folder: Path, gold: Treebank, systems: dict[str, Treebank], seed: int = 0) -> Run:
    """An evaluation with its record."""
    with Run.open(folder, command="evaluate", settings={"systems": list(systems)}, seed=seed) as run:
        result, scores = evaluate(gold, systems, by=GROUPINGS, draws=50, seed=seed)
        trees = {"gold": gold.to_bytes(), **{name: one.to_bytes() for name, one in systems.items()}}
        run.finish(result, observations(gold, scores, seed), trees)
    return Run.load(folder)
