"""Every study as a command: its options from its settings, and the options that all studies share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from ..studies.engine.declaration import LATE, META, Call, Form, Option, StudyCommand, StudySettings, flag_of, parts_of
from .options import (
    ClusterOption,
    FiguresOption,
    Format,
    FormatOption,
    JobsOption,
    MemoryLimitOption,
    NoCacheOption,
    OutputOption,
    QuietOption,
    RunOption,
    TimeLimitOption,
)
from .output import bring, check_target, emit, fail_if, message, nothing_random

if TYPE_CHECKING:
    from ..runs.result.result import Result

_BOUND: dict[str, tuple[Any, Any]] = {
    "fail_under": (
        Annotated[str, typer.Option(help="Exit 1 if a system is below: 80 or MEASURE=VALUE, comma-separated.")],
        "",
    ),
}
_SHARED: dict[str, tuple[Any, Any]] = {
    "run": (RunOption, None),
    "figures": (FiguresOption, None),
    "format": (FormatOption, Format.table),
    "output": (OutputOption, None),
    "quiet": (QuietOption, False),
}  # fmt: skip
_PLACE: dict[str, tuple[Any, Any]] = {
    "jobs": (JobsOption, 1),
    "cluster": (ClusterOption, None),
    "no_cache": (NoCacheOption, False),
    "time_limit": (TimeLimitOption, None),
    "memory_limit": (MemoryLimitOption, None),
}


def study_function(command: StudyCommand) -> Callable[..., None]:
    """The function that Typer makes a command of: one parameter for each setting of each form."""
    declared = _declared(command.forms.values())

    def call(ctx: typer.Context, **given: Any) -> None:
        _call(ctx, command, declared, given)

    arguments = Annotated[list[str] | None, typer.Argument(metavar=command.arguments, help=command.arguments_help)]
    parameters = [_parameter("ctx", typer.Context), _parameter("arguments", arguments, None)]
    parameters += [
        _parameter(name, _annotation(name, kind, option), _shown_default(default, option))
        for name, (option, kind, default) in declared.items()
    ]
    shared = {**(_PLACE if command.asks else {}), **(_BOUND if command.scored else {}), **_SHARED}
    parameters += [_parameter(name, annotation, default) for name, (annotation, default) in shared.items()]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__name__ = command.name
    call.__doc__ = command.about + "".join(f"\n\n    Example: {example}" for example in command.examples)
    return call


def _declared(forms: Iterable[Form]) -> dict[str, tuple[Option, Any, Any]]:
    """Option, type and default of every setting that some form has."""
    declared: dict[str, tuple[Option, Any, Any]] = {}
    for form in forms:
        hints = get_type_hints(form.settings)
        for setting in fields(form.settings):
            if META in setting.metadata:
                declared.setdefault(setting.name, (setting.metadata[META], hints[setting.name], setting.default))
    return {
        name: declared[name] for name in [*(name for name in declared if name not in LATE), *LATE] if name in declared
    }


def _parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _annotation(name: str, kind: Any, option: Option) -> Any:
    names = [flag_of(name, option), *([option.short] if option.short else [])]
    more: dict[str, Any] = {"help": option.help}
    if option.metavar:
        more["metavar"] = option.metavar
    if get_origin(kind) is tuple:
        kind = list[str] | None if option.repeated else str
    elif option.least is not None:
        more["min"] = option.least
    return Annotated[kind, typer.Option(*names, **more)]


def _shown_default(default: Any, option: Option) -> Any:
    if option.repeated:
        return list(default) or None
    return ",".join(map(str, default)) if isinstance(default, tuple) else default


def _meant(
    ctx: typer.Context, command: StudyCommand, declared: Mapping[str, tuple[Option, Any, Any]], given: dict[str, Any]
) -> tuple[Call, StudySettings]:
    """What a command line means: the form of the study, its source and systems, and its settings."""
    options = {name: _value(kind, given[name]) for name, (_, kind, _) in declared.items()}
    meant = command.divide(list(given["arguments"] or []), options)
    form = command.forms[meant.form]
    own = {setting.name for setting in fields(form.settings)}
    for name in options:
        if name not in own and _is_given(ctx, name):
            _refuse(flag_of(name, declared[name][0]), form, str(meant.source))
    settings: StudySettings = form.settings(**{name: value for name, value in options.items() if name in own})
    if "seed" in given and _is_given(ctx, "seed") and "seed" not in dict(settings.random_facts()):
        drawn = ", or ask for --draws" if "draws" in own else ", or ask for --ties coin" if "ties" in own else ""
        raise nothing_random(f"leave out --seed{drawn}")
    return meant, settings


def typed_study(name: str, words: list[str]) -> tuple[Call, StudySettings]:
    """What the words after the command of a study mean; options that say where and how it is done are refused."""
    from ..errors import UsageError
    from ..studies.engine.registry import study_command

    command = study_command(name)
    declared = _declared(command.forms.values())
    ctx: Any = typer.main.get_command(command_app(command)).make_context(name, list(words))
    for option in (*_PLACE, *_BOUND, *_SHARED):
        if _is_given(ctx, option):
            flag = "--" + option.replace("_", "-")
            raise UsageError(f"{flag} has no place in a plan", where=name, todo=f"leave out {flag}")
    return _meant(ctx, command, declared, ctx.params)


def _call(
    ctx: typer.Context, command: StudyCommand, declared: Mapping[str, tuple[Option, Any, Any]], given: dict[str, Any]
) -> None:
    from ..runs.work.where import Where
    from ..studies.engine.study import run

    meant, settings = _meant(ctx, command, declared, given)
    form = command.forms[meant.form]
    study = form.load()
    wanted = bounds(given.get("fail_under", ""), study.measures)
    bring(meant.source)
    check_target(given["output"], given["figures"], [given["run"]])
    quiet = given["quiet"]
    where = Where()
    if command.asks:
        where = Where(
            given["jobs"],
            given["cluster"],
            not given["no_cache"],
            given["time_limit"],
            False if quiet else None,
            given["memory_limit"],
        )
    result = run(
        study, meant.source, meant.systems, settings, where=where, folder=given["run"],
        tell=None if quiet else message,
    )  # fmt: skip
    emit(result, given["format"], given["output"], given["figures"], given["run"], quiet=quiet)
    check_bounds(result, wanted, study)


def _is_given(ctx: typer.Context, name: str) -> bool:
    """Was this option written on the command line?"""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _value(kind: Any, given: Any) -> Any:
    """A comma-separated list as a tuple of what the setting is made of."""
    if get_origin(kind) is not tuple:
        return given
    parts = given if isinstance(given, list) else parts_of(given or "")
    return tuple(_number(part) for part in parts) if get_args(kind)[0] is int else tuple(parts)


def _number(text: str) -> int:
    from ..errors import UsageError

    if not text.isdecimal():
        raise UsageError(f"{text!r} is not a number", todo="write numbers with commas between them, such as 2000,4000")
    return int(text)


def _refuse(flag: str, form: Form, source: str) -> None:
    from ..errors import UsageError

    raise UsageError(f"{flag} is not for {form.title}", where=source, todo=f"leave out {flag}")


def bounds(text: str, known: Iterable[str]) -> dict[str, float]:
    """`80` or `MEASURE=VALUE,…` of --fail-under, by measure; the first known one is meant where none is named."""
    from ..errors import UsageError, unknown_name

    measures, limits = list(known), dict[str, float]()
    if text and not measures:
        raise UsageError("this study has no overall score", where="--fail-under", todo="leave out --fail-under")
    for part in parts_of(text):
        name, _, value = part.rpartition("=")
        measure = (name or measures[0]).lower()
        if measure not in measures:
            raise unknown_name("measure", measure, measures, where="--fail-under")
        try:
            limits[measure] = float(value)
            if not isfinite(limits[measure]):
                raise ValueError
        except ValueError:
            todo = f"write 80 or {measures[0]}=80"
            raise UsageError(f"--fail-under {part}: not a number", todo=todo) from None
    return limits


def check_bounds(result: Result, wanted: Mapping[str, float], study: Any) -> None:
    """Exit 1 where an overall score is below its bound; a score that is not there is a wrong call."""
    from ..errors import UsageError

    scores = [finding for finding in result.findings if finding.measure in wanted and study.is_overall(finding)]
    missing = sorted(set(wanted) - {score.measure for score in scores})
    if missing:
        raise UsageError(f"--fail-under {missing[0]}: not measured here", todo=study.absent)
    low = []
    for score in scores:
        bound = wanted[score.measure]
        if score.value is None or not float(score.value) >= bound:
            reason = "was not measured" if score.value is None else f"{float(score.value):.2f} is below {bound:g}"
            group = "".join(f", {value}" for value in score.by.values())
            low.append(f"{score.system}{group}: {score.measure} {reason}")
    fail_if(bool(low), "\n".join(low))


def command_app(command: StudyCommand) -> typer.Typer:
    """The Typer of one study."""
    app = typer.Typer()
    app.command(no_args_is_help=True)(study_function(command))
    return app
