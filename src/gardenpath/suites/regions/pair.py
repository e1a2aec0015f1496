"""Pairs of whole sentences, one good and one bad: what BLiMP, CLiMP and plain tables of pairs have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from .model import Condition, Item, Prediction, Region, RegionSuite

GOOD, BAD = "good", "bad"
FORMULA = "(*;%bad%) > (*;%good%)"
NAMES = {1: "sentence"}


def pair_item(id: str, good: str, bad: str, line: int, extra: Mapping[str, Any] | None = None) -> Item:
    """An item of two conditions with one region each."""
    conditions = (Condition(GOOD, (Region(1, good),)), Condition(BAD, (Region(1, bad),)))
    return Item(id, conditions, line, extra or {})


def pair_prediction(name: str) -> Prediction:
    """The bad sentence must have the greater surprisal."""
    return Prediction(FORMULA, f"{name} (prediction 1)")


def pair_of(suite: RegionSuite, item: Item) -> tuple[str, str]:
    """The good and the bad sentence of an item; an error where the suite has no such two."""
    found = [item.condition(name) for name in (GOOD, BAD)]
    if found[0] is None or found[1] is None or len(item.conditions) != 2:
        what = f"pairs need the conditions good and bad, here are {', '.join(one.name for one in item.conditions)}"
        raise InputError(what, where=suite.place(item), todo="keep the suite as SyntaxGym's JSON")
    return written(suite, found[0]), written(suite, found[1])


def written(suite: RegionSuite, condition: Condition) -> str:
    """The sentence of a condition, as it was where it is one region."""
    if len(condition.regions) == 1:
        return condition.regions[0].content
    return " ".join(condition.words) if suite.segmented else condition.text(suite.joiner)
