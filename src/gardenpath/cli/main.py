"""`gardenpath`: assembles the commands, and turns errors into one clear message and an exit code."""

from __future__ import annotations

import contextlib
import inspect
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable
from copy import copy
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from .._version import __version__
from ..boundary.texts import check_name, printable
from ..errors import GardenpathError
from ..studies.registry import STUDIES, study_groups

COMMANDS = {
    "demo": "Run every study on bundled data, with parsers trained on the spot.",
    "data": "Public data by name: list, fetch, find, cite.",
    "treebank": "Treebanks: measure, check, convert, split, augment.",
    "suites": "Suites: list, show, check, convert, generate.",
    "train": "Train a parser, a language model or a phrase parser.",
    "parse": "Parse a treebank or text; failures are marked and counted.",
    "score": "Surprisal of every token, in bits.",
    **study_groups(),
    "reproduce": "Go through a paper number by number: what is recomputed, what is not, and why.",
    "plan": "Write a study, or a grid of them, as a plan for many processes.",
    "run": "Do a part of a plan, with files alone.",
    "collect": "Make the runs of a plan, and tell what is missing.",
    "card": "A grammar check-up of one system: one page, one JSON, in minutes.",
    "compare": "Compare runs on the same items, paired.",
    "check": "Exit 1 if a run does not meet conditions.",
    "verify": "Exit 1 if a run is not as it was sealed.",
    "stats": "Mixed models, tests and power on tables of observations.",
    "show": "Draw trees, alone or beside another analysis.",
    "report": "Make one HTML page from runs.",
    "export": "Findings for others: every-eval-ever records, a model card's results block.",
    "systems": "The kinds of systems: parsers, language models, phrase parsers.",
}
"""What is said of each command, so that --help loads none. A study's command is made from its declaration; the module
of any other, and of a study that has more than one, has its name and an `app`."""


def build(names: Iterable[str] = COMMANDS, *, member: str = "", listed: bool = False) -> typer.Typer:
    """The program with these commands; a call of one command loads no other, and where they are only listed, none.

    Of a group that has a command `member`, it has this one alone.
    """
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        pretty_exceptions_enable=False,
    )
    app.callback()(gardenpath)
    if listed:
        for name, about in COMMANDS.items():
            app.command(name, help=about)(_nothing)
        return app
    for name in names:
        if name in STUDIES and find_spec(f"gardenpath.cli.{name}") is None:
            from ..studies.registry import study_command
            from .study import study_function

            app.command(name, no_args_is_help=True)(guarded(study_function(study_command(name))))
            continue
        module = import_module(f"gardenpath.cli.{name}")
        if len(module.app.registered_commands) > 1:
            group = copy(module.app)
            own = [info for info in group.registered_commands if member in (info.name, info.callback.__name__)]
            group.registered_commands = own or group.registered_commands
            for info in group.registered_commands:
                info.callback = guarded(info.callback)
            app.add_typer(group, name=name)
        else:
            info = module.app.registered_commands[0]
            app.command(name, no_args_is_help=info.no_args_is_help)(guarded(info.callback))
    return app


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with its errors turned into one message and an exit code, before Typer sees them."""
    if hasattr(command, "__wrapped__"):
        return command

    @wraps(command)
    def call(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise  # Typer's own
        except GardenpathError as error:
            sys.exit(_complain(f"error: {error}", 2))
        except KeyboardInterrupt:
            sys.exit(_complain("stopped", 130))
        except BrokenPipeError:
            # The reader of our output went away (`| head`): that is its right and no error of ours.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        except OSError as error:
            sys.exit(_complain(f"error: {_of_system(error)}", 2))
        except MemoryError:
            sys.exit(_complain("error: not enough memory for this; work on smaller pieces or fewer --jobs", 2))
        except Exception as error:
            sys.exit(_unforeseen(error))

    # Typer reads the annotations four times; texts would be compiled and evaluated as often.
    call.__signature__ = inspect.signature(command, eval_str=True)  # type: ignore[attr-defined]
    call.__annotations__ = {}
    return call


_stopped: list[int] = []
"""The exit code of a program that was told to end; an import or a library may turn its exit into another error."""


def _nothing() -> None:
    """Stands for a command that is only listed."""


def _show_version(asked: bool) -> None:
    if asked:
        print(f"gardenpath {__version__}")
        raise typer.Exit


def gardenpath(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Which grammar does a parser or a language model really know, where does it break, and how much of
    its score is luck of the split?

    Start with: gardenpath demo
    """


def main(arguments: list[str] | None = None) -> None:
    """Exit 0: done; 1: a check failed; 2: the input or the call is wrong; 70: a fault of gardenpath.

    A program that calls this with `arguments` has its own signals and warnings again afterwards.
    """
    before = signal.signal(signal.SIGTERM, _terminated), warnings.formatwarning
    try:
        _main(sys.argv[1:] if arguments is None else arguments)
    finally:
        if arguments is not None:
            signal.signal(signal.SIGTERM, before[0])
            warnings.formatwarning = before[1]


def _main(given: list[str]) -> None:
    completing = any(name.startswith("_GARDENPATH") and name.endswith("_COMPLETE") for name in os.environ)
    single = given and given[0] in COMMANDS and not completing
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # data is UTF-8, whatever the terminal says
    warnings.formatwarning = _warning
    for word in given:
        try:
            check_name(word, "this part of the call")
        except GardenpathError as error:
            sys.exit(_complain(f"error: {error}", 2))
    only_listed = not completing and (not given or given[0] in ("-h", "--help", "--version"))
    try:
        program = build((given[0],) if single else COMMANDS, member="".join(given[1:2]), listed=only_listed)
        program(args=given, prog_name="gardenpath")
    except BaseException as error:
        if _stopped:  # whatever the signal interrupted and made of it
            sys.exit(_stopped[0])
        if isinstance(error, Exception):  # of an import, say
            sys.exit(_unforeseen(error))
        raise


def _warning(message: Warning | str, category: type[Warning], *place: object, **more: object) -> str:
    """What a person is warned of is told without the line of code that did it."""
    return f"warning: {message}\n" if issubclass(category, UserWarning) else f"{category.__name__}: {message}\n"


def _terminated(number: int, frame: object) -> None:
    """`timeout` and Slurm end a program so: files in the making and child processes are cleared away first."""
    _stopped.append(128 + number)
    # Not by sys.stderr: the signal may have come in the middle of writing to it.
    with contextlib.suppress(OSError):
        os.write(2, b"stopped\n")
    sys.exit(_stopped[0])


def _of_system(error: OSError) -> str:
    """What the operating system said; a full disk is told with where and what to do."""
    import errno

    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return f"{printable(error.filename)}: {error.strerror}" if error.filename and error.strerror else str(error)
    where = error.filename or "standard output or a temporary file"
    return f"{where}: no space is left on its disk\n  make room there and call it again"


def _unforeseen(error: Exception) -> int:
    if _stopped:
        return _stopped[0]
    from .unforeseen import tell_unforeseen

    return tell_unforeseen(error)


def _complain(text: str, code: int) -> int:
    from .unforeseen import to_stderr

    to_stderr(text + "\n")
    return code
