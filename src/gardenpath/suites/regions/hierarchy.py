"""Groups of region items: benchmark, phenomenon and paradigm; columns to group by; items sampled together.

Suites often have the same sentences with other modifiers: item 3 of `cls_adj` is item 3 of `cls_none` with an
adjective. Such suites are told by their words, and items of one number in them are one cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from .model import Item, RegionSuite, title_of
from .pairs import cell_text, columns_of, is_pairs_file

if TYPE_CHECKING:
    from ...stats.sampling import Clusters


def by_paradigm(files: Iterable[RegionSuite]) -> list[RegionSuite]:
    """A suite for each paradigm of these files, in their order.

    It is called after its paradigm, or after its file where that does not say it; with its phenomenon, file or folder
    before it where another one has the same name.
    """
    parts = [part for suite in files for part in _parts(suite)]
    titles = [names[0] for _, names in parts]
    for level in range(1, max((len(names) for _, names in parts), default=0)):
        taken = _twice(titles)
        titles = [
            names[min(level, len(names) - 1)] if title in taken else title
            for (_, names), title in zip(parts, titles, strict=True)
        ]
    same = _twice(titles)  # of one file that was named twice
    titles = [names[0] if title in same else title for (_, names), title in zip(parts, titles, strict=True)]
    return [
        suite if suite.title == title else replace(suite, title=title)
        for (suite, _), title in zip(parts, titles, strict=True)
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


def _parts(suite: RegionSuite) -> list[tuple[RegionSuite, list[str]]]:
    """Items of one file that share phenomenon and paradigm, and the names they may go by, the shortest first."""
    if not is_pairs_file(suite) and not any(map(any, paradigms_of(suite))):
        return [(suite, [suite.title])]
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
        parts.append((replace(suite, title=own, items=items, properties=properties), names))
    return parts


COLUMNS = ("cluster", "base", "lexeme", "template", "lexical_item")
"""What a file may say of its items; the first that all of them have is what was sampled."""
_ALIKE = 0.7
"""Suites are parallel where items of one number share this much of their words: 75 to 100 % in published suites that
are, below 55 % for items of other numbers."""
_LOOKED_AT = 20


def item_clusters(suites: Sequence[RegionSuite], independent: bool = False) -> Clusters:
    """Of all items, suite after suite."""
    from ...stats.sampling import Clusters

    items = [(number, item) for number, suite in enumerate(suites) for item in suite.items]
    if independent:
        return Clusters.independent(len(items))
    for column in COLUMNS:
        values = [str(item.columns.get(column) or "") for _, item in items]
        if all(values):
            return Clusters.of(**{column: values})
    family = _families(suites)
    if len(set(family)) == len(suites):
        return Clusters.independent(len(items))
    return Clusters.of(base_sentence=[f"{family[number]}\t{item.id}" for number, item in items])


def _families(suites: Sequence[RegionSuite]) -> list[int]:
    """For each suite the first one whose items of the same numbers are alike."""
    words = [
        {item.id: {word for condition in item.conditions for word in condition.words} for item in suite.items}
        for suite in suites
    ]
    family = list(range(len(suites)))
    for number in range(len(suites)):
        for first in sorted(set(family[:number])):
            if _likeness(words[first], words[number]) >= _ALIKE:
                family[number] = first
                break
    return family


def _likeness(first: Mapping[str, set[str]], second: Mapping[str, set[str]]) -> float:
    """The mean share of words that items of one number have in common, of the shorter's; 0 where there are none."""
    shared = [item for item in first if item in second][:_LOOKED_AT]
    shares = [len(first[item] & second[item]) / max(1, min(len(first[item]), len(second[item]))) for item in shared]
    return sum(shares) / len(shares) if shares else 0.0


OWN = ("class", "modifier", "kind", "suite")
"""What suites say of all their items."""


def suite_columns(suites: Sequence[RegionSuite]) -> dict[str, list[Any]]:
    """Every column with its values, item by item: those of files, without the sentences, and our own.

    Our own are class (or phenomenon), suite (or paradigm), modifier, kind, file, folder, and length: the words of the
    first sentence of an item, or its characters where there are no blanks.
    """
    rows, sentences = list[dict[str, Any]](), set[str]()
    for suite in suites:
        path = PurePath(suite.name)
        own: dict[str, Any] = {key: suite.property_of(key) or None for key in OWN} | {"suite": suite.title}
        own |= {"phenomenon": own["class"], "paradigm": suite.title, "file": path.name, "folder": path.parent.name}
        if is_pairs_file(suite):
            columns = columns_of(suite)
            sentences |= {columns.good, columns.bad}
        for item in suite.items:
            words = item.conditions[0].words
            rows.append({**own, "length": len(words) if suite.segmented else sum(map(len, words)), **item.columns})
    names = {
        name: None
        for row in rows
        for name, value in row.items()
        if name not in sentences and value is not None and not isinstance(value, dict | list)
    }
    return {name: [row.get(name) for row in rows] for name in names}
