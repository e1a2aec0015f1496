"""The demo: the main job on bundled data, with parsers trained on the spot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .data import bundled
from .runs.record import Run
from .runs.result import Result, Table
from .runs.work import map_tasks

Tell = Callable[[str], None]

MODELS = {"projective": {"transition": "projective"}, "swap": {"transition": "swap"}}
"""Two parsers that differ in one thing: whether edges may cross."""
EXAMPLE = "nsubj:obj"


@dataclass(frozen=True, slots=True)
class Training:
    """One model to train; a task that any process can do."""

    name: str
    folder: str
    seed: int


def train_model(task: Training) -> dict[str, Any]:
    """Trains a parser on the bundled German treebank, unless the model is there already."""
    from .systems.card import read_card
    from .systems.training import train
    from .treebank import read

    path = Path(task.folder) / f"{task.name}.udpipe"
    if not path.exists():
        train(
            "udpipe", read(bundled("de-train")), read(bundled("de-dev")), output=path, preset="tiny", seed=task.seed,
            options=MODELS[task.name],
        )  # fmt: skip
    return dict(read_card(path)["dev_scores"])


def run_demo(folder: Path, *, seed: int = 0, jobs: int = 2, tell: Tell) -> Result:
    """Measures the bundled treebank, trains two parsers, and scores them beside a baseline; all into `folder`."""
    from .report.measures import measure_tables
    from .studies.evaluation import GROUPINGS, evaluate, observations
    from .systems.parsing import parse_with
    from .treebank import Treebank, read
    from .treebank.measures import measure

    inputs = [bundled(f"de-{part}") for part in ("train", "dev", "test")]
    settings = {"models": MODELS, "example": EXAMPLE}
    with Run.open(folder, command="gardenpath demo", settings=settings, inputs=inputs, seed=seed) as run:
        tell("1/4  measuring the bundled German treebank")
        treebanks = {path.name: read(path) for path in inputs}
        measured = [
            one for name, treebank in treebanks.items() for one in measure(treebank).findings(name, tables=False)
        ]
        tell("2/4  training two parsers on it")
        models = folder / "models"
        tasks = [Training(name, str(models), seed) for name in MODELS]
        map_tasks(train_model, tasks, jobs=min(jobs, len(tasks)) if jobs else 0, label="training")
        tell("3/4  parsing the test set")
        gold = treebanks["de_garden-test.conllu"]
        systems, failures = dict[str, Treebank](), dict[str, int]()
        for name in (*(f"udpipe:{models / f'{model}.udpipe'}" for model in MODELS), "baseline:right-branching"):
            parsed = parse_with(name, gold)
            short = name if name.startswith("baseline") else f"udpipe:{Path(name).stem}"
            systems[short] = parsed.treebank
            failures |= {f"{short}: {kind}": count for kind, count in parsed.failures.items()}
            parsed.treebank.write(folder / "parsed" / f"{short.replace(':', '-')}.conllu")
        tell("4/4  scoring")
        result, scores = evaluate(gold, systems, by=GROUPINGS, example=EXAMPLE, limit=3, seed=seed, failures=failures)
        result = replace(
            result, findings=[*measured, *result.findings], tables=[*measure_tables(measured), *result.tables]
        )
        if not run.finished:
            run.finish(result, observations(gold, scores, seed))
    return result


def shown_first(result: Result) -> list[Table]:
    """The tables that fit a screen: what was measured, the scores, the differences."""
    return [table for table in result.tables if not table.title.startswith(("LAS by", "By ", "udpipe:", "baseline:"))]
