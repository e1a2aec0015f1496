"""-ln p of words without the distributions of a whole batch in memory: loss and gradient together. Needs torch."""

from __future__ import annotations

from typing import Any

import torch

ROWS = 256
"""Contexts whose distributions are in memory at a time; more do not stay in the cache."""


def summed_loss(hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The sum of -ln softmax(hidden weightᵀ + bias) at the targets, as `cross_entropy` has it.

    hidden: contexts x units; weight: words x units; bias: words; targets: contexts.
    """
    learning = torch.is_grad_enabled() and (hidden.requires_grad or weight.requires_grad)
    loss: torch.Tensor = _SummedLoss.apply(hidden, weight, bias, targets, learning)
    return loss


class _SummedLoss(torch.autograd.Function):  # type: ignore[misc]
    """The gradient of the sum by the logits is softmax - 1[target]: it is there as soon as the softmax is."""

    @staticmethod
    def forward(
        ctx: Any, hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor, learning: bool
    ) -> torch.Tensor:
        room = hidden.new_empty(min(ROWS, len(hidden)), len(weight))
        total = hidden.new_zeros(())
        slopes = [torch.empty_like(hidden), torch.zeros_like(weight), torch.zeros_like(bias)] if learning else []
        for begin in range(0, len(hidden), ROWS):
            some, wanted = hidden[begin : begin + ROWS], targets[begin : begin + ROWS, None]
            logits = torch.addmm(bias, some, weight.t(), out=room[: len(some)])
            highest = logits.amax(1, keepdim=True)
            chosen = logits.gather(1, wanted) - highest
            weights = logits.sub_(highest).exp_()
            sums = weights.sum(1, keepdim=True)
            total += (sums.log() - chosen).sum()
            if learning:
                weights.div_(sums).scatter_add_(1, wanted, torch.full_like(sums, -1.0))
                torch.mm(weights, weight, out=slopes[0][begin : begin + ROWS])
                slopes[1].addmm_(weights.t(), some)
                slopes[2] += weights.sum(0)
        ctx.save_for_backward(*slopes)
        return total

    @staticmethod
    def backward(ctx: Any, outer: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return (*(outer * slope for slope in ctx.saved_tensors), None, None)
