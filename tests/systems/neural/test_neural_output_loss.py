"""The loss of an output layer, computed by pieces, against PyTorch's own."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from gardenpath.systems.neural import output_loss  # noqa: E402


@pytest.mark.parametrize("rows", [1, 3, 7, 256])
def test_loss_and_gradients_are_those_of_cross_entropy(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_loss, "ROWS", rows)
    chance = torch.Generator().manual_seed(1)
    hidden, weight, bias = (torch.randn(*size, generator=chance).requires_grad_() for size in ((7, 5), (11, 5), (11,)))
    targets = torch.randint(0, 11, (7,), generator=chance)

    def whole() -> torch.Tensor:
        logits = torch.nn.functional.linear(hidden, weight, bias)
        return torch.nn.functional.cross_entropy(logits, targets, reduction="sum")

    def pieces() -> torch.Tensor:
        return output_loss.summed_loss(hidden, weight, bias, targets)

    expected = torch.autograd.grad(whole() / 3, (hidden, weight, bias))
    torch.testing.assert_close(torch.autograd.grad(pieces() / 3, (hidden, weight, bias)), expected)
    with torch.no_grad():
        torch.testing.assert_close(pieces(), whole())
