"""The groups of items by columns: what constructions, trees and the author's own columns say of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...suites.constructions.model import ConstructionSuite
from ..grouping import ColumnGroups, asked_groups
from .settings import GROUPINGS, ConstructionsSettings

_TAKEN = ("scheme", "class")
"""Keys of findings that are of other groups."""


def column_groups_of(suites: Sequence[ConstructionSuite], settings: ConstructionsSettings) -> ColumnGroups | None:
    """The groups that are asked for, over the items of all suites one after the other; None where none are."""
    if not settings.columns:
        return None
    rows: list[dict[str, Any]] = [
        {
            **item.columns,
            "phenomenon": item.construction.phenomenon, "variant": item.construction.variant, "scheme": suite.scheme,
            "suite": suite.name, "flags": item.construction.flags or ("none",), "category": item.node.label,
            "length": len(item.tree), "span": len(item.node.positions),
        }
        for suite in suites
        for item in suite.items
    ]  # fmt: skip
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return asked_groups(settings.columns, columns, GROUPINGS, _TAKEN)
