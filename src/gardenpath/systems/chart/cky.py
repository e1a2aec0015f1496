"""All binary trees over span scores, for a batch of sentences at once: the best one, and the sum over all."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

Span = tuple[int, int]


def best_splits(scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The score of the best tree of each sentence (B), and where its spans are split (B × N+1 × N+1).

    `scores` (B × N+1 × N+1) has at [b, i, j] what the span from fencepost i to j adds to a tree.

    best(i, i+1) = scores(i, i+1);  best(i, j) = scores(i, j) + max over i < k < j of best(i, k) + best(k, j)

    All spans of one width are computed together. `left[b, i, w]` is best(i, i+w), `right[b, j, w]` best(j-w, j): the
    parts of a span of width w are then two stretches of memory, widths 1 to w-1 upwards and downwards.
    """
    batch, posts = scores.shape[0], scores.shape[1]
    left = scores.new_full((batch, posts, posts), -torch.inf)
    right = left.clone()
    splits = torch.zeros((batch, posts, posts), dtype=torch.long)
    at = torch.arange(posts)
    for width in range(1, posts):
        begin, end = at[: posts - width], at[width:]
        best = scores[:, begin, end]
        if width > 1:
            parts = left[:, : posts - width, 1:width] + right[:, width:, 1:width].flip(-1)
            inner, split = parts.max(-1)
            best = best + inner
            splits[:, begin, end] = begin + 1 + split
        left[:, : posts - width, width] = best
        right[:, width:, width] = best
    return left[torch.arange(batch), 0, lengths], splits


def log_partition(scores: Tensor, lengths: Tensor) -> Tensor:
    """ln of the sum of exp(score) over all binary trees of each sentence (B); gradients go through it.

    inside(i, i+1) = scores(i, i+1);  inside(i, j) = scores(i, j) + ln sum over k of exp(inside(i, k) + inside(k, j))
    """
    total: Tensor = _LogPartition.apply(scores, lengths)
    return total


class _LogPartition(torch.autograd.Function):  # type: ignore[misc]
    """Inside forwards and outside backwards, laid out as in `best_splits`. The gradient is how likely each span is.

    outside(0, n) = 1;  outside(i, j) = sum over the spans of which (i, j) is a part of
    outside(span) exp(inside(i, j) + inside(its other part) - ln sum over all splits of the span)

    The gradient is not differentiable again.
    """

    @staticmethod
    def forward(context: Any, scores: Tensor, lengths: Tensor) -> Tensor:
        batch, posts = scores.shape[0], scores.shape[1]
        left = scores.new_zeros((batch, posts, posts))
        right, sums = left.clone(), left.clone()
        for width in range(1, posts):
            inside = scores.diagonal(width, 1, 2)
            if width > 1:
                parts = left[:, : posts - width, 1:width] + right[:, width:, 1:width].flip(-1)
                inner = torch.logsumexp(parts, -1)
                sums[:, : posts - width, width] = inner
                inside = inside + inner
            left[:, : posts - width, width] = inside
            right[:, width:, width] = inside
        context.save_for_backward(left, right, sums, lengths)
        return left[torch.arange(batch), 0, lengths]

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(context: Any, given: Tensor) -> tuple[Tensor, None]:
        left, right, sums, lengths = context.saved_tensors
        batch, posts = left.shape[0], left.shape[1]
        as_left, as_right, outside = torch.zeros_like(left), torch.zeros_like(left), torch.zeros_like(left)
        as_left[torch.arange(batch), 0, lengths] = given
        for width in range(posts - 1, 0, -1):
            count = posts - width
            own = as_left[:, :count, width] + as_right[:, width:, width]
            outside.diagonal(width, 1, 2).copy_(own)
            if width > 1:
                parts = left[:, :count, 1:width] + right[:, width:, 1:width].flip(-1)
                shares = torch.exp(parts - sums[:, :count, width, None]) * own[..., None]
                as_left[:, :count, 1:width] += shares
                as_right[:, width:, 1:width] += shares.flip(-1)
        return outside, None


def spans_of(splits: list[list[int]], length: int) -> list[Span]:
    """The spans of one tree, mothers before their daughters and from left to right."""
    spans, waiting = [], [(0, length)]
    while waiting:
        begin, end = waiting.pop()
        spans.append((begin, end))
        if end - begin > 1:
            middle = splits[begin][end]
            waiting += [(middle, end), (begin, middle)]
    return spans
