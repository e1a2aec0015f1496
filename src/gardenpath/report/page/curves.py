"""What a page shows of surprisals: the conditions of each item side by side, word by word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...studies.surprisal.curves import Curves

if TYPE_CHECKING:
    import polars


def curve_sentences(items: Iterable[Curves], rows: polars.DataFrame, most: int) -> tuple[dict[str, Any], list[int]]:
    """The first items with all conditions, and for each observation the number of its item (-1: not in the page)."""
    all_items = list(items)
    shown = all_items[:most]
    several = len({curve.suite for curve in all_items}) > 1
    suites: dict[str, dict[str, Any]] = {}
    for curve in shown:
        suites.setdefault(curve.suite, {"regions": curve.regions, "asked": curve.asked, "joiner": curve.joiner})
    names, systems = list(suites), list(dict.fromkeys(name for curve in all_items for name in curve.bits))
    made = {
        "kind": "curves",
        "left_out": len(all_items) - len(shown),
        "ids": [f"{curve.suite} {curve.item}" if several else curve.item for curve in shown],
        "texts": [curve.joiner.join(curve.conditions[0][1]) if curve.conditions else "" for curve in shown],
        "forms": [list(curve.conditions[0][1]) if curve.conditions else [] for curve in shown],
        "suites": list(suites.values()),
        "suite": [names.index(curve.suite) for curve in shown],
        "conditions": [curve.conditions for curve in shown],
        "bits": {name: [curve.bits.get(name) for curve in shown] for name in systems},
        "systems": {},
    }
    known = {(curve.suite, curve.item): at for at, curve in enumerate(shown)}
    keys = zip(rows["suite"].to_list(), rows["item"].to_list(), strict=True)
    return made, [known.get((str(suite or ""), str(item)), -1) for suite, item in keys]
