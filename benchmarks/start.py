"""`help`: how long a user waits for the help page."""

from __future__ import annotations

import sys
from pathlib import Path

from .measure import child, gardenpath_command, in_child, interleaved
from .setting import Setting, missing
from .table import Table, Target, compared

_OURS = "gardenpath --help"


def run(setting: Setting) -> list[Table]:
    commands: dict[str, list[str | Path]] = {
        _OURS: [*gardenpath_command(), "--help"],
        "python -c pass": [sys.executable, "-c", "pass"],
        "import udapi": [sys.executable, "-c", "import udapi"],
    }
    absent = missing(udapi="udapi")
    if absent:
        del commands["import udapi"]
    for command in commands.values():
        child(command)
    contestants = {name: in_child(command) for name, command in commands.items()}
    found = interleaved(contestants, setting.repeats, setting.tell)
    rows = compared(found, ours=_OURS, clock="wall", targets={_OURS: Target("wall s", "<=", 0.3, " s")})
    return [Table("help: the first answer (whole processes, wall time)", rows, list(absent.values()))]
