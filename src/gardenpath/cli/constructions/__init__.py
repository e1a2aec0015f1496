"""`gardenpath constructions`: the study, and `find`, which makes suites for it."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from ...studies.constructions.command import COMMAND
from ..study import study_function
from .find import find

_STUDY = "judge"


class StudyGroup(TyperGroup):
    """`gardenpath constructions SUITE SYSTEM...` is the study: what is no subcommand belongs to it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        asks_for_help = bool(args) and args[0] in ctx.help_option_names
        if args and not asks_for_help and args[0] not in self.commands:
            args = [_STUDY, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=StudyGroup,
    no_args_is_help=True,
    help="""Does a parser get the hard constructions, and what kind of error does it make?

    `gardenpath constructions SUITE SYSTEM...` judges parses of a suite (judge may be left out); find makes suites
    from treebanks. A suite whose folder is named as a subcommand is written ./find.

    Example: gardenpath constructions suite trees:parsed.export

    Example: gardenpath constructions find tiger.xml --scheme tiger --sample 20 -o suite
    """,
)
app.command(_STUDY, no_args_is_help=True)(study_function(COMMAND))
app.command("find", no_args_is_help=True)(find)
