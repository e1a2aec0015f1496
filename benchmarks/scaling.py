"""`scaling`: reading grows linearly with the file."""

from __future__ import annotations

from functools import partial

from .measure import in_process, interleaved
from .readers import with_gardenpath
from .setting import Setting
from .table import Cell, Row, Table, Target

SIZES = (1, 5, 20, 50, 100, 200)
_COLUMN = "fastest/this"


def run(setting: Setting) -> list[Table]:
    contestants, sizes = {}, {}
    for wanted in SIZES:
        path = setting.folder / f"scaling-{wanted}.conllu"
        size = setting.corpus.write(path, setting.scaled(wanted))
        name = f"{size:.3g} MB"
        sizes[name] = size
        contestants[name] = in_process(partial(with_gardenpath, path))
    with_gardenpath(path)
    found = interleaved(contestants, setting.repeats, setting.tell)
    rates = {name: sizes[name] / costs.cpu for name, costs in found.items()}
    fastest, slowest = max(rates.values()), min(rates, key=lambda name: rates[name])
    rows = []
    for name, costs in found.items():
        cells: dict[str, Cell] = {
            "file": name, "CPU s": costs.cpu, "wall s": costs.wall, "MB/s": rates[name], _COLUMN: fastest / rates[name],
        }  # fmt: skip
        rows.append(Row(cells, Target(_COLUMN, "<=", 2) if name == slowest else None, costs))
    return [Table("scaling: reading files of growing size (one process, CPU time)", rows)]
