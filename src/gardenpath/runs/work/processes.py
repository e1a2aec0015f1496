"""Worker processes: how many this machine lets us have, how each begins, and calls with limits."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import FailedOnInput, GardenpathError, NoAnswer, UsageError

_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux."""
# One task has one core: libraries that start threads of their own would take those of the others.
THREADS = dict.fromkeys(
    (
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
        "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS",
    ),
    "1",
)  # fmt: skip


def worker_count(jobs: int | str) -> int:
    """The number of processes meant by `--jobs`: 0 or "all" are all cores this process may use."""
    text = str(jobs).strip().lower()
    if text in ("0", "all"):
        return available_cores()
    if not text.isdecimal():
        raise UsageError(
            f"{jobs!r} is not a number of processes",
            where="jobs",
            todo="give a number, all, local:N, slurm:N or the address of a scheduler",
        )
    return int(text)


def available_cores() -> int:
    """Cores by the affinity of this process, and not more than its container or Slurm job allows."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        cores = os.cpu_count() or 1
    return max(1, min([cores, *_cgroup_limits(Path("/sys/fs/cgroup"), Path("/proc/self/cgroup"))]))


def _cgroup_limits(root: Path, own: Path) -> list[int]:
    limits = []
    for folder in [root, *_own_groups(root, own)]:
        for names in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):  # of both kinds of groups
            with suppress(OSError, ValueError, ZeroDivisionError):  # a quota of "max" is no number
                quota, period = " ".join((folder / name).read_text(encoding="ascii") for name in names).split()
                if int(quota) > 0:
                    limits.append(max(1, int(quota) // int(period)))
    return limits


def _own_groups(root: Path, own: Path) -> list[Path]:
    """The group of this process and those above it: each may set a limit."""
    try:
        entries = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    paths = [entry[3:].strip("/") for entry in entries if entry.startswith("0::")]
    names = [name for path in paths for name in path.split("/") if name and name != ".."]
    return [root.joinpath(*names[: depth + 1]) for depth in range(len(names))]


def begin_worker(environment: dict[str, str], started_by_main: bool = False) -> None:
    """Start of a worker: Ctrl-C is the parent's to handle, and a worker does not outlive its parent.

    `started_by_main` says that the parent's main thread made it: Linux then ends it with the parent.
    """
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch_parent, daemon=True).start()
    if started_by_main:
        die_with_parent()


def in_main_thread() -> bool:
    """Linux ends a child with the thread that made it, so only one of the main thread may ask for it."""
    return threading.current_thread() is threading.main_thread()


def die_with_parent() -> None:
    """Asks Linux to kill this process when its parent is gone, even in the midst of C code that lets no thread run.
    Elsewhere a watched pipe is all there is."""
    if sys.platform.startswith("linux"):
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _watch_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


Outcome = tuple[Any, ...]
"""("done", result), ("failed", GardenpathError) or ("crashed", "Kind: message", traceback)."""


def attempt(function: Callable[[Any], Any], task: Any) -> Outcome:
    """Runs one task; an error becomes a value, because not every exception survives the way back."""
    try:
        return "done", function(task)
    except GardenpathError as error:
        return "failed", error
    except MemoryError:
        return "failed", FailedOnInput("the memory does not suffice", todo="give it more, or shorter sentences")
    except Exception as error:
        import traceback

        return "crashed", f"{type(error).__name__}: {error}", traceback.format_exc()


def result_of(outcome: Outcome, name: str = "") -> Any:
    """What a task returned; what it died of is raised again."""
    kind, value, *rest = outcome
    if kind == "done":
        return value
    if kind == "failed":
        if name:
            value.add_note(f"in task {name}")
        raise value
    failure = FailedOnInput(value, where=name)
    failure.add_note("".join(rest))
    raise failure


LOADING = 900.0
"""Seconds that may pass before the clock of the first call starts: a large model takes long to load."""
_KEPT: list[_Worker] = []
"""The process of calls with limits, kept for the next; a new one where the memory is another."""


def within(
    seconds: float | None,
    gigabytes: float | None,
    prepare: Callable[[Any], Any],
    function: Callable[[Any], Any],
    task: Any,
) -> Any:
    """`function(task)`; `NoAnswer` when it takes longer, `FailedOnInput` when the memory does not suffice.

    `prepare(task)` goes before it and is not timed. The memory is that of the process and of each that it starts; what
    a model takes counts.
    """
    if _KEPT and _KEPT[0].gigabytes != gigabytes:
        _KEPT.pop().end()
    if not _KEPT:
        _KEPT.append(_Worker(gigabytes))
    _KEPT[0].call(prepare, task, LOADING)
    return _KEPT[0].call(function, task, seconds)


class _Worker:
    """A child process that does one call after the other and is made anew after one that took too long."""

    def __init__(self, gigabytes: float | None = None) -> None:
        self.gigabytes = gigabytes
        self._process: Any = None
        self._pipe: Any = None

    def call(self, function: Callable[[Any], Any], task: Any, seconds: float | None) -> Any:
        if self._process is None or not self._process.is_alive():
            self._start()
        try:
            self._pipe.send((function, task))
            if not self._pipe.poll(seconds):
                self.end()
                raise NoAnswer(f"no answer within {seconds:g} s", todo="give it more: --set work.time_limit=N")
            outcome = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            self.end()
            raise FailedOnInput("the process that did it was killed", todo="often the memory runs out") from error
        except BaseException:
            self.end()
            raise
        return result_of(outcome)

    def _start(self) -> None:
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        process = context.Process(
            target=_serve, args=(theirs, dict(THREADS), in_main_thread(), self.gigabytes), daemon=True
        )
        # Workers of Dask are daemons, which may have no children; this one ends with its parent in any case.
        own: Any = multiprocessing.current_process()
        was_daemon = own._config.pop("daemon", None)
        try:
            process.start()
        finally:
            if was_daemon is not None:
                own._config["daemon"] = was_daemon
        theirs.close()
        self._process = process

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            self._pipe.close()


def _serve(pipe: Any, environment: dict[str, str], started_by_main: bool, gigabytes: float | None) -> None:
    """In the child: calls, one by one, until the pipe is closed."""
    begin_worker(environment, started_by_main)
    if gigabytes is not None:
        import resource

        # A limit of private memory: unlike one of the address space it does not count files that are only mapped, such
        # as libraries and weights. It holds for this process and each that it starts.
        size = int(gigabytes * 1e9)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    while True:
        try:
            function, task = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(attempt(function, task))
