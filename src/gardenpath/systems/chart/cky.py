"""All binary trees over span scores, for a batch of sentences at once: the best one, and the sum over all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

Span = tuple[int, int]


def best_splits(scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The score of the best tree of each sentence (B), and where its spans are split (B × N+1 × N+1).

    `scores` (B × N+1 × N+1) has at [b, i, j] what the span from fencepost i to j adds to a tree.

    best(i, i+1) = scores(i, i+1);  best(i, j) = scores(i, j) + max over i < k < j of best(i, k) + best(k, j)

    All spans of one width are computed together. `left[b, i, w]` is best(i, i+w), `right[b, j, w]` best(j-w, j): the
    parts of a span of width w are then two stretches of memory, widths 1 to w-1 upwards and downwards.
    """
    import torch

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

    `inside[w]` (B × N+1-w) has all spans of width w by their begin: those of width k at i, and of width w-k at i+k.
    """
    import torch

    posts = scores.shape[1]
    at = torch.arange(posts)
    inside = [scores.new_zeros(())]
    for width in range(1, posts):
        count = posts - width
        own = scores[:, at[:count], at[width:]]
        if width > 1:
            left = torch.stack([inside[part][:, :count] for part in range(1, width)], -1)
            right = torch.stack([inside[width - part][:, part : part + count] for part in range(1, width)], -1)
            own = own + torch.logsumexp(left + right, -1)
        inside.append(own)
    return torch.stack([inside[length][number, 0] for number, length in enumerate(lengths.tolist())])


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
