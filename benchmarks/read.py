"""`read`: one large file until heads and relations of all sentences are usable, and the memory this takes."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from .measure import ROOT, BenchmarkError, child, in_process, interleaved
from .readers import CONLLU, MODULES, OURS, READERS, UDAPI, UDPIPE, facts
from .setting import Setting, missing
from .table import Row, Table, Target, at_least, compared

TARGETS = {UDPIPE: at_least(1.3), UDAPI: at_least(8), CONLLU: at_least(20)}
_PEAK = """
import sys
from pathlib import Path
from benchmarks.readers import READERS
kept = READERS[sys.argv[1]](Path(sys.argv[2]))
try:
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")))
except OSError:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""
# The kernel's own high-water mark where there is one: ru_maxrss of a new process begins at its parent's.


def run(setting: Setting) -> list[Table]:
    path, small = setting.folder / "read.conllu", setting.folder / "read-small.conllu"
    size = setting.corpus.write(path, setting.size)
    setting.corpus.write(small, min(2.0, setting.size))
    absent = missing(**MODULES)
    names = [name for name in READERS if name not in absent]
    memory = _memory([name for name in names if name in (OURS, UDPIPE)], path, small, size)
    check(names, small)
    contestants = {name: in_process(partial(READERS[name], path)) for name in names}
    found = interleaved(contestants, setting.repeats, setting.tell)
    rows = compared(found, ours=OURS, megabytes=size, targets=TARGETS)
    title = f"read: {size:.0f} MB until heads and relations of all sentences are usable (one process, CPU time)"
    return [Table(title, rows, list(absent.values())), memory]


def check(names: list[str], path: Path) -> None:
    """All contestants read the same; this is also their warm-up."""
    expected = facts(OURS, READERS[OURS](path))
    for name in names:
        if facts(name, READERS[name](path)) != expected:
            raise BenchmarkError(f"{name} reads other heads or relations than {OURS}")


def _memory(names: list[str], path: Path, small: Path, size: float) -> Table:
    """The peak of a process that reads the file, less that of one that reads almost nothing."""
    rows = []
    tiny = small.with_name("one-sentence.conllu")
    tiny.write_bytes(small.read_bytes().partition(b"\n\n")[0] + b"\n\n")
    for name in names:
        peaks = [_peak(name, one) / 1e6 for one in (path, tiny)]
        target = Target("x file", "<=", 4) if name == OURS else None
        used = peaks[0] - peaks[1]
        rows.append(Row({"contestant": name, "peak MB": used, "x file": used / size}, target))
    return Table(f"read: peak memory for {size:.0f} MB, less that of the imported packages", rows)


def _peak(name: str, path: Path) -> int:
    import os

    place = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    _, output = child([sys.executable, "-c", _PEAK, name, path], PYTHONPATH=place)
    return int(output)
