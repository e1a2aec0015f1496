"""Pairs of whole sentences, one good and one bad: what all files of pairs have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InputError
from .model import Condition, Item, Prediction, Region, RegionSuite, title_of
from .pair_columns import PairColumns, cell_text, find_columns

GOOD, BAD = "good", "bad"
FORMULA = "(*;%bad%) > (*;%good%)"
NAMES = {1: "sentence"}
_KINDS = {"syntax": "syntactic", "semantics": "semantic", "syntax_semantics": "hybrid", "syntax/semantics": "hybrid"}
_SHARED = ("class", "modifier", "kind", "complexity")
"""Columns whose one value is a property of the suite."""


def pair_item(id: str, good: str, bad: str, line: int, extra: Mapping[str, Any] | None = None) -> Item:
    """An item of two conditions with one region each."""
    conditions = (Condition(GOOD, (Region(1, good),)), Condition(BAD, (Region(1, bad),)))
    return Item(id, conditions, line, extra or {})


def pair_prediction(name: str) -> Prediction:
    """The bad sentence must have the greater surprisal."""
    return Prediction(FORMULA, f"{name} (prediction 1)")


def pair_suite(
    name: str, items: Sequence[Item], columns: PairColumns, format: str, extra: Mapping[str, Any],
    layout: Mapping[str, str],
) -> RegionSuite:  # fmt: skip
    """All pairs of a file; phenomenon and paradigm are those of the file where all pairs have the same."""
    rows = [item.columns for item in items]
    properties = {key: value for key in _SHARED if (value := _one(rows, key))}
    if value := _one(rows, columns.phenomenon):
        properties["class"] = value
    if kind := _KINDS.get(_one(rows, "field"), ""):
        properties["kind"] = kind
    unsegmented = _without_blanks("".join(item.conditions[0].regions[0].content for item in items[:20]))
    return RegionSuite(
        name, _one(rows, columns.paradigm) or title_of(name), items, [pair_prediction(name)], NAMES, format,
        joiner="" if unsegmented else " ", segmented=not unsegmented, properties=properties,
        extra={**extra, "layout": dict(layout)} if layout else extra,
    )  # fmt: skip


def is_pairs_file(suite: RegionSuite) -> bool:
    """Are all items of this suite pairs of a good and a bad sentence?"""
    return suite.condition_names == (GOOD, BAD) and all(len(item.conditions) == 2 for item in suite.items)


def columns_of(suite: RegionSuite) -> PairColumns:
    """The columns of the file that a suite of pairs came from, also by way of SyntaxGym's JSON."""
    header = suite.said("header") or [name for item in suite.items[:1] for name in item.columns]
    return find_columns(header, suite.said("layout"), [item.columns for item in suite.items])


def pair_of(suite: RegionSuite, item: Item) -> tuple[str, str]:
    """The good and the bad sentence of an item; an error where the suite has no such two."""
    good, bad = (item.condition(name) for name in (GOOD, BAD))
    if good is None or bad is None or len(item.conditions) != 2:
        names = ", ".join(condition.name for condition in item.conditions)
        what = f"pairs need the conditions good and bad, here are {names}"
        raise InputError(what, where=suite.place(item), todo="keep the suite as SyntaxGym's JSON")
    return written(suite, good), written(suite, bad)


def written(suite: RegionSuite, condition: Condition) -> str:
    """The sentence of a condition, as it was where it is one region."""
    if len(condition.regions) == 1:
        return condition.regions[0].content
    return " ".join(condition.words) if suite.segmented else condition.text(suite.joiner)


def _one(rows: Sequence[Mapping[str, Any]], column: str) -> str:
    """The value that all pairs have in a column; empty where they differ."""
    values = {cell_text(columns.get(column)) for columns in rows} if column else set()
    return values.pop() if len(values) == 1 else ""


def _without_blanks(text: str) -> bool:
    """Mostly characters of scripts that are written without blanks, and no blanks."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and " " not in text.strip() and len(re.findall(r"[぀-ヿ㐀-鿿]", text)) > len(letters) / 2
