"""`grid`: the page over 100 systems × 200 suites: how long it takes to write, and how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from gardenpath.report.page.grid import grid_page
from gardenpath.runs.record.run import Run
from gardenpath.runs.record.signatures import signature
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Finding, Result
from gardenpath.stats.sampling import share

from .measure import in_process, interleaved
from .setting import Setting
from .table import Cell, Row, Table

SYSTEMS, SUITES, ITEMS = 100, 200, 40


def run(setting: Setting) -> list[Table]:
    sizes = [tuple(max(2, int(setting.scaled(size * part))) for size in (SYSTEMS, SUITES)) for part in (0.1, 1)]
    rows = []
    for systems, suites in dict.fromkeys(sizes):
        folder = setting.folder / f"{systems}x{suites}"
        runs = simulated_runs(folder, systems, suites)
        page = in_process(partial(grid_page, runs))
        costs = interleaved({folder.name: page}, min(setting.repeats, 2), setting.tell)[folder.name]
        cells: dict[str, Cell] = {
            "systems × suites": f"{systems} × {suites}", "CPU s": costs.cpu, "wall s": costs.wall,
            "MB": len(grid_page(runs)) / 1e6,
        }  # fmt: skip
        rows.append(Row(cells, None, costs))
    return [Table(f"grid: the page of runs with {ITEMS} items each, all pairs of systems tested", rows)]


def simulated_runs(folder: Path, systems: int, suites: int, items: int = ITEMS) -> list[Run]:
    """A run for each suite, all systems in it: a later system is better, a later suite harder."""
    chance = np.random.default_rng(0)
    return [_run(folder / f"suite-{suite:03}", suite / suites, systems, items, chance) for suite in range(suites)]


def _run(folder: Path, hard: float, systems: int, items: int, chance: np.random.Generator) -> Run:
    names = [f"model-{number:03}" for number in range(systems)]
    skill = np.linspace(0.95, 0.6, systems)[:, None] - 0.4 * hard
    right = (chance.random((systems, items)) < skill).astype(int)  # systems × items
    findings = [_finding(folder.name, name, row) for name, row in zip(names, right, strict=True)]
    table = Observations(
        {
            "study": "surprisal", "suite": folder.name, "item": np.tile([f"i{item}" for item in range(items)], systems),
            "condition": None, "system": np.repeat(names, items), "seed": 0, "unit": None,
            "outcome": np.where(right.reshape(-1) == 1, "right", "wrong"), "value": right.reshape(-1),
        }
    )  # fmt: skip
    with Run.open(folder, command="surprisal", settings={"suite": folder.name}) as record:
        record.finish(Result(signature(("study", "surprisal"), ("suite", folder.name)), findings), table)
    return Run.load(folder)


def _finding(suite: str, system: str, right: Sequence[int]) -> Finding:
    score = share(right, np.ones(len(right)))
    ends = [None if end is None else 100 * end for end in (score.low, score.high)]
    return Finding("surprisal", suite, system, "accuracy", 100 * score.value, len(right), *ends)
