"""A part of some data by name: `sorts/german/german_amb_gold.conll`, `ud:English-EWT/test`, `blimp/*.zip`."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from ..errors import UsageError, unknown_name
from .tree import files

_SHOWN = 12
"""How many files an error names."""


def part_of(place: Path, part: str, data: str) -> Path:
    """What is meant by a part of the data at this place: a path or pattern in it, or the end of a treebank's name.

    `test` is the file of a treebank that ends in `-test.conllu`.
    """
    steps = PurePosixPath(part)
    if steps.is_absolute() or ".." in steps.parts:
        raise UsageError(f"{part} leads out of {data}", where=f"{data}/{part}", todo="name a file or folder in it")
    whole = place / steps
    if any(char in part for char in "*?["):
        if next(place.glob(part), None) is not None:
            return whole
    elif place.is_dir():
        if whole.exists():
            return whole
        ends = list(place.glob(f"*-{part}.conllu")) if len(steps.parts) == 1 else []
        if len(ends) == 1:
            return ends[0]
    if not place.is_dir():
        raise UsageError(f"{data} is one file", where=f"{data}/{part}", todo=f"write {data}")
    raise unknown_name(f"part of {data}", part, _contents(place))


def _contents(place: Path) -> list[str]:
    """What is in it, by name: all files where they are few, else the folders and files at its top."""
    every = files(place)
    return every if len(every) <= _SHOWN else sorted({file.partition("/")[0] for file in every})
