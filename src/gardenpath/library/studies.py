"""The studies as functions of `gardenpath`, made from their declarations.

A source is a path, a glob, data by name (`bundled:de-test`), a list of these, or an object: a `Treebank` or sentences
of one, a suite, a data frame of pairs. Systems are one or many of: `"udpipe:de.udpipe"`, a file that a system wrote, a
`Treebank`, an object with the methods of a protocol, or a function that parses or scores; a mapping names them.
Settings are those of the command of the same name, with `_` for `-`. `where` says where the work is done, `run` keeps
a record in a folder.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import unknown_name
from ..runs.work.where import HERE, Where
from ..studies.engine.declaration import PythonFunction, StudyCommand, made
from ..studies.engine.parsers import with_baseline
from ..studies.engine.registry import study_command, study_names
from ..studies.engine.study import run as carry_out
from .result import StudyResult

StudyFunction = Callable[..., StudyResult]


def __getattr__(name: str) -> StudyFunction:
    """Return the study that `gardenpath` has under this name."""
    function = study_function(name)
    if function is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return function


@cache
def study_function(name: str) -> StudyFunction | None:
    """Return the study of this name as a function, with its signature and documentation; None if there is none."""
    for command in map(study_command, study_names()):
        if name in command.python:
            return _function(name, command, command.python[name])
    return None


def _function(name: str, command: StudyCommand, declared: PythonFunction) -> StudyFunction:
    positional = inspect.signature(declared.arrange)

    def function(*given: Any, where: Where = HERE, run: str | Path | None = None, **settings: Any) -> StudyResult:
        try:
            positional.bind(*given)
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None
        form, source, systems = declared.arrange(*map(_kept, given))
        chosen = command.forms[form]
        settled, judged = made(chosen.settings, settings), _with_baseline(systems, settings.get("baseline", ""))
        return StudyResult.of(carry_out(chosen.load(), source, judged, settled, where=where, folder=run))

    shown = [
        part if part.kind is part.VAR_POSITIONAL else part.replace(kind=part.POSITIONAL_ONLY)
        for part in positional.parameters.values()
    ]
    own = list(inspect.signature(function).parameters.values())[1:]
    function.__signature__ = inspect.Signature([*shown, *own], return_annotation=StudyResult)  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{declared.about or inspect.cleandoc(command.about)}\n\n{inspect.cleandoc(declared.example)}\n"
    return function


def _kept(given: Any) -> Any:
    """Return a path as a name, and what can be read only once as a list."""
    return str(given) if isinstance(given, Path) else list(given) if isinstance(given, Iterator) else given


def study_on(
    source: Any,
    systems: Any,
    /,
    *,
    study: str = "",
    where: Where = HERE,
    run: str | Path | None = None,
    **settings: Any,
) -> StudyResult:
    """Carry out the study that a source is for, or the one that is named: `evaluate`, `roles`, `surprisal`, …

    >>> import gardenpath as gp
    >>> gp.study_on("bundled:de-roles", "baseline:subject-first").study
    'roles'
    """
    from ..studies.engine.registry import study_of

    name = study or study_of(source)
    function = study_function(name)
    if function is None:
        raise unknown_name("study", name, [key for command in study_names() for key in study_command(command).python])
    return function(source, systems, where=where, run=run, **settings)


def function_of(study: str) -> str:
    """Return the name of the function for a study, by the name that findings and runs have for it."""
    for command in map(study_command, study_names()):
        if any(form.notes.study == study for form in command.forms.values()):
            return next(iter(command.python))
    raise unknown_name("study", study, study_names())


def _with_baseline(systems: Any, baseline: str) -> Any:
    """Return the systems and, after them, the baseline, if it is not one of them already."""
    if not baseline:
        return systems
    if isinstance(systems, Mapping):
        return systems if baseline in systems else {**systems, baseline: baseline}
    several = list(systems) if isinstance(systems, list | tuple) else [systems]
    names = [system for system in several if isinstance(system, str)]
    return several if len(with_baseline(names, baseline)) == len(names) else [*several, baseline]
