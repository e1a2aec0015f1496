"""`gardenpath suites new` and `gardenpath suites expand`: suites from templates with slots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.cli import OutputOption, check_target, message, nothing_random, write_data


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
    rank: Annotated[
        str, typer.Option("--rank", help="triples: the first by likelihood (G²), pmi or frequency.")
    ] = "likelihood",
) -> None:
    """Write a commented template for a suite of your own, which can be checked and run as it is.

    A template has sentences with slots and the words that fill them. Change the words and the sentences; `suites
    check`, `suites show`, `surprisal` and `roles` take the template itself, and `suites expand` writes its items out.
    For triples it is a lexicon for suites generate roles, with the subjects, verbs and objects that a treebank has
    most often or that go together most: delete those that make no sense, and add properties.

    For perturbation it is a list of words, one a line, for --values of consistency and treebank augment; its
    comments say how.

    Example: gardenpath suites new pairs --language en -o agreement.toml

    Example: gardenpath suites new roles -l de

    Example: gardenpath suites new triples bundled:de-train -l de --rank frequency -o triples.toml
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
        raise UsageError("this file is there already", where=str(target), todo="name another with -o")
    if treebank:
        text, then = triples_lexicon(read(treebank), language, rank), "suites generate roles --lexicon"
    else:
        text, then = starter(kind, language, target.stem), "suites check"
    writable_target(target)
    write_text(target, text)
    message(f"{target} is written: change its words, then gardenpath {then} {target}")


def expand(
    file: Annotated[str, typer.Argument(help="A template of `suites new` (TOML).", metavar="TEMPLATE")],
    size: Annotated[
        int | None,
        typer.Option("--draw", help="Draw this many items, with all words equally often; by default all.", min=1),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of what --draw draws, instead of the template's.", min=0)
    ] = None,
    output: OutputOption = None,
) -> None:
    """Write all items of a template, or a balanced choice: pairs as TSV, surprisal as JSON, roles as CoNLL-U.

    The same template, number and seed give the same bytes.

    Example: gardenpath suites expand agreement.toml -o agreement.tsv

    Example: gardenpath suites expand agreement.toml --draw 40 --seed 1 -o agreement.tsv
    """
    from gardenpath.runs import count_text
    from gardenpath.treebank import open_files

    from ..templates.writing import expanded, parse_template, suite_of

    check_target(output)
    name, data, _ = next(iter(open_files(file, tolerant=False)))
    template = parse_template(data, name)
    if seed is not None and size is None and template.size is None:
        raise nothing_random("leave it out, or say with --draw how many are drawn")
    items = expanded(template, size=size, seed=seed)
    write_data(suite_of(template, items), output)
    message(count_text(len(items), "item"))
