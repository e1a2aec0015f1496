"""`gardenpath constructions find`: the hard constructions in a treebank, counted, listed, or drawn into a suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._text import either
from ..studies.engine.declaration import parts_of
from ..suites.constructions.model import PHENOMENA, SCHEMES
from .options import Format, FormatOption, QuietOption, SeedOption
from .output import emit, message, nothing_random

if TYPE_CHECKING:
    from ..suites.constructions.sampling import Found

UD = "ud"
RELEASE = "1"
"""Of a suite that is written, where none is named."""


def find(
    treebanks: Annotated[
        list[str],
        typer.Argument(
            help="Phrase trees: export, TIGER-XML, exportXML and others (also .gz, .xz), folders or globs; CoNLL-U of "
            "UD.",
            metavar="TREEBANK...",
        ),
    ],
    scheme: Annotated[
        str, typer.Option("--scheme", help=f"How they are annotated: {either(SCHEMES)}.", metavar="SCHEME")
    ],
    phenomena: Annotated[
        str, typer.Option("--phenomena", help=f"Only these: {','.join(PHENOMENA)}.", metavar="NAMES")
    ] = "",
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            help="Draw this many short sentences for each phenomenon (PPs together), evenly over variants.",
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
        typer.Option(
            "--list", help="Take the sentences of the published list (tepacoc.txt, or tepacoc by name).", metavar="FILE"
        ),
    ] = None,
    items: Annotated[bool, typer.Option("--items", help="A row for each hit instead of counts.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write what was found or drawn as a suite into this folder.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="The suite's name; else that of its folder.")] = "",
    release: Annotated[str, typer.Option("--release", help="The suite's release.")] = RELEASE,
    format: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Find PPs at nouns and verbs, extraposed relative clauses, shared subjects, and unlike conjuncts in gold trees.

    Counts are of all hits, or of what --sample or --list takes. The tables go to standard output, the suite into a
    folder.

    Example: gardenpath constructions find tiger.xml --scheme tiger

    Example: gardenpath constructions find tiger.xml --scheme tiger --sample 20 --seed 1 -o suite
    """
    from ..errors import UsageError
    from ..runs.result.verdict import count_text
    from ..suites.constructions.finding import check_phenomena, check_scheme, count_by_requests, gold_trees, misgivings
    from ..suites.constructions.sampling import apply_list, as_suite, find_all, overview, read_list
    from ..suites.constructions.sampling import sample as draw
    from ..suites.constructions.storage import write_constructions

    check_scheme(scheme)
    tell: Callable[[str], None] = (lambda _: None) if quiet else message
    wanted = check_phenomena(parts_of(phenomena) or tuple(PHENOMENA))
    if sample is not None and published is not None:
        raise UsageError("--sample and --list both say which sentences", todo="leave one of them out")
    if wide and published is not None:
        raise UsageError("--wide is for what is found by rule, not for a list", where="--list", todo="leave out --wide")
    if scheme == UD and (wide or published is not None):
        flag = "--wide" if wide else "--list"
        raise UsageError(f"{flag} is for phrase trees", where="--scheme ud", todo=f"leave out {flag}")
    if seed and sample is None:
        raise nothing_random("leave out --seed, or draw some sentences with --sample N")
    if release != RELEASE and output is None:
        raise UsageError("--release is for a suite that is written", todo="name its folder with --output")
    rows = None if published is None else read_list(published)
    if output is not None:
        from ..suites.constructions.storage import check_target

        check_target(output)
    trees = gold_trees(treebanks, scheme, tell)
    if doubt := misgivings(trees, scheme):
        tell(f"warning: {doubt}")
    punctuation = not no_punctuation
    hits: list[Found]
    failures: dict[str, int] = {}
    if rows is not None:
        applied = apply_list([row for row in rows if set(row.phenomena) & set(wanted)], trees, scheme)
        hits = [hit for hit in applied.found if hit.construction.phenomenon in wanted]
        kinds = {"listed, but not in the treebank": applied.absent}
        kinds["in the treebank, but not found by the rules"] = applied.without
        failures = {kind: len(lines) for kind, lines in kinds.items() if lines}
        for line in (*applied.moved, *applied.absent, *applied.without):
            tell(line)
    else:
        hits = find_all(trees, scheme, wanted, wide)
    if sample is not None:
        hits = draw(trees, hits, sample, max_length=max_length, punctuation=punctuation, seed=seed)
        for line in _too_few(hits, sample, wanted):
            tell(line)
    title = name or (output.resolve().name if output is not None else Path(treebanks[0]).name)
    if output is not None:
        suite = as_suite(trees, hits, name=title, release=release, scheme=scheme)
        write_constructions(suite, output)
        tell(f"{count_text(len(suite.items), 'item')} in {output}")
    is_whole = sample is None and published is None and not phenomena and scheme != UD
    counted = count_by_requests(trees, scheme) if is_whole else {}
    settings = {
        "treebank": [Path(treebank).name for treebank in treebanks],
        "phenomena": wanted if phenomena else None,
        "wide": wide or None,
        "sample": sample,
        "seed": seed if sample is not None else None,
        "list": published.name if published is not None else None,
    }
    result = overview(
        trees, hits, name=title, scheme=scheme, max_length=max_length, punctuation=punctuation, items=items,
        settings=settings, failures=failures, counted=counted,
    )  # fmt: skip
    emit(result, format)


def _too_few(hits: Sequence[Found], size: int, wanted: Sequence[str]) -> Iterator[str]:
    """Where a treebank has less than was asked for."""
    for group in (("ppn", "ppv"), ("erc",), ("fcr",), ("sgf",), ("cuc",)):
        number = sum(hit.construction.phenomenon in group for hit in hits)
        if number < size and set(group) & set(wanted):
            yield f"only {number} of {size} sentences for {' and '.join(group)}: the treebank has no more"
