"""Minimal pairs by morphology from any treebank, for `gardenpath suite make pairs`."""

from __future__ import annotations

from pathlib import Path

from gardenpath.cli import Format, emit, fail_if, nothing_random
from gardenpath.studies import parts_of


def from_treebank(
    treebanks: list[str], output: Path | None, phenomena: str, unimorph: Path | None, max_length: int, size: int | None,
    seed: int | None, format: Format,
) -> None:  # fmt: skip
    """Write a table of pairs for each phenomenon, the gold trees, and the decisive arcs as a suite of roles."""
    from gardenpath.errors import UsageError
    from gardenpath.treebank import read

    from ..treebank_pairs.pairs import check_folder, pairs_from_treebank, pairs_overview, write_pairs

    if seed is not None and size is None:
        raise nothing_random("leave it out, or say with -n how many pairs are drawn")
    if output is None:
        raise UsageError("pairs need a folder", todo="name it: -o FOLDER")
    seed = seed or 0
    check_folder(output)
    names = parts_of(phenomena)
    made = pairs_from_treebank(read(treebanks), names, unimorph=unimorph, longest=max_length, most=size, seed=seed)
    settings: list[tuple[str, object]] = [
        ("phenomena", sorted(names) or None), ("unimorph", unimorph and unimorph.name), ("longest", max_length),
        ("most", size), ("seed", seed if size is not None else None),
    ]  # fmt: skip
    if len(made):
        write_pairs(made, output)
    emit(pairs_overview(made, settings), format)
    fail_if(not len(made), "no pair: the table says why")
