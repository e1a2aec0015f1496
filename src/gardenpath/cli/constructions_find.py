"""The hard constructions in a treebank, counted, listed, or drawn into a suite, for `gardenpath suite make`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..studies.engine.declaration import parts_of
from ..suites.constructions.model import PHENOMENA
from .options import Format
from .output import emit, message, nothing_random

if TYPE_CHECKING:
    from ..suites.constructions.sampling import Found

UD = "ud"
RELEASE = "1"
"""Of a suite that is written, where none is named."""


def find_constructions(
    treebanks: list[str], scheme: str, phenomena: str, size: int | None, max_length: int, punctuation: bool, seed: int,
    wide: bool, published: Path | None, items: bool, output: Path | None, name: str, release: str, format: Format,
    quiet: bool,
) -> None:  # fmt: skip
    """Count the hard constructions of gold trees, or draw some of them; with `output` write them as a suite."""
    from ..errors import UsageError
    from ..runs.result.verdict import count_text
    from ..suites.constructions.finding import check_phenomena, check_scheme, count_by_requests, gold_trees, misgivings
    from ..suites.constructions.sampling import apply_list, as_suite, find_all, overview, read_list
    from ..suites.constructions.sampling import sample as draw
    from ..suites.constructions.storage import write_constructions

    check_scheme(scheme)
    tell: Callable[[str], None] = (lambda _: None) if quiet else message
    wanted = check_phenomena(parts_of(phenomena) or tuple(PHENOMENA))
    if size is not None and published is not None:
        raise UsageError("--size and --set list both say which sentences", todo="leave one of them out")
    if wide and published is not None:
        raise UsageError(
            "--set wide is for what is found by rule, not for a list", where="--set list", todo="leave it out"
        )
    if scheme == UD and (wide or published is not None):
        flag = "--set wide" if wide else "--set list"
        raise UsageError(f"{flag} is for phrase trees", where="--scheme ud", todo=f"leave out {flag}")
    if seed and size is None:
        raise nothing_random("leave out --seed, or draw some sentences with --size N")
    if release != RELEASE and output is None:
        raise UsageError("--set release is for a suite that is written", todo="name its folder with --output")
    rows = None if published is None else read_list(published)
    if output is not None:
        from ..suites.constructions.storage import check_target

        check_target(output)
    trees = gold_trees(treebanks, scheme, tell)
    if doubt := misgivings(trees, scheme):
        tell(f"warning: {doubt}")
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
    if size is not None:
        hits = draw(trees, hits, size, max_length=max_length, punctuation=punctuation, seed=seed)
        for line in _too_few(hits, size, wanted):
            tell(line)
    title = name or (output.resolve().name if output is not None else Path(treebanks[0]).name)
    if output is not None:
        suite = as_suite(trees, hits, name=title, release=release, scheme=scheme)
        write_constructions(suite, output)
        tell(f"{count_text(len(suite.items), 'item')} in {output}")
    is_whole = size is None and published is None and not phenomena and scheme != UD
    counted = count_by_requests(trees, scheme) if is_whole else {}
    settings = {
        "treebank": [Path(treebank).name for treebank in treebanks],
        "phenomena": wanted if phenomena else None,
        "wide": wide or None,
        "sample": size,
        "seed": seed if size is not None else None,
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
