"""Does a name stand for phrase trees? By its ending or by the first bytes of its file."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from ...formats import head
from ...treebank.format.reading import SUFFIXES

_HEAD = 1 << 12


def holds_phrases(source: str) -> bool:
    """Is a file (or the first file of a folder or glob) one of phrase trees?"""
    path = Path(source)
    if not path.exists():
        matched = sorted(glob(source, recursive=True)) if any(sign in source for sign in "*?[") else []  # noqa: PTH207
        return bool(matched) and holds_phrases(matched[0])
    if source.lower().endswith(SUFFIXES):
        return False
    from .source import by_content, by_suffix

    if path.is_dir():
        return any(by_suffix(file.name) is not None for file in path.rglob("*") if file.is_file())
    if by_suffix(path.name) is not None:
        return True
    with path.open("rb") as stream:
        return by_content(head(stream.read(_HEAD))) is not None


def phrase_place(file: str) -> str | None:
    """The file or folder of phrase trees that a name stands for (also `bundled:SUITE/tiger`); None for others."""
    from ...data import is_data_name, locate

    place = str(locate(file)) if is_data_name(file) else file
    return place if place != "-" and holds_phrases(place) else None
