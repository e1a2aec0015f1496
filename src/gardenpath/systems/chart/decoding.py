"""The trees that a network sees in sentences: the best spans, then functions, then where raised nodes belong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ...phrase.punctuation import at_root
from ...phrase.tree import PhraseTree
from ..neural.batches import bucketed
from .cky import best_splits, log_partition, spans_of
from .encoding import Reader, Spans, spans_of_all
from .lessons import Candidates, Skeleton, candidates, skeleton_of, tree_of
from .network import NOTHING, SpanParser

_BATCH = 1500
"""Words that are parsed together, with their padding."""
_WORTH = 1 / 3
"""A phrase is worth its probability less this. For the best F1 the bound is half the F1 that can be reached, which was
two thirds on dev. The best binary tree has too many phrases: the probability of a flat tree is spread over all binary
trees that come to it."""


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
    states, posts = network.encoder(inputs)
    trees = _skeletons(network, reader, states, posts, inputs.lengths)
    rows, inventory = reader.rows(trees), reader.inventory
    children = torch.cat([own[:-1] for own in rows])
    mothers = torch.cat([own[tree.mothers[:-1]] for own, tree in zip(rows, trees, strict=True)])
    chosen = network.functions(posts, children, mothers).argmax(-1)
    functions = chosen.split([tree.root for tree in trees])
    hanging = _mothers(network, posts, rows, trees, inventory.at_root) if inventory.lowering else None
    return [
        at_root(
            tree_of(
                sentence,
                tree,
                [inventory.functions[number] for number in functions[at].tolist()],
                (tree.mothers[:-1] if hanging is None else hanging[at]).tolist(),
            ),
            inventory.at_root,
        )
        for at, (sentence, tree) in enumerate(zip(sentences, trees, strict=True))
    ]


def _skeletons(network: SpanParser, reader: Reader, states: Tensor, posts: Tensor, lengths: Tensor) -> list[Skeleton]:
    """The best tree of spans of each sentence, with its tags."""
    inventory = reader.inventory
    spans = spans_of_all(lengths.tolist())
    worth, chains = (probabilities(network.chains(posts, spans.places), spans, lengths)[:, 1:] - _WORTH).max(-1)
    chains = torch.where(worth > 0, chains + 1, NOTHING)
    _, splits = best_splits(spans.square(worth.clamp(min=0), 0.0), lengths)
    tags, split_at, chain_at = (
        network.tag(states).argmax(-1).tolist(),
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
    network: SpanParser, posts: Tensor, rows: Sequence[Tensor], trees: Sequence[Skeleton], fixed: Sequence[str]
) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The best mother of each row among those it may have."""
    possible = [candidates(tree, fixed) for tree in trees]
    children = torch.cat([own[pairs.children] for own, pairs in zip(rows, possible, strict=True)])
    targets = torch.cat([own[pairs.targets] for own, pairs in zip(rows, possible, strict=True)])
    scores = network.mothers(posts, children, targets).split([len(pairs.children) for pairs in possible])
    return [_best(tree, pairs, own.numpy()) for tree, pairs, own in zip(trees, possible, scores, strict=True)]


def _best(
    tree: Skeleton, pairs: Candidates, scores: np.ndarray[tuple[int], np.dtype[np.float32]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    mothers = tree.mothers[:-1].copy()
    order = np.lexsort((scores, pairs.groups))  # the best of each group is its last
    last = np.flatnonzero(np.diff(np.r_[pairs.groups[order], -1]))
    chosen = order[last]
    mothers[pairs.children[chosen]] = pairs.targets[chosen]
    return mothers
