"""Settings without an option of their own: `--set NAME=VALUE`, a TOML file, or the settings of a run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import typer

from ..errors import UsageError, unknown_name
from ..studies.engine.declaration import parts_of
from .options import JobsOption

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A rare setting, repeatable. --help-all lists them."),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Options and settings from a TOML file, or from the folder of a run."
    ),
]
CONTEXT = "ctx"
GIVEN = "gardenpath.given"
"""The key of the context under which the names of all settings lie that the user gave, in whatever way."""


@dataclass(frozen=True, slots=True)
class Rare:
    """Marks a parameter of a command as a setting without an option: `Annotated[bool, Rare("What it does.")]`."""

    help: str
    choices: Sequence[str] = ()
    least: float | None = None
    most: float | None = None
    name: str = ""
    """Its name, where it is not that of the parameter."""
    repeated: bool = False
    """Is each value of a list given by itself, and not cut at commas?"""
    rest: str | None = None
    """Of a list of `NAME=VALUE`: it takes every unknown name that begins so, such as `train.hidden`."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A rare setting of one command."""

    parameter: str
    kind: Any
    default: Any
    rare: Rare

    @property
    def name(self) -> str:
        if self.rare.rest is not None:
            return f"{self.rare.rest}NAME"
        return self.rare.name or self.parameter


NearSetting = Annotated[
    float,
    Rare(
        "Share of common word pairs from which sentences count as nearly equal; 0: only word for word.", least=0, most=1
    ),
]
WORK = (
    Setting("cache", bool, True, Rare("Reuse stored outputs of systems.", name="work.cache")),
    Setting(
        "time_limit", float | None, None,
        Rare("Seconds for one piece of work; a longer one counts as a failure.", name="work.time_limit"),
    ),
    Setting(
        "memory_limit", float | None, None,
        Rare("Gigabytes for a process that runs a system (Linux); more counts as a failure.", name="work.memory_limit"),
    ),
)  # fmt: skip
"""The settings of a command that has a parameter of the type `Where`; it also has the option --jobs."""


def with_settings(function: Callable[..., Any], *, listed: bool = False) -> Callable[..., Any]:
    """Return the command as Typer reads it: its rare parameters come from --set and --config.

    A parameter of the type `Where` becomes --jobs and the settings of `WORK`. `listed`: the help lists the settings.
    """
    from ..runs.work.where import Where

    plain: dict[str, inspect.Parameter] = {}
    settings: list[Setting] = []
    place = ""
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        marks = [mark for mark in getattr(parameter.annotation, "__metadata__", ()) if isinstance(mark, Rare)]
        if parameter.annotation is Where:
            place = name
            settings += WORK
            plain["jobs"] = _option("jobs", JobsOption, "1")
        elif marks:
            settings.append(Setting(name, get_args(parameter.annotation)[0], parameter.default, marks[0]))
        else:
            plain[name] = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    if not settings:
        return function
    own = dict(plain)
    plain.setdefault(CONTEXT, inspect.Parameter(CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))
    plain |= {"set": _option("set", SetOption, None), "config": _option("config", ConfigOption, None)}
    if "quiet" in plain:
        plain["quiet"] = plain.pop("quiet")  # the last one in every help

    @wraps(function)
    def call(**options: Any) -> Any:
        texts, config, context = options.pop("set"), options.pop("config"), options[CONTEXT]
        if CONTEXT not in own:
            del options[CONTEXT]
        values = {setting.parameter: setting.default for setting in settings}
        given = _from_texts(texts or (), settings)
        typed = {name for name in own if _is_typed(context, name)}
        for name, value in _from_config(config, settings, own) if config is not None else ():
            if name in own:
                options |= {} if name in typed else {name: value}
                typed.add(name)
            else:
                given.setdefault(name, value)
        context.meta[GIVEN] = {*typed, *given}
        values |= given
        if place:
            progress = False if options.get("quiet") else None
            limits = {setting.parameter: values.pop(setting.parameter) for setting in WORK}
            jobs = options.pop("jobs")
            values[place] = Where(int(jobs) if jobs.isdecimal() else jobs, progress=progress, **limits)
        return function(**options, **values)

    call.__signature__ = inspect.Signature(list(plain.values()))  # type: ignore[attr-defined]
    call.settings = [setting.name for setting in settings]  # type: ignore[attr-defined]
    if listed:
        call.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{_listing(settings)}"
    return call


def is_given(context: typer.Context, name: str) -> bool:
    """Return whether the user gave this option or setting, on the command line or in a file."""
    return name in context.meta.get(GIVEN, ()) or _is_typed(context, name)


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _listing(settings: Sequence[Setting]) -> str:
    """Return the section of the help that lists the settings."""
    lines = ["\b", "Settings (--set NAME=VALUE, or lines of a TOML file for --config):"]
    for setting in settings:
        shown = _text(setting.default)
        values = f" One of: {', '.join(setting.rare.choices)}." if setting.rare.choices else ""
        lines.append(f"  {setting.name}: {setting.rare.help}{values}" + (f" [{shown}]" if shown else ""))
    return "\n".join(lines)


def _text(value: Any) -> str:
    """Return a default as it would be typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


def _from_texts(texts: Sequence[str], settings: Sequence[Setting]) -> dict[str, Any]:
    """Return the values of --set by parameter; a repeated list is one list."""
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text}: no value", todo=f"write --set {text}=VALUE")
        parameter, parsed = _setting(name.strip(), value.strip(), settings, "--set")
        before = values.get(parameter)
        values[parameter] = before + parsed if isinstance(before, tuple | list) else parsed
    return values


def _setting(name: str, value: Any, settings: Sequence[Setting], where: str) -> tuple[str, Any]:
    """Return the parameter of a setting and its value."""
    known = {setting.name: setting for setting in settings if setting.rare.rest is None}
    if setting := known.get(name.replace("-", "_")):
        return setting.parameter, _parsed(value, setting.kind, f"{where} {name}", setting.rare)
    for setting in settings:
        if setting.rare.rest is not None and name.startswith(setting.rare.rest):
            return setting.parameter, [f"{name.removeprefix(setting.rare.rest)}={value}"]
    raise unknown_name("setting", name, known, where=where)


def _from_config(
    path: Path, settings: Sequence[Setting], options: Mapping[str, inspect.Parameter]
) -> Iterator[tuple[str, Any]]:
    """Yield (parameter, value) for each line of a TOML file or each setting of a run."""
    for key, value in _entries(path):
        name = key.replace("-", "_")
        if name in options:
            kind = get_args(options[name].annotation)[0]
            if isinstance(value, list | tuple) and kind is str:
                value = ",".join(map(str, value))
            yield name, _parsed(value, kind, f"{path}: {key}", Rare(""))
        else:
            yield _setting(key, value, settings, f"{path},")


def _entries(path: Path) -> Iterator[tuple[str, Any]]:
    from ..boundary.structured import read_toml
    from ..boundary.texts import file_bytes

    if path.is_dir():
        from ..runs.record.run import Run

        record = Run.load(path).record
        given = {**record.get("settings", {}), **({"seed": record["seed"]} if record.get("seed") else {})}
        unset: tuple[Any, ...] = (None, "", [], False)
        yield from ((name, value) for name, value in given.items() if value not in unset and name not in NOT_SETTINGS)
        return
    tables = read_toml(file_bytes(path, "the settings", "name a TOML file, or the folder of a run"), str(path))
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{name}", inner) for name, inner in value.items())
        else:
            yield key, value


NOT_SETTINGS = ("systems", "source", "signature")
"""What a run keeps beside the settings of its study."""
_TRUTHS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _parsed(value: Any, kind: Any, where: str, rare: Rare) -> Any:
    """Return a value, typed or from a file, as what the parameter holds."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = [part for part in get_args(kind) if part is not NoneType]
    if kind in (tuple, list) or get_origin(kind) in (tuple, list):
        if isinstance(value, list | tuple):
            parts = list(value)
        else:
            parts = [value] if rare.repeated else parts_of(str(value))
        inner = (get_args(kind) or (str,))[0]
        return (get_origin(kind) or kind)(_parsed(part, inner, where, rare) for part in parts)
    try:
        if kind is bool:
            parsed: Any = _TRUTHS[str(value).lower()]
        elif isinstance(value, Mapping | list | tuple):
            raise ValueError
        else:
            parsed = kind(value) if isinstance(kind, type) else value
    except (ValueError, KeyError):
        wanted = (
            ["yes", "no"] if kind is bool else list(kind) if isinstance(kind, type) and issubclass(kind, Enum) else []
        )
        todo = (
            f"write {' or '.join(map(str, wanted))}"
            if wanted
            else f"write {'a number' if kind in (int, float) else 'a text'}"
        )
        raise UsageError(f"{str(value)[:60]!r} does not fit", where=where, todo=todo) from None
    if rare.choices and parsed not in rare.choices and parsed != "":
        raise unknown_name("value", str(parsed), rare.choices, where=where)
    if rare.least is not None and parsed < rare.least:
        raise UsageError(f"{parsed} is below {rare.least:g}", where=where, todo=f"write {rare.least:g} or more")
    if rare.most is not None and parsed > rare.most:
        raise UsageError(f"{parsed} is above {rare.most:g}", where=where, todo=f"write {rare.most:g} or less")
    return parsed
