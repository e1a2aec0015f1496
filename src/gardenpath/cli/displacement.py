"""`gardenpath displacement`: of a pair of files, of a collection of treebanks, or of splits that are made for it."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperGroup

from ..studies.displacement.command import COLLECTION, EXPERIMENT, PAIR
from .output import message
from .study import study_function


class DisplacementGroup(TyperGroup):
    """A call without the name of a command, as earlier releases had it, is answered with the call that is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            from ..errors import UsageError

            what = f"displacement is called with one of these first: {', '.join(self.commands)}"
            message(f"error: {UsageError(what, where=args[0], todo=new_call(args))}")
            ctx.exit(2)
        return super().parse_args(ctx, args)


def new_call(args: list[str]) -> str:
    """What was once `displacement ARGS` as it is written now."""
    import shlex

    meant = get_close_matches(args[0], (PAIR.name, COLLECTION.name, EXPERIMENT.name), n=1)
    if meant and not args[0].startswith("-"):
        return shlex.join(["gardenpath", "displacement", *meant, *args[1:]])
    rest, folder, is_experiment = list[str](), "", False
    waiting = iter(args)
    for word in waiting:
        name, equals, value = word.partition("=")
        if name == "--collection":
            folder = value if equals else next(waiting, "DIR")
        elif name == "--experiment":
            is_experiment = True
        else:
            rest.append(word)
    command = EXPERIMENT if is_experiment else COLLECTION if folder else PAIR
    named = [folder or "DIR"] if command is not PAIR else []
    return shlex.join(["gardenpath", "displacement", command.name, *named, *rest])


app = typer.Typer(
    cls=DisplacementGroup,
    no_args_is_help=True,
    help="""How far is test from training data, is that more than chance, and does it explain parsers' scores?

    Example: gardenpath displacement pair bundled:de-train bundled:de-test --by length

    Example: gardenpath displacement collection treebanks/ --las scores.tsv --figures figures/

    Example: gardenpath displacement experiment treebanks/ --parser udpipe --run run/ --jobs 0
    """,
)
for command in (PAIR, COLLECTION, EXPERIMENT):
    app.command(command.name, no_args_is_help=True)(study_function(command))
