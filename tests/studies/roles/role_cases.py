"""Small suites and systems made by hand, and the slow way to judge them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gardenpath.runs.result.result import Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.roles.arcs import GoldArcs, JudgedArcs, judge
from gardenpath.studies.roles.declaration import RolesSettings, WordOrderSettings
from gardenpath.studies.roles.study import ROLES
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.suites import read_suite
from gardenpath.suites.roles.model import RoleSuite
from gardenpath.treebank import Treebank

CASES = Path(__file__).resolve().parents[2] / "suites" / "cases"
Change = tuple[str, str]
"""HEAD and DEPREL."""

SPOILED: Mapping[tuple[int, int], Change] = {
    (1, 2): ("3", "nsubj"),  # item 2, object first: both roles swapped
    (1, 5): ("3", "obj"),
    (4, 3): ("5", "nsubj"),  # item 5, verb last: the subject below the object
    (6, 2): ("6", "nsubj"),  # item 7, object first with auxiliary: both called subject
}
"""By item (from 0) and word (from 1). Of 20 arcs 16 are right, and 19 heads."""


def roles(suite: RoleSuite, systems: Any, **settings: Any) -> Result:
    return run(ROLES, suite, systems, RolesSettings(**settings))


def treebank_view(gold: Treebank, systems: Any = (), **settings: Any) -> Result:
    return run(WORD_ORDER, gold, systems, WordOrderSettings(**settings))


def judged_arcs(suite: RoleSuite, systems: Mapping[str, Treebank]) -> dict[str, JudgedArcs]:
    arcs = GoldArcs.of_suite(suite)
    return {name: judge(arcs, trees) for name, trees in systems.items()}


def perfect() -> RoleSuite:
    """Five orders of one sentence, and the same with an auxiliary."""
    return read_suite(CASES / "perfect.conll")


def parsed(suite: RoleSuite, changes: Mapping[tuple[int, int], Change] = {}) -> Treebank:
    """Gold with some arcs changed; words without gold hang from the first word, which may be the root."""
    lines: list[str] = []
    for number, sentence in enumerate(suite.treebank):
        for row in sentence.rows:
            cells = row.copy()
            at = int(cells[0])
            if cells[6] == "_":
                cells[6:8] = ["1", "dep"] if at > 1 else ["2", "dep"]
            cells[6:8] = changes.get((number, at), cells[6:8])
            lines.append("\t".join(cells))
        lines.append("")
    return Treebank("\n".join([*lines, ""]).encode(), name="parsed")


def slow_counts(suite: RoleSuite, system: Treebank) -> list[tuple[int, int, int, int]]:
    """(arcs, heads right, heads and labels right, labels right) of every item, node by node."""
    found = []
    for item, sentence in zip(suite.items, system, strict=True):
        heads = both = labels = 0
        for arc in item.arcs:
            node = sentence.words[arc.dependent - 1]
            heads += node.head == arc.head
            both += node.head == arc.head and node.udeprel == arc.label
            labels += node.udeprel == arc.label
        found.append((len(item.arcs), heads, both, labels))
    return found
