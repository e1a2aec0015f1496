"""Small suites of regions for tests."""

from __future__ import annotations

import json
from typing import Any

from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.syntaxgym import from_syntaxgym

AGREEMENT = "(2;%bad%) > (2;%good%)"


def item(number: int, **conditions: list[str]) -> dict[str, Any]:
    return {
        "item_number": number,
        "conditions": [
            {
                "condition_name": name,
                "regions": [{"region_number": n, "content": text} for n, text in enumerate(texts, 1)],
            }
            for name, texts in conditions.items()
        ],
    }


def whole(items: list[dict[str, Any]] | None = None, *formulas: str, **meta: Any) -> dict[str, Any]:
    """A suite as JSON: two items about agreement, unless others are given."""
    items = items or [
        item(1, good=["The dog", "barks", "loudly ."], bad=["The dogs", "barks", "loudly ."]),
        item(2, good=["The cat", "sleeps", "here ."], bad=["The cats", "sleeps", "here ."]),
    ]
    count = max(len(one["regions"]) for entry in items for one in entry["conditions"])
    return {
        "meta": {"name": "agreement", "metric": "sum", **meta},
        "region_meta": {str(n): f"r{n}" for n in range(1, count + 1)},
        "predictions": [{"type": "formula", "formula": text} for text in formulas or (AGREEMENT,)],
        "items": items,
    }


def suite(items: list[dict[str, Any]] | None = None, *formulas: str, **meta: Any) -> RegionSuite:
    return from_syntaxgym(json.dumps(whole(items, *formulas, **meta), indent=1).encode(), "agreement.json")
