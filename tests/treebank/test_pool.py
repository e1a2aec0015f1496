"""Codes of strings against a dictionary of strings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gardenpath.treebank.format import columns as pool
from gardenpath.treebank.format.columns import Column, encode, same_strings

Places = NDArray[np.int64]
ODD = ["", "a", "a" * 8, "a" * 8 + "b", "a" * 127, "a" * 128, "a" * 129, "a" * 200, "a" * 199 + "b", "\0", "\0\0"]
TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        st.sampled_from(ODD),
    ),
    max_size=40,
)


def laid_out(texts: list[str]) -> tuple[bytes, Places, Places]:
    """The strings one after the other, and where each begins and ends."""
    pieces = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, pieces)])
    return b"".join(pieces), ends[:-1], ends[1:]


def column(texts: list[str]) -> Column:
    return encode(*laid_out(texts))


def by_dictionary(texts: list[str]) -> tuple[list[int], list[str]]:
    known: dict[str, int] = {}
    return [known.setdefault(text, len(known)) for text in texts], list(known)


@given(TEXTS)
def test_codes_count_up_from_the_first_word(texts: list[str]) -> None:
    found = column(texts)
    assert (found.codes.tolist(), list(found.values)) == by_dictionary(texts)
    assert found.strings() == texts
    assert [found[i] for i in range(len(found))] == texts


@given(TEXTS)
def test_a_table_with_too_few_rounds_falls_back_to_sorting(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "_ROUNDS", 0)
        assert (column(texts).codes.tolist(), list(column(texts).values)) == by_dictionary(texts)


@given(TEXTS)
def test_strings_with_one_hash_are_told_apart(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "_first_with_same", lambda keys: np.zeros(len(keys), dtype=np.int64))
        assert (column(texts).codes.tolist(), list(column(texts).values)) == by_dictionary(texts)


@pytest.mark.parametrize("size", [1, 8, 9, 16, 17, 127, 128, 129, 300])
def test_strings_that_differ_in_one_byte_only_are_told_apart(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_first_with_same", lambda keys: np.zeros(len(keys), dtype=np.int64))
    for place in range(size):
        other = "a" * place + "b" + "a" * (size - place - 1)
        assert column(["a" * size, other]).strings() == ["a" * size, other]


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), min_size=1, max_size=50))
def test_the_first_with_the_same_key(keys: list[int]) -> None:
    found = pool._first_with_same(np.array(keys, dtype=np.uint64))
    assert found.tolist() == [keys.index(key) for key in keys]


def test_many_keys_in_a_small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.random.default_rng(0).integers(0, 40_000, 100_000).astype(np.uint64)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    monkeypatch.setattr(pool, "_ROUNDS", 1)  # one round cannot place them all: the rest is sorted
    assert np.array_equal(pool._first_with_same(keys), first[inverse])


@given(TEXTS)
def test_mapped_code_and_counts(texts: list[str]) -> None:
    found = column(texts)
    lower = found.mapped(str.lower)
    assert lower.strings() == [text.lower() for text in texts]
    assert len(set(lower.values)) == len(lower.values)
    assert found.counts() == {text: texts.count(text) for text in texts}
    assert all(found.values[found.code(text)] == text for text in texts)
    assert found.code("not there at all") == -1


def test_counts_stand_with_the_most_frequent_first() -> None:
    assert list(column(["b", "a", "c", "c"]).counts().items()) == [("c", 2), ("a", 1), ("b", 1)]


@given(TEXTS, st.data())
def test_pairs_of_strings_that_are_the_same(texts: list[str], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.sampled_from(texts or [""]), min_size=len(texts), max_size=len(texts)))
    left, *ours = laid_out(texts)
    right, *theirs = laid_out(others)
    same = same_strings(left, (ours[0], ours[1]), right, (theirs[0], theirs[1]))
    assert same.tolist() == [mine == theirs_ for mine, theirs_ in zip(texts, others, strict=True)]
