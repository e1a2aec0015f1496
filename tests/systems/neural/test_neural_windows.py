"""How sentences are put together before a network reads them. Oracle: a set of all beginnings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from gardenpath.systems.neural.prediction import _beginnings, _windows

SENTENCES = st.lists(st.lists(st.integers(3, 5), max_size=6), max_size=12)


@given(SENTENCES)
def test_every_beginning_is_there_once(sentences: list[list[int]]) -> None:
    contexts, words = _beginnings([np.array(one, np.int64) for one in sentences])
    different = {tuple(one[:at]) for one in sentences for at in range(len(one) + 1)}
    assert contexts.count == len(different)
    of_event = iter(contexts.of_event.tolist())
    numbers = {tuple(one[:at]): next(of_event) for one in sentences for at in range(len(one) + 1)}
    assert sorted(numbers.values()) == list(range(len(different)))
    assert words.tolist() == [word for one in sentences for word in (*one, 2)]
    read = {}
    for row, (begin, first) in zip(contexts.rows, contexts.places, strict=True):
        for at in range(begin, len(row)):
            read[tuple(row[1 : at + 1].tolist())] = first + at - begin
    assert read == numbers


@given(st.integers(1, 300), st.none() | st.integers(1, 50))
def test_windows_read_off_every_position_once(length: int, longest: int | None) -> None:
    windows = _windows(length, longest)
    positions = [at for _, first, stop in windows for at in range(first, stop)]
    assert positions == list(range(length))
    for start, first, stop in windows:
        assert start >= 0
        assert stop - start <= (longest or length) + 1
        assert start == 0 or first - start >= (longest or 0) // 2
