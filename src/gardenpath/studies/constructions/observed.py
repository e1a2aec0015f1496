"""The verdicts behind the findings, one by one, with gold and parse: for runs, for R, and for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...phrase.notation import to_notation
from ...runs.observations import Observations
from ..judged_phrases import JudgedPhrases
from .judged import JudgedConstructions
from .scores import sentence_of
from .settings import STUDY


def observations(judged: Sequence[JudgedConstructions]) -> Observations:
    """One row per item and system: its class (`outcome`), and is it right (`value`)? Trees are in notation.

    `cluster` is the number of the sentence: items of one sentence were sampled together.
    """
    parts = []
    numbers: dict[str, int] = {}
    for performance in judged:
        suite, items, verdicts = performance.suite, performance.suite.items, performance.verdicts
        constructions = [item.construction for item in items]
        columns = {
            "study": STUDY, "suite": suite.name, "item": [item.item for item in items],
            "condition": [construction.phenomenon for construction in constructions],
            "system": performance.system, "seed": 0, "unit": None,
            "outcome": [verdict.primary for verdict in verdicts],
            "value": [int(verdict.right) for verdict in verdicts],
            "scheme": suite.scheme,
            "phenomenon": [construction.phenomenon for construction in constructions],
            "variant": [construction.variant for construction in constructions],
            "codes": [" ".join(verdict.codes) for verdict in verdicts],
            "flags": [" ".join(verdict.flags) for verdict in verdicts],
            "reason": [verdict.reason for verdict in verdicts],
            "sentence": [item.tree.sent_id for item in items],
            "cluster": [numbers.setdefault(sentence_of(suite.name, item.tree), len(numbers) + 1) for item in items],
            "text": [" ".join(item.tree.words) for item in items],
            "gold": [to_notation(item.tree) for item in items],
            "parse": ["" if tree is None else to_notation(tree) for tree in performance.trees],
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)


def judged_trees(judged: Sequence[JudgedConstructions]) -> Iterator[JudgedPhrases]:
    """Gold and all systems' trees of each item, with the tokens that the construction is found by."""
    by_suite: dict[tuple[str, str], list[JudgedConstructions]] = {}
    for performance in judged:
        by_suite.setdefault((performance.suite.name, performance.suite.scheme), []).append(performance)
    for (name, scheme), systems in by_suite.items():
        for place, item in enumerate(systems[0].suite.items):
            marked = tuple(sorted({token for _, token in item.construction.anchors if token >= 0}))
            trees = {performance.system: performance.trees[place] for performance in systems}
            yield JudgedPhrases(name, scheme, item.item, item.tree, trees, marked)
