"""What the items of a roles suite were sampled in: base sentences, and the words that they share."""

from __future__ import annotations

import numpy as np

from ..stats.sampling import Clusters
from .clues import FREQUENT
from .model import SUBJECT, RoleSuite


def suite_clusters(suite: RoleSuite, independent: bool = False) -> Clusters:
    """Base sentence and subject noun; in a PP suite the PP's noun and its head. One of them where it holds the other.

    Pronouns are no sample of words: the cluster of an item with a pronoun as its subject is its base sentence.
    """
    if independent:
        return Clusters.independent(len(suite))
    if suite.kind == "pp":
        return _crossed(noun=_words(suite, ("obl", "nmod")), head=_words(suite, ("obl", "nmod"), heads=True))
    pronouns = FREQUENT.get(suite.language, frozenset())
    subjects = [
        f"\t{base}" if word in pronouns or not word or "spron" in properties else word
        for word, base, properties in zip(_words(suite, (SUBJECT,)), suite.families, suite.properties, strict=True)
    ]
    return _crossed(base_sentence=suite.families, subject_noun=subjects)


def _words(suite: RoleSuite, labels: tuple[str, ...], *, heads: bool = False) -> list[str]:
    """The word of each item that has one of these labels (or its head), by lemma where there are any, else by form."""
    lemmas = suite.treebank.column("lemma")
    words = (suite.treebank.column("form") if "_" in lemmas.values else lemmas).mapped(str.casefold)
    chosen = [""] * len(suite)
    places = suite.treebank.offsets[suite.arcs.item] + (suite.arcs.head if heads else suite.arcs.dependent) - 1
    inside = (suite.arcs.head if heads else suite.arcs.dependent) > 0
    for item, place, label, known in zip(
        suite.arcs.item.tolist(), places.tolist(), suite.arcs.label.strings(), inside.tolist(), strict=True
    ):
        if known and label.partition(":")[0] in labels and not chosen[item]:
            chosen[item] = words[place]
    return chosen


def _crossed(**named: list[str]) -> Clusters:
    """Both ways, or the coarser one where each cluster of one lies within a cluster of the other."""
    clusters = Clusters.of(**named)
    first, second = clusters.codes
    cells = len(np.unique(first * (int(second.max(initial=0)) + 1) + second))
    for number, codes in enumerate((second, first)):
        if cells == len(np.unique(codes)):  # finer than the other
            return Clusters((clusters.units[number],), (clusters.codes[number],))
    return clusters
