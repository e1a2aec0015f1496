"""Measuring: CPU and wall time of a call or of a whole process, contestants in turn, medians."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
Measured = Callable[[], "Cost"]


class BenchmarkError(Exception):
    """A benchmark cannot go on; the others can."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took, in seconds; CPU is user and system, over all threads and children that ended."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class Costs:
    """All runs of one contestant."""

    runs: tuple[Cost, ...]

    @property
    def cpu(self) -> float:
        return median(run.cpu for run in self.runs)

    @property
    def wall(self) -> float:
        return median(run.wall for run in self.runs)


def interleaved(
    contestants: Mapping[str, Measured], repeats: int, tell: Callable[[str], None] = lambda _: None
) -> dict[str, Costs]:
    """A B C A B C …: what slows the machine for a while slows all contestants, not one."""
    runs: dict[str, list[Cost]] = {name: [] for name in contestants}
    for number in range(1, repeats + 1):
        for name, run in contestants.items():
            tell(f"{number}/{repeats} {name}")
            runs[name].append(run())
    return {name: Costs(tuple(found)) for name, found in runs.items()}


def in_process(work: Callable[[], object]) -> Measured:
    """The call in this process, each time with fresh objects and a heap without garbage."""

    def run() -> Cost:
        gc.collect()
        gc.freeze()  # objects of the benchmark itself must not slow the peers' garbage collection
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        cost = Cost(time.process_time() - cpu, time.perf_counter() - wall)
        del result
        gc.unfreeze()
        return cost

    return run


def in_child(command: Sequence[str | Path], **variables: str) -> Measured:
    """The command as a whole process, from start to end."""
    return lambda: child(command, **variables)[0]


def child(command: Sequence[str | Path], **variables: str) -> tuple[Cost, str]:
    """What a process took, and what it printed to standard output."""
    words = [str(word) for word in command]
    begin = time.perf_counter()
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**variables)
    ) as process:
        # Both pipes are read to their end before the process is waited for: wait4 alone tells what it used.
        output, complaint = _read_both(process)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        last = complaint.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
        raise BenchmarkError(f"exit code {process.returncode} of {' '.join(words)}: {last[0]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall), output.decode("utf-8", "replace")


def _read_both(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    import selectors

    assert process.stdout is not None
    assert process.stderr is not None
    parts: dict[Any, list[bytes]] = {process.stdout: [], process.stderr: []}
    with selectors.DefaultSelector() as selector:
        for stream in parts:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                data = os.read(key.fd, 1 << 16)
                parts[key.fileobj].append(data)
                if not data:
                    selector.unregister(key.fileobj)
    out, err = (b"".join(found) for found in parts.values())
    return out, err


def environment(**variables: str) -> dict[str, str]:
    """That of any user: byte code is cached, colours and widths do not depend on this terminal."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if not _script("gardenpath").exists():  # not installed: children find it where this process found it
        import gardenpath

        source = str(Path(gardenpath.__file__).resolve().parents[1])
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, [source, kept.get("PYTHONPATH", "")]))
    return {**kept, "NO_COLOR": "1", "COLUMNS": "120", **variables}


def gardenpath_command() -> list[str]:
    """The program as it is installed; from a source tree without installation, as a module."""
    script = _script("gardenpath")
    return [str(script)] if script.exists() else [sys.executable, "-m", "gardenpath"]


def console_script(name: str) -> list[str] | None:
    """A program of a package that is installed beside this interpreter, or None."""
    script = _script(name)
    return [str(script)] if script.exists() else None


def _script(name: str) -> Path:
    return Path(sys.executable).parent / name
