"""How far the work is, on standard error: bars for whoever watches, a line now and then in a log file.

Progress within progress (the sentences of a piece, the batches of an epoch) is a second bar below the first. Worker
processes are silent: their tasks are counted by the process that gives them out.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from typing import Any

from ..._text import terminal

FIRST, EVERY = 20.0, 60.0
"""Seconds of work before the first line in a log, and between two of them."""


class Progress:
    """Counts what is done and tells whoever shows it."""

    def __init__(self, total: int, show: Callable[[int], None] | None = None) -> None:
        self.total, self.done, self._show = total, 0, show

    def advance(self, n: int = 1) -> None:
        self.done += n
        if self._show is not None:
            self._show(self.done)


_LOCK = threading.Lock()


class _Shown:
    """What this process shows at the moment: its bars, how many blocks silence it, and when a log got its last line."""

    bars: Any = None
    silenced = 0
    last_line = float("-inf")


@contextmanager
def progress(total: int, label: str, enabled: bool | None = None, unit: str = "") -> Iterator[Progress]:
    """A bar where standard error is a terminal (or `enabled` says so); elsewhere lines, if the work takes its time.

    `GARDENPATH_PROGRESS=plain` writes a line at the start and one at the end instead;
    `GARDENPATH_PROGRESS=none` writes nothing. What is not `enabled` silences all progress within it.
    """
    wish = os.environ.get("GARDENPATH_PROGRESS", "")
    if enabled is False:
        with silence():
            yield Progress(total)
    elif _Shown.silenced or wish == "none" or total <= 0 or sys.stderr is None or parent_process():
        yield Progress(total)
    elif wish == "plain":
        yield from _begin_and_end(total, label)
    elif enabled or (sys.stderr.isatty() and os.environ.get("TERM") != "dumb"):
        yield from _bar(total, label, unit)
    else:
        yield from _log(total, label, unit)


@contextmanager
def silence() -> Iterator[None]:
    """No progress is shown until the block ends."""
    with _LOCK:  # threads enter and leave in any order
        _Shown.silenced += 1
    try:
        yield
    finally:
        with _LOCK:
            _Shown.silenced -= 1


def _begin_and_end(total: int, label: str) -> Iterator[Progress]:
    state = Progress(total)
    _line(f"{label}: {total} to do")
    try:
        yield state
    finally:
        _line(f"{label}: {state.done} of {total} done")


def _log(total: int, label: str, unit: str) -> Iterator[Progress]:
    begin = time.monotonic()

    def show(done: int) -> None:
        now = time.monotonic()
        if now - begin >= FIRST and now - _Shown.last_line >= EVERY:
            _Shown.last_line = now
            _line(f"{label}: {done:,} of {total:,}{unit and ' '}{unit} after {now - begin:.0f} s")

    yield Progress(total, show)


def _bar(total: int, label: str, unit: str) -> Iterator[Progress]:
    # Rich costs a tenth of a second, which only a person who watches should pay.
    from rich import progress as rich
    from rich.console import Console

    if _Shown.bars is not None:
        yield from _task(_Shown.bars, total, label, unit)
        return
    columns = (
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("{task.fields[unit]}", markup=False),
    )
    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with rich.Progress(*columns, *times, console=Console(stderr=True), transient=True) as bars:
        _Shown.bars = bars
        try:
            yield from _task(bars, total, label, unit)
        finally:
            _Shown.bars = None


def _task(bars: Any, total: int, label: str, unit: str) -> Iterator[Progress]:
    task = bars.add_task(label, total=total, unit=unit)
    try:
        yield Progress(total, lambda done: bars.update(task, completed=done))
    finally:
        if len(bars.tasks) > 1:
            bars.remove_task(task)


def _line(text: str) -> None:
    print(terminal(text), file=sys.stderr, flush=True)
