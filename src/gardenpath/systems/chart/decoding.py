"""The trees that a network sees in sentences: the best spans, then functions, then where raised nodes belong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ...phrase.tree import PhraseTree
from ..neural.batches import bucketed
from ..pcfg.preparation import Preparation
from .cky import best_splits, log_partition, spans_of
from .encoding import Reader, Spans, pairs_of, spans_of_all
from .lessons import LOWER, Candidates, Skeleton, candidates, skeleton_of, tree_of
from .network import NOTHING, Encoded, Nodes, SpanParser, Views

_BATCH = 1500
"""Words that are parsed together, with their padding."""
_WORTH = 0.4
"""A phrase is worth its probability less this. The best F1 is had with half the F1 that can be reached where
probabilities are right; those of the network are too sure, and dev asked for a little more. The best binary tree has
too many phrases: the probability of a flat tree is spread over all binary trees that come to it."""


def parsed(network: SpanParser, reader: Reader, sentences: Sequence[Sequence[str]]) -> list[PhraseTree]:
    """The tree of each sentence, which has words."""
    trees: dict[int, PhraseTree] = {}
    network.eval()
    with torch.no_grad():
        for numbers in bucketed([len(sentence) for sentence in sentences], _BATCH):
            batch = [sentences[number] for number in numbers]
            trees |= zip(numbers.tolist(), _parsed(network, reader, batch), strict=True)
    return [trees[number] for number in range(len(sentences))]


def _parsed(network: SpanParser, reader: Reader, sentences: Sequence[Sequence[str]]) -> list[PhraseTree]:
    inputs = reader.inputs(sentences)
    encoded = network.encoder(inputs)
    trees = _skeletons(network, reader, encoded, inputs.lengths)
    nodes, inventory = reader.nodes(trees), reader.inventory
    views = network.views(encoded, nodes)
    scores = network.functions(views, nodes)
    functions = scores.argmax(-1).split(nodes.counts)
    hanging = _mothers(network, views, nodes, scores, trees, inventory.at_root) if inventory.gaps == LOWER else None
    preparation = Preparation(inventory.gaps, at_root=frozenset(inventory.at_root))
    return [
        preparation.restored(
            tree_of(
                sentence,
                tree,
                [inventory.functions[number] for number in functions[at][:-1].tolist()],
                (tree.mothers[:-1] if hanging is None else hanging[at]).tolist(),
            )
        )
        for at, (sentence, tree) in enumerate(zip(sentences, trees, strict=True))
    ]


def _skeletons(network: SpanParser, reader: Reader, encoded: Encoded, lengths: Tensor) -> list[Skeleton]:
    """The best tree of spans of each sentence, with its tags."""
    inventory = reader.inventory
    spans = spans_of_all(lengths.tolist())
    worth, chains = (probabilities(network.chains(encoded.posts, spans.places), spans, lengths)[:, 1:] - _WORTH).max(-1)
    chains = torch.where(worth > 0, chains + 1, NOTHING)
    _, splits = best_splits(spans.square(worth.clamp(min=0), 0.0), lengths)
    tags, split_at, chain_at = (
        encoded.tags.argmax(-1).tolist(),
        splits.tolist(),
        spans.square(chains, 0).tolist(),
    )
    trees = []
    for number, length in enumerate(lengths.tolist()):
        phrases = [
            (begin, end, inventory.chains[chain])
            for begin, end in spans_of(split_at[number], length)
            if (chain := chain_at[number][begin][end])
        ]
        trees.append(skeleton_of(phrases, [inventory.tags[tag] for tag in tags[number][:length]]))
    return trees


def probabilities(scores: Tensor, spans: Spans, lengths: Tensor) -> Tensor:
    """M × chains: how likely each span has each chain, over all trees. They are the gradient of the log partition."""
    with torch.enable_grad():
        given = scores.detach().requires_grad_()
        log_partition(spans.square(torch.logsumexp(given, -1), 0.0), lengths).sum().backward()
    assert given.grad is not None
    return given.grad


def _mothers(
    network: SpanParser, views: Views, nodes: Nodes, functions: Tensor, trees: Sequence[Skeleton], fixed: Sequence[str]
) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The best mother of each row among those it may have."""
    possible = [candidates(tree, fixed) for tree in trees]
    pairs = pairs_of(possible, nodes)
    scores = network.mothers(views, functions, pairs.children, pairs.targets)
    own = scores.split([len(each.children) for each in possible])
    return [_best(tree, each, scored.numpy()) for tree, each, scored in zip(trees, possible, own, strict=True)]


def _best(
    tree: Skeleton, pairs: Candidates, scores: np.ndarray[tuple[int], np.dtype[np.float32]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    mothers = tree.mothers[:-1].copy()
    order = np.lexsort((scores, pairs.groups))  # the best of each group is its last
    last = np.flatnonzero(np.diff(np.r_[pairs.groups[order], -1]))
    chosen = order[last]
    mothers[pairs.children[chosen]] = pairs.targets[chosen]
    return mothers
