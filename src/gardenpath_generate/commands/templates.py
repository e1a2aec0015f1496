"""`gardenpath suite new`: a template of a suite, with slots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.cli import message


def new(
    kind: Annotated[
        str, typer.Argument(help="What to begin: pairs, surprisal, roles, or perturbation.", metavar="KIND")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; KIND.toml, perturbation.txt if not given."),
    ] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="The language of the suite, as en or tr.")] = "en",
) -> None:
    """Write a commented template for a suite of your own, which can be checked and run as it is.

    A template has sentences with slots and the words that fill them. Change the words and the sentences; `suite
    check`, `show`, `surprisal` and `roles` take the template itself, and `suite make` writes its items out.
    For perturbation it is a list of words, one per line, for --set values of consistency and treebank
    augment; its comments say how.

    Example: gardenpath suite new pairs --language en -o agreement.toml

    Example: gardenpath suite new roles -l de
    """
    from gardenpath.errors import UsageError
    from gardenpath.runs import writable_target, write_text

    from ..templates.writing import STARTERS, starter

    target = output or Path(f"{kind}.{STARTERS.get(kind, 'toml')}")
    text = starter(kind, language, target.stem)
    if target.exists():
        raise UsageError("file already exists", where=str(target), todo="name another with -o")
    writable_target(target)
    write_text(target, text)
    message(f"{target} is written: change its words, then gardenpath suite check {target}")
