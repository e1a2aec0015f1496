"""The columns of suites by which items can be grouped: what files say of their items, and our own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ...errors import UsageError
from ...suites.regions.model import RegionSuite
from ...suites.regions.pair import columns_of, is_pairs_file
from ..grouping import ColumnGroups, column_groups, known_column
from .settings import CROSSED, GROUPINGS, SurprisalSettings

_MOST = 2
_TAKEN = frozenset(("study", "suite", "system", "measure", "value", "n", "low", "high"))
"""What findings say of themselves."""


def groups_by_column(suites: Sequence[RegionSuite], settings: SurprisalSettings) -> ColumnGroups | None:
    """The groups that were asked for, over the items of all suites one after the other; None where none were."""
    if not settings.columns:
        return None
    columns = suite_columns(suites)
    # A suite of pairs is a paradigm.
    asked = ["paradigm" if name == "suite" else name for name in settings.columns]
    names = [known_column(name, columns, GROUPINGS) for name in asked]
    if len(names) > _MOST:
        todo = f"name at most {_MOST}, and the others in another call"
        raise UsageError(f"{len(names)} columns to cross: {', '.join(names)}", where="--by", todo=todo)
    shown = [f"column {name}" if name in _TAKEN else name for name in names]
    return column_groups(shown, {label: columns[name] for label, name in zip(shown, names, strict=True)})


def suite_columns(suites: Sequence[RegionSuite]) -> dict[str, list[Any]]:
    """Every column with its values, item by item: those of files, without the sentences, and our own.

    Our own are class (or phenomenon), suite (or paradigm), modifier, kind, file and folder.
    """
    rows, sentences = list[dict[str, Any]](), set[str]()
    for suite in suites:
        path = PurePath(suite.name)
        own: dict[str, Any] = {key: suite.property_of(key) or None for key in CROSSED} | {"suite": suite.title}
        own |= {"phenomenon": own["class"], "paradigm": suite.title, "file": path.name, "folder": path.parent.name}
        if is_pairs_file(suite):
            columns = columns_of(suite)
            sentences |= {columns.good, columns.bad}
        rows += [{**own, **item.columns} for item in suite.items]
    names = {
        name: None
        for row in rows
        for name, value in row.items()
        if name not in sentences and value is not None and not isinstance(value, dict | list)
    }
    return {name: [row.get(name) for row in rows] for name in names}
