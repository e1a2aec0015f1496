"""Runs for whatever needs one: a folder that is there, a `Run`, or a result that is kept for a moment."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from ..errors import UsageError
from ..runs.record import Run
from .result import StudyResult

AnyRun = str | Path | Run | StudyResult


def as_run(given: AnyRun) -> AbstractContextManager[Run]:
    """The run of a folder or a result; a result that has no folder gets one for as long as the block lasts."""
    if isinstance(given, Run):
        return nullcontext(given)
    if isinstance(given, StudyResult):
        return given.as_run()
    anything: object = given  # callers may give anything
    if not isinstance(anything, str | Path):
        what, todo = f"{type(anything).__name__}: not a run", "give the folder of a run, a run or a result of a study"
        if isinstance(anything, list | tuple):
            todo = "give runs and results one by one: a, b or *runs, not [a, b]"
        raise UsageError(what, todo=todo)
    return nullcontext(Run.load(given))
