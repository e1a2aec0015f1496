"""The runs that the arguments of compare, check and report mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError
from ..runs.record.run import RECORD, Run
from ..runs.work.where import HERE, Where
from .result import StudyResult
from .studies import function_of, study_function, study_on

AnyRun = str | Path | Run | StudyResult


@contextmanager
def opened_runs(given: Sequence[Any], where: Where = HERE, **settings: Any) -> Iterator[list[Run]]:
    """Open the runs that the arguments of a comparison mean.

    Folders of runs, results, and logs of other harnesses are runs. Without any of them, the first argument is a source
    and the others are systems: the study of the source is carried out. After a run, others are systems on which that
    run is repeated.
    """
    runs = [part for part in given if is_run(part)]
    for part in given[1:]:
        if runs and isinstance(part, str | Path) and Path(part).is_dir() and not any(Path(part).iterdir()):
            raise InputError("this folder holds no run", where=str(part), todo="name the folder of a finished run")
    others = [part for part in given if not is_run(part)]
    with ExitStack() as stack:
        opened = [stack.enter_context(as_run(run)) for run in runs]
        if others and opened:
            first = opened[0]
            if settings:
                todo = f"leave out {', '.join(settings)}"
                raise UsageError("a run is repeated with its own settings", where=str(first.folder), todo=todo)
            if not first.record.get("source"):
                todo = "name the source and both systems instead: SOURCE A B"
                raise UsageError(
                    "this run does not name its source, and cannot be repeated", where=str(first.folder), todo=todo
                )
            kept = {
                name: value for name, value in first.record["settings"].items() if name not in ("systems", "source")
            }
            settings = {name: value for name, value in kept.items() if value not in (None, "", [], False)}
            again = study_on(
                first.record["source"], others, study=function_of(first.record["command"]), where=where, **settings
            )  # fmt: skip
            opened.append(stack.enter_context(again.as_run()))
        elif others:
            source, *systems = others
            if not systems:
                raise UsageError("no system is named, and this is not a run", where=str(source), todo="add a system")
            opened.append(stack.enter_context(study_on(source, systems, where=where, **settings).as_run()))
        elif settings:
            raise UsageError("finished runs have their settings", todo=f"leave out {', '.join(settings)}")
        yield opened


def is_run(given: Any) -> bool:
    """Return whether this is a run: an object, the folder of one, or a log of another harness."""
    if isinstance(given, Run | StudyResult):
        return True
    if isinstance(given, list | tuple):  # a mistake, which opening it explains
        return any(isinstance(part, Run | StudyResult) for part in given)
    return isinstance(given, str | Path) and ((Path(given) / RECORD).is_file() or is_log(given))


def is_log(given: Any) -> bool:
    """Return whether this is a log of another harness, or a folder of them."""
    if not isinstance(given, str | Path) or (Path(given) / RECORD).is_file():
        return False
    from ..studies.logs import study as logs

    place = Path(given)
    return any(map(logs.is_log, place.rglob("*"))) if place.is_dir() else logs.is_log(place)


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
    if is_log(anything):
        read = study_function("logs")
        assert read is not None
        return read(anything).as_run()
    return nullcontext(Run.load(given))
