"""`gardenpath suite new`: a template of a suite, with slots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.cli import Rare, message


def new(
    kind: Annotated[
        str, typer.Argument(help="What to begin: pairs, surprisal, roles, triples, or perturbation.", metavar="KIND")
    ],
    treebank: Annotated[
        str | None, typer.Argument(help="triples: where the subjects, verbs and objects are found.", metavar="TREEBANK")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; KIND.toml, perturbation.txt if not given."),
    ] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="The language of the suite, as en or tr.")] = "en",
    rank: Annotated[str, Rare("triples: the first by likelihood (G²), pmi or frequency.")] = "likelihood",
) -> None:
    """Write a commented template for a suite of your own, which can be checked and run as it is.

    A template has sentences with slots and the words that fill them. Change the words and the sentences; `suite
    check`, `show`, `surprisal` and `roles` take the template itself, and `suite make` writes its items out.
    For triples it is a lexicon for suite make roles, with the subjects, verbs and objects that a treebank has
    most often or that go together most: delete those that make no sense, and add properties.

    For perturbation it is a list of words, one per line, for --set values of consistency and treebank
    augment; its comments say how.

    Example: gardenpath suite new pairs --language en -o agreement.toml

    Example: gardenpath suite new roles -l de

    Example: gardenpath suite new triples bundled:de-train -l de --set rank=frequency -o triples.toml
    """
    from gardenpath.errors import UsageError
    from gardenpath.runs import writable_target, write_text
    from gardenpath.treebank import read

    from ..roles.triples_from_treebank import triples_lexicon
    from ..templates.writing import STARTERS, starter

    if (kind == "triples") != bool(treebank):
        raise UsageError("triples come from a treebank, and nothing else does", todo="name it: triples TREEBANK")
    target = output or Path(f"{kind}.{STARTERS.get(kind, 'toml')}")
    if target.exists():
        raise UsageError("file already exists", where=str(target), todo="name another with -o")
    if treebank:
        text, then = triples_lexicon(read(treebank), language, rank), "suite make roles --grammar"
    else:
        text, then = starter(kind, language, target.stem), "suite check"
    writable_target(target)
    write_text(target, text)
    message(f"{target} is written: change its words, then gardenpath {then} {target}")
