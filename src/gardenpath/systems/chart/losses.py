"""What a span parser learns by: the probability of the true tree among all, and cross-entropy for the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from .cky import log_partition
from .encoding import Answers, Forgotten, Reader, Spans, pairs_of, spans_of_all
from .lessons import LOWER, Lesson
from .network import Nodes, SpanParser, Views


def loss(
    network: SpanParser, reader: Reader, lessons: Sequence[Lesson], answers: Sequence[Answers], forgotten: Forgotten
) -> Tensor:
    """The sum over a batch: spans, tags, functions, and mothers of nodes that may have been raised."""
    inputs = reader.inputs([lesson.words for lesson in lessons], forgotten)
    encoded = network.encoder(inputs)
    lengths = inputs.lengths.tolist()
    inside = torch.arange(max(lengths)) < inputs.lengths[:, None]
    total = cross_entropy(encoded.tags[inside], _joined([answer.tags for answer in answers]), reduction="sum")
    spans = spans_of_all(lengths)
    total = total + tree_loss(network.chains(encoded.posts, spans.places), spans, inputs.lengths, answers)
    nodes = reader.nodes([lesson.tree for lesson in lessons])
    views = network.views(encoded, nodes)
    functions = network.functions(views, nodes)
    hanging = nodes.mothers != torch.arange(len(nodes.mothers))
    true = _joined([answer.functions for answer in answers])
    total = total + cross_entropy(functions[hanging], true, reduction="sum")
    if reader.inventory.gaps != LOWER:
        return total
    return total + _mother_loss(network, views, nodes, functions, lessons)


def tree_loss(scores: Tensor, spans: Spans, lengths: Tensor, answers: Sequence[Answers]) -> Tensor:
    """-ln p of the true trees in a conditional random field over trees, but for a constant. Scores are M × chains.

    p(tree) is proportional to exp of the scores of its chains, and `no phrase` scores 0: all binary trees that come to
    one tree with more branches have the same score, and how many they are does not depend on the network.
    """
    true = scores[torch.arange(len(scores)), _gold_chains(spans, answers)]
    every = spans.square(torch.logsumexp(scores, -1), 0.0)
    return log_partition(every, lengths).sum() - true.sum()


def _gold_chains(spans: Spans, answers: Sequence[Answers]) -> Tensor:
    """M: the true chain of each span, 0 where it is not a phrase."""
    square = torch.zeros((spans.sentences, spans.posts, spans.posts), dtype=torch.long)
    for number, answer in enumerate(answers):
        begins, ends, chains = torch.from_numpy(answer.chains).T
        square[number, begins, ends] = chains
    return square[spans.places[:, 0], spans.places[:, 1], spans.places[:, 2]]


def _mother_loss(
    network: SpanParser, views: Views, nodes: Nodes, functions: Tensor, lessons: Sequence[Lesson]
) -> Tensor:
    """-log of the softmax over the candidates of each child, at the true one."""
    pairs = pairs_of([lesson.candidates for lesson in lessons], nodes)
    if not len(pairs.children):
        return functions.new_zeros(())
    scores = network.mothers(views, functions, pairs.children, pairs.targets)
    chosen = _joined([lesson.right - lesson.candidates.firsts for lesson in lessons]) + pairs.firsts
    highest = scores.new_full((len(chosen),), -torch.inf).scatter_reduce(0, pairs.groups, scores.detach(), "amax")
    sums = scores.new_zeros(len(chosen)).index_add(0, pairs.groups, torch.exp(scores - highest[pairs.groups]))
    return (highest + torch.log(sums) - scores[chosen]).sum()


def _joined(arrays: Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]]) -> Tensor:
    return torch.from_numpy(np.concatenate(arrays))
