"""Contents of an RNNG's stacks in a search: each phrase once, and the same as in training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from every_tree import INVENTORY, WORDS  # noqa: E402

from gardenpath.systems.structural.contents import Cell, Contents, squashed, stepped  # noqa: E402


def vectors(contents: Contents, numbers: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    return contents._known.rows(0, numbers)


RNNGS = pytest.mark.parametrize("network", ["rnng", "rnng with histories"], indirect=True)


@RNNGS
def test_phrases_of_a_search_are_those_of_training(network: Any) -> None:
    contents = Contents(network)
    with torch.inference_mode():
        words = contents.words(np.array([WORDS[0], WORDS[1], WORDS[0]]))
        assert words[0] == words[2] != words[1]
        first, second = int(words[0]), int(words[1])
        inner = int(contents.phrases([(0, first, second)])[0])
        phrases = [(1, inner, second, first), (0, second), (1, inner, second, first), (0, first, second)]
        numbers = contents.phrases(phrases)
        assert numbers[0] == numbers[2]
        assert numbers[3] == inner  # composed before
        assert len({*numbers.tolist()}) == 3
        for phrase, number in zip(phrases, numbers.tolist(), strict=True):
            children = vectors(contents, np.array(phrase[1:]))[None]
            expected = network._compose(torch.tensor([phrase[0]]), children, torch.tensor([len(phrase) - 1]))
            torch.testing.assert_close(vectors(contents, np.array([number])), expected, atol=1e-6, rtol=1e-5)


@RNNGS
def test_categories_come_first(network: Any) -> None:
    every = np.arange(len(INVENTORY.labels))
    assert torch.equal(vectors(Contents(network), every), network.categories.weight)


def test_squashed_is_tanh() -> None:
    values = torch.linspace(-30, 30, 4001)
    torch.testing.assert_close(squashed(values.clone()), torch.tanh(values), atol=3e-7, rtol=0)


def test_a_cell_that_is_only_read_with_steps_as_the_one_that_learns() -> None:
    learning = torch.nn.LSTMCell(6, 5)
    inputs, hidden, state = torch.randn(7, 6) * 4, torch.randn(7, 5), torch.randn(7, 5) * 3
    cell = Cell.of(learning)
    with torch.inference_mode():
        made = stepped(cell.read(inputs) + cell.remembered(hidden), state)
        torch.testing.assert_close(made, learning(inputs, (hidden, state)), atol=1e-6, rtol=1e-5)
