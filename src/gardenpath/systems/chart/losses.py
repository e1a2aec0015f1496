"""What a span parser learns by: the probability of the true tree among all, and cross-entropy for the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from .cky import log_partition
from .encoding import Answers, Forgotten, Reader, Spans, spans_of_all
from .lessons import Lesson
from .network import SpanParser


def loss(
    network: SpanParser, reader: Reader, lessons: Sequence[Lesson], answers: Sequence[Answers], forgotten: Forgotten
) -> Tensor:
    """The sum over a batch: spans, tags, functions, and mothers of nodes that may have been raised."""
    inputs = reader.inputs([lesson.words for lesson in lessons], forgotten)
    states, posts = network.encoder(inputs)
    lengths = inputs.lengths.tolist()
    inside = torch.arange(max(lengths)) < inputs.lengths[:, None]
    total = cross_entropy(network.tag(states[inside]), _joined([answer.tags for answer in answers]), reduction="sum")
    spans = spans_of_all(lengths)
    total = total + tree_loss(network.chains(posts, spans.places), spans, inputs.lengths, answers)
    rows = reader.rows([lesson.tree for lesson in lessons])
    children = torch.cat([own[:-1] for own in rows])
    mothers = torch.cat([own[lesson.tree.mothers[:-1]] for own, lesson in zip(rows, lessons, strict=True)])
    functions = _joined([answer.functions for answer in answers])
    total = total + cross_entropy(network.functions(posts, children, mothers), functions, reduction="sum")
    if not reader.inventory.lowering:
        return total
    return total + _mother_loss(network, posts, rows, lessons)


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


def _mother_loss(network: SpanParser, posts: Tensor, rows: Sequence[Tensor], lessons: Sequence[Lesson]) -> Tensor:
    """-log of the softmax over the candidates of each child, at the true one."""
    children, targets, groups, right = [], [], [], []
    before = count = 0
    for own, lesson in zip(rows, lessons, strict=True):
        pairs = lesson.candidates
        children.append(own[pairs.children])
        targets.append(own[pairs.targets])
        groups.append(pairs.groups + count)
        right.append(lesson.right + before)
        before, count = before + len(pairs.children), count + len(lesson.right)
    if not before:
        return posts.new_zeros(())
    scores = network.mothers(posts, torch.cat(children), torch.cat(targets))
    group = _joined(groups)
    highest = scores.new_full((count,), -torch.inf).scatter_reduce(0, group, scores.detach(), "amax")
    sums = scores.new_zeros(count).index_add(0, group, torch.exp(scores - highest[group]))
    return (highest + torch.log(sums) - scores[_joined(right)]).sum()


def _joined(arrays: Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]]) -> Tensor:
    return torch.from_numpy(np.concatenate(arrays))
