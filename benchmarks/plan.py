"""`plan`: claiming pieces of work in files grows linearly with them."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from gardenpath.runs.work.claims import ClaimBoard
from gardenpath.studies.plans.planning import PlanPiece
from gardenpath.studies.plans.shards import work_through

from .measure import in_process, interleaved
from .setting import Setting
from .table import Cell, Row, Table, Target

SIZES = (10, 100, 1_000, 10_000)
_COLUMN = "ms a piece"


def run(setting: Setting) -> list[Table]:
    sizes = {f"{size:,} empty pieces": size for size in (max(1, int(setting.scaled(size))) for size in SIZES)}
    contestants = {name: in_process(partial(_empty, setting.folder, size)) for name, size in sizes.items()}
    measured = interleaved(contestants, setting.repeats, setting.tell)
    rows = []
    for name, costs in measured.items():
        cells: dict[str, Cell] = {
            "plan": name, "CPU s": costs.cpu, "wall s": costs.wall, _COLUMN: 1000 * costs.wall / sizes[name],
        }  # fmt: skip
        rows.append(Row(cells, Target(_COLUMN, "<=", 20, " ms"), costs))
    return [Table("plan: claims and records of pieces with nothing to do (one process, wall time)", rows)]


def _empty(folder: Path, size: int) -> None:
    pieces = [PlanPiece(number, 0, 0, 0, "") for number in range(size)]
    report = work_through(ClaimBoard(tempfile.mkdtemp(dir=folder)), pieces, lambda piece: {})
    assert report.done == size
