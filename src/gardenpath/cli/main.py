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
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .._text import terminal
from .._version import __version__
from ..boundary.texts import check_name, printable
from ..errors import GardenpathError
from ..plugins import Command, added_commands, loaded
from ..studies.engine.registry import STUDIES, added_studies, study_command, study_groups, study_names

COMMANDS: dict[str, Command] = {
    "demo": Command("Run every study on bundled data, with parsers trained on the spot.", ".demo:demo"),
    "data": Command("Public data by name: list, fetch, find, cite."),
    "data list": Command(target=".data:list_data"),
    "data get": Command(target=".data:get_data"),
    "data path": Command(target=".data:show_path"),
    "data cite": Command(target=".data:cite_data"),
    "treebank": Command("Treebanks: measure, check, convert, split, augment."),
    "treebank stats": Command(target=".treebank.describe:stats"),
    "treebank search": Command(target=".treebank.describe:search"),
    "treebank validate": Command(target=".treebank.validate:validate"),
    "treebank convert": Command(target=".treebank.convert:convert"),
    "treebank split": Command(target=".treebank.split:split"),
    "treebank overlap": Command(target=".treebank.describe:overlap"),
    "treebank diff": Command(target=".treebank.describe:diff"),
    "treebank augment": Command(target=".treebank.augment:augment"),
    "suites": Command("Suites: list, show, check, convert, generate."),
    "suites list": Command(target=".suites:list_suites"),
    "suites check": Command(target=".suites:check"),
    "suites convert": Command(target=".suites:convert"),
    "suites show": Command(target=".suites:show"),
    "suites export": Command(target=".suites:export"),
    "train": Command("Train a parser, a language model or a phrase parser.", ".train:train"),
    "parse": Command("Parse a treebank or text; failures are marked and counted.", ".parse:parse"),
    "score": Command("Surprisal of every token, in bits.", ".score:score"),
    **{name: Command(about) for name, about in study_groups().items()},
    "constructions find": Command(target=".constructions_find:find"),
    "consistency tables": Command(target=".runs:consistency_tables"),
    "plan": Command("Write a study, or a grid of them, as a plan for many processes.", ".plans:plan"),
    "run": Command("Do a part of a plan, with files alone.", ".plans:run"),
    "collect": Command("Make the runs of a plan, and tell what is missing.", ".plans:collect"),
    "card": Command("A grammar check-up of one system: one page, one JSON, in minutes.", ".runs:card"),
    "compare": Command("Compare runs on the same items, paired.", ".runs:compare"),
    "check": Command("Exit 1 if a run does not meet conditions.", ".runs:check"),
    "verify": Command("Exit 1 if files of a run were changed after it was finished.", ".runs:verify"),
    "stats": Command("Fit a mixed model to a run or a table.", ".stats:stats"),
    "show": Command("Draw trees, alone or beside another analysis.", ".show:show"),
    "report": Command("Make one HTML page from runs.", ".runs:report"),
    "export": Command("Findings for others: every-eval-ever records, a model card's results block.", ".runs:export"),
    "systems": Command("The kinds of systems: parsers, language models, phrase parsers.", ".train:systems"),
}
"""All commands but those of other packages: what `--help` says, and the function in this package. Studies are made from
their declarations. A name of two words is a command of a group."""
BARE = frozenset({"demo", "systems", "data list", "suites list"})
"""Commands that do something without any argument."""
DEFAULT = "judge"
"""The name of a study in a group that has other commands, too; it may be left out."""


def all_commands() -> dict[str, Command]:
    """Return the commands by name, those of other packages included; a built-in one cannot be replaced."""
    added = {name: Command(study.about) for name, study in added_studies().items()}
    added |= added_commands()
    return COMMANDS | {name: command for name, command in added.items() if name not in COMMANDS}


def build(name: str = "", *, member: str = "", listed: bool = False) -> typer.Typer:
    """Return the program with one command, or with all; where they are only listed, none is loaded.

    Of a group that has a command `member`, it has this one alone.
    """
    app = typer.Typer(
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
        for top in [top for top in known if " " not in top]:
            app.command(top, help=known[top].about)(_nothing)
        return app
    for top, command in known.items():
        if " " in top or (name and top != name):
            continue
        inner = _members(top, known, STUDIES if own else study_names())
        if not inner:
            app.command(top, no_args_is_help=top not in BARE)(guarded(_function(top, command)))
            continue
        studies = [study_command(full) for full in inner.values() if not known.get(full, command).target]
        about = command.about
        if DEFAULT in inner:
            about += f"\n\ngardenpath {top} {studies[0].arguments} is the study; the word {DEFAULT} may be left out."
        about += "".join(f"\n\nExample: {example}" for study in studies for example in study.examples[:2])
        group = typer.Typer(no_args_is_help=True, help=about, cls=_DefaultGroup if DEFAULT in inner else None)
        for inside, full in ({member: inner[member]} if member in inner else inner).items():
            group.command(inside, no_args_is_help=full not in BARE)(guarded(_function(full, known.get(full, command))))
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


class _DefaultGroup(TyperGroup):
    """`gardenpath constructions SUITE SYSTEM...` is the study: what is no subcommand belongs to it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in ctx.help_option_names and args[0] not in self.commands:
            args = [DEFAULT, *args]
        rest: list[str] = super().parse_args(ctx, args)
        return rest


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
    only_listed = not completing and (not given or given[0] in ("-h", "--help", "--version"))
    try:
        program = build(given[0] if single else "", member="".join(given[1:2]), listed=only_listed)
        program(args=given, prog_name="gardenpath")
    except BaseException as error:
        if _stopped:  # whatever the signal interrupted and made of it
            sys.exit(_stopped[0])
        if isinstance(error, Exception):  # of an import, say
            sys.exit(_unforeseen(error))
        raise


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
