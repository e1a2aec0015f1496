"""`generate`: 20,000 sentences of roles suites, in each language that comes with gardenpath."""

from __future__ import annotations

from functools import partial

from gardenpath_generate.roles.language import BUNDLED
from gardenpath_generate.roles.subject_object import generate_roles

from .measure import in_process, interleaved
from .setting import FULL, Setting
from .table import Row, Table, Target

_SENTENCES = 20_000
_SECONDS = 5.0


def run(setting: Setting) -> list[Table]:
    size = _SENTENCES if setting.size >= FULL else _SENTENCES // 10
    contestants = {code: in_process(partial(generate_roles, code, size=size)) for code in BUNDLED}
    costs = interleaved(contestants, setting.repeats, setting.tell)
    bound = Target("CPU s", "<=", _SECONDS, " s") if setting.size >= FULL else None
    rows = [
        Row({"contestant": f"gardenpath suite make roles -l {code}", "CPU s": cost.cpu}, bound, cost)
        for code, cost in costs.items()
    ]
    return [Table(f"generate: {size:,} sentences of a roles suite", rows, [])]
