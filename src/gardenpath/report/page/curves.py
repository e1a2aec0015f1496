"""What a page shows of surprisals: the conditions of each item side by side, word by word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...studies.surprisal.curves import Curves

if TYPE_CHECKING:
    import polars


def curve_sentences(items: Iterable[Curves], rows: polars.DataFrame, most: int) -> tuple[dict[str, Any], list[int]]:
    """The first items with all conditions, and for each observation the number of its item (-1: not in the page)."""
    found = list(items)
    shown = found[:most]
    several = len({one.suite for one in found}) > 1
    suites: dict[str, dict[str, Any]] = {}
    for one in shown:
        suites.setdefault(one.suite, {"regions": one.regions, "asked": one.asked, "joiner": one.joiner})
    names, systems = list(suites), list(dict.fromkeys(name for one in found for name in one.bits))
    made = {
        "kind": "curves",
        "left_out": len(found) - len(shown),
        "ids": [f"{one.suite} {one.item}" if several else one.item for one in shown],
        "texts": [one.joiner.join(one.conditions[0][1]) if one.conditions else "" for one in shown],
        "forms": [list(one.conditions[0][1]) if one.conditions else [] for one in shown],
        "suites": list(suites.values()),
        "suite": [names.index(one.suite) for one in shown],
        "conditions": [one.conditions for one in shown],
        "bits": {name: [one.bits.get(name) for one in shown] for name in systems},
        "systems": {},
    }
    known = {(one.suite, one.item): at for at, one in enumerate(shown)}
    keys = zip(rows["suite"].to_list(), rows["item"].to_list(), strict=True)
    return made, [known.get((str(suite or ""), str(item)), -1) for suite, item in keys]
