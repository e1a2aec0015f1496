"""`gardenpath consistency`: the test of parsers, and the remedies."""

from __future__ import annotations

import shlex
from typing import Any

import typer
from typer.core import TyperGroup

from ..studies.consistency.command import REMEDIES, TEST
from .study import study_function

_RENAMED = {"--retrain": "--parser", "--limit": "--sentences"}


class ConsistencyGroup(TyperGroup):
    """Calls as they were written before there were two commands are answered with how they are written now."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if wanted := _newer(args, list(self.commands), ctx.help_option_names):
            ctx.fail(f"this is written another way now:\n  gardenpath consistency {shlex.join(wanted)}")
        return super().parse_args(ctx, args)


def _newer(args: list[str], commands: list[str], helps: list[str]) -> list[str]:
    """The call as it is written now; nothing where it is already."""
    if not args or args[0] in helps:
        return []
    flags = {argument.partition("=")[0] for argument in args}
    is_command = args[0] in commands
    command = "remedies" if "--retrain" in flags or args[0] == "remedies" else "test"
    old = "--retrain" in flags or (command == "remedies" and "--limit" in flags)
    if is_command and not old:
        return []
    return [command, *map(_renamed, args[1:] if is_command else args)]


def _renamed(argument: str) -> str:
    flag, equals, value = argument.partition("=")
    return _RENAMED.get(flag, flag) + equals + value


app = typer.Typer(
    cls=ConsistencyGroup,
    no_args_is_help=True,
    help="""Does an irrelevant change of the input (a year, a name, a currency) change the tree, and what helps?

    test asks parsers; remedies trains one in several ways.

    Example: gardenpath consistency test en_ewt-ud-dev.conllu udpipe:en.udpipe --perturb numerals --order both

    Example: gardenpath consistency remedies train.conllu test.conllu --remedy augment --run run/ --jobs 0
    """,
)
for command in (TEST, REMEDIES):
    app.command(command.name, no_args_is_help=True)(study_function(command))
