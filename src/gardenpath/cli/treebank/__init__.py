"""`gardenpath treebank`: counts, questions, problems, other formats, splits, variants."""

from __future__ import annotations

import typer

from .augment import augment
from .convert import convert
from .diff import diff
from .overlap import overlap
from .search import search
from .split import split
from .stats import stats
from .validate import validate

app = typer.Typer(
    no_args_is_help=True, help="Treebanks: stats, search, validate, convert, split, overlap, diff, augment."
)
for _command in (stats, search, validate, convert, split, overlap, diff, augment):
    app.command(no_args_is_help=True)(_command)
