"""The columns of suites by which items can be grouped: what files say of their items, and our own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from .model import RegionSuite
from .pair import columns_of, is_pairs_file

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
