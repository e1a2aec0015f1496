"""Random splits: nothing is lost, shares are met, a seed gives the same parts again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Treebank
from gardenpath.treebank.split.deal import documents
from gardenpath.treebank.split.methods import length_split, random_split


def treebank(*borders: str) -> Treebank:
    """One sentence for each string, which is its comment."""
    blocks = [
        f"{comment}# sent_id = {number}\n1\tw{number}\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
        for number, comment in enumerate(borders)
    ]
    return Treebank("".join(blocks).encode())


PLAIN = treebank(*[""] * 20)


def test_shares_are_met_to_the_sentence() -> None:
    parts = random_split(PLAIN, train=0.8, dev=0.1, test=0.1, seed=3).parts
    assert {part: len(numbers) for part, numbers in parts.items()} == {"train": 16, "dev": 2, "test": 2}


def test_bytes_and_order_are_kept() -> None:
    split = random_split(PLAIN, seed=1)
    train = Treebank(split.conllu(PLAIN, "train"))
    assert [int(name) for name in train.sent_ids] == split.parts["train"].tolist()
    assert split.parts["train"].tolist() == sorted(split.parts["train"].tolist())
    assert sorted(b"".join(split.conllu(PLAIN, part) for part in split.parts)) == sorted(PLAIN.data)


def test_same_seed_same_split_other_seed_other_split() -> None:
    first, again, other = (random_split(PLAIN, seed=seed).parts["test"].tolist() for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_a_share_of_zero_leaves_a_part_out() -> None:
    assert list(random_split(PLAIN, train=0.9, dev=0, test=0.1).parts) == ["train", "test"]


@settings(deadline=None)
@given(st.integers(3, 60), st.integers(1, 98), st.integers(0, 2**31))
def test_parts_are_disjoint_complete_and_not_empty(size: int, share: int, seed: int) -> None:
    dev = (100 - share) // 2
    split = random_split(
        treebank(*[""] * size), train=share / 100, dev=dev / 100, test=(100 - share - dev) / 100, seed=seed
    )
    together = np.concatenate(list(split.parts.values()))
    assert sorted(together.tolist()) == list(range(size))
    assert all(len(numbers) for numbers in split.parts.values())
    if len(split.parts) == 3:
        assert abs(len(split.parts["train"]) - size * share / 100) <= 2


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=3, max_size=40), st.integers(0, 1000))
def test_documents_stay_together(borders: list[bool], seed: int) -> None:
    borders[0] = borders[1] = borders[2] = True
    given_treebank = treebank(*("# newdoc id = d\n" if border else "" for border in borders))
    document_of = documents(given_treebank)
    parts = random_split(given_treebank, by_document=True, seed=seed, tolerance=0.6).parts
    owners = [set(document_of[numbers].tolist()) for numbers in parts.values()]
    assert all(owners)
    assert sum(map(len, owners)) == len(set.union(*owners)) == sum(borders)


def test_document_borders() -> None:
    found = documents(treebank("", "", "# newdoc\n", "", "#newdoc id = x\n", "# newdocument = no\n"))
    assert found.tolist() == [0, 0, 1, 1, 2, 2]


WHOLE = "do not make a whole"


@pytest.mark.parametrize(
    ("given_treebank", "options", "message"),
    [
        (PLAIN, {"by_document": True}, "no document borders"),
        (treebank("# newdoc\n", "", "# newdoc\n", ""), {"by_document": True}, "2 documents cannot make 3 parts"),
        (treebank(""), {}, "1 sentence cannot make 3 parts"),
        (PLAIN, {"train": 0.8, "dev": 0.1, "test": 0.2}, WHOLE),
        (PLAIN, {"train": 1.2, "dev": -0.1, "test": -0.1}, WHOLE),
        (PLAIN, {"train": 0.5, "dev": 0.1, "test": 0.1}, WHOLE),
        (PLAIN, {"train": float("nan"), "dev": 0.1, "test": 0.1}, WHOLE),
        (PLAIN, {"train": 1, "dev": 0, "test": 0}, "two parts or three"),
        (PLAIN, {"seed": -1}, "the seed is -1"),
    ],
)
def test_splits_that_cannot_be_made(given_treebank: Treebank, options: dict[str, Any], message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        random_split(given_treebank, **options)


def long_and_short(*lengths: int, border: int = 0) -> Treebank:
    blocks = []
    for number, length in enumerate(lengths):
        comment = "# newdoc\n" if border and number % border == 0 else ""
        rows = "".join(f"{n}\tw{number}\t_\t_\t_\t_\t{n - 1}\t_\t_\t_\n" for n in range(1, length + 1))
        blocks.append(f"{comment}{rows}\n")
    return Treebank("".join(blocks).encode())


def test_by_length_the_longest_are_the_test_part() -> None:
    parts = length_split(long_and_short(5, 9, 1, 3, 7, 2, 8, 4, 6, 10)).parts
    assert {part: len(numbers) for part, numbers in parts.items()} == {"train": 6, "dev": 2, "test": 2}
    assert parts["test"].tolist() == [1, 9]


@settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=5, max_size=40), st.integers(0, 1000))
def test_by_length_no_sentence_outside_test_is_longer(lengths: list[int], seed: int) -> None:
    split = length_split(long_and_short(*lengths), seed=seed)
    test = split.parts["test"].tolist()
    others = [lengths[number] for part in ("train", "dev") for number in split.parts[part].tolist()]
    assert min(lengths[number] for number in test) >= max(others)
    assert sorted([*test, *split.parts["train"], *split.parts["dev"]]) == list(range(len(lengths)))


def test_by_length_chance_decides_among_equals() -> None:
    found = {tuple(length_split(long_and_short(*[3] * 20), seed=seed).parts["test"].tolist()) for seed in range(5)}
    assert len(found) > 1


def test_by_length_with_documents() -> None:
    given_treebank = long_and_short(1, 2, 9, 9, 3, 3, 2, 2, 1, 4, border=2)
    parts = length_split(given_treebank, by_document=True).parts
    assert parts["test"].tolist() == [2, 3]
    assert len(parts["dev"]) == 2
    with pytest.raises(UsageError, match="needs a test part"):
        length_split(given_treebank, train=0.8, dev=0.2, test=0)
