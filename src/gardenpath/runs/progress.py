"""How far the work is, on standard error, for people only: silent where nobody watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Progress:
    """Counts what is done and tells whoever shows it."""

    def __init__(self, total: int, show: Callable[[int], None] | None = None) -> None:
        self.total, self.done, self._show = total, 0, show

    def advance(self, n: int = 1) -> None:
        self.done += n
        if self._show is not None:
            self._show(self.done)


@contextmanager
def progress(total: int, label: str, enabled: bool | None = None) -> Iterator[Progress]:
    """A bar where standard error is a terminal (or `enabled` says so).

    `GARDENPATH_PROGRESS=plain` writes a line at the start and one at the end instead, for log files;
    `GARDENPATH_PROGRESS=none` writes nothing.
    """
    wish = os.environ.get("GARDENPATH_PROGRESS", "")
    if enabled is False or wish == "none" or total <= 0:
        yield Progress(total)
    elif wish == "plain":
        state = Progress(total)
        _line(f"{label}: {total} to do")
        try:
            yield state
        finally:
            _line(f"{label}: {state.done} of {total} done")
    elif enabled or (sys.stderr is not None and sys.stderr.isatty()):
        yield from _bar(total, label)
    else:
        yield Progress(total)


def _bar(total: int, label: str) -> Iterator[Progress]:
    # Rich costs a tenth of a second, which only a person who watches should pay.
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
    )
    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with rich.Progress(*columns, *times, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield Progress(total, lambda done: bar.update(task, completed=done))


def _line(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)
