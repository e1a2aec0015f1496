"""The hierarchy of pairs: benchmark, phenomenon, paradigm. A file may hold one paradigm or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from .model import Item, RegionSuite, title_of
from .pair import columns_of, is_pairs_file
from .pair_columns import cell_text


@dataclass(frozen=True, slots=True)
class _Paradigm:
    """Items of one file that share phenomenon and paradigm, and the names they may go by, the shortest first."""

    suite: RegionSuite
    names: tuple[str, ...]


def by_paradigm(files: Iterable[RegionSuite]) -> list[RegionSuite]:
    """A suite for each paradigm of these files, in their order.

    It is called after its paradigm, or after its file where that does not say it; with its phenomenon, file or folder
    before it where another one has the same name.
    """
    parts = [part for suite in files for part in _parts(suite)]
    titles = [part.names[0] for part in parts]
    for level in range(1, max((len(part.names) for part in parts), default=0)):
        taken = _twice(titles)
        titles = [
            part.names[min(level, len(part.names) - 1)] if title in taken else title
            for part, title in zip(parts, titles, strict=True)
        ]
    same = _twice(titles)  # of one file that was named twice
    titles = [part.names[0] if title in same else title for part, title in zip(parts, titles, strict=True)]
    return [
        part.suite if part.suite.title == title else replace(part.suite, title=title)
        for part, title in zip(parts, titles, strict=True)
    ]


def paradigms_of(suite: RegionSuite) -> list[tuple[str, str]]:
    """Phenomenon and paradigm of every item, as its file says; both empty where it does not."""
    if not is_pairs_file(suite):
        named = [cell_text(item.columns.get("construction")) for item in suite.items]
        return [(name, name) for name in named] if all(named) else [("", "")] * len(suite)
    columns = columns_of(suite)
    return [
        (cell_text(row.get(columns.phenomenon)), cell_text(row.get(columns.paradigm)))
        for row in (item.columns for item in suite.items)
    ]


def _twice(titles: Sequence[str]) -> set[str]:
    return {title for title, count in Counter(titles).items() if count > 1}


def _parts(suite: RegionSuite) -> list[_Paradigm]:
    if not is_pairs_file(suite) and not any(map(any, paradigms_of(suite))):
        return [_Paradigm(suite, (suite.title,))]
    stem = title_of(suite.name)
    groups: dict[tuple[str, str], list[Item]] = {}
    for key, item in zip(paradigms_of(suite), suite.items, strict=True):
        groups.setdefault(key, []).append(item)
    parts = []
    for (phenomenon, paradigm), items in groups.items():
        phenomenon = phenomenon or suite.property_of("class")
        alone = len(groups) == 1
        own = paradigm or (suite.title if alone else phenomenon or stem)
        file = stem if alone else f"{stem}/{own}"
        folder = PurePath(suite.name).parent.name
        properties = {**suite.properties, **({"class": phenomenon} if phenomenon else {})}
        names = [own, *([f"{phenomenon}/{own}"] if phenomenon and paradigm else []), file, f"{folder}/{file}"]
        parts.append(_Paradigm(replace(suite, title=own, items=items, properties=properties), tuple(names)))
    return parts
