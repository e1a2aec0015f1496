"""A small parallel suite, an item for each mistake, and parses that make every second of them."""

from __future__ import annotations

from construction_mistakes import MISTAKES
from construction_trees import gold, wrong

from gardenpath.phrase import PhraseTree
from gardenpath.suites.constructions.model import ConstructionItem, ConstructionSuite

SCHEMES = ("tiger", "tuebadz")


def suite(scheme: str) -> ConstructionSuite:
    """An item for each mistake: its right tree."""
    items = []
    for number, mistake in enumerate(MISTAKES):
        tree, construction = gold(mistake.model, scheme, mistake.phenomenon)
        items.append(ConstructionItem(f"item-{number:02d}", tree.named(str(number + 1)), construction))
    return ConstructionSuite("mistakes", "1", scheme, items)


def parses(scheme: str, every: int = 2) -> list[PhraseTree]:
    """Trees of a parser that makes every second (third, …) of the mistakes, beginning with the first."""
    found = []
    for number, (item, mistake) in enumerate(zip(suite(scheme).items, MISTAKES, strict=True)):
        spoiled = wrong(mistake.model, scheme, getattr(mistake, scheme))
        found.append(item.tree if number % every else spoiled.named(item.tree.sent_id))
    return found
