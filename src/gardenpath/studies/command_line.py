"""The command line that does a study again: its command, its source, its systems, and what is not as by default."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .registry import STUDIES, study_command
from .settings import META, StudySettings, flag_of

if TYPE_CHECKING:
    from ..systems.entrants import Entrant
    from .study import Study


def command_line(
    study: Study[Any, Any, Any, Any], source: Any, entrants: Sequence[Entrant], settings: StudySettings
) -> str:
    """What to type; empty where an object of Python was studied or asked, which has no name to type.

    >>> from gardenpath.studies.evaluation.settings import EvaluationSettings
    >>> from gardenpath.studies.evaluation.study import EVALUATION
    >>> from gardenpath.systems.entrants import entrants_of
    >>> systems = entrants_of(["baseline:nearest-head"], "parser")
    >>> command_line(EVALUATION, "bundled:de-test", systems, EvaluationSettings(gold=("tags",)))
    'gardenpath evaluate bundled:de-test baseline:nearest-head --gold tags'
    """
    called = _called(study)
    systems = list(dict.fromkeys(map(_typed, entrants)))  # the checkpoints of a model are one system with an axis
    sources = list(source) if isinstance(source, list | tuple) else [source]
    if called is None or None in systems or not all(isinstance(part, str | Path) for part in sources):
        return ""
    command, form = called
    words = [*command.split(), *(["--treebank"] if form == "treebank" else []), *map(str, [*sources, *systems])]
    for flag, value in _options(settings):
        words += [flag] if value is None else [flag, value]
    return shlex.join(["gardenpath", *words])


def _called(study: Study[Any, Any, Any, Any]) -> tuple[str, str] | None:
    """The command, and the form of it, that is this study."""
    kind = type(study)
    for name in STUDIES:
        for form, declared in study_command(name).forms.items():
            module = declared.study.partition(":")[0]
            if kind.__module__ == f"{__package__}.{module}" and declared.load() is study:
                return name, form
    return None


def _typed(entrant: Entrant) -> str | None:
    """`NAME=SYSTEM` where a name that can be typed was given, else the system; None of an object."""
    if not all(isinstance(member, str) for member in entrant.given):
        return None
    label = "" if any(char in entrant.label for char in ":/\\,") else entrant.label
    system = entrant.whole or ",".join(entrant.given)
    return f"{label}={system}" if label else system


def _options(settings: StudySettings) -> Iterator[tuple[str, str | None]]:
    """Flags with their values, of what is not as by default; the treebank is the source."""
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        if META not in setting.metadata or value == setting.default or setting.name == "treebank":
            continue
        declared = setting.metadata[META]
        flag = flag_of(setting.name, declared)
        if isinstance(value, bool):
            yield flag, None
        elif declared.repeated:
            yield from ((flag, str(part)) for part in value)
        elif isinstance(value, tuple):
            every = tuple(declared.choices or declared.every)
            yield flag, "all" if every and value == every else ",".join(map(str, value))
        else:
            yield flag, str(value)
