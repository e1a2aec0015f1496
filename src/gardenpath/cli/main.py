"""`gardenpath`: assembles the commands, and turns errors into one clear message and an exit code."""

from __future__ import annotations

import contextlib
import inspect
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable
from functools import wraps
from io import TextIOWrapper
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from .._text import terminal
from .._version import __version__
from ..boundary.texts import check_name, printable
from ..errors import GardenpathError
from ..plugins import Command, added_commands, loaded
from ..studies.engine.registry import STUDIES, added_studies, study_command, study_groups, study_names
from .renamed import new_command, new_option

GROUPS = {
    "Start": ("demo", "card", "reproduce"),
    "Studies": (
        "evaluate", "roles", "constructions", "surprisal", "joint", "consistency", "displacement",
    ),
    "Decide": ("compare", "check", "show", "report", "stats"),
    "Systems": ("systems", "train", "parse", "score"),
    "Data": ("data", "treebank", "suite"),
    "Many machines": ("batch",),
}  # fmt: skip
"""The commands by task, as `--help` lists them."""
COMMANDS: dict[str, Command] = {
    "demo": Command("Run every study on bundled data.", ".demo:demo"),
    "card": Command("Check up on one system in minutes.", ".runs:card"),
    **{name: Command(about) for name, about in study_groups().items()},
    "compare": Command("Compare runs on the same items, paired.", ".runs:compare"),
    "check": Command("Exit 1 if a run got worse, or does not meet conditions.", ".runs:check"),
    "show": Command("Show trees, suites and runs.", ".show:show"),
    "report": Command("Make a page, figures or records from runs.", ".runs:report"),
    "stats": Command("Fit a mixed model to a run or a table.", ".stats:stats"),
    "systems": Command("List the kinds of systems.", ".train:systems"),
    "train": Command("Train a parser or a language model.", ".train:train"),
    "parse": Command("Parse a treebank or text.", ".parse:parse"),
    "score": Command("Compute the surprisal of every token.", ".score:score"),
    "data": Command("List, fetch and cite public data."),
    "data list": Command(target=".data:list_data"),
    "data get": Command(target=".data:get_data"),
    "data cite": Command(target=".data:cite_data"),
    "treebank": Command("Describe, search, check, convert, split and augment treebanks."),
    "treebank stats": Command(target=".treebank.describe:stats"),
    "treebank search": Command(target=".treebank.describe:search"),
    "treebank validate": Command(target=".treebank.validate:validate"),
    "treebank convert": Command(target=".treebank.convert:convert"),
    "treebank split": Command(target=".treebank.split:split"),
    "treebank overlap": Command(target=".treebank.describe:overlap"),
    "treebank diff": Command(target=".treebank.describe:diff"),
    "treebank augment": Command(target=".treebank.augment:augment"),
    "constructions sheet": Command(target=".constructions_sheet:sheet"),
    "suite": Command("Make, check and convert suites."),
    "suite check": Command(target=".suites:check"),
    "suite convert": Command(target=".suites:convert"),
    "batch": Command("Divide studies among many machines."),
    "batch plan": Command(target=".plans:plan"),
    "batch run": Command(target=".plans:run"),
    "batch collect": Command(target=".plans:collect"),
}
"""All commands but those of other packages: what `--help` says, and the function in this package. Studies are made from
their declarations. A name of two words is a command of a group."""
BARE = frozenset({"demo", "systems", "data list"})
"""Commands that do something without any argument."""
HELP_ALL = "--help-all"
DEFAULT = "study"
"""The name, which nobody types, of a study in a group that has other commands, too."""


def all_commands() -> dict[str, Command]:
    """Return the commands by name, those of other packages included; a built-in one cannot be replaced."""
    added = {name: Command(study.about) for name, study in added_studies().items()}
    added |= added_commands()
    return COMMANDS | {name: command for name, command in added.items() if name not in COMMANDS}


def build(name: str = "", *, member: str = "", listed: bool = False, settings: bool = False) -> typer.Typer:
    """Return the program with one command, or with all; where they are only listed, none is loaded.

    Of a group that has a command `member`, it has this one alone. With `settings` the help lists these too.
    """
    app = typer.Typer(
        cls=_ByTask,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        pretty_exceptions_enable=False,
    )
    app.callback()(gardenpath)
    # Other packages are asked only where what is called is not of this one.
    own = name in COMMANDS and (name in STUDIES or COMMANDS[name].target or f"{name} {member}" in {*COMMANDS, *STUDIES})
    known = COMMANDS if own else all_commands()
    if listed:
        for top in known:
            if " " not in top:
                app.command(top, help=known[top].about)(_nothing)
        return app
    for top, command in known.items():
        if " " in top or (name and top != name):
            continue
        inner = _members(top, known, STUDIES if own else study_names())
        if not inner:
            app.command(top, no_args_is_help=top not in BARE, cls=_Answering)(
                guarded(_function(top, command), settings=settings)
            )
            continue
        group = typer.Typer(no_args_is_help=True, help=command.about, cls=_DefaultGroup if DEFAULT in inner else None)
        for inside, full in ({member: inner[member]} if member in inner else inner).items():
            function = _function(full, known.get(full, command))
            if inside == DEFAULT:
                others = ", ".join(f"gardenpath {name}" for name in inner.values() if name != top)
                function.__doc__ = f"{function.__doc__}\n\n    See also: {others}."
            group.command(inside, no_args_is_help=full not in BARE, cls=_Answering)(
                guarded(function, settings=settings)
            )
        app.add_typer(group, name=top)
    return app


def _members(top: str, known: Iterable[str], studies: Iterable[str]) -> dict[str, str]:
    """Return the commands of a group, by their names in it."""
    names = [name for name in dict.fromkeys((*studies, *known)) if name.startswith(f"{top} ")]
    inner = {name.partition(" ")[2]: name for name in names}
    return {DEFAULT: top, **inner} if inner and top in studies else inner


def _function(name: str, command: Command) -> Callable[..., None]:
    """Return the function that Typer makes a command of."""
    if command.target:
        own = __package__ if command.target.startswith(".") else ""
        function: Callable[..., None] = loaded(f"{own}{command.target}")
        return function
    from .study import study_function

    return study_function(study_command(name))


class _ByTask(TyperGroup):
    """The program; its help lists the commands by task."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rest = [name for name in self.commands if all(name not in names for names in GROUPS.values())]
        with formatter.section("Commands"):
            for title, names in {**GROUPS, "Other packages": tuple(rest)}.items():
                rows = [(name, self.commands[name].get_short_help_str(80)) for name in names if name in self.commands]
                if rows:
                    with formatter.section(title):
                        formatter.write_dl(rows)


class _Answering(TyperCommand):
    """A command that answers an old spelling of an option with the new one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            rest: list[str] = super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", "")
            if new := new_option(option, getattr(self.callback, "settings", ())) if option else "":
                error.possibilities = [new]  # type: ignore[attr-defined]
            raise
        return rest


class _DefaultGroup(TyperGroup):
    """`gardenpath consistency TREEBANK SYSTEM...` is the study: what names no subcommand belongs to it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands:
            args = [DEFAULT, *args]
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return "" if name == DEFAULT else name, command, rest  # usage lines show no such word


def guarded(function: Callable[..., None], *, settings: bool = False) -> Callable[..., None]:
    """Return the command as Typer calls it: with rare settings, and with errors as one message and an exit code.

    `settings`: the help lists them.
    """
    from .settings import with_settings

    command = with_settings(function, listed=settings)

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


def run_command(arguments: Iterable[str]) -> int:
    """Run one command as it would be typed, and return its exit code."""
    try:
        main(list(arguments))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _main(given: list[str]) -> None:
    warnings.formatwarning = _warning
    completing = any(name.startswith("_GARDENPATH") and name.endswith("_COMPLETE") for name in os.environ)
    single = bool(given) and not completing and (given[0] in COMMANDS or given[0] in all_commands())
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # data is UTF-8, whatever the terminal says
    for word in given:
        try:
            check_name(word, "this part of the call")
        except GardenpathError as error:
            sys.exit(_complain(f"error: {error}", 2))
    if (moved := new_command(given)) and not completing:
        sys.exit(_complain(f"error: {moved}", 2))
    only_listed = not completing and (not given or given[0] in ("-h", "--help", "--version"))
    try:
        everything = asks_for_all(given)
        program = build(
            given[0] if single else "", member="".join(given[1:2]), listed=only_listed, settings=everything
        )  # fmt: skip
        words = [*(word for word in given if word != HELP_ALL), "--help"] if everything else given
        program(args=words, prog_name="gardenpath")
    except BaseException as error:
        if _stopped:  # whatever the signal interrupted and made of it
            sys.exit(_stopped[0])
        if isinstance(error, Exception):  # of an import, say
            sys.exit(_unforeseen(error))
        raise


def asks_for_all(words: list[str]) -> bool:
    """Return whether the rare settings are asked for: `--help-all`, or `--set help`."""
    return HELP_ALL in words or ("--set", "help") in pairwise(words)


def _warning(message: Warning | str, category: type[Warning], *place: object, **more: object) -> str:
    """What a person is warned of is told without the line of code that did it."""
    name = "warning" if issubclass(category, UserWarning) else category.__name__
    return terminal(f"{name}: {message}\n")


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
    from .output import tell_unforeseen

    return tell_unforeseen(error)


def _complain(text: str, code: int) -> int:
    from .output import to_stderr

    to_stderr(text + "\n")
    return code
