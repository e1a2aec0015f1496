"""How a study is called: its arguments, its options, and which of its forms is meant; light, for `--help` reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .settings import StudySettings


class Call(NamedTuple):
    """What the arguments of a call mean: which form of the study, on what, with which systems."""

    form: str
    source: Any
    systems: Sequence[Any]


@dataclass(frozen=True)
class Form:
    """One form of a study: dependency or phrase trees, a suite or a treebank."""

    study: str
    """`module:OBJECT` below `gardenpath.studies`; loaded when it is run."""
    settings: type[StudySettings]
    title: str = ""
    """What it is for, where an option that it does not have is refused."""

    def load(self) -> Any:
        module, _, name = self.study.partition(":")
        return getattr(import_module(f"gardenpath.studies.{module}"), name)


@dataclass(frozen=True)
class StudyCommand:
    """A study as a command and as a function of the library."""

    name: str
    about: str
    arguments: str
    arguments_help: str
    forms: Mapping[str, Form]
    divide: Callable[[list[str], Mapping[str, Any]], Call]
    """From arguments (and options) to what they mean; raises where they mean nothing."""
    examples: Sequence[str] = ()
    asks: bool = True
    """Is there work for other processes, such as asking systems? Then it has the options that say where."""
    scored: bool = True
    """Has it overall scores? Then it has --fail-under."""


def suites_and_systems(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`SUITE... SYSTEM...` in any order: what has a kind before a colon is a system; all else are suites."""
    from ..errors import UsageError
    from ..systems.entrants import is_system_name

    suites = [argument for argument in arguments if not is_system_name(argument)]
    if not suites:
        raise UsageError("no suite is named", todo="name a suite before the systems: SUITE... SYSTEM...")
    systems = [argument for argument in arguments if is_system_name(argument)]
    if not systems and (model := next((name for name in suites if (Path(name) / "config.json").is_file()), None)):
        raise UsageError(
            "this folder is a model and no suite", where=model, todo=f"write its kind before it: hf:{model}"
        )  # fmt: skip
    return Call("", suites, systems)


def first_is_source(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`SOURCE SYSTEM...` of a study with one form."""
    source, *systems = arguments or [""]
    return Call("", source, systems)
