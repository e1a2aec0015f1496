"""Packs and buckets of sequences: every prediction once, with the very tokens before it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.systems.hf.trie import Batch, buckets, packs, trie

SEQUENCES = st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=12)


def predictions(batch: Batch) -> dict[int, tuple[int, ...]]:
    """What each event of a batch predicts, after which tokens."""
    flat = batch.ids.reshape(-1)
    found = {}
    for row, token, event in zip(batch.row_of, batch.tokens, batch.events, strict=True):
        place = int(batch.rows[row])
        if batch.parents is None:
            line, at = divmod(place, batch.ids.shape[1])
            before = batch.ids[line, : at + 1].tolist()
        else:
            before = flat[np.flatnonzero(batch.seen[place])].tolist()
            assert batch.depths[place] == len(before) - 1
        found[int(event)] = (*before, int(token))
    return found


@given(SEQUENCES, st.integers(1, 9), st.sampled_from([packs, buckets]))
def test_every_beginning_is_predicted_once(sequences, size, cut):
    found = trie(sequences)
    batches = list(cut(sequences, found, size))
    told = [predictions(batch) for batch in batches]
    events = [event for one in told for event in one]
    assert sorted(events) == list(range(found.count))
    of_event = {event: what for one in told for event, what in one.items()}
    for sequence, events_of in zip(sequences, found.of_sequence, strict=True):
        expected = [tuple(sequence[: at + 1]) for at in range(1, len(sequence))]
        assert [of_event[event] for event in events_of.tolist()] == expected
    assert found.count == len({tuple(one[: at + 1]) for one in sequences for at in range(1, len(one))})


def test_what_is_shared_is_read_once_and_last_tokens_not_at_all():
    sequences = [[1, 2, 3, 4], [1, 2, 3, 5], [1, 2, 6]]
    (batch,) = packs(sequences, trie(sequences), 100)
    assert batch.ids.tolist() == [[1, 2, 3]]
    assert sorted(batch.tokens.tolist()) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_pack_that_is_full_is_followed_by_one_that_repeats_beginnings(size):
    sequences = [[1, 2, 3, 4], [1, 2, 7, 4], [1, 2, 9, 4]]
    batches = list(packs(sequences, trie(sequences), size))
    assert sum(len(batch.events) for batch in batches) == 7
    assert len(batches) == (1 if size == 100 else 3)
