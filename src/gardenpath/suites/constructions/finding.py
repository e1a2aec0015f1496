"""Constructions found by rule in a gold tree of either scheme."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import unknown_name
from ...phrase.tree import PhraseTree
from .model import PHENOMENA, SCHEMES, Construction

RULES_VERSION = "1"
"""Of the finding rules: part of every suite and signature, because other rules find other items."""


def find(
    tree: PhraseTree, scheme: str, phenomena: Iterable[str] = tuple(PHENOMENA), wide: bool = False
) -> list[Construction]:
    """All constructions of these phenomena in a tree, phenomenon by phenomenon and from low nodes to high.

    `wide` takes any two unlike categories for a coordination of unlike constituents, not only the paper's three.
    """
    if scheme == "tiger":
        from .tiger import RULES
    elif scheme == "tuebadz":
        from .tuebadz import RULES
    else:
        raise unknown_name("annotation scheme", scheme, SCHEMES)
    found: list[Construction] = []
    for phenomenon in phenomena:
        rule = RULES.get(phenomenon)
        if rule is None:
            raise unknown_name("phenomenon", phenomenon, PHENOMENA)
        found += rule(tree, wide)
    return found


def misgivings(trees: Sequence[PhraseTree], scheme: str) -> str:
    """Why trees do not look like this scheme, if they do not: the rules would find nothing and not say why."""
    if not any(tree.functions and any(tree.functions) for tree in trees):
        return "the trees have no functions (SB, OA, ON …), which the rules go by"
    fields = sum(label in ("SIMPX", "MF", "LK") for tree in trees for label in tree.labels)
    clauses = sum(label in ("S", "VP", "CS") for tree in trees for label in tree.labels)
    other = "tuebadz" if fields > clauses else "tiger"
    return f"the trees look like {other}, not {scheme}" if other != scheme and fields + clauses else ""
