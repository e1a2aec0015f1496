"""The trees that a network sees in sentences: the best spans, then functions, then where raised nodes belong."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...phrase.tree import PhraseTree
from ..neural.batches import bucketed
from ..pcfg.preparation import Preparation
from .cky import best_splits, log_partition, spans_of
from .encoding import Reader, Spans, pairs_of, spans_of_all
from .inventory import Inventory
from .lessons import LOWER, Candidates, Numbers, Skeleton, candidates, skeleton_of, tree_of
from .network import NOTHING, Encoded, Nodes, SpanParser, Views

_BATCH = 1500
"""Words that are parsed together, with their padding."""
_WORTH = 0.4
"""A phrase is worth its probability less this. The best F1 is had with half the F1 that can be reached where
probabilities are right; those of the network are too sure, and dev asked for a little more. The best binary tree has
too many phrases: the probability of a flat tree is spread over all binary trees that come to it."""
_NEARLY = 1.0
"""A phrase that would have one child gets another, where that is at most so much less likely, in nats, to hang there.
Chosen on dev, like the other."""


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
    lowering = inventory.gaps == LOWER
    hanging = _mothers(network, views, nodes, scores, trees, inventory) if lowering else None
    single = inventory.single if lowering else None
    preparation = Preparation(inventory.gaps, at_root=frozenset(inventory.at_root))
    return [
        preparation.restored(
            tree_of(
                sentence,
                tree,
                [inventory.functions[number] for number in functions[at][:-1].tolist()],
                (tree.mothers[:-1] if hanging is None else hanging[at]).tolist(),
                single,
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
    network: SpanParser, views: Views, nodes: Nodes, functions: Tensor, trees: Sequence[Skeleton], inventory: Inventory
) -> list[Numbers]:
    """The best mother of each row among those it may have."""
    possible = [candidates(tree, inventory.at_root) for tree in trees]
    pairs = pairs_of(possible, nodes)
    scores = network.mothers(views, functions, pairs.children, pairs.targets)
    own = scores.split([len(each.children) for each in possible])
    return [
        best_mothers(tree, each, scored.numpy(), inventory.single)
        for tree, each, scored in zip(trees, possible, own, strict=True)
    ]


def best_mothers(tree: Skeleton, pairs: Candidates, scores: NDArray[np.float32], single: Collection[str]) -> Numbers:
    """The mother with the highest score for each child; then a phrase that would have one child may take another."""
    mothers = tree.mothers[:-1].copy()
    order = np.lexsort((scores, pairs.groups))  # the best of each group is its last
    chosen = order[np.flatnonzero(np.diff(np.r_[pairs.groups[order], -1]))]
    mothers[pairs.children[chosen]] = pairs.targets[chosen]
    loss = scores[chosen][pairs.groups] - scores
    children = np.bincount(mothers, minlength=tree.root)
    for row in range(tree.tokens, tree.root):
        if children[row] == 1 and tree.names[row] not in single:
            others = np.flatnonzero((pairs.targets == row) & (mothers[pairs.children] != row))
            if len(others) and loss[nearest := others[np.argmin(loss[others])]] <= _NEARLY:
                mothers[pairs.children[nearest]] = row
    return mothers
