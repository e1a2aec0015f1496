"""Which items of suites were sampled together: those of one lexeme or template, or of one base sentence.

Suites often have the same sentences with other modifiers: item 3 of `cls_adj` is item 3 of `cls_none` with an
adjective. Such suites are told by their words, and items of one number in them are one cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...stats.sampling import Clusters
from .model import RegionSuite

COLUMNS = ("cluster", "base", "lexeme", "template", "lexical_item")
"""What a file may say of its items; the first that all of them have is what was sampled."""
_ALIKE = 0.7
"""Suites are parallel where items of one number share this much of their words: 75 to 100 % in published suites that
are, below 55 % for items of other numbers."""
_LOOKED_AT = 20


def item_clusters(suites: Sequence[RegionSuite], independent: bool = False) -> Clusters:
    """Of all items, suite after suite."""
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
