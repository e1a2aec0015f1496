"""`gardenpath suites from-treebank`: minimal pairs by morphology from any treebank."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.cli import Format, FormatOption, SeedOption, emit, fail_if, nothing_random
from gardenpath.studies import parts_of


def from_treebank(
    treebanks: Annotated[
        list[str],
        typer.Argument(
            help="Treebanks: files (also .gz, .xz, .zip), folders, globs, data by name, or -.", metavar="TREEBANK..."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the pairs and their trees.")],
    phenomena: Annotated[
        str,
        typer.Option(
            "--phenomena",
            help="Only these: subject-verb-number, subject-verb-person, subject-verb-gender, object-case, "
            "determiner-noun-number, determiner-noun-gender.",
        ),
    ] = "",
    unimorph: Annotated[
        Path | None,
        typer.Option("--unimorph", help="More forms: lines of lemma, form and tags.", metavar="FILE"),
    ] = None,
    longest: Annotated[int, typer.Option("--longest", help="Words of the longest sentence.", min=4)] = 40,
    most: Annotated[
        int | None, typer.Option("--most", help="Pairs of each phenomenon at most; all if not given.", min=1)
    ] = None,
    seed: SeedOption = 0,
    format: FormatOption = Format.table,
) -> None:
    """Make minimal pairs from a treebank: a sentence of it, and the same with one word in the wrong form.

    Forms come from the treebank itself. A rule is used only where the treebank keeps it, and a pair is made only
    where the other form cannot be right; what was left out is counted. The folder gets a table of pairs for each
    phenomenon, for surprisal; the gold trees; and the decisive arcs as a suite of roles, for parsers. Exit 1: no pair.

    Example: gardenpath suites from-treebank en_ewt-ud-train.conllu -o pairs

    Example: gardenpath suites from-treebank ud:German-GSD --phenomena object-case -n 200 --seed 1 -o pairs
    """
    from gardenpath.treebank import read

    from ..treebank_pairs.pairs import check_folder, pairs_from_treebank, pairs_overview, write_pairs

    if seed and most is None:
        raise nothing_random("leave it out, or say with -n how many pairs are drawn")
    check_folder(output)
    names = parts_of(phenomena)
    made = pairs_from_treebank(read(treebanks), names, unimorph=unimorph, longest=longest, most=most, seed=seed)
    settings: list[tuple[str, object]] = [
        ("phenomena", sorted(names) or None), ("unimorph", unimorph and unimorph.name), ("longest", longest),
        ("most", most), ("seed", seed if most is not None else None),
    ]  # fmt: skip
    if len(made):
        write_pairs(made, output)
    emit(pairs_overview(made, settings), format)
    fail_if(not len(made), "no pair: the table says why")
