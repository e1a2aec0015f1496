"""`gardenpath`: assembles the commands, and turns errors into one clear message and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from .._version import __version__
from ..errors import GardenpathError

COMMANDS = (
    "demo", "data", "treebank", "suites", "train", "parse", "score", "evaluate", "roles", "constructions",
    "displacement", "consistency", "surprisal", "reproduce", "compare", "check", "stats", "show", "report", "systems",
)  # fmt: skip
"""The module of a command has its name and an `app`."""


def build(names: tuple[str, ...] = COMMANDS) -> typer.Typer:
    """The program with these commands; a call of one command loads no other."""
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        pretty_exceptions_enable=False,
    )
    app.callback()(gardenpath)
    for name in names:
        module = import_module(f"gardenpath.cli.{name}")
        if len(module.app.registered_commands) > 1:
            for info in module.app.registered_commands:
                info.callback = guarded(info.callback)
            app.add_typer(module.app, name=name)
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
        except GardenpathError as error:
            sys.exit(_complain(f"error: {error}", 2))
        except KeyboardInterrupt:
            sys.exit(_complain("stopped", 130))
        except BrokenPipeError:
            # The reader of our output went away (`| head`): that is its right and no error of ours.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        except OSError as error:
            sys.exit(_complain(f"error: {error}", 2))
        except MemoryError:
            sys.exit(_complain("error: not enough memory for this; work on smaller pieces or fewer --jobs", 2))

    return call


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
    """Exit 0: done; 1: a check failed; 2: the input or the call is wrong."""
    given = sys.argv[1:] if arguments is None else arguments
    completing = any(name.startswith("_GARDENPATH") and name.endswith("_COMPLETE") for name in os.environ)
    one = given and given[0] in COMMANDS and not completing
    signal.signal(signal.SIGTERM, _terminated)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # data is UTF-8, whatever the terminal says
    build((given[0],) if one else COMMANDS)(args=given, prog_name="gardenpath")


def _terminated(number: int, frame: object) -> None:
    """`timeout` and Slurm end a program so: files in the making and child processes are cleared away first."""
    sys.exit(_complain("stopped", 128 + number))


def _complain(text: str, code: int) -> int:
    sys.stderr.write(text + "\n")
    return code
