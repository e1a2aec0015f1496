"""Every study as a command: its options from its settings, and the options that all studies share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from ..studies.engine.declaration import LATE, META, Call, Form, Option, StudyCommand, StudySettings, flag_of, parts_of
from .options import Format, FormatOption, OutputOption, QuietOption, RunOption
from .output import bring, check_target, emit, message, nothing_random
from .settings import Rare, is_given, with_settings

if TYPE_CHECKING:
    from ..runs.work.where import Where

_SHARED: dict[str, tuple[Any, Any]] = {
    "run": (RunOption, None),
    "format": (FormatOption, Format.table),
    "output": (OutputOption, None),
    "quiet": (QuietOption, False),
}


def study_function(command: StudyCommand, then: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Return the function that Typer makes a command of: one parameter for each setting of each form.

    `then` gets what was typed, instead of running the study.
    """
    from ..runs.work.where import HERE, Where

    declared = _declared(command.forms.values())

    def call(ctx: typer.Context, **given: Any) -> Any:
        meant, settings = _meant(ctx, command, declared, given)
        elsewhere: dict[str, Any] = {name: given.get(name) for name in ("where", *_SHARED)}
        return (then or _run)(command, meant, settings, **elsewhere)

    arguments = Annotated[list[str] | None, typer.Argument(metavar=command.arguments, help=command.arguments_help)]
    parameters = [_parameter("ctx", typer.Context), _parameter("arguments", arguments, None)]
    parameters += [
        _parameter(name, _annotation(name, kind, option), _shown_default(default, option))
        for name, (option, kind, default) in declared.items()
    ]
    if command.asks:
        parameters.append(_parameter("where", Where, HERE))
    parameters += [_parameter(name, annotation, default) for name, (annotation, default) in _SHARED.items()]
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
    if option.rare:
        return Annotated[kind, Rare(option.help, repeated=option.repeated, rest=option.rest or None)]
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
    if option.rare:
        return default
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
        if name not in own and is_given(ctx, name):
            _refuse(flag_of(name, declared[name][0]), form, str(meant.source))
    first = next(iter(command.forms.values()))
    given_or_own = {
        name: value for name, value in options.items() if name in own and (form is first or is_given(ctx, name))
    }
    settings: StudySettings = form.settings(**given_or_own)
    if "seed" in given and is_given(ctx, "seed") and "seed" not in dict(settings.random_facts()):
        drawn = ", or ask for --set draws=N" if "draws" in own else ", or ask for --ties coin" if "ties" in own else ""
        raise nothing_random(f"leave out --seed{drawn}")
    return meant, settings


def typed_study(name: str, words: list[str]) -> tuple[Call, StudySettings]:
    """Return what the words after the command of a study mean; a plan has places and outputs of its own."""
    from ..errors import UsageError
    from ..runs.work.where import HERE
    from ..studies.engine.registry import study_command

    def then(command: StudyCommand, meant: Call, settings: StudySettings, **elsewhere: Any) -> Any:
        where = elsewhere.pop("where")
        unfit = [option for option, value in elsewhere.items() if value not in (None, False, Format.table)]
        if where not in (None, HERE):
            unfit.append("jobs" if where.jobs != HERE.jobs else "set")
        if unfit:
            raise UsageError(f"--{unfit[0]} has no place in a plan", where=name, todo=f"leave out --{unfit[0]}")
        return meant, settings

    app = command_app(study_command(name), then)
    return typer.main.get_command(app).main(list(words), prog_name=name, standalone_mode=False)  # type: ignore[no-any-return]


def _run(
    command: StudyCommand, meant: Call, settings: StudySettings, *, where: Where | None, run: Path | None,
    format: Format, output: Path | None, quiet: bool,
) -> None:  # fmt: skip
    from ..runs.work.where import HERE
    from ..studies.engine.study import run as run_study

    study = command.forms[meant.form].load()
    bring(meant.source)
    check_target(output, runs=[run])
    result = run_study(
        study, meant.source, meant.systems, settings, where=where or HERE, folder=run,
        tell=None if quiet else message,
    )  # fmt: skip
    emit(result, format, output, run)


def _value(kind: Any, given: Any) -> Any:
    """A comma-separated list as a tuple of what the setting is made of."""
    if get_origin(kind) is not tuple:
        return given
    if isinstance(given, tuple):  # a setting, which has its values already
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


def command_app(command: StudyCommand, then: Callable[..., Any] | None = None) -> typer.Typer:
    """Return the Typer of one study."""
    app = typer.Typer()
    app.command(no_args_is_help=True)(with_settings(study_function(command, then)))
    return app
