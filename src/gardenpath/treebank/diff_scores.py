"""One parse scored against two releases of its gold: what of a difference in LAS is gold that changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..stats.sampling import Clusters, Difference, Estimate, share, share_difference
from .diff import Ints, TreebankDiff, sentence_keys
from .documents import sentence_clusters
from .matching import match
from .pair import Pair
from .scores import universal
from .treebank import Treebank


@dataclass(frozen=True, slots=True)
class TwoGolds:
    """LAS and UAS of a parse against both golds, over the sentences that have the same words in all three."""

    sentences: int
    words: int
    missing: int
    """Sentences that both releases have and the parse has not."""
    old: dict[str, Estimate]
    new: dict[str, Estimate]
    difference: dict[str, Difference]
    clusters: Clusters


def against_both(both: TreebankDiff, parsed: Treebank) -> TwoGolds:
    """Heads and universal relations of the same words, right by the old and by the new release."""
    pairs = both.sentences[both.is_exact]
    partners = match(sentence_keys(both.old[pairs[:, 0]]), sentence_keys(parsed)) if len(pairs) else []
    there = np.array([partner is not None for partner in partners], dtype=bool)
    if not there.any():
        todo = "the parse needs the words of sentences that both releases have"
        raise InputError("no sentence of both releases is in the parse", where=parsed.name, todo=todo)
    pairs, answers = pairs[there], np.array([partner for partner in partners if partner is not None])
    clusters = sentence_clusters(both.new).at(pairs[:, 1])
    words = both.old.lengths[pairs[:, 0]]
    right = {
        name: _right(gold, numbers, parsed, answers)
        for name, gold, numbers in (("old", both.old, pairs[:, 0]), ("new", both.new, pairs[:, 1]))
    }
    scores: dict[str, dict[str, Estimate]] = {
        name: {metric: share(counts, words, clusters) for metric, counts in by_metric.items()}
        for name, by_metric in right.items()
    }
    difference = {
        metric: share_difference((right["old"][metric], words), (right["new"][metric], words), clusters)
        for metric in ("uas", "las")
    }
    return TwoGolds(
        len(pairs), int(words.sum()), int((~there).sum()), scores["old"], scores["new"], difference, clusters
    )


def _right(gold: Treebank, numbers: Ints, parsed: Treebank, partners: Ints) -> dict[str, Ints]:
    """Right words of each sentence, by head, and by head and label."""
    words, answers = _words(gold, numbers), _words(parsed, partners)
    lengths = gold.lengths[numbers]
    owner = np.repeat(np.arange(len(numbers)), lengths)
    heads = gold.heads[words] == parsed.heads[answers]
    ours, theirs = Pair(gold, parsed).column("deprel", universal)
    same = ours.codes[words] == theirs.codes[answers]
    return {
        "uas": np.bincount(owner, weights=heads, minlength=len(numbers)),
        "las": np.bincount(owner, weights=heads & same, minlength=len(numbers)),
    }


def _words(treebank: Treebank, numbers: Ints) -> Ints:
    """The words of these sentences, one after the other."""
    sizes = treebank.lengths[numbers]
    before = np.cumsum(sizes) - sizes
    words: Ints = np.arange(int(sizes.sum())) + np.repeat(treebank.offsets[numbers] - before, sizes)
    return words
