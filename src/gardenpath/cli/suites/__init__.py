"""`gardenpath suites`: test suites, of roles and of regions."""

from __future__ import annotations

import typer

from .check import check
from .convert import convert
from .expand import expand
from .export import export
from .from_treebank import from_treebank
from .generate import generate
from .listing import list_suites
from .new import new
from .show import show

app = typer.Typer(
    no_args_is_help=True, help="Suites: list, check, convert, show, generate, from-treebank, new, expand, export."
)
app.command("list")(list_suites)
for _command in (check, convert, show, generate, new, expand, export):
    app.command(no_args_is_help=True)(_command)
app.command("from-treebank", no_args_is_help=True)(from_treebank)
