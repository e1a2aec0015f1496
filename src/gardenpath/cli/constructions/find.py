"""`gardenpath constructions find`: the hard constructions in a treebank, counted, listed, or drawn into a suite."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import Format, FormatOption, SeedOption
from ..output import emit, message

if TYPE_CHECKING:
    from ...phrase.tree import PhraseTree
    from ...suites.constructions import Found


class SchemeName(StrEnum):
    """How the trees are annotated."""

    tiger = "tiger"
    tuebadz = "tuebadz"


def find(
    treebanks: Annotated[
        list[str],
        typer.Argument(
            help="Phrase trees: export, TIGER-XML, exportXML and others (also .gz, .xz), folders or globs.",
            metavar="TREEBANK...",
        ),
    ],
    scheme: Annotated[SchemeName, typer.Option("--scheme", "-s", help="How they are annotated.")],
    phenomena: Annotated[
        list[str] | None,
        typer.Option("--phenomena", "-p", help="Only these: ppn,ppv,erc,fcr,sgf,cuc.", metavar="NAMES"),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            help="Draw so many short sentences for each phenomenon (PPs together), evenly over variants.",
            min=1,
            metavar="N",
        ),
    ] = None,
    max_length: Annotated[
        int, typer.Option("--max-length", help="How many tokens a short sentence has at most.", min=1)
    ] = 40,
    no_punctuation: Annotated[
        bool, typer.Option("--no-punctuation", help="Leave punctuation out of the count of tokens.")
    ] = False,
    seed: SeedOption = 0,
    wide: Annotated[
        bool, typer.Option("--wide", help="cuc: any two of S, VP, AP, PP and NP, not only the paper's three pairs.")
    ] = False,
    published: Annotated[
        Path | None,
        typer.Option("--list", help="Take the sentences of the published list (tepacoc.txt).", metavar="FILE"),
    ] = None,
    items: Annotated[bool, typer.Option("--items", help="A row for each hit instead of counts.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write what was found or drawn as a suite into this folder.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="The suite's name; else that of its folder.")] = "",
    release: Annotated[str, typer.Option("--release", help="The suite's release.")] = "1",
    format: FormatOption = Format.table,
) -> None:
    """Find PPs at nouns and verbs, extraposed relative clauses, shared subjects, and unlike conjuncts in gold trees.

    Counts are of all hits, or of what --sample or --list takes. The tables go to standard output, the suite into a
    folder.

    Example: gardenpath constructions find tiger.xml --scheme tiger

    Example: gardenpath constructions find tiger.xml -s tiger --sample 20 --seed 1 -o suite
    """
    from ...errors import UsageError, unknown_name
    from ...phrase.source import read
    from ...suites.constructions import PHENOMENA, apply_list, as_suite, find_all, read_list, write_constructions
    from ...suites.constructions import sample as draw
    from ...suites.constructions.finding import misgivings
    from ...suites.constructions.overview import overview

    wanted = [one.strip() for text in phenomena or PHENOMENA for one in text.split(",") if one.strip()]
    for one in wanted:
        if one not in PHENOMENA:
            raise unknown_name("phenomenon", one, PHENOMENA)
    if sample is not None and published is not None:
        raise UsageError("--sample and --list both say which sentences", todo="leave one of them out")
    rows = None if published is None else read_list(published)
    if output is not None:
        from ...suites.constructions.storage import check_target

        check_target(output)
    trees: list[PhraseTree] = read(treebanks, notice=message)
    if doubt := misgivings(trees, scheme.value):
        message(f"warning: {doubt}")
    punctuation = not no_punctuation
    found: list[Found]
    misfits: tuple[str, ...] = ()
    if rows is not None:
        applied = apply_list(rows, trees, scheme.value)
        found = [one for one in applied.found if one.construction.phenomenon in wanted]
        misfits = applied.misfits
        for line in (*applied.moved, *misfits):
            message(line)
    else:
        found = find_all(trees, scheme.value, wanted, wide)
    if sample is not None:
        found = draw(trees, found, sample, max_length=max_length, punctuation=punctuation, seed=seed)
        _complain_of_few(found, sample, wanted)
    title = name or (output.resolve().name if output is not None else Path(treebanks[0]).name)
    if output is not None:
        suite = as_suite(trees, found, name=title, release=release, scheme=scheme.value)
        write_constructions(suite, output)
        message(f"{len(suite.items):,} item{'' if len(suite.items) == 1 else 's'} in {output}")
    settings = {
        "treebank": [Path(one).name for one in treebanks],
        "phenomena": wanted if phenomena else None,
        "wide": wide or None,
        "sample": sample,
        "seed": seed if sample is not None else None,
        "list": published.name if published is not None else None,
    }
    result = overview(
        trees, found, name=title, scheme=scheme.value, max_length=max_length, punctuation=punctuation, items=items,
        settings=settings, misfits=misfits,
    )  # fmt: skip
    emit(result, format)


def _complain_of_few(found: list[Found], size: int, wanted: list[str]) -> None:
    """Says where a treebank has less than was asked for."""
    for group in (("ppn", "ppv"), ("erc",), ("fcr",), ("sgf",), ("cuc",)):
        number = sum(one.construction.phenomenon in group for one in found)
        if number < size and set(group) & set(wanted):
            message(f"only {number} of {size} sentences for {' and '.join(group)}: the treebank has no more")
