"""`gate`: how often equal models raise an alarm, and how often a loss of 5 points in one class is seen."""

from __future__ import annotations

import numpy as np
import polars as pl

from gardenpath.stats.sampling import Clusters
from gardenpath.studies.compare.gate import WORSE, group_changes
from gardenpath.studies.compare.pairing import Entrant, Judgements

from .setting import Setting
from .table import Cell, Row, Table, Target

PAIRS = 400
"""Simulated pairs of models for each row and column."""
ITEMS, LOSS = 200, 0.05
CLASSES = (1, 2, 4, 9)
"""How many classes are tested beside all items together."""
EQUAL = (0.005, 0.02, 0.05, 0.1)
GAINED = (0.0, 0.005, 0.01, 0.02)
_RIGHT = 0.8


def run(setting: Setting) -> list[Table]:
    pairs = max(4, int(setting.scaled(PAIRS)))
    return [_equal(pairs, setting), _losing(pairs, setting)]


def simulated_pair(chance: np.random.Generator, lost: float, gained: float, classes: int) -> Judgements:
    """Two models on classes of 200 items; the first class loses and gains so many, the others gain and lose alike."""
    shape = (classes, ITEMS)
    right, draw = chance.random(shape) < _RIGHT, chance.random(shape)
    leaving = np.full(shape, gained)
    leaving[0] = lost
    gone, come = draw < leaving, (draw >= leaving) & (draw < leaving + gained)
    old, new = np.where(gone, 1, np.where(come, 0, right)), np.where(gone, 0, np.where(come, 1, right))
    names = pl.DataFrame({"class": np.repeat([f"c{number}" for number in range(classes)], ITEMS)})
    number = np.arange(old.size)
    values = np.stack([old.reshape(-1), new.reshape(-1)], axis=1).astype(float)
    entrants = (Entrant("old", "a", "old"), Entrant("new", "b", "new"))
    return Judgements(
        "surprisal", "s", "", entrants, number, Clusters.of(item=number), {"accuracy": values}, (),
        np.ones_like(values), names, names, {"class": set()},
    )  # fmt: skip


def worse_groups(two: Judgements) -> set[str]:
    """What the gate says got worse, with no margin."""
    changes = group_changes([two], 0.0, ["class"])
    return {change.difference.group for change, _, _ in changes if change.state == WORSE}


def alarms(pairs: int, lost: float, gained: float, classes: int, group: str = "") -> float:
    """Per cent of simulated pairs in which this group, or any, is said to have got worse."""
    chance = np.random.default_rng([classes, round(1e4 * lost), round(1e4 * gained)])
    worse = [worse_groups(simulated_pair(chance, lost, gained, classes)) for _ in range(pairs)]
    return 100 * sum(group in groups if group else bool(groups) for groups in worse) / pairs


def _equal(pairs: int, setting: Setting) -> Table:
    rows = []
    for classes in CLASSES:
        for share in EQUAL:
            setting.tell(f"equal models, {classes} classes, {share:.1%}")
            cells: dict[str, Cell] = {"classes": f"{classes}", "lost and gained %": 100 * share}
            cells["alarms %"] = alarms(pairs, share, share, classes)
            rows.append(Row(cells, Target("alarms %", "<=", 5, " %")))
    return Table(f"gate: alarms of equal models ({pairs:,} pairs a row, {ITEMS} items a class)", rows)


def _losing(pairs: int, setting: Setting) -> Table:
    rows = []
    for gained in GAINED:
        cells: dict[str, Cell] = {"gained %": f"{100 * gained:g}"}
        for classes in CLASSES:
            setting.tell(f"loss, {classes} classes, {gained:.1%} gained")
            cells[f"{classes} classes"] = alarms(pairs, LOSS + gained, gained, classes, "class c0")
        rows.append(Row(cells, Target(f"{CLASSES[1]} classes", ">=", 90, " %")))
    return Table(f"gate: a loss of 5 points in one class of {ITEMS} is seen, % ({pairs:,} pairs a cell)", rows)
