"""Two suites of different generated sentences, one in each scheme, and parses with mistakes drawn for each."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tree_corruptions import CORRUPTIONS

from gardenpath.phrase import PhraseTree
from gardenpath.suites.constructions.model import ConstructionSuite
from gardenpath_generate.constructions.treebank import generate

SEEDS = {"tiger": 21, "tuebadz": 22}


def half(scheme: str, sentences: int = 200) -> ConstructionSuite:
    """One suite of its own sentences."""
    suite = next(suite for suite in generate(sentences, seed=SEEDS[scheme]).suites if suite.scheme == scheme)
    return replace(suite, name=f"{scheme}-half")


def with_mistakes(suite: ConstructionSuite, share: float, seed: int = 0) -> list[PhraseTree]:
    """A tree for each item; about this share has a mistake of one of the classes."""
    chance, trees = Random(seed), []
    for item in suite.items:
        mistake, _ = chance.choice(CORRUPTIONS[item.construction.phenomenon])
        spoiled = mistake(item.tree, item.construction, suite.scheme) if chance.random() < share else None
        trees.append((spoiled or item.tree).named(item.tree.sent_id))
    return trees
