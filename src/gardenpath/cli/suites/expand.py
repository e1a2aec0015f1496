"""`gardenpath suites expand`: the items of a template."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import OutputOption
from ..output import check_target, message, nothing_random, write_data


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
    from ...runs.verdict import count_text
    from ...suites.authoring.expansion import expanded
    from ...suites.authoring.template import parse_template
    from ...suites.authoring.writing import suite_of
    from ...treebank.source import open_files

    check_target(output)
    name, data, _ = next(iter(open_files(file, tolerant=False)))
    template = parse_template(data, name)
    if seed is not None and size is None and template.size is None:
        raise nothing_random("leave it out, or say with --draw how many are drawn")
    items = expanded(template, size=size, seed=seed)
    write_data(suite_of(template, items), output)
    message(count_text(len(items), "item"))
