"""Batches: every sentence once, none too wide, the order of the seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.systems.neural.batches import bucketed, padded, within


@given(st.lists(st.integers(1, 30), min_size=1, max_size=80), st.integers(1, 100), st.none() | st.integers(0, 9))
def test_every_sentence_once_and_no_batch_too_wide(lengths: list[int], size: int, seed: int | None) -> None:
    batches = bucketed(lengths, size, seed)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[number] for number in batch) <= size


def test_seed_and_epoch_decide_the_order() -> None:
    lengths = [1 + number % 7 for number in range(60)]

    def order(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in bucketed(lengths, 20, seed, epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_long_sentences_are_told() -> None:
    told: list[str] = []
    assert within([3, 101, 100, 200], told.append).tolist() == [0, 2]
    assert told == ["warning: 2 training sentences of more than 100 words (301 words) are left out"]
    with pytest.raises(InputError, match="no dev sentence has 2 words or less"):
        within([3], told.append, "dev", longest=2)


def test_rows_are_filled_up() -> None:
    assert padded([[1, 2], [3]], 0).tolist() == [[1, 2], [3, 0]]
